// The visitor's own file: taken by picker or drop; refused kindly where it cannot be trained on.
import { expect, test } from "vitest";
import { plainText, small, visit } from "./visit";

const wrong: [string, Uint8Array | string][] = [
  ["empty", ""],
  ["blank", "\n  \n\t\n"],
  ["binary", new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1, 2, 3, 0, 255, 254, 0])],
  ["encoded as EUC-KR", Buffer.from("b0edbee7c0ccb4c220b9b0c0bb20b8b6bdc5b4d9".repeat(40), "hex")],
  ["cut inside a character", Buffer.from(`${plainText(100)}고`).subarray(0, -1)],
  ["too short", "One line.\n"],
];

test.each(wrong)("a file that is %s is refused kindly, and the run before it goes on", async (kind, bytes) => {
  const { page, trained, steps, choose } = await visit({
    link: `${small}&steps=5000`,
  });
  await trained(3);
  await choose(`${kind}.txt`, bytes);
  const notice = page.locator("[data-notice=mishap]");
  await notice.waitFor();
  expect(await notice.textContent()).toContain(`Not used: “${kind}.txt”.`);
  expect(await notice.locator(".code").first().textContent()).toMatch(/^X7\d\d$/);
  if (kind === "binary") expect(await notice.textContent()).toMatch(/rule: /);
  const before = await steps();
  expect(before).toBeGreaterThanOrEqual(3);
  await trained(before + 2);
  expect(await page.locator("[data-text=en]").getAttribute("aria-pressed")).toBe("true");
  await notice.getByRole("button").click();
  await expect.poll(() => notice.count()).toBe(0);
});

test("each of several refused files is told of, and refused options, too", async () => {
  const { page, trained, choose, steps } = await visit({ link: `${small}&steps=5000` });
  await trained(1);
  const notice = page.locator("[data-notice=mishap]");
  for (const name of ["first.txt", "second.txt"]) {
    await choose(name, "");
    await expect.poll(() => notice.textContent()).toContain(`Not used: “${name}”.`);
    await notice.getByRole("button").click();
    await expect.poll(() => notice.count()).toBe(0);
  }
  await page.getByLabel("Layers", { exact: true }).fill("12");
  for (const width of ["768", "752"]) {
    await page.getByLabel("Width", { exact: true }).fill(width);
    await page.getByRole("button", { name: "Train with these" }).click();
    await expect.poll(() => notice.textContent()).toContain("These options were not used.");
    await notice.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => notice.count()).toBe(0);
  }
  await trained((await steps()) + 2);
});

test("a text that cannot be loaded is told of though the network is gone", async () => {
  const { page, trained, steps } = await visit({
    link: `${small}&steps=5000`,
    expected: /Failed to load|ERR_INTERNET/,
  });
  await trained(1);
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await page.locator("[data-text=ko]").click();
  await expect.poll(() => page.locator("[data-notice=mishap]").textContent()).toContain("network");
  await trained((await steps()) + 2);
});

test("a file in UTF-16 is refused with the command that mends that file", async () => {
  const { page, trained, choose } = await visit({ link: `${small}&steps=5000` });
  await trained(1);
  await choose("notes.txt", Buffer.from(plainText(100), "utf16le"));
  await page.getByText("iconv -f UTF-16LE -t UTF-8 'notes.txt' > 'notes.txt.utf8'").waitFor();
});

test("options chosen while a file is opened are for that file, and a file is opened with options just chosen", async () => {
  const { page, trained, choose, shown } = await visit({ link: `${small}&steps=2000` });
  await trained(1);
  const trainWith = async (steps: number) => {
    await page.getByLabel("Steps", { exact: true }).fill(String(steps));
    await page.getByRole("button", { name: "Train with these" }).click();
  };
  await choose("first.txt", plainText(4000));
  await trainWith(3000);
  await page.locator(".texts .own", { hasText: "first.txt" }).waitFor();
  await expect.poll(() => shown(".count")).toContain("of 3,000");
  await trainWith(4000);
  await choose("second.txt", plainText(200));
  await page.locator(".texts .own", { hasText: "second.txt" }).waitFor();
  await expect.poll(() => shown(".count")).toContain("of 4,000");
});

test("a file that is too large is refused before it is read", async () => {
  const { page, trained } = await visit({ link: `${small}&steps=5000` });
  await trained(1);
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    const megabyte = new Blob([new Uint8Array(1 << 20).fill(97)]);
    transfer.items.add(new File(new Array(256).fill(megabyte), "large.txt"));
    dispatchEvent(
      new DragEvent("drop", {
        dataTransfer: transfer,
        bubbles: true,
        cancelable: true,
      }),
    );
  });
  const notice = page.locator("[data-notice=mishap]");
  await notice.waitFor();
  expect(await notice.locator(".code").first().textContent()).toMatch(/^X7\d\d$/);
});

