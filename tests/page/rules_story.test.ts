// The replayed run: 429 compiles in 493 steps, an alarm, and what buckets make of it.
import { expect, test } from "vitest";
import { small, visit } from "./visit";

test("a run without buckets compiles 429 times and rings the alarm; buckets chosen on the way heal it", async () => {
  const { page, shown } = await visit({
    link: `${small}&steps=5&start=no&section=rules&lang=en`,
    reducedMotion: "reduce",
  });
  await page.locator(".story").scrollIntoViewIfNeeded();
  await page.locator("[data-action=replay-end]:enabled").click({ timeout: 30_000 });
  await expect.poll(() => shown("[data-story=compiles]")).toBe("429");
  expect(await shown("[data-story=steps]")).toBe("493");
  expect(await page.locator(".story .fault").getAttribute("data-fault")).toBe("X302");
  expect(await shown("[data-story=raised]")).toMatch(/^Raised at step \d+$/);
  expect(await shown("[data-story=explanation]")).toContain("429 compiles");
  expect(await shown("[data-story=event]")).toContain("dimension 1 of src_tokens is");

  // Back to step 100, and on from there with multiples of 64: at most eight further programs.
  await page.locator("input[name=story-step]").fill("100");
  const before = Number(await shown("[data-story=compiles]"));
  expect(before).toBeGreaterThan(80);
  await page.locator("[data-choice=remedy-multiple]").click();
  await expect.poll(() => shown("[data-story=steps]")).toBe("493");
  const after = Number(await shown("[data-story=compiles]"));
  expect(after).toBeGreaterThan(before);
  expect(after).toBeLessThanOrEqual(before + 8);
  expect(await page.locator(".story .fault").count()).toBe(0);

  // From the start with one length, as they did: one program, and much padding.
  await page.locator("[data-choice=remedy-max]").click();
  await expect.poll(() => shown("[data-story=compiles]")).toBe("1");
  expect(parseFloat(await shown("[data-story=padding]"))).toBeGreaterThan(30);
});

test("the replay moves by itself, and can be paused", async () => {
  const { page, shown } = await visit({ link: `${small}&steps=5&start=no&section=rules&lang=en` });
  await page.locator(".story").scrollIntoViewIfNeeded();
  await page.locator("[data-action=replay]:enabled").click({ timeout: 30_000 });
  await expect.poll(async () => Number(await shown("[data-story=steps]"))).toBeGreaterThan(5);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => shown("[data-action=replay]")).not.toBe("Pause");
  const at = await shown("[data-story=steps]");
  await page.waitForTimeout(200);
  expect(await shown("[data-story=steps]")).toBe(at);
});
