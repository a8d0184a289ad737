// How the page fits: narrow and wide, by keyboard, in light and dark, at rest.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { en } from "../../web/src/language/en";
import { ja } from "../../web/src/language/ja";
import { ko } from "../../web/src/language/ko";
import { small, visit } from "./visit";

const link = `${small}&steps=8`;

test.each(["en", "ko", "ja"])("nothing scrolls sideways at 360 pixels (%s)", async (language) => {
  for (const isolation of [true, false]) {
    const { page, trained, choose } = await visit({
      link: `lang=${language}&${link}`,
      isolation,
      viewport: { width: 360, height: 740 },
    });
    await trained(8);
    await choose(`${"a-long-name-without-a-break-".repeat(6)}.txt`, "");
    await page.locator("[data-notice=mishap]").waitFor();
    await page.locator("details.options summary").click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  }
});

test("every control is reached by the keyboard, in sight, and named", async () => {
  const { page, trained } = await visit({ link });
  await trained(8);
  const reached: string[] = [];
  for (let at = 0; at < 40; at++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      const labels =
        element instanceof HTMLInputElement ||
        element instanceof HTMLTextAreaElement ||
        element instanceof HTMLSelectElement
          ? Array.from(element.labels ?? [], (label) => label.textContent)
          : [];
      const style = getComputedStyle(element);
      return {
        name:
          [element.getAttribute("aria-label"), ...labels, element.textContent].find((name) => name?.trim())?.trim() ??
          "",
        outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
      };
    });
    if (!focused) break;
    expect(focused.name).not.toBe("");
    expect(focused.outlined, focused.name).toBe(true);
    reached.push(focused.name);
  }
  for (const name of [
    "한국어",
    "The harbour",
    "Your own file…",
    "Train again",
    "Reset",
    "Insert blank",
    "Seed",
    "Train with these",
  ]) {
    expect(reached).toContain(name);
  }
});

test("the skip link leads to the controls, and the space bar presses them", async () => {
  const { page, trained, shown } = await visit({ link: `${small}&steps=5000` });
  await trained(1);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Space");
  await expect.poll(() => shown(".stage")).toBe("Paused");
});

test("the skip link leads to the controls while none of them can be pressed yet", async () => {
  const { page } = await visit({ link, lost: "**/*.wasm", expected: /ERR_FAILED/ });
  await page.locator("#controls button:disabled").first().waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("controls");
});

test("arrow keys move the chart's readout", async () => {
  const { page, trained, shown } = await visit({ link });
  await trained(8);
  await page.locator(".plot").focus();
  await page.keyboard.press("Home");
  await expect.poll(() => shown(".readout .at")).toBe("at step 0");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => shown(".readout .at")).toBe("at step 1");
});

test("the pointer moves the chart's readout", async () => {
  const { page, trained, shown } = await visit({ link });
  await trained(8);
  await page.locator(".plot").scrollIntoViewIfNeeded();
  const box = await page.locator(".plot canvas").boundingBox();
  if (!box) throw new Error("The chart has no plot.");
  await page.mouse.move(box.x + 66 + (box.width - 78) / 2, box.y + 20); // between the loss's axis and the right edge
  await expect.poll(() => shown(".readout .at")).toBe("at step 4");
});

test("a finger that moves across the chart reads it, all the way", async () => {
  const { page, trained, shown } = await visit({ link, viewport: { width: 390, height: 844 }, hasTouch: true });
  await trained(8);
  await page.locator(".plot").scrollIntoViewIfNeeded();
  const box = await page.locator(".plot canvas").boundingBox();
  if (!box) throw new Error("The chart has no plot.");
  const browser = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove", share: number) =>
    browser.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: [{ x: box.x + 66 + share * (box.width - 78), y: box.y + 60 }],
    });
  await touch("touchStart", 0.1);
  for (let at = 2; at <= 10; at++) await touch("touchMove", at / 20);
  await expect.poll(() => shown(".readout .at")).toBe("at step 4");
  await browser.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  expect(await shown(".readout .at")).toBe("at step 4");
});

test.each([en, ko, ja])(
  "on a phone, whatever the program does takes the same room to say: $training",
  async (words) => {
    const { page } = await visit({ link: `${link}&start=no`, viewport: { width: 390, height: 844 } });
    await page.locator(".progress-words").waitFor();
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const heights = await page.evaluate(
        ({ stages, counts }) =>
          stages.flatMap((stage) =>
            counts.map((count) => {
              document.querySelector(".progress-words .stage")!.textContent = stage;
              document.querySelector(".progress-words .count")!.textContent = count;
              return document.querySelector(".progress-words")!.clientHeight;
            }),
          ),
        {
          stages: [words.loading, words.opening, words.training, words.paused, words.ready, words.finished],
          counts: [words.stepOf("0", "300"), `${words.stepOf("250", "300")} · ${words.timeLeft(words.seconds("45"))}`],
        },
      );
      expect(new Set(heights).size, `${width}: ${heights}`).toBe(1);
    }
  },
);