test("a good file is trained on, and the texts of the page can be taken again", async () => {
  const { page, trained, choose } = await visit({ link: `${small}&steps=20` });
  await trained(1);
  await choose("likes.txt", plainText(200));
  await page.getByRole("button", { name: "likes.txt", pressed: true }).waitFor();
  await trained(20);
  await page.locator("[data-text=ja]").click();
  await page.locator("[data-text=ja][aria-pressed=true]").waitFor();
  await trained(5);
});

test("a link to a run on one's own file says so where the file is not there, and with the file it is that run", async () => {
  const { page, choose, shown } = await visit({ link: `lang=en&${small}&steps=3` });
  const text = plainText(200);
  const trainedOn = async (name: string) => {
    await choose(name, text);
    await page.getByRole("button", { name, pressed: true }).waitFor();
    await page.locator("[data-hash-step='3']").waitFor({ timeout: 60_000 });
    return shown("[data-hash]");
  };
  const hash = await trainedOn("likes.txt");
  await expect.poll(() => page.url()).toContain("#lang=en&text=own&");
  const own = page.url();
  // Among the page's own places the file is there.
  const notice = page.locator("[data-notice=mishap]");
  await page.locator("nav.sections a").last().click();
  await expect.poll(() => page.url()).toContain("section=checklist");
  await page.goBack();
  await expect.poll(() => page.url()).toBe(own);
  await page.getByRole("button", { name: "likes.txt", pressed: true }).waitFor();
  expect(await notice.count()).toBe(0);

  const told = async () => {
    await expect.poll(() => notice.textContent()).toContain("Not used from the link: text=own.");
    expect(await notice.textContent()).toContain("It was made with a file of one's own, which no link carries");
    await page.locator("[data-text=en][aria-pressed=true]").waitFor();
    await expect.poll(() => page.url()).toContain("#lang=en&text=en&");
    expect(page.url()).toBe(own.replace("text=own", "text=en")); // all else as it was
  };
  await page.reload();
  await told();
  expect(await trainedOn("again.txt")).toBe(hash);
  expect(await notice.count()).toBe(0);
  await expect.poll(() => page.url()).toBe(own);
  // And so does going back to it from a link that was pasted over it.
  await page.evaluate(() => void (location.href = location.href.replace(/#.*/, "#lang=ko&start=no&steps=33")));
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("ko");
  expect(await notice.count()).toBe(0);
  await page.goBack();
  await told();
});

test.each([
  ["ko", "직접 고른 파일로 만든 링크입니다"],
  ["ja", "自分のファイルで作ったリンクです"],
])("a link to a run on one's own file says so in the page's language (%s)", async (language, words) => {
  const { page } = await visit({ link: `lang=${language}&text=own&start=no` });
  await expect.poll(() => page.locator("[data-notice=mishap]").textContent()).toContain(words);
  await page.locator(`[data-text=${language}][aria-pressed=true]`).waitFor();
});

test("that a text was refused is not said any more once a program is given", async () => {
  const { page, trained, choose } = await visit({ link: `lang=en&${small}&steps=5000` });
  await trained(1);
  const notice = page.locator("[data-notice=mishap]");
  await choose("bad.txt", "");
  await expect.poll(() => notice.textContent()).toContain("Not used: “bad.txt”.");
  await choose("step.mlir", "module {}");
  await expect.poll(() => page.url()).toContain("section=checklist");
  await expect.poll(() => notice.count()).toBe(0);
});

test("a file dropped on the page is trained on", async () => {
  const { page, trained } = await visit({ link: `${small}&steps=20` });
  await trained(1);
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "dropped.txt", { type: "text/plain" }));
    for (const type of ["dragover", "drop"]) {
      document.body.dispatchEvent(
        new DragEvent(type, {
          dataTransfer: transfer,
          bubbles: true,
          cancelable: true,
        }),
      );
    }
  }, plainText(200));
  await page.getByRole("button", { name: "dropped.txt", pressed: true }).waitFor();
  await trained(5);
});

test("a table trains by its column as the same lines of a plain text do, and a faulty one is refused by number", async () => {
  const { page, choose, shown } = await visit({ link: `${small}&steps=3` });
  await page.locator("[data-hash-step='3']").waitFor({ timeout: 60_000 });
  const lines = plainText(100).split("\n");
  const trainedOn = async (name: string, bytes: string) => {
    await choose(name, bytes);
    await page.locator(".file-chip, .chips", { hasText: name }).first().waitFor();
    await expect.poll(() => shown("[data-number=vocabulary]")).toMatch(/^\d+$/);
    await page.locator("[data-hash-step='3']").waitFor({ timeout: 60_000 });
    return page.locator("[data-hash-step='3']").textContent();
  };
  const plain = await trainedOn("plain.txt", lines.join("\n"));
  expect(await trainedOn("t.csv", ["id,text", ...lines.map((line, at) => `${at},"${line}"`)].join("\n"))).toBe(plain);
  expect(await trainedOn("t.JSONL", lines.map((text) => JSON.stringify({ text })).join("\n"))).toBe(plain);
  await choose("faulty.tsv", "id\tbody\n1\ta\n");
  await expect.poll(() => page.locator("[data-notice=mishap]").textContent()).toContain("X724");
  expect(await page.locator("[data-notice=mishap]").textContent()).toContain("Not used: “faulty.tsv”.");
});

