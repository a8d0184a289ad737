// Rule 3 in the Rules section: policies over a text's lengths, weighed by the library in a program of its own.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { plainText, small, visit } from "./visit";

const link = `${small}&steps=5&start=no`;

const programs = async (page: Page, policy: string) =>
  Number(await page.locator(`[data-policy=${policy}] [data-programs]`).getAttribute("data-programs"));
const padding = async (page: Page, policy: string) =>
  Number(await page.locator(`[data-policy=${policy}] [data-padding]`).getAttribute("data-padding"));

test("the workshop is not loaded until a visitor comes to a section, and the link leads there", async () => {
  const { page, loaded, shown } = await visit({ link });
  await expect.poll(() => shown(".stage")).toBe("Ready");
  expect(loaded.filter((path) => /workshop|rules/.test(path))).toEqual([]);
  await page.getByRole("navigation").getByRole("link", { name: "The three rules" }).click();
  await expect.poll(() => programs(page, "multiple_of")).toBeGreaterThan(0);
  expect(loaded.filter((path) => path.endsWith("octet_workshop.wasm"))).toHaveLength(1);
  await expect.poll(() => page.url()).toContain("section=rules");
});

test("policies are weighed by programs and padding, and sliders change both", async () => {
  const { page } = await visit({ link: `${link}&section=rules&lang=ko` });
  await expect.poll(() => programs(page, "fitted")).toBeGreaterThan(0);
  expect(await programs(page, "max_length")).toBe(1);
  expect(await padding(page, "exact")).toBe(0);
  expect(await programs(page, "longest")).toBeLessThanOrEqual(await programs(page, "exact"));
  expect(await padding(page, "max_length")).toBeGreaterThan(await padding(page, "longest"));

  await page.locator("[data-policy=multiple_of] input").check();
  const before = { programs: await programs(page, "multiple_of"), padding: await padding(page, "multiple_of") };
  await page.locator("input[name=multiple]").fill("8");
  await expect.poll(() => programs(page, "multiple_of")).toBeGreaterThan(before.programs);
  expect(await padding(page, "multiple_of")).toBeLessThan(before.padding);
  await expect.poll(() => page.url()).toContain("rules.multiple=8");
  await expect.poll(() => page.locator("[data-shown=policy]").textContent()).toBe("multiple_of(8)");

  // With a compile that costs nothing much, many buckets pay; with one that costs minutes, few do.
  const compiling = page.locator("input[name=compiling]");
  await compiling.press("Home");
  await page.locator("[data-policy=fitted] input").check();
  await expect.poll(() => programs(page, "fitted")).toBeGreaterThan(1);
  await compiling.press("End");
  await expect.poll(() => programs(page, "fitted")).toBe(1);
});

test("all that was turned is there again after a reload, and what a link has wrongly is as usual", async () => {
  const wrong = "rules.rows=3&rules.steps=1.5&rules.compiling=-1&rules.bound=12&rules.most=99&rules.list=0";
  const { page } = await visit({ link: `${link}&section=rules&lang=en&${wrong}` });
  const shown = async (name: string) =>
    (await page.locator(`.lengths .slider:has([name=${name}]) output`).textContent())?.trim();
  const policy = () => page.locator("[data-shown=policy]").textContent();
  await expect.poll(() => programs(page, "fitted")).toBeGreaterThan(0);
  expect([await shown("rows"), await shown("steps")]).toEqual(["8", "1,000"]);
  await page.locator("input[name=rows]").press("End");
  await page.locator(".lengths input[name=steps]").press("Home");
  await page.locator("input[name=compiling]").press("End");
  await page.locator("[data-policy=doubling_then_linear] input").check();
  await expect.poll(policy).toBe("doubling_then_linear(64, 64)");
  await page.locator("input[name=bound]").press("Home");
  await page.locator("[data-policy=fitted] input").check();
  await expect.poll(() => shown("most")).not.toBe("99");
  await page.locator("input[name=most]").press("End");
  await page.locator("[data-policy=one_of] input").check();
  expect(await page.locator("#bucket-list").inputValue()).toBe("16, 32, 64, 128");
  await page.locator("#bucket-list").fill("48; 512");
  await expect.poll(() => page.url()).toContain("rules.list=48%2C512");
  await page.reload();
  await expect.poll(() => programs(page, "fitted")).toBeGreaterThan(0);
  expect([await shown("rows"), await shown("steps")]).toEqual(["64", "100"]);
  expect(await shown("compiling")).toContain("2 min");
  expect(await page.locator("#bucket-list").inputValue()).toBe("48, 512");
  await page.locator("[data-policy=doubling_then_linear] input").check();
  await expect.poll(policy).toBe("doubling_then_linear(8, 8)");
  await page.locator("[data-policy=fitted] input").check();
  expect(await shown("most")).toBe("12");
});

