// The Text section: tokenizers learned in the page give what the library gives in a terminal, and a large file stalls nothing.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { plainText, small, visit } from "./visit";

const link = `${small}&steps=5&start=no&section=text`;
const soon = { timeout: 30_000 };

type Kind = "wordpiece" | "bpe";

const stage = (page: Page) => page.locator("[data-stage]").getAttribute("data-stage", soon);
const learned = (page: Page) => expect.poll(() => stage(page), { timeout: 90_000 }).toBe("done");
const ids = (page: Page, kind: Kind) =>
  page
    .locator(`[data-cut=${kind}] [data-id]`)
    .evaluateAll((chips) => chips.map((chip) => chip.getAttribute("data-id")).join(" "));
const pieces = (page: Page, kind: Kind) =>
  page
    .locator(`[data-cut=${kind}] [data-piece]`)
    .evaluateAll((chips) => chips.map((chip) => chip.getAttribute("data-piece")).join(" "));
const openFiles = (page: Page, files: { name: string; content: string }[]) =>
  page
    .locator("input[data-picker=tokenizer]")
    .setInputFiles(files.map(({ name, content }) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) })));

/** Of `octet tokenizer train --vocab-size 1000` on the page's texts, and `encode` of the sentence that the page begins with. */
const expected = {
  en: {
    wordpiece: "56 116 1 182 27 38 53 32 40 39 32 50 33 53 495 460 171 100 134 1",
    bpe: "277 338 268 650 128 103 404 221 597 66 69 76 73 69 86 65 66 737 708 258 295 83 354 221 173 254 248 225",
  },
  ko: {
    wordpiece: "444 541 296 599 527 1 214 752 310 293 1",
    bpe: "314 584 268 687 565 473 344 168 103 109 881 754 905 260 284 221 173 254 248 225",
  },
  ja: {
    wordpiece: "140 41 170 42 259 13 277 5 187 41 88 38 203 9 222 14 232 1",
    bpe: "512 628 715 269 271 308 504 274 595 287 932 503 173 254 248 225",
  },
} as const;

test.each(["en", "ko", "ja"] as const)("a sentence of %s has the ids that it has in a terminal", async (language) => {
  const { page } = await visit({ link: `${link}&lang=${language}` });
  await learned(page);
  for (const kind of ["wordpiece", "bpe"] as const)
    await expect.poll(() => ids(page, kind), soon).toBe(expected[language][kind]);
  const sentence = await page.locator("#text-sentence").inputValue();
  expect(await page.locator("[data-cut=bpe] [data-decoded]").getAttribute("data-decoded")).toBe(sentence);
});

test("the files that are saved have the bytes that octet tokenizer train writes", async () => {
  const { page } = await visit({ link: `${link}&lang=ko` });
  await learned(page);
  for (const [name, hash] of [
    ["wordpiece-vocab.txt", "029658adb357bfe3"],
    ["wordpiece-tokenizer_config.json", "b31cd1f2200d9b12"],
    ["wordpiece-tokenizer.json", "fde605836f9cce71"],
    ["bpe-vocab.json", "0cd12eb95bd9eeb4"],
    ["bpe-merges.txt", "c9480b1d5dccb5c0"],
    ["bpe-tokenizer.json", "aad67c5e483a5a75"],
  ]) {
    const saving = page.waitForEvent("download");
    await page.locator(`[data-save="${name}"]`).click();
    const bytes = await readFile(await (await saving).path());
    expect(createHash("sha256").update(bytes).digest("hex").slice(0, 16), name).toBe(hash);
  }
});

test("an option that is turned just before another text is chosen is that text's", async () => {
  const { page } = await visit({ link: `${link}&lang=en` });
  await learned(page);
  await page.evaluate(async () => {
    document.querySelector<HTMLElement>("input[name=strip_accents]")?.click();
    await new Promise((later) => setTimeout(later, 100));
    document.querySelector<HTMLElement>("[data-choice=text-source-ko]")?.click();
  });
  await new Promise((later) => setTimeout(later, 1000)); // what the option alone would have learned from begins sooner
  await learned(page);
  const named = await page.locator("[data-choice=text-source-ko]").innerText();
  expect(await page.locator(".growing-progress .stage").textContent()).toContain(named.split("\n")[0]);
});

