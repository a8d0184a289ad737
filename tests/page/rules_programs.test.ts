// Rules 1 and 2 in the Rules section: a visitor's program, refused by number and line, or traced and run.
import { expect, test } from "vitest";
import { small, visit } from "./visit";

async function programs(language = "en") {
  const { page } = await visit({ link: `${small}&steps=5&start=no&section=rules&lang=${language}` });
  const write = (text: string) => page.locator("#program").fill(text);
  /** "X101:2", by line, once there are as many. */
  const faults = async () =>
    (
      await page
        .locator(".playground .fault")
        .evaluateAll((all) => all.map((each) => `${each.getAttribute("data-fault")}:${each.getAttribute("data-at")}`))
    ).join(" ");
  const types = () =>
    page.locator("[data-type]").evaluateAll((all) => all.map((each) => each.getAttribute("data-type")));
  return { page, write, faults, types };
}

test("a branch on a traced value is refused at its line, and the right twin traces", async () => {
  const { page, faults, types } = await programs();
  await expect.poll(faults).toBe("X101:2");
  expect(await page.locator(".sheet .marked").textContent()).toBe("2");
  expect(await page.locator(".fault").textContent()).toContain("A traced Array has no value to branch on");
  await page.locator("[data-action=mend]").click();
  await expect.poll(types).toEqual(["f32[4, 8]", "f32[4, 8]", "f32[]"]);
  expect(await page.locator("#program").inputValue()).toContain("where(sum(x) > 1, x * 2, x)");
  await page.locator(".listing summary").click();
  expect(await page.locator(".listing pre").textContent()).toContain('"stablehlo.select"');
  await page.locator("[data-action=break]").click();
  await expect.poll(faults).toBe("X101:2");
});

test("every example is refused, and its twin is a program", async () => {
  const { page, faults, types } = await programs();
  const wanted = ["X101", "X203", "X201", "X101", "X106", "X202", "X108", "X102"];
  const examples = page.locator("[data-choice^=example-]");
  await expect.poll(() => examples.count()).toBe(wanted.length);
  for (const [at, number] of wanted.entries()) {
    await examples.nth(at).click();
    await expect.poll(faults).toMatch(new RegExp(`^${number}:\\d$`));
    await page.locator("[data-action=mend]").click();
    await expect.poll(async () => (await types()).length).toBeGreaterThan(0);
    expect(await faults()).toBe("");
  }
});

test("what is written is refused or mended as it stands, in the visitor's language, and goes into the link", async () => {
  const { page, write, faults, types } = await programs("ko");
  await write("고양이 = input(f32, [4])\nmean(고양이[고양이 > 0])\n🙂 = (\n");
  await expect.poll(faults).toBe("X203:2 X730:3");
  await write("고양이 = input(f32, [4])\nmean(고양이[고양이 > 0])");
  await expect.poll(faults).toBe("X203:2");
  expect(await page.locator(".fault").textContent()).toContain("가중치를");
  await page.locator("[data-action=mend]").click();
  await expect.poll(types).toEqual(["f32[4]", "f32[]"]);
  await expect.poll(() => decodeURIComponent(page.url())).toContain("rules.program=고양이");
  for (const text of ["", "(".repeat(400), "x = zeros([99999999])", "while (1 > 0) x = 1"]) {
    await write(text);
    await expect.poll(faults).toMatch(/^X73[04]:\d$/);
  }
});

test("full-width forms are read as what they stand for, and other signs are refused with what to write", async () => {
  const { page, write, faults, types } = await programs("ja");
  await write("x = input（f32， ［4］）\nｙ ＝ x ＊ 2");
  await expect.poll(types).toEqual(["f32[4]", "f32[4]"]);
  for (const [text, fix] of [
    ["x = 3 × 4", "write * instead"],
    ["x = “a”", "leave the quotation marks out"],
  ] as const) {
    await write(text);
    await expect.poll(() => page.locator(".playground .fault").textContent()).toContain(fix);
    expect(await faults()).toBe("X730:1");
  }
  await write("x = input(bool, [4])");
  await expect.poll(() => page.locator(".playground .fault").textContent()).toContain("write pred");
});