test("a list that is too short is refused by the library's number", async () => {
  const { page } = await visit({ link: `${link}&section=rules` });
  await expect.poll(() => programs(page, "one_of")).toBeGreaterThan(0);
  await page.locator("[data-policy=one_of] input").check();
  await page.locator("#bucket-list").fill("4");
  await expect.poll(() => page.locator("[data-policy=one_of]").textContent()).toContain("X301");
  await expect.poll(() => page.locator(".policy .fault").textContent()).toContain("X301");
});

test("a file is measured, and one that is no text is refused while the others go on", async () => {
  const { page } = await visit({ link: `${link}&section=rules` });
  await expect.poll(() => programs(page, "exact")).toBeGreaterThan(5);
  const picker = page.locator("input[data-picker=lengths]");
  const choose = (name: string, bytes: string) =>
    picker.setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(bytes) });
  await choose("나의 글 🙂.txt", plainText(40));
  await expect.poll(() => programs(page, "exact")).toBe(1);
  await choose("picture.txt", "\x89PNG\r\n\x1a\n\0\0\0");
  await expect.poll(() => page.locator(".lengths .mishap").textContent()).toContain("X703");
  expect(await programs(page, "exact")).toBe(1);
  await page.locator("[data-choice=lengths-text-ja]").click();
  await expect.poll(() => programs(page, "exact")).toBeGreaterThan(5);
  expect(await page.locator(".lengths .mishap").count()).toBe(0);
});

test("a table is measured by its column, lines are said to be cut, and a command names the file", async () => {
  const { page } = await visit({ link: `${link}&section=rules&lang=en` });
  await expect.poll(() => programs(page, "exact")).toBeGreaterThan(5);
  const measured = () => page.locator(".lengths > .hint").nth(1).textContent();
  const choose = (name: string, bytes: string | Buffer) =>
    page
      .locator("input[data-picker=lengths]")
      .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(bytes) });
  expect(await measured()).not.toContain("more than 512");

  const rows = plainText(40).split("\n");
  await choose("t.csv", ["id,text", ...rows.map((row, at) => `${at + 1},"${row}"`)].join("\n"));
  await expect.poll(measured).toMatch(/^40 lines/);
  const tokens = await measured();
  await choose("lines.jsonl", rows.map((text) => JSON.stringify({ id: 1, text })).join("\n"));
  await expect.poll(() => page.locator(".lengths").textContent()).toContain("lines.jsonl");
  await expect.poll(measured).toBe(tokens);

  await choose("o.csv", ["id,words", ...rows.map((row, at) => `${at + 1},"${row}"`)].join("\n"));
  await page.locator(".lengths [data-field=words]").click();
  await expect.poll(() => page.locator(".lengths").textContent()).toContain("o.csv (words)");
  await expect.poll(measured).toBe(tokens);

  await choose("long.txt", "word ".repeat(2000));
  await expect.poll(measured).toContain("Of a line of more than 512 tokens, the first 512 are counted.");
  await expect.poll(() => programs(page, "exact")).toBe(1);
  expect(await page.locator(".policies .best").count()).toBe(0); // what costs the same in every policy is the best of none

  await choose("a file.txt", Buffer.from("d\xe9j\xe0 vu\n", "latin1"));
  await expect.poll(() => page.locator(".lengths .mishap").textContent()).toContain("'a file.txt'");
});

