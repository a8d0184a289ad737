// The Machine section: what the library estimates, and a number's bits.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { small, visit } from "./visit";

const link = `${small}&steps=5&start=no&section=machine`;

/** The workshop is loaded, and estimates first. */
const soon = { timeout: 30_000 };

const value = async (page: Page, selector: string) =>
  Number(await page.locator(`#machine ${selector}`).first().getAttribute("data-value"));
const figure = (page: Page, name: string) => value(page, `[data-figure=${name}]`);

/** What octet estimate prints for the job that the section begins with, pinned as octet printed it where node has no octet.js. */
function estimated(): {
  step_ms: number;
  sequences_per_second: number;
  memory: { needed_bytes: number };
  largest: number;
} {
  const program = fileURLToPath(new URL("../../build/wasm/octet.js", import.meta.url));
  if (!existsSync(program))
    return {
      step_ms: 452.72599236706657,
      sequences_per_second: 989.5610315141023,
      memory: { needed_bytes: 15303942866.5 },
      largest: 81,
    };
  const job = "estimate --model bert-large --slice v3-32 --batch 448 --seq 512 --json".split(" ");
  const answer = JSON.parse(execFileSync("node", [program, ...job], { encoding: "utf8" })) as {
    step_ms: number;
    sequences_per_second: number;
    memory: { needed_bytes: number };
    largest_batch_per_replica: number;
  };
  return { ...answer, largest: answer.largest_batch_per_replica };
}

test("the page's numbers are those of octet estimate", async () => {
  const { page } = await visit({ link });
  const expected = estimated();
  await expect.poll(() => page.locator("#machine [data-figure=step]").count(), soon).toBe(1);
  expect(await figure(page, "batch")).toBe(448);
  expect((await figure(page, "step")) * 1e3).toBeCloseTo(expected.step_ms, 6);
  expect(await figure(page, "rate")).toBeCloseTo(expected.sequences_per_second, 6);
  expect(await value(page, "[data-memory]")).toBeCloseTo(expected.memory.needed_bytes, 0);
  await expect
    .poll(() => page.locator("#machine [data-largest]").getAttribute("data-largest"), soon)
    .toBe(String(expected.largest));
});

test("one sequence more than the largest batch overflows, with a number and what to give up", async () => {
  const { page } = await visit({ link });
  const memory = page.locator("#machine [data-memory]");
  const largest = page.locator("#machine [data-action=largest]");
  await largest.click(soon);
  await expect.poll(() => memory.getAttribute("data-memory")).toBe("fits");
  expect(await page.locator("#machine .memory-bar .beyond").count()).toBe(0);
  await expect.poll(() => largest.count(), soon).toBe(0);
  // It fits by recomputing, of which XLA alone would not do as much.
  await expect.poll(() => page.locator("#machine [data-must-ask]").textContent(), soon).toContain("3.4");

  await page.locator("#machine input[name=sequences]").press("ArrowRight");
  await expect.poll(() => memory.getAttribute("data-memory"), soon).toBe("over");
  expect(await page.locator("#machine .memory-bar .beyond").count()).toBe(1);
  expect(await page.locator("#machine [data-must-ask]").count()).toBe(0);
  await expect.poll(() => page.locator("#machine [data-notice=memory]").textContent(), soon).toContain("X501");
  // An even number can be halved.
  await page.locator("#machine input[name=sequences]").press("ArrowRight");
  await expect.poll(() => page.locator("#machine [data-given=half_batch]").count(), soon).toBe(1);
});

