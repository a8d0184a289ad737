// The Checklist section: fifteen lines, each with a verdict, that follow what is chosen.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { small, visit } from "./visit";

const link = `${small}&steps=5&start=no&section=checklist&lang=en`;

const verdict = (page: Page, id: string) =>
  page
    .locator(`[data-check=${id}]`)
    .getAttribute("data-verdict", { timeout: 60_000 })
    .catch(() => "");

test("fifteen lines are judged, and a verdict follows what is chosen", async () => {
  const kept = "bert-tiny v3-8 256 128 tf2 varied node disk no 0".replaceAll(" ", "+");
  const { page } = await visit({ link: `${link}&checklist.candidate=${kept}` });
  await expect.poll(() => page.locator("[data-check]").count()).toBe(15);
  expect(await verdict(page, "data")).toBe("fail");
  expect(await page.locator("[data-check=data]").textContent()).toContain("X606");
  expect(await page.locator("[data-ready]").getAttribute("data-ready")).toBe("false");

  await page.locator("select[name=data]").selectOption("bucket");
  await expect.poll(() => verdict(page, "data")).toBe("pass");
  expect(await verdict(page, "input")).toBe("not judged");
  await page.locator("input[name=rate]").fill("900000");
  await page.locator("input[name=rate]").press("Tab");
  await expect.poll(() => verdict(page, "input")).toBe("pass");
  await page.locator("select[name=lengths]").selectOption("multiples");
  await expect.poll(() => verdict(page, "rule_3")).toBe("pass");
  await page.locator("input[name=batch]").fill("100");
  await page.locator("input[name=batch]").press("Tab");
  await expect.poll(() => verdict(page, "batch")).toBe("fail");
  await expect.poll(() => page.url()).toContain("checklist.candidate=bert-tiny");
});

test("the questions are asked in the visitor's language, and what is not known is not judged", async () => {
  const kept = "bert-tiny v3-8 64 64 tf2 one vm unknown no 0".replaceAll(" ", "+");
  const { page } = await visit({ link: `${link.replace("lang=en", "lang=ja")}&checklist.candidate=${kept}` });
  await expect.poll(() => verdict(page, "data")).toBe("not judged");
  expect(await page.locator("[data-check=data] h4").textContent()).toContain("データ");
  expect(await page.locator("[data-check=data] .check-verdict").textContent()).toBe("判定保留");
  const titles = page.locator("select[name=code] option");
  await expect.poll(() => titles.count()).toBeGreaterThan(1);
  for (const title of await titles.evaluateAll((all) => all.map((each) => each.getAttribute("title"))))
    expect(title).toMatch(/\p{Script=Han}/u);
});

test("while another model is checked, what is there of the one before is dimmed, and it is said why", async () => {
  const kept = "bert-tiny v3-8 256 128 tf2 varied node disk no 0".replaceAll(" ", "+");
  const { page } = await visit({ link: `${link}&checklist.candidate=${kept}` });
  await expect.poll(() => page.locator("[data-check]").count(), { timeout: 60_000 }).toBe(15);
  // However soon it is over.
  const seen = page.evaluate(
    () =>
      new Promise<string>((done) =>
        new MutationObserver(() => {
          const report = document.querySelector(".report[aria-busy=true]");
          const words = report?.querySelector(".report-head .hint")?.textContent;
          const faint = (of: string) => getComputedStyle(report!.querySelector(of)!).opacity === "0.6";
          if (words && faint(".summary") && faint(".checks")) done(words);
        }).observe(document.querySelector(".report")!, { attributes: true, childList: true, subtree: true }),
      ),
  );
  await page.locator("select[name=model]").selectOption("bert-large");
  expect(await seen).toContain("checking");
  await expect.poll(() => page.locator(".report[aria-busy=true]").count(), { timeout: 60_000 }).toBe(0);
  expect(await page.locator(".report-head .hint").count()).toBe(0);
});

test("a number that cannot be taken stays to be mended, and it is said what can be", async () => {
  const kept = "bert-tiny v3-8 256 128 tf2 varied node disk no 0".replaceAll(" ", "+");
  const { page } = await visit({ link: `${link}&checklist.candidate=${kept}` });
  await expect.poll(() => page.locator("[data-check]").count(), { timeout: 60_000 }).toBe(15);
  const batch = page.locator("input[name=batch]");
  const wrong = page.locator(".field:has(input[name=batch]) .wrong");
  for (const given of ["0", "99999999999", "12.5", ""]) {
    await batch.fill(given);
    await batch.press("Tab");
    await expect.poll(() => wrong.textContent(), { message: given }).toContain("from 1 to 65,536");
    expect(await batch.inputValue()).toBe(given);
  }
  await batch.fill("１００"); // taken while the field is not left yet
  await expect.poll(() => wrong.textContent()).toBe("");
  await expect.poll(() => verdict(page, "batch")).toBe("fail");
});

