// The page trains: by itself, paused, stepped, reset; with threads and without.
import { expect, test } from "vitest";
import { plainText, small, type Visit, visit } from "./visit";

const number = (text: string) => Number(text.replace(/[^\d.]/g, ""));

/** Pauses, and gives the steps that were done: no more are. */
async function pause({ page, shown, steps }: Visit): Promise<number> {
  await page.getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => shown(".stage")).toBe("Paused");
  const done = await steps();
  await page.waitForTimeout(500);
  expect(await steps()).toBe(done);
  return done;
}

test("it trains by itself", async () => {
  const { trained } = await visit({ link: `${small}&steps=5` });
  await trained(5);
});

test.each([true, false])("the loss falls (isolation: %s)", async (isolation) => {
  const { page, trained, shown } = await visit({
    link: `${small}&steps=60&start=no`,
    isolation,
  });
  await expect.poll(() => shown(".stage"), { timeout: 20_000 }).toBe("Ready");
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await page.locator("[data-hash-step='1']").waitFor();
  const training = number(await shown("[data-loss=training]"));
  const heldOut = number(await shown("[data-loss=held-out]"));
  await page.getByRole("button", { name: "Start" }).click();
  await trained(60);
  await page.locator("[data-hash-step='60']").waitFor();
  await expect.poll(() => shown(".stage")).toBe("Finished"); // told after the hash
  expect(number(await shown("[data-loss=training]"))).toBeLessThan(training - 0.3);
  expect(number(await shown("[data-loss=held-out]"))).toBeLessThan(heldOut - 0.5);
  expect(await page.locator(".tile-loss").allTextContents()).toHaveLength(8);
  for (const loss of await page.locator(".tile-loss").allTextContents()) expect(number(loss)).toBeGreaterThan(0);
  expect(number(await shown("[data-number=tokens-per-second]"))).toBeGreaterThan(0);
  expect(number(await shown("[data-number=compiles]"))).toBeGreaterThan(0);
  expect(number(await shown("[data-number=cache-hits]"))).toBeGreaterThan(0);
  expect(await shown("[data-number=padding]")).toMatch(/^\d+\.\d%$/);
  expect(await shown("[data-hash]")).toMatch(/^[0-9a-f]{8,}$/);
  expect(await page.locator("[data-hash]").getAttribute("data-hash-step")).toBe("60");
});

test("how many steps there will be is said while the program is on its way", async () => {
  const { page, shown } = await visit({ link: "lang=en&start=no" });
  await page.locator("h1").waitFor();
  await page.route("**/*.wasm", () => new Promise(() => {})); // for ever
  await page.reload({ waitUntil: "commit" });
  await expect.poll(() => shown(".stage")).toBe("Loading the program");
  expect(await shown(".count")).toBe("Step 0 of 300");
});

test("something moves within a second", async () => {
  const { page, steps } = await visit();
  await page.waitForSelector(".tile", { timeout: 1000 });
  const moving = await page.evaluate(() => document.getAnimations().some((each) => each.playState === "running"));
  expect(moving || (await steps()) > 0).toBe(true);
});

test("the page does not stall while it trains", async () => {
  const { page, trained } = await visit();
  await trained(1);
  const longest = await page.evaluate(async () => {
    const tasks: number[] = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((each) => each.duration))).observe({
      type: "longtask",
    });
    await new Promise((resolve) => setTimeout(resolve, 3000));
    return Math.max(0, ...tasks);
  });
  expect(longest).toBeLessThan(200);
});

test("pause, step and reset do what they say", async () => {
  const visited = await visit({ link: `${small}&steps=2000` });
  const { page, trained, steps, shown } = visited;
  await trained(2);
  const paused = await pause(visited);

  await page.getByRole("button", { name: "Step", exact: true }).click();
  await expect.poll(steps).toBe(paused + 1);
  await page.waitForTimeout(300);
  expect(await steps()).toBe(paused + 1);

  await page.getByRole("button", { name: "Reset" }).click();
  await expect.poll(() => shown(".stage")).toBe("Ready");
  expect(await steps()).toBe(0);
  expect(await page.getByRole("button", { name: "Reset" }).isDisabled()).toBe(true);

  await page.getByRole("button", { name: "Start" }).click();
  await trained(2);
});