test("a slice that nobody sells is refused with the nearest, and a name that is known is taken", async () => {
  const { page } = await visit({ link });
  const typed = page.locator("#machine input[name=typed-slice]");
  await expect.poll(() => page.locator("#machine [data-figure=step]").count(), soon).toBe(1);
  for (const [name, answer] of [
    ["v3-16", "v3-8 or v3-32"],
    ["나의 슬라이스 🙂", "X604"],
  ] as const) {
    await typed.fill(name);
    await typed.press("Enter");
    await expect.poll(() => page.locator("#machine [data-notice=refused]").textContent(), soon).toContain(answer);
  }
  expect(await typed.getAttribute("autocapitalize")).toBe("off");
  // It is told beside the field; emptied, the field leaves the slice from before.
  expect(await page.locator("#machine form.typed [data-notice=refused]").count()).toBe(1);
  await typed.fill("");
  await expect.poll(() => page.locator("#machine [data-notice=refused]").count(), soon).toBe(0);
  expect(await page.locator("#machine [data-figure=step]").count()).toBe(1);
  await typed.fill("V4-128"); // as a phone begins a line
  await typed.press("Enter");
  await expect.poll(() => page.locator("#machine [data-notice=refused]").count(), soon).toBe(0);
  await expect.poll(() => page.url()).toContain("machine.slice=v4-128");
  await expect
    .poll(() => page.locator("#machine [data-point='v4-128']").getAttribute("aria-pressed"), soon)
    .toBe("true");
  await typed.fill("v5litepod-8"); // another name of v5e-8
  await typed.press("Enter");
  await expect.poll(() => page.url()).toContain("machine.slice=v5e-8");
  expect(await page.locator("#machine [data-choice=chip-v5e]").getAttribute("aria-pressed")).toBe("true");
  expect(await page.locator("#machine select[name=slice]").inputValue()).toBe("v5e-8");
});

test("a slice that was typed does not come back once another was chosen", async () => {
  const { page } = await visit({ link });
  const typed = page.locator("#machine input[name=typed-slice]");
  await expect.poll(() => page.locator("#machine [data-figure=step]").count(), soon).toBe(1);
  await typed.fill("v4-128");
  await typed.press("Enter");
  const other = page.locator("#machine [data-point='v4-32']");
  await expect.poll(() => other.count(), soon).toBe(1);
  await other.press("Enter");
  await expect.poll(() => other.getAttribute("aria-pressed"), soon).toBe("true");
  await typed.focus();
  await typed.press("Tab");
  expect(await typed.inputValue()).toBe("");
  expect(page.url()).toContain("machine.slice=v4-32");
});

test("where a larger slice does better than ideally, it is said why, and only there", async () => {
  for (const [asked, expected] of [
    ["machine.slice=v5e-64", true],
    ["machine.model=bert-base&machine.keeps=batch&machine.sequences=8&machine.length=128", false],
  ] as const) {
    const { page } = await visit({ link: `${link}&${asked}` });
    const shares = page.locator("#machine .scaling tbody td:last-child");
    await expect.poll(() => shares.count(), soon).toBeGreaterThan(5);
    const above = (await shares.allTextContents()).some((text) => Number.parseFloat(text) > 100);
    expect(above).toBe(expected);
    expect(await page.locator("#machine .scaling p.hint", { hasText: "above the line" }).count()).toBe(Number(above));
  }
});

test("eight replicas are lanes, and the chips wait when nothing is prefetched or one thread prepares", async () => {
  const { page } = await visit({ link });
  await expect.poll(() => page.locator("#machine .lane.replica").count(), soon).toBe(8);
  expect(await figure(page, "waiting")).toBe(0);
  await page.locator("#machine input[name=prefetch]").fill("0");
  await expect.poll(() => figure(page, "waiting"), soon).toBeGreaterThan(0);
  await page.locator("#machine input[name=prefetch]").fill("2");
  await expect.poll(() => figure(page, "waiting"), soon).toBe(0);
  await page.locator("#machine input[name=prepare]").press("End");
  await page.locator("#machine input[name=threads]").press("Home");
  await expect.poll(() => page.locator("#machine [data-needed=threads]").count(), soon).toBe(1);
  expect(await figure(page, "waiting")).toBeGreaterThan(0.5);

  await page.locator("#machine .timeline").focus();
  await page.keyboard.press("ArrowRight");
  expect(await page.locator("#machine .told").textContent()).toContain("Host 1");
  // As the library's messages count them.
  expect(await page.locator("#machine .lane.replica .lane-name").allTextContents()).toEqual(
    Array.from({ length: 8 }, (_, at) => `Replica ${at}`),
  );
  expect(await page.locator(".tile-name").first().textContent()).toBe("Replica 0");
});

