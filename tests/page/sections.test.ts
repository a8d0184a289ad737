// What all sections have in common: they fit a phone, their controls have names, and the navigation leads to them.
import { expect, test } from "vitest";
import { small, visit } from "./visit";

const link = `${small}&steps=5&start=no`;

test.each(["en", "ko", "ja"])(
  "no section scrolls sideways at 390 pixels, with letters twice as large either, and every control is named (%s)",
  async (language) => {
    const { page } = await visit({ link: `lang=${language}&${link}`, viewport: { width: 390, height: 844 } });
    const links = page.locator("nav.sections a");
    await expect.poll(() => links.count()).toBeGreaterThan(2);
    for (let at = 1; at < (await links.count()); at++) {
      await links.nth(at).press("Enter"); // the bar moves under a pointer while the page still scrolls to the section before
      const section = page.locator("section.section").nth(at - 1);
      await expect.poll(() => section.getAttribute("aria-busy")).toBe("false");
      await section.locator("h3").first().waitFor();
    }
    await page.locator("[data-action=mend]").waitFor(); // what the library says is as wide as it gets
    const { width, scrolled, unnamed } = await page.evaluate(() => {
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
        scrolled: Array.from(document.querySelectorAll(".table-room")).filter(
          (room) => room.scrollWidth > room.clientWidth,
        ).length,
        unnamed: Array.from(controls, (each) => nameOf(each)?.trim() ?? "").filter((name) => name === "").length,
      };
    });
    expect(width).toBe(390);
    expect(scrolled).toBe(0);
    expect(unnamed).toBe(0);
    const widthOfLarge = await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
      return document.documentElement.scrollWidth;
    });
    expect(widthOfLarge).toBe(390);
  },
);

test("a section looks as it does alone, whichever others come before it and after it", async () => {
  const looks = async (sections: string[]) => {
    const { page } = await visit({ link: `${link}&section=${sections[0]}` });
    for (const section of sections) {
      await page.locator(`nav.sections a[href*="section=${section}"]`).press("Enter");
      await page.locator(`#${section}`).locator("dd, .check").first().waitFor();
    }
    const seen = () =>
      page.evaluate(
        (sections) =>
          sections.map((section) =>
            Array.from(document.querySelectorAll(`#${section} :is(dl, dt, dd, .check, .check *)`), (element) => {
              const { fontSize, fontWeight, display, gridTemplateColumns, borderTopWidth } = getComputedStyle(element);
              return [
                element.className,
                fontSize,
                fontWeight,
                display,
                gridTemplateColumns.split(" ").length,
                borderTopWidth,
              ];
            }).map(String),
          ),
        sections,
      );
    // A section answers in stages, between which it is not busy: it is at rest when it looks the same for a while.
    let [looked, same] = [await seen(), 0];
    while (same < 8) {
      await page.waitForTimeout(250);
      const now = await seen();
      const busy = (await page.locator("section.section [aria-busy=true]").count()) > 0;
      same = !busy && String(now) === String(looked) ? same + 1 : 0;
      looked = now;
    }
    return new Map(sections.map((section, at) => [section, new Set(looked[at])]));
  };
  const all = ["rules", "machine", "text", "checklist"];
  const alone = new Map<string, Set<string>>();
  for (const section of all) for (const [name, look] of await looks([section])) alone.set(name, look);
  for (const order of [all, [...all].reverse()])
    for (const [section, look] of await looks(order))
      expect(look, `${section} of ${order}`).toEqual(alone.get(section));
});

test("what is long on its way says so: a section, the workshop below it, and what is to read a dropped table", async () => {
  const { page, shown } = await visit({ link: `lang=en&${link}` });
  await expect.poll(() => shown(".stage")).toBe("Ready");
  let arrives = () => {};
  const held = new Promise<void>((resolve) => (arrives = resolve));
  await page.route("**/assets/machine-*.js", (route) => held.then(() => route.continue()));
  await page.route("**/octet_workshop.wasm", () => new Promise(() => {})); // for ever
  const opacity = (within: string) =>
    page
      .locator(`${within} .awaited`)
      .evaluate((line) => getComputedStyle(line).opacity)
      .catch(() => "");
  const goTo = (section: string) => page.locator(`nav.sections a[href*="section=${section}"]`).press("Enter");
  await goTo("machine");
  expect(await opacity("#machine")).toBe("0"); // not for a moment's sake
  await expect.poll(() => opacity("#machine")).toBe("1");
  expect(await shown("#machine .awaited")).toBe("Loading…");
  arrives();
  await page.locator("#machine h3").first().waitFor();
  await expect.poll(() => opacity("#machine")).toBe("1");
  await goTo("rules");
  await expect.poll(() => opacity("#rules .outcome")).toBe("1");
  await page
    .locator(".texts input")
    .setInputFiles({ name: "table.csv", mimeType: "text/csv", buffer: Buffer.from("id,text\n1,hello there\n") });
  await expect.poll(() => shown(".controls .stage")).toContain("Learning the vocabulary");
});

test("while a section is on its way nothing that comes after it is in sight, to be pushed away", async () => {
  const { page } = await visit({ link: `lang=en&${link}` });
  await page.route("**/assets/{rules,checklist}-*.js", () => new Promise(() => {})); // for ever
  for (const [section, after] of [
    ["rules", "#text"],
    ["checklist", "footer"],
  ] as const) {
    await page.locator(`nav.sections a[href*="section=${section}"]`).press("Enter");
    const top = (of: string) => page.locator(of).evaluate((element) => element.getBoundingClientRect().top);
    await expect.poll(() => top(`#${section}`)).toBeLessThan(100);
    expect(await top(after)).toBeGreaterThanOrEqual(900);
  }
});

test("whatever a section has to tap is 24 pixels high at least", async () => {
  const { page } = await visit({
    link: `lang=en&${link}`,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  for (const section of ["rules", "text", "machine", "checklist"]) {
    await page.locator(`nav.sections a[href*="section=${section}"]`).press("Enter");
    await page.locator(`#${section} :is(summary, label:has(input))`).first().waitFor({ timeout: 30_000 });
  }
  const low = await page.evaluate(() =>
    Array.from(document.querySelectorAll(".section :is(button, select, summary, textarea, label:has(input))"))
      .filter((each) => each.getClientRects().length > 0 && each.getBoundingClientRect().height < 24)
      .map((each) => each.textContent),
  );
  expect(low).toEqual([]);
});

test("whatever charts have to read is 11 pixels high at least, on phones, tablets and wider", async () => {
  const { page } = await visit({ link: `lang=en&${link}` });
  const charts = {
    rules: [".lengths .histogram", ".story .curve"],
    text: [".growth-curve", ".line-lengths .histogram"],
    machine: [".curve", ".drift"],
  };
  for (const [section, all] of Object.entries(charts)) {
    await page.locator(`nav.sections a[href*="section=${section}"]`).press("Enter");
    for (const chart of all) {
      await page.locator(`#${section} .panel`).last().scrollIntoViewIfNeeded({ timeout: 30_000 });
      await page.locator(`#${section} ${chart} text`).first().waitFor({ timeout: 30_000 });
    }
  }
  for (const width of [320, 360, 390, 641, 700, 768, 961, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const low = await page.evaluate(() =>
      Array.from(document.querySelectorAll<SVGTextElement>(".section svg text"), (text) => ({
        chart: text.ownerSVGElement!.getAttribute("class"),
        size: parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement!.getScreenCTM()!.a,
      })).filter(({ size }) => size < 11),
    );
    expect(low, String(width)).toEqual([]);
  }
});