test.each(["ko", "ja"])(
  "the report is in the visitor's language, but for names of operations (%s)",
  async (language) => {
    const kept = "bert-tiny v3-8 100 100 tf2 varied node disk yes 10".replaceAll(" ", "+");
    const { page } = await visit({
      link: `${link.replace("lang=en", `lang=${language}`)}&checklist.candidate=${kept}`,
    });
    await expect.poll(() => page.locator("[data-check]").count(), { timeout: 60_000 }).toBe(15);
    expect(await page.locator("[data-check] div > p [lang=en]").allTextContents()).toEqual([]);
    expect(await page.locator("[data-check=data]").textContent()).toContain("Cloud Storage");
    expect(await page.locator("[data-check=data] .cure [lang=en]").count()).toBe(0);
  },
);

const step = `module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<128x128xf32> {tf.aliasing_output = 0 : i32} loc("params['w']"), %arg1: tensor<16x128xf32> loc("batch['x']")) -> tensor<128x128xf32> {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0] : (tensor<16x128xf32>, tensor<128x128xf32>) -> tensor<16x128xf32>
    %1 = stablehlo.dot_general %arg1, %0, contracting_dims = [0] x [0] : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<128x128xf32>
    %2 = stablehlo.subtract %arg0, %1 : tensor<128x128xf32> loc("model.py":12:4)
    return %2 : tensor<128x128xf32>
  }
}
`;