test("a node that cannot read the data is refused with the reason, and a bucket cures it", async () => {
  const { page } = await visit({ link });
  const notice = page.locator("#machine .lanes .notice");
  await expect.poll(() => page.locator("#machine .lane.replica").count(), soon).toBe(8);
  await page.locator("#machine [data-choice=host-node]").click();
  expect(await notice.count()).toBe(0);
  await page.locator("#machine [data-choice=place-disk]").click();
  await expect.poll(() => notice.textContent(), soon).toContain("X606");
  await expect.poll(() => page.locator("#machine [data-finding]").count(), soon).toBe(0);
  await page.locator("#machine [data-choice=place-bucket]").click();
  await expect.poll(() => notice.count(), soon).toBe(0);
  await page.locator("#machine [data-choice=prepared-by-program]").click();
  await expect.poll(() => notice.textContent(), soon).toContain("X607");
  await page.locator("#machine [data-choice=host-vm]").click();
  await expect.poll(() => notice.count(), soon).toBe(0);
  await expect.poll(() => page.url()).toContain("machine.prepared_by=program");
});

test("what stalls a step is named, with what to change and what that gains", async () => {
  const { page } = await visit({ link });
  const finding = (id: string) => page.locator(`#machine [data-finding=${id}]`);
  await expect.poll(() => finding("padded_heads").count(), soon).toBe(1);
  expect(await finding("padded_heads").textContent()).toContain("Heads of 64 fill 64 of the 128 rows");
  expect(await value(page, "[data-finding=padded_heads]")).toBeGreaterThan(0);
  const gains = await page
    .locator("#machine [data-finding]")
    .evaluateAll((all) => all.map((each) => Number(each.getAttribute("data-value"))));
  expect(gains).toEqual([...gains].sort((a, b) => b - a));
  expect(await finding("slow_host").count()).toBe(0);
  await page.locator("#machine input[name=slow]").press("End");
  await page.locator("#machine input[name=prepare]").press("End");
  await expect.poll(() => finding("slow_host").count(), soon).toBe(1);
});

test("ten rows cost what sixteen cost", async () => {
  const { page } = await visit({ link: `${link}&machine.product=10x1024x1024` });
  const rows = page.locator("#machine [data-dimension=m]");
  await expect.poll(() => rows.getAttribute("data-padded"), soon).toBe("16");
  const ten = await figure(page, "product-seconds");
  await page.locator("#machine input[name=extent-m]").fill("16");
  await expect.poll(() => figure(page, "matrix-use"), soon).toBe(1);
  expect(await figure(page, "product-seconds")).toBeCloseTo(ten, 12);
  await page.locator("#machine input[name=extent-m]").fill("0");
  // What cannot be taken is said at its field, once, and what is shown stays of what could.
  for (const given of ["0", "abc", "9999999", ""]) {
    await page.locator("#machine input[name=extent-m]").fill(given);
    await expect
      .poll(() => page.locator("#machine .matrix .wrong:not(:empty)").allTextContents(), { message: given })
      .toEqual([expect.stringContaining("still for 16")]);
    expect(await page.locator("#machine input[name=extent-m]").getAttribute("aria-invalid")).toBe("true");
  }
  expect(await page.locator("#machine .matrix .notice").count()).toBe(0);
  await page.locator("#machine [data-choice=example-512x64x512]").click();
  await expect.poll(() => page.locator("#machine .matrix [aria-invalid=true]").count()).toBe(0);
});