test.each([
  ["another text", ({ page }: Visit) => page.locator("[data-text=ja]").click()],
  ["a file", ({ choose }: Visit) => choose("likes.txt", plainText(200))],
  ["other options", ({ page }: Visit) => page.getByRole("button", { name: "Train with these" }).click()],
])("%s chosen during a run trains on, says so, and can be paused", async (_, choose) => {
  const visited = await visit({ link: `${small}&steps=2000` });
  const { page, trained, steps, shown } = visited;
  await trained(40);
  await choose(visited);
  await expect.poll(steps).toBeLessThan(40);
  expect(await shown(".stage")).toBe("Training");
  await trained(2);
  const paused = await pause(visited);
  await page.getByRole("button", { name: "Start" }).click();
  await trained(paused + 2);
});

test("a run that is over can be trained again, and gives the same weights", async () => {
  const { page, trained, steps, shown } = await visit({
    link: `${small}&steps=6`,
  });
  await trained(6);
  await expect.poll(() => page.locator("[data-hash]").getAttribute("data-hash-step")).toBe("6");
  const hash = await shown("[data-hash]");
  await page.getByRole("button", { name: "Train again" }).click();
  await expect.poll(async () => (await steps()) < 6).toBe(true);
  await trained(6);
  await expect.poll(() => page.locator("[data-hash]").getAttribute("data-hash-step")).toBe("6");
  expect(await shown("[data-hash]")).toBe(hash);
});

test("the blank is filled, at first and again after training", async () => {
  const { page, trained, shown } = await visit({ link: `${small}&steps=40` });
  await page.locator(".candidates").waitFor();
  await trained(40);
  await expect.poll(() => shown(".candidates caption")).toBe("Guesses after step 40");
  expect(await page.locator(".candidates tbody tr").count()).toBe(5);
  const shares = (await page.locator(".candidates .number").allTextContents()).map(number);
  expect(shares).toEqual([...shares].sort((a, b) => b - a));
  expect(shares[0]).toBeGreaterThan(1);

  await page.getByLabel("A sentence with a blank").fill("The cat drinks [MASK] near the ___.");
  await expect.poll(() => page.locator(".candidates").count()).toBe(2);
  await page.getByLabel("A sentence with a blank").fill("The cat drinks milk.");
  await page.getByText("Write ___ where the word is missing.").waitFor();
  await page.getByRole("button", { name: "Insert blank" }).click();
  await expect.poll(() => page.locator(".candidates").count()).toBe(1);
});

test("the options form starts a run of its own, and the link keeps it", async () => {
  const { page, trained, steps } = await visit({ link: `${small}&steps=3` });
  await trained(3);
  await page.getByLabel("Steps", { exact: true }).fill("5");
  await page.getByLabel("Seed").fill("9");
  await page.getByRole("button", { name: "Train with these" }).click();
  await expect.poll(steps).toBe(5);
  await expect.poll(() => page.url()).toContain("steps=5&seed=9");
});

test("a width that a link may give may stand in the form beside what is changed there", async () => {
  const { page, trained, steps } = await visit({ link: `${small.replace("hidden=64", "hidden=100")}&steps=3` });
  await trained(3);
  await page.getByLabel("Steps", { exact: true }).fill("5");
  await page.getByRole("button", { name: "Train with these" }).click();
  await expect.poll(steps).toBe(5);
  expect(page.url()).toContain("hidden=100");
});

