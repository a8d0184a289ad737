// Threads where the page may share memory; one thread, and a word about it, where it may not.
import { expect, test } from "vitest";
import { small, visit } from "./visit";

const link = `${small}&steps=5000`;

test("an isolated page uses threads and says nothing about it", async () => {
  const { page, trained, shown } = await visit({ link });
  await trained(1);
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  expect(await shown("[data-number=threads]")).toBe(String(Math.min(8, cores)));
  expect(await page.locator("[data-notice]").count()).toBe(0);
});

test("a page that is not isolated uses one thread and says so", async () => {
  const { page, trained, shown } = await visit({ link, isolation: false });
  await trained(1);
  expect(await shown("[data-number=threads]")).toBe("1");
  expect(await page.locator("[data-notice=one-thread]").textContent()).toContain("cross-origin isolation");
});

test("threads can be turned on where the server sends no headers", async () => {
  const { page, trained, shown } = await visit({ link, isolation: false });
  await trained(1);
  await page.getByRole("button", { name: "Turn on threads" }).click();
  await page.waitForFunction(() => crossOriginIsolated);
  await trained(1);
  expect(await page.locator("[data-notice]").count()).toBe(0);
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  expect(await shown("[data-number=threads]")).toBe(String(Math.min(8, cores)));
});