test("a number is taken apart into the bits of f32 and bf16", async () => {
  const { page } = await visit({ link });
  const number = page.locator("#machine input[name=number]");
  const bits = (format: string) => page.locator(`#machine [data-format=${format}]`).getAttribute("data-bits");
  const kind = () => page.locator("#machine [data-format=bf16]").getAttribute("data-kind");
  for (const [text, f32, expected] of [
    ["0.1", "00111101110011001100110011001101", "normal"],
    ["-inf", "11111111100000000000000000000000", "infinity"],
    ["1e-40", "00000000000000010001011011000010", "subnormal"],
    ["3.4e38", "01111111011111111100100110011110", "infinity"],
    ["-0", "10000000000000000000000000000000", "zero"],
  ] as const) {
    await number.fill(text);
    await expect.poll(() => bits("f32"), { ...soon, message: text }).toBe(f32);
    expect(await kind(), text).toBe(expected);
  }
  expect(await bits("bf16")).toBe("1000000000000000");
  // What bf16 keeps of a normal number is not said of one that has fewer bits.
  const lost = () => page.locator("#machine [data-figure=rounding] .hint").textContent();
  await number.fill("0.1");
  await expect.poll(lost).toBe("0.098% of the number; bf16 keeps within 0.39%.");
  await number.fill("1e-40");
  await expect.poll(lost).toContain("8.2% of the number. A subnormal number has fewer");
  await number.fill("1e999");
  await expect
    .poll(() => page.locator("#machine [data-figure=rounding]").textContent())
    .toContain("no number so large");
  await number.fill("nan");
  await expect.poll(kind).toBe("nan");
  await number.fill("");
  await expect.poll(() => page.locator("#machine [data-format]").count()).toBe(0);
  await number.fill("하나 🙂");
  await expect.poll(() => page.locator("#machine [data-notice=number]").textContent()).toContain("X709");

  // Bits that are pressed are the number: 1, with its lowest bit of bf16 set, is 1.0078125.
  await number.fill("1");
  await expect.poll(() => bits("bf16")).toBe("0011111110000000");
  await page.locator("#machine [data-format=bf16] button").last().click();
  await expect.poll(() => number.inputValue()).toBe("1.0078125");
});

test("the largest numbers are drawn, and the gap above them is as wide as the one below", async () => {
  const { page } = await visit({ link: `${link}&lang=en&machine.number=3.38e38&machine.power=10` });
  const said = () => page.locator("#machine [data-vanished]").textContent();
  const drawn = () =>
    page
      .locator("#machine .drift")
      .evaluate((svg) => [...svg.querySelectorAll("[points]")].map((line) => line.getAttribute("points")).join());
  for (const number of ["3.38e38", "3.3895e38", "-3.3895e38"]) {
    await page.locator("#machine input[name=number]").fill(number);
    await expect
      .poll(() => page.locator("#machine [data-format=f32] .value").textContent(), soon)
      .toContain(`${number.replace("-", "−").split("e")[0]} × 10³⁸`);
    await expect.poll(() => page.locator("#machine .drift").count()).toBe(1);
    await expect.poll(drawn).not.toMatch(/NaN|Infinity/);
    expect(await page.locator("#machine .drift").textContent()).not.toMatch(/NaN|Infinity|∞/);
  }
  await page.locator("#machine input[name=number]").fill("3.3895e38");
  await expect.poll(said, soon).toMatch(/^3\.389.*6\.646\d* × 10³⁵/);
});

test("an update of half a step vanishes in bf16, and a master in f32 keeps it", async () => {
  const { page } = await visit({ link: `${link}&machine.number=1&machine.power=8` });
  const vanished = () => page.locator("#machine [data-vanished]").getAttribute("data-vanished");
  await expect.poll(vanished, soon).toBe("true");
  expect(await page.locator("#machine [data-updated=kept]").textContent()).toBe("1");
  expect(await page.locator("#machine [data-updated=master]").textContent()).toBe("1.5");
  await page.locator("#machine input[name=power]").press("ArrowLeft");
  await expect.poll(vanished).toBe("false");
});

test.each(["en", "ko", "ja"])("the section does not scroll sideways at 390 pixels (%s)", async (language) => {
  const { page } = await visit({ link: `${link}&lang=${language}`, viewport: { width: 390, height: 800 } });
  await expect.poll(() => page.locator("#machine .lane.replica").count(), soon).toBe(8);
  await page.locator("#machine .scaling summary").click(soon);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // What is wider than its frame can be scrolled by keyboard, and bits are wide enough for a finger.
  const wide = page.getByRole("region", { name: await page.locator("#machine .scaling summary").innerText() });
  expect(await wide.getAttribute("tabindex")).toBe("0");
  expect(await wide.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBeLessThanOrEqual(0);
  const bit = await page.locator("#machine .bit").first().boundingBox(soon);
  expect(bit?.width).toBeGreaterThanOrEqual(24);
  // Nor is a word of a table broken into letters.
  const cells = page.locator("#machine .choices").locator("td:last-child");
  await expect.poll(() => cells.count(), soon).toBeGreaterThan(0);
  const lines = await cells.evaluateAll((all) =>
    all.map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    }),
  );
  expect(lines).toEqual(lines.map(() => 1));
});