test("a tokenizer that is opened while a file is read leaves the text before it chosen", async () => {
  const { page } = await visit({ link: `${link}&lang=en` });
  await learned(page);
  await page.evaluate(() => {
    const line = `${"word ".repeat(20)}\n`;
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(new Array(Math.ceil(60e6 / line.length)).fill(line), "large.txt"));
    document
      .querySelector(".text-section")
      ?.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect.poll(() => stage(page)).toBe("reading");
  await openFiles(page, [{ name: "vocab.txt", content: "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nharbour\n" }]);
  const chosen = page.locator("[data-choice=text-source-en]");
  await expect.poll(() => chosen.getAttribute("aria-pressed"), soon).toBe("true");
  await expect.poll(() => page.locator("[data-cut=wordpiece] [data-piece=harbour]").count(), soon).toBe(1);
});

test("a file of 50 MB is learned from while the page answers, and can be stopped", async () => {
  const { page } = await visit({ link: `${link}&lang=en` });
  await learned(page);
  await page.evaluate(() => {
    const syllables = ["ka", "mo", "ri", "ten", "lu", "sha", "o", "pre", "ing", "do"];
    let seed = 1;
    const random = () => (seed = (seed * 48271) % 2147483647);
    const word = () => Array.from({ length: 1 + (random() % 4) }, () => syllables[random() % 10]).join("");
    const line = () => Array.from({ length: 12 }, word).join(" ");
    const part = `${Array.from({ length: 10_000 }, line).join("\n")}\n`;
    const file = new File(new Array(Math.ceil(50e6 / part.length)).fill(part), "large.txt");
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(file);
    const seen = Object.assign(window, { gaps: [] as number[] });
    let last = performance.now();
    const frame = (now: number) => {
      seen.gaps.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    document
      .querySelector(".text-section")
      ?.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect.poll(() => stage(page)).toBe("reading");
  const name = page.locator("#text-sentence");
  // The tokenizers from before answer while the file is read.
  await name.fill("harbour");
  await expect.poll(() => pieces(page, "wordpiece")).toBe("harbour");
  expect(await stage(page)).toBe("reading");
  await expect.poll(() => stage(page), { timeout: 100_000 }).not.toBe("reading");
  await learned(page);
  await name.fill("kamoriten");
  const joined = async () => (await pieces(page, "bpe")).replaceAll(" ", "");
  await expect.poll(joined, soon).toBe("kamoriten");
  const gaps = await page.evaluate(() => (window as unknown as { gaps: number[] }).gaps.sort((a, b) => a - b));
  expect(gaps[Math.floor(gaps.length * 0.95)]).toBeLessThan(200);

  // Given up while it reads, what was learned before stands.
  const before = await pieces(page, "bpe");
  await page.locator("[data-verb=learn]").click();
  await page.locator("[data-verb=cancel]").click();
  await learned(page);
  expect(await pieces(page, "bpe")).toBe(before);
}, 240_000);

test("a tokenizer from a file takes the place of the learned one, and a faulty one is refused by number", async () => {
  const { page } = await visit({ link: `${link}&lang=en&text.sentence=hello` });
  await learned(page);
  const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
  await openFiles(page, [{ name: "vocab.txt", content: [...special, "hel", "##lo"].join("\n") }]);
  await expect.poll(() => pieces(page, "wordpiece")).toBe("hel ##lo");
  // Nothing is told of the text that was learned from before.
  await expect.poll(() => page.locator(".growing-progress").textContent()).toContain("In use: vocab.txt");
  expect(await page.locator(".growing-progress").textContent()).not.toContain("different words");
  for (const [name, content, number] of [
    ["vocab.txt", "a\nb", "X708"],
    ["tokenizer.json", '{"model": ', "X720"],
    ["tokenizer.json", '{"model": {"type": "Unigram"}}', "X721"],
    ["merges.txt", "a b", "X701"],
  ] as const) {
    await openFiles(page, [{ name, content }]);
    await expect.poll(() => page.locator(".learning .mishap").textContent()).toContain(number);
    expect(await pieces(page, "wordpiece")).toBe("hel ##lo");
  }
  await page.locator("input[data-picker=text]").setInputFiles({
    name: "picture.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("\x89PNG\r\n\x1a\n\0\0\0"),
  });
  await expect.poll(() => page.locator(".learning .mishap").textContent()).toContain("X703");
  expect(await pieces(page, "wordpiece")).toBe("hel ##lo");
});

test("a browser's second copies of a tokenizer's files are those files", async () => {
  const { page } = await visit({ link: `${link}&lang=en&text.sentence=hello` });
  await learned(page);
  const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
  const dropped = await page.evaluateHandle(
    (lines) => {
      const carried = new DataTransfer();
      carried.items.add(new File([lines.join("\n")], "vocab (1).txt", { type: "text/plain" }));
      return carried;
    },
    [...special, "hel", "##lo"],
  );
  await page.dispatchEvent(".text-section", "drop", { dataTransfer: dropped });
  await expect.poll(() => pieces(page, "wordpiece")).toBe("hel ##lo");
  const bytes = Object.fromEntries([..."helo"].map((letter, at) => [letter, at]));
  await openFiles(page, [
    { name: "vocab (1).json", content: JSON.stringify({ ...bytes, he: 4 }) },
    { name: "merges (1).txt", content: "#version: 0.2\nh e\n" },
  ]);
  await expect.poll(() => pieces(page, "bpe")).toBe("he l l o");
});

test("of tokenizers opened of both kinds each card tells of the one in use, until a text is learned from", async () => {
  const { page, shown } = await visit({ link: `${link}&lang=en&text.sentence=hello` });
  await learned(page);
  const counts = async () => [await shown("[data-number=wordpiece-pieces]"), await shown("[data-number=bpe-pieces]")];
  const before = await counts();
  const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
  await openFiles(page, [{ name: "vocab.txt", content: [...special, "hel", "##lo"].join("\n") }]);
  await expect.poll(() => shown("[data-number=wordpiece-pieces]")).toBe("7");
  const bytes = Object.fromEntries([..."helo"].map((letter, at) => [letter, at]));
  await openFiles(page, [
    { name: "vocab.json", content: JSON.stringify({ ...bytes, he: 4 }) },
    { name: "merges.txt", content: "#version: 0.2\nh e\n" },
  ]);
  await expect.poll(() => shown("[data-number=bpe-pieces]")).toBe("5");
  expect(await pieces(page, "wordpiece")).toBe("hel ##lo"); // still in use
  expect(await counts()).toEqual(["7", "5"]);
  expect(await page.locator("[data-growth] .growth-curve").count()).toBe(0);
  expect(await page.locator("[data-growth=bpe] > .hint").textContent()).toContain("252 of the 256 bytes");
  await openFiles(page, [{ name: "vocab.txt", content: [...special, "h", "##ello", "##i"].join("\n") }]);
  await expect.poll(counts).toEqual(["8", "5"]);
  await page.locator("[data-verb=learn]").click();
  await expect.poll(counts, { timeout: 90_000 }).toEqual(before);
});

test("a sentence that is too long is cut, and it is said so", async () => {
  const { page } = await visit({ link: `${link}&lang=en` });
  await learned(page);
  const cut = () => page.locator("#text-sentence-cut").textContent();
  expect(await cut()).toBe("");
  await page.locator("#text-sentence").fill("a ".repeat(999) + "b🙂c"); // a pair of units at the edge
  await expect.poll(cut).toContain("2,000");
  expect((await page.locator("#text-sentence").inputValue()).at(-1)).toBe("b");
  await page.locator("#text-sentence").fill("a b");
  await expect.poll(cut).toBe("");
});

test("pieces are walked through with the keys, and what is unknown, decomposed or a special token shows", async () => {
  const { page } = await visit({ link: `${link}&lang=ko&text.size=2000` });
  await learned(page);
  await page.locator("[data-try=hangul]").click();
  await expect
    .poll(() => page.locator("[data-cut=bpe] [data-decoded]").getAttribute("data-decoded"))
    .toBe(`한글 ${"한글".normalize("NFD")}`);
  await page.locator("[data-try=special]").click();
  await expect.poll(() => pieces(page, "wordpiece")).toContain("[MASK] [UNK]");
  await page.locator("#text-sentence").fill("골목 아이들");
  await expect.poll(() => ids(page, "wordpiece")).toBe("444 541");
  await page.locator("[data-cut=wordpiece] [data-id]").first().focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.locator("[data-cut=wordpiece] mark").textContent()).toBe("아이들");
  await expect.poll(() => page.url()).toContain("text.size=2000");
});

test("the lines' lengths are padded by the chosen policy, and the sizes change with the vocabulary", async () => {
  const { page, shown } = await visit({ link: `${link}&lang=en`, viewport: { width: 390, height: 800 } });
  await learned(page);
  await expect.poll(() => shown("[data-number=text-programs]"), soon).toMatch(/^\d+$/);
  const multiple = await shown("[data-number=text-padding]");
  expect(await shown("[data-choice=text-policy-multiple_of]")).toBe("Multiples of 16");
  expect(await shown("[data-shown=text-policy]")).toContain("16");
  await page.getByText("in batches of 8 lines").waitFor();
  await page.locator("[data-choice=text-policy-exact]").click();
  await expect.poll(() => shown("[data-number=text-padding]")).toBe("0.0%");
  expect(multiple).not.toBe("0.0%");
  expect(await page.getByText("in batches of 8 lines").count()).toBe(0);
  await page.locator("[data-choice=text-kind-bpe]").click();
  await expect.poll(() => page.url()).toContain("text.kind=bpe");
  await expect.poll(() => page.url()).toContain("text.policy=exact");
  await page.reload();
  await page.locator("[data-choice=text-policy-exact][aria-pressed=true]").waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("tokens of a text are counted without those that rows of WordPiece have besides, and it is said where they are", async () => {
  const { page } = await visit({ link: `${link}&lang=en` });
  await learned(page);
  const measured = page.locator(".line-lengths > .hint").nth(1);
  await expect.poll(() => measured.textContent(), soon).toMatch(/ 2,884 tokens; .* with \[CLS\] and \[SEP\]\./);
  await page.locator("[data-choice=text-kind-bpe]").click();
  await expect.poll(() => measured.textContent(), soon).toMatch(/ 2,899 tokens; the longest row has \d+\./);
});

test("places are of characters as people count them, and of a blank put before the text no loss is told", async () => {
  const { page } = await visit({ link: `${link}&lang=en` });
  await learned(page);
  await page.locator("[data-try=emoji]").click();
  const bpe = page.locator("[data-cut=bpe]");
  await expect.poll(() => bpe.locator("[data-decoded]").getAttribute("data-decoded")).toContain("🇰🇷");
  await bpe.locator("[data-id]").last().focus();
  await expect.poll(() => bpe.locator(".about-piece").textContent()).toContain("character 8");
  expect(await page.locator(".cutting > .hint").last().textContent()).toContain("8 characters");
  await page.locator("input[name=add_prefix_space]").check();
  await expect.poll(() => bpe.locator(".decoded .hint").textContent(), soon).toContain("but for the blank");
});

test("a table is learned from by its column, and a long line is said to be cut", async () => {
  const { page } = await visit({ link: `${link}&lang=en` });
  await learned(page);
  const choose = async (name: string, text: string) => {
    await page
      .locator("input[data-picker=text]")
      .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await expect.poll(() => page.locator(".learning").textContent()).toContain(`Learned from ${name}`);
    await learned(page);
  };
  const measured = () => page.locator(".line-lengths > .hint").nth(1).textContent(soon);
  const lines = plainText(40).split("\n");
  await choose("plain.txt", lines.join("\n") + "\n");
  await expect.poll(measured).toMatch(/^40 lines/);
  const plain = [await measured(), await pieces(page, "wordpiece"), await ids(page, "bpe")];
  await choose("t.csv", ["id,text", ...lines.map((line, at) => `${at},"${line}"`)].join("\n"));
  await expect.poll(measured).toBe(plain[0]);
  expect(await pieces(page, "wordpiece")).toBe(plain[1]);
  expect(await ids(page, "bpe")).toBe(plain[2]);

  // Of a table without a column "text" another is chosen; so it is where lines are measured.
  const other = ["id,words", ...lines.map((line, at) => `${at},"${line}"`)].join("\n");
  const file = { name: "o.csv", mimeType: "text/plain", buffer: Buffer.from(other) };
  await page.locator("input[data-picker=text]").setInputFiles(file);
  await page.locator("[data-field=words]").click();
  await expect.poll(() => page.locator(".learning").textContent()).toContain("Learned from o.csv (words)");
  await expect.poll(measured).toBe(plain[0]);
  expect(await pieces(page, "wordpiece")).toBe(plain[1]);
  expect(await page.locator("[data-field]").count()).toBe(0);

  await choose("long.txt", "hello ".repeat(2000));
  await expect.poll(measured).toContain("Of a line of more than 512 tokens, the first 512 are counted.");
  await expect.poll(() => page.locator(".learning").textContent()).toContain("1 different word");
});

test("a tokenizer's file that cannot be saved is said not to be, and can be saved again", async () => {
  const { page } = await visit({ link: `${link}&lang=en` });
  await learned(page);
  await page.evaluate(() => {
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob) => {
      URL.createObjectURL = createObjectURL;
      throw new Error(`${(blob as Blob).size} bytes are too many`);
    };
  });
  await page.locator("[data-save='wordpiece-vocab.txt']").click();
  const said = page.locator(".files .mishap");
  await expect.poll(() => said.textContent(), soon).toContain("bytes are too many");
  const saved = page.waitForEvent("download");
  await said.locator("[data-action=again]").click();
  expect((await saved).suggestedFilename()).toBe("vocab.txt");
  await expect.poll(() => said.count()).toBe(0);
});

test("what more there is of WordPiece is learned by as in a terminal, and a mark that is none is refused by number", async () => {
  const { page } = await visit({ link: `${link}&lang=en&text.sentence=in+the+beginning` });
  await learned(page);
  await page.locator(".learning .more summary").click();
  const alphabet = page.locator("input[name=alphabet]");
  const mark = page.locator("#wordpieces-prefix");
  await alphabet.press("Home");
  await mark.fill("@@");
  await page.locator("input[name=clean_text]").uncheck();
  await expect.poll(() => ids(page, "wordpiece"), soon).toBe("35 26 1");
  await learned(page);
  for (const [name, hash] of [
    ["vocab.txt", "5b0a7042b21bb8ba"],
    ["tokenizer_config.json", "aaa0e44fb4e4ebd1"],
    ["tokenizer.json", "95c4bb87fb25cb7a"],
  ]) {
    const saving = page.waitForEvent("download");
    await page.locator(`[data-save="wordpiece-${name}"]`).click();
    const bytes = await readFile(await (await saving).path());
    expect(createHash("sha256").update(bytes).digest("hex").slice(0, 16), name).toBe(hash);
  }
  // A sentence shows the mark of its own tokenizer.
  await page.locator("#text-sentence").fill("thin");
  await expect.poll(() => page.locator("[data-cut=wordpiece] .pieces .sign-of").allTextContents()).toContain("@@");

  await mark.fill("@ @");
  await expect.poll(() => page.locator(".learning .mishap").textContent()).toContain("X709");
  expect(await page.locator(".learning .mishap").textContent()).toContain("Not used: “@ @”");
  expect(await mark.getAttribute("aria-invalid")).toBe("true");
  expect(await pieces(page, "wordpiece")).toContain("@@");
  await mark.fill("");
  await expect.poll(() => page.locator(".learning .mishap").count()).toBe(0);
  await expect.poll(() => page.url()).toContain("text.no_prefix=yes");
  await learned(page);
  await page.reload();
  await learned(page);
  expect(await mark.inputValue()).toBe("");
  expect(await page.locator("input[name=clean_text]").isChecked()).toBe(false);
  expect(await alphabet.getAttribute("aria-valuetext")).toBe("10");
});
