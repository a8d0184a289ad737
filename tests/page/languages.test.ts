// English, Korean and Japanese: chosen by the browser, by the link, and by hand; from file to words.
import { expect, test } from "vitest";
import { small, visit } from "./visit";

test.each([
  ["en-GB", "en", "Eight replicas"],
  ["ko-KR", "ko", "레플리카 여덟 개"],
  ["ja-JP", "ja", "8 つのレプリカ"],
  ["fr-FR", "en", "Eight replicas"],
])("a browser in %s is spoken to in %s, and trains on that language's text", async (locale, language, heading) => {
  const { page, trained } = await visit({
    locale,
    link: `${small}&steps=12`,
  });
  await page.getByRole("heading", { name: heading, exact: true }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe(language);
  expect(await page.locator(`[data-text=${language}]`).getAttribute("aria-pressed")).toBe("true");
  await trained(12);
  await expect.poll(() => page.locator(".candidates tbody tr").count()).toBe(5);
});

test("the language can be changed while training goes on", async () => {
  const { page, trained, steps } = await visit({ link: `${small}&steps=5000` });
  await trained(2);
  await page.getByRole("button", { name: "한국어" }).click();
  await page.getByRole("button", { name: "일시정지" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("ko");
  expect(await page.title()).toContain("레플리카");
  expect(page.url()).toContain("lang=ko");
  const before = await steps();
  await page.getByRole("button", { name: "日本語" }).click();
  await page.getByRole("button", { name: "一時停止" }).waitFor();
  await trained(before + 2);
});

test("a link carries language, text, options and sentence to another visitor", async () => {
  const sentence = "고양이는 ___ 마신다";
  const link = new URLSearchParams({
    lang: "ja",
    text: "ko",
    seed: "5",
    sentence,
    start: "no",
  });
  const { page, shown } = await visit({
    locale: "en-GB",
    link: `${link}&${small}&steps=7`,
  });
  await expect.poll(() => shown(".stage")).toBe("準備完了");
  expect(await page.locator("[data-text=ko]").getAttribute("aria-pressed")).toBe("true");
  expect(await page.locator("#sentence").inputValue()).toBe(sentence);
  expect(await shown(".count")).toBe("7 ステップ中 0 ステップ");
  expect(await page.locator("input[name=seed]").inputValue()).toBe("5");
});

test.each([
  ["ko", "불러오는 중"],
  ["ja", "読み込み中"],
  ["en", "Loading"],
])("something is read in %s before the page's own script is there", async (language, words) => {
  const { page } = await visit({ link: `lang=${language}&start=no`, locale: "fr-FR" });
  await page.locator("h1").waitFor();
  await page.route("**/assets/*.js", () => new Promise(() => {})); // on its way for ever
  await page.reload({ waitUntil: "commit" });
  const read = page.locator(".first [lang]:visible");
  await expect.poll(() => read.allTextContents().catch(() => [])).toEqual([expect.stringContaining(words)]);
  expect(await page.locator("h1").count()).toBe(0);
});

test.each([
  ["ko", "다시 불러오세요", "**/assets/index-*.js"],
  ["ja", "読み込み直して", "**/assets/index-*.js"],
  ["en", "load the page again", "**/assets/en-*.js"],
])("where the page's own script or its words do not come, that is said (%s: %s, without %s)", async (...given) => {
  const [language, words, lost] = given;
  const { page } = await visit({ link: `lang=${language}&start=no`, locale: "fr-FR", lost, expected: /ERR_FAILED/ });
  const read = page.locator(".first [lang]");
  await expect.poll(async () => (await read.allInnerTexts()).join("")).toContain(words);
  expect(await page.locator(`.first [lang=${language}] span:visible`).count()).toBe(1); // and not "Loading…" besides
  await page.unroute(lost);
  if (lost.includes("en-")) await page.locator("h1").waitFor({ timeout: 15_000 }); // asked for again
});

test.each([
  ["en", "cannot run", "WebAssembly"],
  ["ko", "실행할 수 없습니다", "Worker"],
  ["ja", "動かせません", "a script within the page"],
])("a browser that cannot run the page says so (%s: %s, without %s)", async (language, words, lacking) => {
  const { page } = await visit({
    link: `lang=${language}&start=no`,
    locale: "fr-FR",
    expected: /Content Security Policy/,
  });
  await page.locator("h1").waitFor();
  if (/^W/.test(lacking)) await page.addInitScript((name) => void Reflect.deleteProperty(globalThis, name), lacking);
  else
    await page.route(/\/$/, async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), "Content-Security-Policy": "script-src 'self' 'wasm-unsafe-eval'" };
      await route.fulfill({ response, headers });
    });
  await page.reload();
  const read = page.locator(".first [lang]:visible");
  await expect.poll(() => read.allTextContents()).toEqual([expect.stringContaining(words)]);
});

test("a sentence of one's own stays when another text is chosen", async () => {
  const { page, shown } = await visit({ link: `${small}&steps=5&start=no&lang=en&sentence=The+king+___+the+land.` });
  await expect.poll(() => shown("[data-number=vocabulary]")).not.toBe("");
  await page.locator("[data-text=ko]").click();
  await expect.poll(() => page.url()).toContain("text=ko");
  expect(await page.locator("#sentence").inputValue()).toBe("The king ___ the land.");
});