test("of a table without a column called text the one that is chosen trains as its lines alone do", async () => {
  const { page, choose, shown } = await visit({ link: `lang=en&${small}&steps=3` });
  await page.locator("[data-hash-step='3']").waitFor({ timeout: 60_000 });
  const lines = plainText(100).split("\n");
  const hash = async (chip: string) => {
    await page.getByRole("button", { name: chip, exact: true, pressed: true }).waitFor();
    await expect.poll(() => shown("[data-number=vocabulary]")).toMatch(/^\d+$/);
    await page.locator("[data-hash-step='3']").waitFor({ timeout: 60_000 });
    return page.locator("[data-hash-step='3']").textContent();
  };
  await choose("plain.txt", lines.join("\n"));
  const plain = await hash("plain.txt");
  const notice = page.locator("[data-notice=mishap]");
  const fields = notice.locator("[data-field]");
  await choose("t.csv", ["id,words,id", ...lines.map((line, at) => `${at},"${line}",1`)].join("\n"));
  await expect.poll(() => fields.allTextContents()).toEqual(["1", "words", "3"]);
  expect(await notice.textContent()).not.toContain("first 100");
  await notice.getByRole("group", { name: "Take the text from:" }).getByRole("button", { name: "words" }).click();
  expect(await hash("t.csv (words)")).toBe(plain);
  expect(await notice.count()).toBe(0);
  await choose("t.jsonl", lines.map((line, at) => JSON.stringify({ at, 말: line })).join("\n"));
  await expect.poll(() => fields.allTextContents()).toEqual(["말"]);
  await fields.click();
  expect(await hash("t.jsonl (말)")).toBe(plain);
  const row = (at: number) => Array.from({ length: 300 }, (_, column) => `c${column}r${at}`).join();
  await choose("wide.csv", [0, 1, 2].map(row).join("\n"));
  await expect.poll(() => fields.count()).toBe(100);
  await notice.getByText("Only the first 100 are listed.").waitFor();
  // What is wrong further on is told beside the columns; and where the row is one field, there are none to choose from.
  await choose("ragged.csv", ["id,words", ...lines.map((line, at) => `${at},"${line}"`), "1"].join("\n"));
  await fields.last().click();
  await expect.poll(() => notice.locator(".code").allTextContents()).toEqual(["X724", "X724"]);
  await choose("semicolons.csv", ["id;words", ...lines].join("\n"));
  await expect.poll(() => notice.textContent()).toContain("Not used: “semicolons.csv”.");
  await expect.poll(() => fields.count()).toBe(0);
});

test("a folder that is dropped is said to be one that could not be read", async () => {
  const { page, trained } = await visit({ link: `lang=en&${small}&steps=5000` });
  await trained(1);
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: [import.meta.dirname], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await browser.send("Input.dispatchDragEvent", { type, x: 400, y: 300, data });
  const notice = page.locator("[data-notice=mishap]");
  await expect.poll(() => notice.textContent()).toContain("Not used: “page”.");
  expect(await notice.textContent()).toContain("It may be a folder");
});

const says = Array.from({ length: 60 }, (_, at) => `Anna likes bread ${at}.`);
const tables: [string, string[], string][] = [
  ["semicolons.csv", ["id;text", ...says.map((line, at) => `${at};${line}`)], "put commas between the fields"],
  ["names.csv", ["id,sentence", ...says.map((line, at) => `${at},${line}`)], 'call a column "text" in the first row'],
  ["twice.csv", ["text,text", ...says.map((line) => `${line},${line}`)], 'call only one column "text"'],
  ["quote.csv", ["id,text", '1,"open', ...says], "close it, or enclose the field"],
  [
    "nested.jsonl",
    says.map((text) => JSON.stringify({ id: 1, data: { text } })),
    'call the one that holds the text "text"',
  ],
  ["list.jsonl", says.map((text) => JSON.stringify({ text: [text] })), "make it a text, in quotation marks"],
  ["broken.jsonl", ['{"text": '], "correct the line"],
];

test("a table that is refused is mended by its file: the page has no option for separators or quotes", async () => {
  const { page, trained, choose } = await visit({ link: `lang=en&${small}&steps=5000` });
  await trained(1);
  const notice = page.locator("[data-notice=mishap]");
  for (const [name, lines, cure] of tables) {
    await choose(name, lines.join("\n"));
    await expect.poll(() => notice.textContent()).toContain(`Not used: “${name}”.`);
    const cures = await notice.locator("ul").textContent();
    expect(cures, name).toContain(cure);
    expect(cures, name).not.toMatch(/choose|csv_|number/);
  }
});
