// The way through the page: links land at their sections, though what lies above grows; the browser's buttons go back.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { small, visit } from "./visit";

const link = `${small}&steps=5&start=no`;

/** How far a section's beginning is from the window's top. */
const top = (page: Page, section: string) =>
  page.locator(`#${section}`).evaluate((element) => Math.round(element.getBoundingClientRect().top));

/** Waits until all sections that are asked for are drawn, and until nothing in them is under way. */
async function settled(page: Page) {
  await expect.poll(() => page.locator(".section:has(h3) [aria-busy=true]").count(), { timeout: 60_000 }).toBe(0);
}

test.each([
  ["en", { width: 1280, height: 800 }, false],
  ["ko", { width: 390, height: 844 }, true],
])(
  "a link of the navigation leads to its section, and the page stays there (%s)",
  async (language, viewport, hasTouch) => {
    const { page, shown } = await visit({ link: `lang=${language}&${link}`, viewport, hasTouch });
    await expect.poll(() => shown("[data-number=vocabulary]")).not.toBe("");
    await page.locator("nav.sections a").last().click();
    await page.locator("#checklist [data-check]").first().waitFor({ timeout: 60_000 });
    // What lies above is loaded after all, and grows.
    await page.evaluate(() => {
      const space = document.createElement("div");
      space.style.height = "1500px";
      document.querySelector("#rules")?.append(space);
    });
    await settled(page);
    await expect.poll(() => top(page, "checklist")).toBeLessThan(120);
    expect(await top(page, "checklist")).toBeGreaterThanOrEqual(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("checklist-title");
    expect(await page.locator("nav.sections [aria-current]").getAttribute("href")).toContain("section=checklist");
  },
);

test.each(["wheel", "scrollbar"])("a visitor who scrolls away is not brought back (%s)", async (means) => {
  const { page } = await visit({ link });
  await page.locator("nav.sections a").last().click();
  await page.locator("#checklist [data-check]").first().waitFor({ timeout: 60_000 });
  await settled(page);
  if (means === "wheel") await page.mouse.wheel(0, -600);
  else await page.evaluate(() => scrollBy({ top: -600, behavior: "instant" })); // of which no other event tells
  await expect.poll(() => top(page, "checklist")).toBeGreaterThan(300);
  // The page is drawn anew, as when something on it grows.
  await page.evaluate(
    () =>
      new Promise<void>((drawn) => {
        const space = document.createElement("div");
        space.style.height = "500px";
        document.querySelector("footer")?.append(space);
        requestAnimationFrame(() => requestAnimationFrame(() => drawn()));
      }),
  );
  expect(await top(page, "checklist")).toBeGreaterThan(300);
});

test("the browser's buttons go back and forth among the sections that were visited, in the same run", async () => {
  const { page, shown } = await visit({ link: `lang=en&${link}` });
  await expect.poll(() => shown(".stage")).toBe("Ready");
  await page.evaluate(() => Object.assign(window, { same: true }));
  await page.locator("nav.sections a").nth(1).click();
  await expect.poll(() => page.url()).toContain("section=rules");
  await page.locator("nav.sections a").last().click();
  await expect.poll(() => page.url()).toContain("section=checklist");
  await page.goBack();
  await expect.poll(() => page.url()).toContain("section=rules");
  await expect.poll(() => top(page, "rules")).toBeLessThan(120);
  await page.goBack();
  await expect.poll(() => page.url()).not.toContain("section=");
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  await page.goForward();
  await expect.poll(() => page.url()).toContain("section=rules");
  expect(await page.evaluate(() => "same" in window)).toBe(true);
});

test("at 390 pixels the link to the section in sight is in sight", async () => {
  const { page } = await visit({ link: `lang=en&${link}&section=checklist`, viewport: { width: 390, height: 844 } });
  const current = page.locator("nav.sections a[aria-current]");
  await expect.poll(() => current.getAttribute("href")).toContain("section=checklist");
  const right = () => current.evaluate((element) => Math.round(element.getBoundingClientRect().right));
  await expect.poll(right).toBeLessThanOrEqual(390);
});

test("a link pasted over the page's own is what the page then shows", async () => {
  const { page } = await visit({ link: `lang=en&${link}` });
  await page.locator("nav.sections a").last().click();
  const other = page.url().replace(/#.*/, "#lang=ko&start=no&steps=33&section=rules");
  await page.evaluate((to) => void (location.href = to), other);
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("ko");
  await expect.poll(() => page.url()).toContain("steps=33");
  // Going back from there shows what was there, in the language and with the program that it had.
  await page.goBack();
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("en");
  await expect.poll(() => page.url()).toContain("section=checklist");
  expect(page.url()).not.toContain("steps=33");
  await page.goForward();
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("ko");
  await expect.poll(() => page.url()).toContain("steps=33");
});

test("a browser that takes few links, or none, holds up nothing: a sentence that is typed changes it once", async () => {
  const { page, shown } = await visit({ link: `lang=en&${link}` });
  await expect.poll(() => shown(".stage")).toBe("Ready");
  await page.locator(".candidates").waitFor();
  await page.waitForTimeout(300); // the link is what it is
  await page.evaluate(() => {
    const refuse = (_state: unknown, _title: string, to?: string | URL | null) => {
      asked.push(String(to));
      throw new DOMException(
        "Attempt to use history.replaceState() more than 100 times per 10 seconds",
        "SecurityError",
      );
    };
    const asked: string[] = [];
    Object.assign(window, { asked });
    Object.assign(history, { replaceState: refuse, pushState: refuse });
  });
  const asked = () => page.evaluate(() => (window as unknown as { asked: string[] }).asked);
  await page.locator("#sentence").fill("The ___ is");
  await page.locator("#sentence").press("End");
  await page.keyboard.type(" warm, and the ___ is cold.");
  await expect.poll(() => page.locator(".candidates").count()).toBe(2);
  await expect.poll(async () => (await asked()).at(-1)).toContain("cold.");
  expect((await asked()).length).toBeLessThan(8);
  await page.locator("nav.sections a").last().click();
  await expect.poll(() => top(page, "checklist")).toBeLessThan(120);
});
