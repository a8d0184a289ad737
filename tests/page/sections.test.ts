// What all sections have in common: they fit a phone, their controls have names, and the navigation leads to them.
import { expect, test } from "vitest";
import { small, visit } from "./visit";

const link = `${small}&steps=5&start=no`;

test.each(["en", "ko", "ja"])(
  "no section scrolls sideways at 390 pixels, and every control is named (%s)",
  async (language) => {
    const { page } = await visit({ link: `lang=${language}&${link}`, viewport: { width: 390, height: 844 } });
    const links = page.locator("nav.sections a");
    await expect.poll(() => links.count()).toBeGreaterThan(2);
    for (let at = 1; at < (await links.count()); at++) {
      await links.nth(at).click();
      const section = page.locator("section.section").nth(at - 1);
      await expect.poll(() => section.getAttribute("aria-busy")).toBe("false");
      await section.locator("h3").first().waitFor();
    }
    await page.locator("[data-action=mend]").waitFor(); // what the library says is as wide as it gets
    const { width, unnamed } = await page.evaluate(() => {
      const controls = document.querySelectorAll<HTMLElement>(
        "section.section :is(button, select, textarea, summary, a, input:not([hidden]))",
      );
      const nameOf = (element: HTMLElement) =>
        element.getAttribute("aria-label") ??
        ("labels" in element && (element as HTMLInputElement).labels?.length
          ? Array.from((element as HTMLInputElement).labels ?? [], (label) => label.textContent).join("")
          : element.textContent);
      return {
        width: document.documentElement.scrollWidth,
        unnamed: Array.from(controls, (each) => nameOf(each)?.trim() ?? "").filter((name) => name === "").length,
      };
    });
    expect(width).toBe(390);
    expect(unnamed).toBe(0);
  },
);