test("a model larger than the page's memory is refused with what to choose, and the run before it goes on", async () => {
  const { page, trained, steps, shown } = await visit({
    link: `${small}&steps=20000`,
  });
  await trained(2);
  await page.getByLabel("Layers").fill("12");
  await page.getByLabel("Width").fill("768");
  await page.getByRole("button", { name: "Train with these" }).click();
  const notice = page.locator("[data-notice=mishap]");
  await expect
    .poll(() => notice.textContent())
    .toMatch(/X709 .* layers 12 and hidden 768.* GB.*choose layers \d+ or less/);
  expect(await notice.textContent()).toContain("The run before it is still here.");
  expect(await notice.textContent()).toContain("These options were not used.");
  expect(await page.locator(".options [data-notice=mishap]").count()).toBe(1); // beside the form, in sight
  const { top, bottom } = await notice.evaluate((element) => element.getBoundingClientRect());
  expect(top).toBeGreaterThanOrEqual(0);
  expect(bottom).toBeLessThanOrEqual(900);
  await trained((await steps()) + 2);
  expect(await shown(".stage")).toBe("Training");
  expect(page.url()).not.toContain("layers=12");
});

test("a link to such a model says so, and the page trains with the usual options", async () => {
  const { page, trained } = await visit({ link: "layers=12&hidden=768" });
  const notice = page.locator("[data-notice=mishap]");
  await expect.poll(() => notice.textContent()).toContain("X709");
  await trained(1);
  expect(await notice.textContent()).not.toContain("The run before it");
  expect(await notice.textContent()).toContain("Not used from the link: layers=12, hidden=768.");
  await expect.poll(() => page.url()).not.toContain("layers");
});

test.each([
  ["en", "Not used from the link: text=fr, steps=30000 (1–20000), batch=x (8–512)."],
  ["ko", "링크에 담긴 다음 설정은 쓰지 않았습니다: text=fr, steps=30000 (1–20000), batch=x (8–512)"],
  ["ja", "リンクにある次の設定は使いませんでした：text=fr, steps=30000 (1–20000), batch=x (8–512)"],
])("what a link asks for and does not get is told, with what it may be (%s)", async (language, words) => {
  const { page, trained } = await visit({
    link: `lang=${language}&text=fr&seed=7&steps=30000&batch=x&layers=1&hidden=64`,
  });
  const notice = page.locator("[data-notice=mishap]");
  await expect.poll(() => notice.textContent()).toContain(words);
  expect(await notice.locator("p").count()).toBe(1);
  await trained(2);
  expect(await notice.count()).toBe(1);
  await expect.poll(() => page.url()).toContain(`#lang=${language}&text=${language}&seed=7&layers=1&hidden=64`);
  await notice.getByRole("button").click();
  await expect.poll(() => notice.count()).toBe(0);
});

test("what a link asks for and does not get is told beside options that the machine cannot have, too", async () => {
  const { page, trained } = await visit({ link: "lang=en&steps=0&layers=12&hidden=768" });
  const notice = page.locator("[data-notice=mishap]");
  await expect.poll(() => notice.textContent()).toContain("X709");
  expect(await notice.textContent()).toContain("Not used from the link: steps=0 (1–20000), layers=12, hidden=768.");
  await trained(1);
});

test("an emptied sentence is asked for, not guessed at, and stays empty in the link", async () => {
  const { page, trained, steps, shown } = await visit({
    link: `${small}&steps=20000`,
  });
  await page.locator(".candidates").waitFor();
  await page.getByLabel("A sentence with a blank").fill("");
  await expect.poll(() => page.locator(".candidates").count()).toBe(0);
  await expect.poll(() => shown(".fill .quiet")).toContain("Write ___");
  await trained((await steps()) + 12);
  expect(await page.locator(".candidates").count()).toBe(0);
  await expect.poll(() => page.url()).toContain("sentence="); // which changes once typing rests
  await page.getByLabel("A sentence with a blank").fill("The cat ___ milk.");
  await page.locator(".candidates").waitFor();
});