test("a program of the visitor's, as JAX prints it, is checked, and what is wrong with it is told with its line", async () => {
  const { page } = await visit({ link });
  await expect.poll(() => page.locator("[data-check]").count(), { timeout: 60_000 }).toBe(15);
  const choose = (name: string, text: string) =>
    page.locator("[data-picker=program]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await choose("step.mlir", step);
  await expect.poll(() => page.locator(".subject .own").textContent()).toBe("step.mlir");
  expect(await page.locator("select[name=model]").count()).toBe(0);
  await expect.poll(() => verdict(page, "gradients")).toBe("not judged");
  await expect.poll(() => page.locator("[data-check=memory]").textContent()).toContain("of 1 parameter");

  await page.locator("input[name=batch_arguments]").fill("batch");
  await expect.poll(() => verdict(page, "gradients")).toBe("fail");
  expect(await page.locator("[data-check=gradients] .places").textContent()).toContain("model.py:12");
  await page.locator("input[name=batch_arguments]").fill("token");
  await expect.poll(() => page.locator(".report .mishap").textContent()).toContain("params['w'], batch['x']");
  await page.locator("input[name=batch_arguments]").fill("");

  await choose("broken.mlir", step.slice(0, 400));
  await expect.poll(() => verdict(page, "compiles")).toBe("fail");
  expect(await page.locator("[data-check=compiles]").textContent()).toContain("X407");
  expect(await page.locator("[data-check=compiles] .places").textContent()).toContain("broken.mlir:");
  await page.locator("[data-choice=subject-model]").click();
  await expect.poll(() => verdict(page, "compiles")).toBe("pass");
  expect(await page.locator("select[name=model]").count()).toBe(1);
});

const drop = (page: Page, selector: string, names: string[]) =>
  page.evaluate(
    ([where = "", text = "", ...all]) => {
      const dataTransfer = new DataTransfer();
      for (const name of all) dataTransfer.items.add(new File([text], name));
      for (const type of ["dragover", "drop"])
        document
          .querySelector(where)
          ?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [selector, step, ...names],
  );

test("a program dropped anywhere in the section is checked, not trained on, and what else was dropped is told", async () => {
  const { page } = await visit({ link });
  await expect.poll(() => page.locator("[data-check]").count(), { timeout: 60_000 }).toBe(15);
  const subject = page.locator(".subject");
  for (const [where, name] of [
    ["#checklist-title", "one.txt"],
    [".candidate form", "two.mlir"],
    [".report", "three.mlir"],
  ] as const) {
    await drop(page, where, ["notes.md", name, "b.csv"].slice(name.endsWith(".txt") ? 1 : 0));
    await expect.poll(() => subject.locator(".own").textContent(), { message: where }).toBe(name);
    await expect.poll(() => page.locator("[data-check=memory]").textContent()).toContain("of 1 parameter");
  }
  expect(await subject.locator(".wrong").textContent()).toContain("Not used: “notes.md, b.csv”");
  expect(await page.locator(".texts .own").getAttribute("aria-pressed")).toBe("false");
  expect(await page.locator(".candidate.over, .drop").count()).toBe(0);
  await page.locator("[data-choice=subject-model]").click();
  await expect.poll(() => subject.locator(".wrong").textContent()).not.toContain("notes.md");
});

test("a program given where a text is goes to the checklist, wherever that is", async () => {
  const { page, trained, choose, steps } = await visit({ link: `lang=en&${small}&steps=5000` });
  await trained(1);
  await drop(page, "main", ["one.mlir", "two.mlir"]);
  await expect.poll(() => page.locator(".subject .own").textContent()).toBe("one.mlir");
  await expect.poll(() => page.locator("[data-check=memory]").textContent()).toContain("of 1 parameter");
  expect(await page.locator(".subject .wrong").textContent()).toContain("Not used: “two.mlir”");
  await expect.poll(() => page.url()).toContain("section=checklist");
  const top = () => page.locator("#checklist").evaluate((section) => section.getBoundingClientRect().top);
  await expect.poll(top).toBeLessThan(200);
  await choose("three.mlir", step);
  await expect.poll(() => page.locator(".subject .own").textContent()).toBe("three.mlir");
  await page.locator("nav [href*='section=text']").click();
  await page.locator("[data-picker=text]").setInputFiles({
    name: "four.MLIR",
    mimeType: "text/plain",
    buffer: Buffer.from(step),
  });
  await expect.poll(() => page.locator(".subject .own").textContent()).toBe("four.MLIR");
  await trained((await steps()) + 2);
  expect(await page.locator("[aria-pressed=true]", { hasText: ".mlir" }).count()).toBe(1);
});

test("a model or code that a link has mistyped is the usual one", async () => {
  const kept = "bert-bas v3-8 64 128 tf3 one vm unknown no 0".replaceAll(" ", "+");
  const { page } = await visit({ link: `${link}&checklist.candidate=${kept}` });
  await expect.poll(() => page.locator("[data-check]").count(), { timeout: 60_000 }).toBe(15);
  expect(await page.locator("select[name=model]").inputValue()).toBe("bert-base");
  expect(await page.locator("select[name=code]").inputValue()).toBe("tf2");
  expect(await page.locator("input[name=batch]").inputValue()).toBe("64");
});

test("on a phone a verdict stands above its line, which takes the whole width", async () => {
  const { page } = await visit({ link, viewport: { width: 320, height: 740 } });
  const first = page.locator("[data-check]").first();
  await first.waitFor({ timeout: 60_000 });
  const columns = await first.evaluate((line) => getComputedStyle(line).gridTemplateColumns.split(" ").length);
  expect(columns).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("rule 3 is judged by the lengths of the visitor's text, in batches as in a terminal; made-up ones are said to be", async () => {
  const kept = "bert-tiny v3-8 64 128 tf2 own node disk no 0".replaceAll(" ", "+");
  const { page, choose } = await visit({ link: `${link}&checklist.candidate=${kept}` });
  const lengths = page.locator("select[name=lengths]");
  const field = () => page.locator(".field:has([name=lengths])").textContent();
  const report = () => page.locator("[data-check=rule_3]").textContent({ timeout: 60_000 });
  // No link carries a text.
  await expect.poll(report).toContain("60 calls need");
  expect(await lengths.inputValue()).toBe("varied");
  expect(await lengths.locator("option").count()).toBe(3);
  expect(await field()).toContain("60 made-up lengths");

  await choose("my lines.txt", Array(600).fill("Anna likes bread in the morning.").join("\n"));
  await expect.poll(() => lengths.locator("option").allTextContents()).toContain("as in my lines.txt");
  await expect.poll(report).toContain("10 calls need 1 program.");
  expect(await verdict(page, "rule_3")).toBe("pass");
  expect(await report()).toContain("600 lines in batches of 64: 0 % of all positions are padding");
  expect(await field()).not.toContain("made-up");

  // As `octet check --text` says of the same text, measured in another section.
  const text = await readFile(new URL("../../web/public/texts/en.txt", import.meta.url));
  await page.locator("nav [href*='section=rules']").click();
  await page
    .locator("input[data-picker=lengths]")
    .setInputFiles({ name: "harbour.txt", mimeType: "text/plain", buffer: text });
  await expect
    .poll(() => lengths.locator("option").allTextContents(), { timeout: 60_000 })
    .toContain("as in harbour.txt");
  await expect.poll(report).toContain("3 calls need 3 programs.");
  expect(await report()).toContain("154 lines in batches of 64: 31 % of all positions are padding");
  expect(await report()).toContain("lengths are counted in 562 WordPieces learned from harbour.txt itself");
  await lengths.selectOption("own_multiples");
  await expect.poll(report).toContain("3 calls of 3 shapes need 1 program");
  await page.locator("input[name=batch]").fill("1024");
  await page.locator("input[name=batch]").press("Tab");
  await expect.poll(report).toContain("The text makes one batch");
  expect(await verdict(page, "rule_3")).not.toBe("pass");
  await page.locator("select[name=model]").selectOption("gpt2");
  await expect.poll(report).toContain("The text is cut into blocks of 128 tokens: one program, and no padding.");
  await lengths.selectOption("one");
  await expect.poll(report).toContain("2 calls need 1 program.");
});