test("a list that cannot be read is said to be wrong, and the one that holds is named", async () => {
  const { page } = await visit({ link: `${link}&section=rules&lang=en` });
  await expect.poll(() => programs(page, "one_of")).toBeGreaterThan(0);
  await page.locator("[data-policy=one_of] input").check();
  const list = page.locator("#bucket-list");
  const wrong = page.locator(".policy .wrong");
  for (const given of ["-5, 7", "1e9", "abc", "0", ""]) {
    await list.fill(given);
    await expect.poll(() => wrong.textContent(), { message: given }).toContain("16, 32, 64, 128");
    expect(await list.getAttribute("aria-invalid")).toBe("true");
  }
  await list.fill("３２、５１２");
  await expect.poll(() => wrong.textContent()).toBe("");
  await expect.poll(() => page.locator("[data-shown=policy]").textContent()).toBe("one_of({32, 512})");
});

test("a line by itself that takes less time than the least says why it is not the least", async () => {
  const { page } = await visit({ link: `${link}&section=rules&lang=en` });
  await expect.poll(() => programs(page, "exact")).toBeGreaterThan(0);
  await page.locator("input[name=compiling]").press("Home"); // a compile that costs nothing much
  await expect.poll(() => page.locator("[data-policy=exact] .apart").textContent()).toContain("no batch");
});

test.each([390, 320])(
  "the table of policies fits a phone, and no word is broken into letters (%s pixels)",
  async (width) => {
    const { page } = await visit({ link: `${link}&section=rules&lang=en`, viewport: { width, height: 740 } });
    await page.locator(".policies").scrollIntoViewIfNeeded();
    await expect.poll(() => programs(page, "fitted")).toBeGreaterThan(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const room = page.locator(".table-room:has(.policies)");
    const narrow = await room.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(narrow).toBeLessThanOrEqual(0);
    const broken = await page.locator(".policies tbody label span, .policies thead th.number").evaluateAll(
      (all) =>
        all
          .map((each) => each.firstChild)
          .filter((text) => {
            const words = (text?.textContent ?? "").trim().split(" ").length;
            const range = document.createRange();
            if (text) range.selectNodeContents(text);
            return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > words;
          }).length,
    );
    expect(broken).toBe(0);
  },
);

test("a policy's name and what is said of it are two words to a screen reader", async () => {
  const { page } = await visit({ link: `${link}&section=rules&lang=en` });
  await expect.poll(() => programs(page, "fitted")).toBeGreaterThan(0);
  const best = page.locator(".policies tr:has(.best) label");
  await expect.poll(() => best.count()).toBeGreaterThan(0);
  expect(await best.first().textContent()).toMatch(/ least of the batches$/);
});

test("where a system's colours replace the page's, compiling and computing are still told apart", async () => {
  const { page } = await visit({ link: `${link}&section=rules&lang=en`, forcedColors: "active" });
  await expect.poll(() => programs(page, "fitted")).toBeGreaterThan(0);
  const colours = await page
    .locator(".policies .key")
    .evaluateAll((keys) => keys.map((key) => getComputedStyle(key, "::before").borderTopColor));
  expect(new Set(colours).size).toBe(2);
});

test("numbers of charts can be read on a narrow phone", async () => {
  const { page } = await visit({ link: `${link}&section=rules&lang=en`, viewport: { width: 320, height: 740 } });
  for (const [panel, chart] of [
    [".lengths", ".histogram"],
    [".story", ".story .curve"],
  ] as const) {
    await page.locator(panel).scrollIntoViewIfNeeded();
    await page.locator(`${chart} text`).first().waitFor();
  }
  for (const chart of [".histogram", ".story .curve"]) {
    const pixels = await page.locator(`${chart} text`).evaluateAll((texts) =>
      texts.map((text) => {
        const svg = (text as SVGTextElement).ownerSVGElement!;
        return parseFloat(getComputedStyle(text).fontSize) * svg.getScreenCTM()!.a;
      }),
    );
    expect(Math.min(...pixels), chart).toBeGreaterThan(9.5);
  }
  // Nor is one cut off, or written over another.
  const histogram = page.locator(".lengths .histogram");
  expect(await histogram.evaluate((svg) => getComputedStyle(svg).overflow)).toBe("visible");
  const bottom = async (which: string) => {
    const box = await histogram.locator(which).last().boundingBox();
    return box!.y + box!.height;
  };
  expect((await bottom(".across")) - (await bottom(".extent"))).toBeGreaterThan(11);
});