test("nothing moves while the page comes, be it with threads or with the notice that it has none", async () => {
  for (const isolation of [true, false]) {
    const { page, trained } = await visit({ link, isolation, viewport: { width: 390, height: 844 } });
    await trained(8);
    await page.locator("[data-notice=one-thread]").waitFor({ state: isolation ? "detached" : "visible" });
    const moved = await page.evaluate(async () => {
      const found: string[] = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
          if (entry.value > 0.01) found.push(`${entry.value} at ${entry.startTime}`);
      }).observe({ type: "layout-shift", buffered: true });
      await new Promise((resolve) => setTimeout(resolve, 100));
      return found;
    });
    expect(moved).toEqual([]);
  }
});

test("light and dark have each their colours", async () => {
  const paper: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    const { page } = await visit({ link: `${link}&start=no`, colorScheme });
    paper.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  }
  expect(paper[0]).not.toBe(paper[1]);
});

test("on paper the chart is light, and there is nothing to press or to wait for", async () => {
  const drawn = async (colorScheme: "light" | "dark") => {
    const { page, trained, shown } = await visit({ link: `lang=en&${link}`, colorScheme });
    await trained(8);
    await expect.poll(() => shown(".stage")).toBe("Finished");
    await page.waitForTimeout(200); // its last frame
    const chart = (event: string) =>
      page.evaluate((name) => {
        dispatchEvent(new Event(name));
        return document.querySelector("canvas")?.toDataURL();
      }, event);
    return { page, screen: await chart("none"), paper: await chart("beforeprint"), after: await chart("afterprint") };
  };
  const light = await drawn("light");
  const { page, screen, paper, after } = await drawn("dark");
  expect(paper).toBe(light.screen);
  expect(screen).not.toBe(paper);
  expect(after).toBe(screen);
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("nav.sections:visible, .section[aria-busy=true]:visible, .buttons :visible").count()).toBe(
    0,
  );
  expect(await page.locator("[data-text=en]:visible").count()).toBe(1);
});

test("on paper a number has all of its bits", async () => {
  const { page } = await visit({ link: `lang=en&${link}&start=no&section=machine&machine.number=0.1` });
  await page.locator("#machine [data-format=bf16]").waitFor({ timeout: 30_000 });
  await page.emulateMedia({ media: "print" });
  expect((await page.locator("#machine .bit:visible").allTextContents()).join("")).toBe(
    "00111101110011001100110011001101" + "0011110111001101",
  );
  expect(await page.locator("#machine .chip:visible:not([aria-pressed=true])").count()).toBe(0);
});

test("where a system's colours replace the page's, what is chosen shows the keyboard's place, too", async () => {
  const { page } = await visit({ link: `lang=en&${link}&start=no`, forcedColors: "active" });
  for (const selector of ["[data-text=en]", ".languages [aria-pressed=true]", "nav.sections [aria-current]"]) {
    const chosen = page.locator(selector);
    const frame = () =>
      chosen.evaluate((element) => {
        const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(element);
        return { outlineStyle, outlineWidth, outlineColor, outlineOffset };
      });
    const before = await frame();
    expect(before.outlineStyle).toBe("solid");
    await page.keyboard.press("Tab");
    await chosen.focus();
    const after = await frame();
    expect(after.outlineColor).not.toBe(before.outlineColor);
    expect(after.outlineWidth).toBe("3px");
  }
});

test("nothing is animated for a visitor who asked for that", async () => {
  const { page, trained } = await visit({
    link: `${small}&steps=5000`,
    reducedMotion: "reduce",
  });
  await trained(2);
  for (let at = 0; at < 20; at++) {
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    await page.waitForTimeout(25);
  }
});

test.each(["light", "dark"] as const)(
  "a tile that beats is no flash, however often it does (%s)",
  async (colorScheme) => {
    const { page, trained } = await visit({ link, colorScheme });
    await trained(8);
    const [tile = [], beat = []] = await page.evaluate(() =>
      [".tile", ".beat"].map((selector) => {
        const colour = getComputedStyle(document.querySelector(selector)!).backgroundColor;
        const parts = (colour.match(/[\d.]+/g) ?? []).map(Number);
        return colour.startsWith("rgb") ? parts.map((part, at) => (at < 3 ? part / 255 : part)) : parts;
      }),
    );
    const strength = beat[3] ?? 1;
    const mixed = tile.map((part, at) => part + strength * ((beat[at] ?? 0) - part));
    const linear = (part = 0) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const luminance = ([red, green, blue]: number[]) =>
      0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    const [least = 0, most = 1] = [luminance(tile), luminance(mixed)].sort((a, b) => a - b);
    expect(most - least).toBeGreaterThan(0);
    // As the Web Content Accessibility Guidelines define a flash.
    expect(most - least < 0.1 || least >= 0.8, `${least} to ${most}`).toBe(true);
  },
);

test("the page works under another path", async () => {
  const root = fileURLToPath(new URL("../../build", import.meta.url));
  const { trained } = await visit({ link, root, path: "page/" });
  await trained(2);
});