test.each(["x = input(f32, [4])\nx ? 1 : 0", "x = input(f32, [4])\nif (x[0]) y = 1 else y = 2\ny"])(
  "what is offered instead of a refused program traces, or nothing is (%j)",
  async (text) => {
    const { page, write, faults, types } = await programs();
    await expect.poll(faults).toBe("X101:2");
    await write(text);
    await expect.poll(() => page.locator(".fault").textContent()).not.toContain("reduce"); // of the program before
    await expect.poll(() => page.locator(".playground .outcome").getAttribute("aria-busy")).toBe("false");
    expect(await faults()).toMatch(/^X\d{3}:2$/);
    const mend = page.locator("[data-action=mend]");
    if ((await mend.count()) === 0) return;
    await mend.click();
    await expect.poll(async () => (await types()).length).toBeGreaterThan(0);
    expect(await faults()).toBe("");
  },
);

test("a program of one's own is at hand again after an example, or after it was mended", async () => {
  const { page, write, faults } = await programs();
  const own = page.locator("[data-action=own]");
  const program = page.locator("#program");
  await expect.poll(faults).toBe("X101:2");
  expect(await own.count()).toBe(0);
  const mine = "x = input(f32, [4])\nmean(x[x > 0])";
  await write(mine);
  await page.locator("[data-choice^=example-]").nth(1).click();
  await own.click();
  expect(await program.inputValue()).toBe(mine);
  await expect.poll(faults).toBe("X203:2");
  await page.locator("[data-action=mend]").click();
  expect(await program.inputValue()).not.toBe(mine);
  await own.click();
  expect(await program.inputValue()).toBe(mine);
});

test("the keyboard goes on beside a button that is gone once it was pressed", async () => {
  const { page, faults } = await programs();
  await expect.poll(faults).toBe("X101:2");
  await page.locator("[data-action=mend]").focus();
  await page.keyboard.press("Enter");
  const focused = () => page.evaluate(() => document.activeElement?.id);
  await expect.poll(focused).toBe("program");
  // One that is gone at once, before the press is told to the page.
  await page.locator("[data-action=break]").focus();
  await page.keyboard.press("Enter");
  await expect.poll(faults).toBe("X101:2");
  await expect.poll(focused).toBe("program");
});

test("a program that is too long is refused whole", async () => {
  const { page, write, faults } = await programs();
  await write(`x = input(f32, [4])\n${"y = x * 2 + x * 3 + x * 4 + x * 5 + x * 6 + x * 7\n".repeat(150)}`);
  await expect.poll(faults).toMatch(/^X734:/);
  // No more lines are numbered than up to the first that is too many: each is drawn again as training goes on.
  expect(await page.locator(".sheet li").count()).toBe(101);
  // The box is no longer than that, and its numbers stay beside their lines.
  const { box, below, apart } = await page.locator("#program").evaluate(async (program: HTMLTextAreaElement) => {
    program.scrollTop = 0;
    await new Promise((resolve) => setTimeout(resolve, 100));
    const top = () => document.querySelector("[data-line='60']")!.getBoundingClientRect().top;
    const before = top();
    program.scrollTop = 300;
    await new Promise((resolve) => setTimeout(resolve, 100));
    const line = parseFloat(getComputedStyle(program).lineHeight);
    return { box: program.clientHeight / line, below: program.scrollHeight / line, apart: before - top() };
  });
  expect(below).toBeGreaterThan(151);
  expect(box).toBeLessThan(105);
  expect(apart).toBe(300);
});

test.each(["ko", "ja"])("what to write instead is right for what was written, in %s too", async (language) => {
  const { page, write, faults } = await programs(language);
  const lines = [
    ["y = sum(x) > 0 && sum(x) < 3", "(a) & (b)"],
    ["z = sum(x) > 0 || sum(x) < 3", "(a) | (b)"],
    ["!(sum(x) > 0)", "~x"],
    ["while (sum(x) > 1) u = x * 0.5", "for (i : range(4))"],
    ["for (i : range(sum(x))) v = x + 1", "for (i : range(4))"],
    ["bool b = sum(x) > 1", "bool"],
    ["int n = sum(x)", "cast(x, i32)"],
  ] as const;
  await write(["x = input(f32, [4])", ...lines.map(([line]) => line)].join("\n"));
  await expect.poll(faults).toBe("X101:2 X101:3 X101:4 X101:5 X107:6 X101:7 X107:8");
  const advice = await page.locator(".playground .fault > p:nth-child(2)").allTextContents();
  expect(advice).toHaveLength(lines.length);
  for (const [at, [line, wanted]] of lines.entries()) expect(advice[at], line).toContain(wanted);
  for (const at of [0, 1, 2, 5, 6]) expect(advice[at], lines[at]![0]).not.toContain("where");
});