test("of a long text the loss is measured on the beginning of what is held out, so that orders do not wait", async () => {
  const visited = await visit({ link: `${small}&start=no&lang=en` });
  const { page, choose, shown } = visited;
  await expect.poll(() => shown(".stage"), { timeout: 60_000 }).toBe("Ready");
  const held = page.locator(".figure:has([data-number=vocabulary]) .hint");
  for (const [lines, words] of [
    [10_000, "9,500 lines to train on and 500 to measure on"],
    [40_000, "38,000 lines to train on and 512 to measure on"],
  ] as const) {
    await choose(`${lines}.txt`, plainText(lines));
    await expect.poll(() => held.textContent(), { timeout: 60_000 }).toContain(words);
  }
});

test("a sentence longer than the model takes is refused with its length, not cut", async () => {
  const { page } = await visit({ link: `${small}&steps=20000&lang=en` });
  await page.locator(".candidates").waitFor();
  const sentence = `The ferry leaves ___ ${"in the morning ".repeat(100)}`;
  await page.getByLabel("A sentence with a blank").fill(sentence);
  await expect.poll(() => page.locator(".fill").textContent()).toContain("X713");
  expect(await page.getByLabel("A sentence with a blank").inputValue()).toBe(sentence);
});

test("where memory runs out all the same, loading again leads to a page that trains", async () => {
  const { page, trained } = await visit({ link: "start=no" });
  const script = "**/engine-*/octet_web*.mjs";
  await page.route(script, async (route) => {
    const response = await route.fetch();
    const full = "WebAssembly.Memory.prototype.grow = () => { throw new RangeError('full'); };";
    await route.fulfill({ response, body: full + (await response.text()) });
  });
  const link = page.url().replace(/#.*/, "#layers=3&hidden=256");
  await page.goto("about:blank"); // or the page would load itself again, for the link, beside this test
  await page.goto(link);
  const notice = page.locator("[data-notice=broken]");
  await notice.waitFor();
  expect(await notice.textContent()).toMatch(/memory is full|X408: .* which this machine does not have/);
  await page.unroute(script);
  await notice.getByRole("button").click();
  await trained(1);
  expect(await notice.count()).toBe(0);
  expect(page.url()).not.toContain("layers");
});

test("many clicks on Step at once are one step", async () => {
  const { page, steps, shown } = await visit({
    link: `${small}&steps=5000&start=no`,
  });
  await expect.poll(() => shown(".stage"), { timeout: 20_000 }).toBe("Ready");
  const step = page.getByRole("button", { name: "Step", exact: true });
  await step.evaluate((button: HTMLElement) => {
    for (let click = 0; click < 50; ++click) button.click();
  });
  await page.locator("[data-hash-step='1']").waitFor();
  await step.click();
  await page.locator("[data-hash-step='2']").waitFor();
  expect(await steps()).toBe(2);
});

test("a run of a few steps reaches the learning rate that was chosen, and falls from there", async () => {
  const { page, shown } = await visit({ link: `${small.replace("&warmup_steps=10", "")}&steps=6&start=no` });
  const rates: number[] = [];
  for (let step = 1; step <= 6; step++) {
    await page.locator("[data-action=step]:enabled").click({ timeout: 60_000 });
    await page.locator(`[data-hash-step='${step}']`).waitFor({ timeout: 60_000 });
    rates.push(Number(await shown("[data-number=learning-rate]")));
  }
  expect(rates).toEqual([0.0015, 0.003, 0.003, 0.0023, 0.0015, 0.00075]);
});

test("what is said of the learning rate holds for a run that ends while warming up", async () => {
  const { page, shown } = await visit({ link: `${small}&steps=3` });
  await page.locator("[data-hash-step='3']").waitFor({ timeout: 60_000 });
  expect(Number(await shown("[data-number=learning-rate]"))).toBeGreaterThan(0);
  const hint = await page.locator(".figure:has([data-number=learning-rate]) .hint").textContent();
  expect(hint).toContain("over the steps that are left falls to zero");
});