test.each([
  ["ja", 320],
  ["ja", 360],
  ["ko", 320],
  ["en", 320],
] as const)(
  "on a narrow phone a rate has all its digits, and a table's heading its words (%s, %i)",
  async (lang, width) => {
    const { page } = await visit({ link: `${link}&lang=${lang}`, viewport: { width, height: 800 } });
    await expect.poll(() => page.locator("#machine .scaling svg.curve").count(), soon).toBe(1);
    for (const chip of ["v3", "v6e"]) {
      await page.locator(`#machine [data-choice=chip-${chip}]`).click();
      await expect.poll(() => page.locator("#machine .scaling .here").getAttribute("data-point"), soon).toContain(chip);
      const cut = await page.locator("#machine .scaling svg.curve").evaluate((svg) => {
        const { left, right } = svg.getBoundingClientRect();
        const outside = (text: Element) => {
          const box = text.getBoundingClientRect();
          return box.left < left - 0.5 || box.right > right + 0.5;
        };
        return [...svg.querySelectorAll(".grid text")].filter(outside).map((text) => text.textContent);
      });
      expect(cut, chip).toEqual([]);
    }
    await expect.poll(() => page.locator("#machine .choices td").count(), soon).toBeGreaterThan(0);
    const lines = await page.locator("#machine .choices :is(thead th, td):last-child").evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      }),
    );
    expect(lines).toEqual(lines.map(() => 1));
    const room = page.locator("#machine .memory .table-room");
    expect(await room.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBeLessThanOrEqual(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  },
);

test.each(["en", "ko", "ja"])(
  "all that a timeline shows is in its key, and no lane's name is cut (%s)",
  async (language) => {
    const { page } = await visit({ link: `lang=${language}&${link}` });
    await expect.poll(() => page.locator("#machine .lane.replica").count(), soon).toBe(8);
    const { without, cut } = await page.evaluate(() => {
      const background = (element: Element) => getComputedStyle(element).background;
      const key = new Set(Array.from(document.querySelectorAll("#machine .lanes .keys .swatch"), background));
      const shown = Array.from(document.querySelectorAll("#machine .lane-track i"));
      const names = Array.from(document.querySelectorAll("#machine .lane-name"));
      return {
        without: shown.filter((each) => !key.has(background(each))).map((each) => each.getAttribute("data-category")),
        cut: names.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent),
      };
    });
    expect(without).toEqual([]);
    expect(cut).toEqual([]);
  },
);

test("a model or code that a link has mistyped is the usual one", async () => {
  const { page } = await visit({ link: `${link}&machine.model=bert-bas&machine.code=zzz&machine.slice=v3-8` });
  await page.locator("[data-figure=step]").waitFor();
  for (const name of ["model-bert-large", "code-mlperf-bf16"])
    expect(await page.locator(`[data-choice=${name}]`).getAttribute("aria-pressed"), name).toBe("true");
  expect(await page.locator("#machine .mishap").count()).toBe(0);
});

test("code of TensorFlow 1 reduces its gradients one by one, as octet estimate has it", async () => {
  const { page } = await visit({ link: `${link}&machine.model=gpt2&machine.slice=v3-8&machine.code=tf1-f32` });
  await expect.poll(() => page.locator("#machine [data-finding=tiny_collectives]").count(), soon).toBe(1);
  expect(await page.locator("#machine [data-finding=tiny_collectives]").textContent()).toContain("196 all-reduces");
});

test("a slice that the list leaves out is chosen in it all the same", async () => {
  const { page } = await visit({ link: `${link}&lang=en&machine.slice=v3-4096` });
  await expect.poll(() => page.locator("#machine [data-figure=step]").count(), soon).toBe(1);
  const slice = page.locator("#machine select[name=slice]");
  expect(await slice.inputValue()).toBe("v3-4096");
  expect(await slice.locator("option:checked").textContent()).toContain("2,048 chips");
});
