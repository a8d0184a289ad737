// Where the network is gone, or a file will do for nothing: no older number passes for the answer, it is said what was not
// used, and it can be tried again.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { plainText, small, visit } from "./visit";

const link = `${small}&steps=5&start=no&lang=en`;
const expected = /ERR_INTERNET_DISCONNECTED|ERR_FAILED/;
const soon = { timeout: 30_000 };
const png = "\x89PNG\r\n\x1a\n\0\0\0";

const offline = (page: Page, gone: boolean) => page.context().setOffline(gone);
const pressed = (page: Page, choice: string) =>
  page.locator(`[data-choice=${choice}]`).getAttribute("aria-pressed", soon);
const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const textSettled = async (page: Page) => {
  await expect.poll(() => page.locator("[data-stage]").getAttribute("data-stage", soon)).toBe("done");
  await expect.poll(() => page.locator(".line-lengths").getAttribute("aria-busy")).toBe("false");
};

test("a first text that does not come leaves nothing ready, and can be tried again", async () => {
  const lost = "**/texts/en.txt";
  const { page } = await visit({ link, lost, expected });
  const mishap = page.locator(".notices [data-notice=mishap]");
  await expect.poll(() => mishap.textContent(), soon).toMatch(/Not used: “The harbour”.*network may be gone/);
  expect(await page.locator("#controls .stage").textContent()).toBe("");
  expect(await page.locator("#controls [role=status]").textContent()).toBe("");
  await page.unroute(lost);
  await mishap.locator("[data-action=again]").click();
  await expect.poll(() => page.locator("#controls .stage").textContent(), soon).toBe("Ready");
  expect(await mishap.count()).toBe(0);
  expect(page.url()).toContain("layers=1"); // the options it was asked for with
});

test("a text is loaded once: without the network its lines are measured under the other tokenizer", async () => {
  const { page, shown } = await visit({ link: `${link}&section=text`, expected });
  await textSettled(page);
  await expect.poll(() => shown("[data-number=text-programs]"), soon).toMatch(/^\d+$/);
  const measured = page.locator(".line-lengths > .hint").nth(1);
  const before = await measured.textContent();
  await offline(page, true);
  await page.locator("[data-choice=text-kind-bpe]").click();
  await expect.poll(() => measured.textContent()).not.toBe(before);
  expect(await page.locator(".line-lengths .mishap").count()).toBe(0);
});

test("a text that does not come is named, the one before stays chosen, and it can be tried again", async () => {
  const { page } = await visit({ link: `${link}&section=text`, expected });
  await textSettled(page);
  await offline(page, true);
  await page.locator("[data-choice=text-source-ko]").click();
  const mishap = page.locator(".learning .mishap");
  await expect.poll(() => mishap.textContent(), soon).toContain("Not used: “골목 사람들”.");
  expect(await mishap.textContent()).toContain("The network may be gone");
  await expect.poll(() => pressed(page, "text-source-en")).toBe("true");
  expect(await page.locator(".learning progress").count()).toBe(0);
  await offline(page, false);
  await mishap.locator("[data-action=again]").click();
  await expect.poll(() => pressed(page, "text-source-ko")).toBe("true");
  await expect.poll(() => page.locator(".growing-progress .stage").textContent(), soon).toContain("골목 사람들");
  expect(await mishap.count()).toBe(0);
});

test("a text that is long on its way holds up no other, and no older figures pass for its own", async () => {
  const { page, shown } = await visit({ link: `${link}&section=text` });
  const stage = page.locator(".growing-progress .stage");
  const figures = page.locator(".line-lengths dl");
  await textSettled(page);
  await expect.poll(() => figures.count(), soon).toBe(1);
  await page.route("**/texts/ko.txt", () => new Promise(() => {})); // for ever
  await page.locator("[data-choice=text-source-ko]").click();
  await expect.poll(() => stage.textContent()).toContain("골목 사람들");
  expect(await figures.count()).toBe(0);
  await page.locator("input[data-picker=text]").setInputFiles(file("own.txt", plainText(60)));
  await expect.poll(() => stage.textContent(), soon).toContain("Learned from own.txt");
  await expect.poll(() => shown(".line-lengths > .hint:nth-of-type(2)"), soon).toMatch(/^60 lines/);
  // Given up before it is there, the text before it stands.
  await page.locator("[data-choice=text-source-ko]").click();
  await page.locator("[data-verb=cancel]").click();
  await expect.poll(() => stage.textContent()).toContain("Cancelled");
  await expect.poll(() => pressed(page, "text-source-ko")).toBe("false");
  expect(await page.locator(".learning .chip[aria-pressed=true]").textContent()).toContain("own.txt");
  await page.locator("[data-choice=text-source-en]").click();
  await expect.poll(() => stage.textContent(), soon).toContain("Learned from The harbour");
  await expect.poll(() => figures.count(), soon).toBe(1);
});

test("a file that is refused is named, and the text before it stays chosen with its results", async () => {
  const { page, shown } = await visit({ link: `${link}&section=text` });
  await textSettled(page);
  await expect.poll(() => shown("[data-number=text-programs]"), soon).toMatch(/^\d+$/);
  const before = await page.locator(".line-lengths").textContent();
  await page.locator("input[data-picker=text]").setInputFiles(file("picture.txt", png));
  const mishap = page.locator(".learning .mishap");
  await expect.poll(() => mishap.textContent(), soon).toContain("Not used: “picture.txt”.");
  expect(await mishap.textContent()).toContain("X703");
  await expect.poll(() => pressed(page, "text-source-en")).toBe("true");
  expect(await page.locator(".learning progress").count()).toBe(0);
  await textSettled(page);
  expect(await page.locator(".line-lengths").textContent()).toBe(before);
  // An option that is changed learns from that text again.
  await page.locator("input[name=frequency]").press("ArrowRight");
  await expect.poll(() => mishap.count(), soon).toBe(0);
  await textSettled(page);
  expect(await pressed(page, "text-source-en")).toBe("true");
});

test("of texts dropped at once all but the first are said to be left out", async () => {
  const { page } = await visit({ link: `${link}&section=text` });
  await textSettled(page);
  const drop = (selector: string) =>
    page.evaluate(
      ([where = "", text = ""]) => {
        const dataTransfer = new DataTransfer();
        for (const name of ["one.txt", "two.txt", "three.txt"]) dataTransfer.items.add(new File([text], name));
        document
          .querySelector(where)
          ?.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      },
      [selector, plainText(60)],
    );
  await drop(".text-section");
  await expect.poll(() => page.locator(".learning .wrong").textContent()).toContain("Not used: “two.txt, three.txt”");
  await expect.poll(() => page.locator(".growing-progress .stage").textContent(), soon).toContain("one.txt");
  await drop("main");
  const notice = page.locator("[data-notice=mishap]");
  await expect.poll(() => notice.textContent(), soon).toContain("Not used: “two.txt, three.txt”.");
  await expect.poll(() => page.locator(".texts .own").textContent(), soon).toBe("one.txt");
  expect(await notice.textContent()).toContain("One file at a time");
});

test("Rule 3 shows no other text's lengths where one does not come, and measures it when that is tried again", async () => {
  const { page } = await visit({ link: `${link}&section=rules`, expected });
  const figures = page.locator("[data-policy=multiple_of] [data-programs]");
  await expect.poll(() => figures.getAttribute("data-programs", soon), soon).toMatch(/\d/);
  await offline(page, true);
  await page.locator("[data-choice=lengths-text-ja]").click();
  const mishap = page.locator(".lengths .mishap");
  await expect.poll(() => mishap.textContent(), soon).toContain("The network may be gone");
  expect(await figures.getAttribute("data-programs")).toBe("");
  expect(await page.locator(".lengths .histogram").count()).toBe(0);
  await mishap.locator("[data-action=again]").click();
  await expect.poll(() => page.locator(".lengths").getAttribute("aria-busy")).toBe("false");
  expect(await mishap.count()).toBe(1);
  await offline(page, false);
  await mishap.locator("[data-action=again]").click();
  await expect.poll(() => figures.getAttribute("data-programs"), soon).toMatch(/\d/);
  expect(await mishap.count()).toBe(0);
});

test("Rule 3 waits for no text once another is chosen, and shows no other's lengths meanwhile", async () => {
  const { page } = await visit({ link: `${link}&section=rules` });
  const figures = page.locator("[data-policy=multiple_of] [data-programs]");
  await expect.poll(() => figures.getAttribute("data-programs", soon), soon).toMatch(/\d/);
  await page.route("**/texts/ko.txt", () => new Promise(() => {})); // for ever
  await page.locator("[data-choice=lengths-text-ko]").click();
  await expect.poll(() => figures.getAttribute("data-programs")).toBe("");
  await page.locator("[data-choice=lengths-text-ja]").click();
  await expect.poll(() => figures.getAttribute("data-programs"), soon).toMatch(/\d/);
  expect(await page.locator(".lengths").getAttribute("aria-busy")).toBe("false");
});

test("Rule 3 names a file that it refuses, and keeps the text before it chosen", async () => {
  const { page } = await visit({ link: `${link}&section=rules` });
  const figures = page.locator("[data-policy=multiple_of] [data-programs]");
  await expect.poll(() => figures.getAttribute("data-programs", soon), soon).toMatch(/\d/);
  await page.locator("input[data-picker=lengths]").setInputFiles(file("picture.txt", png));
  await expect.poll(() => page.locator(".lengths .mishap").textContent(), soon).toContain("Not used: “picture.txt”.");
  expect(await pressed(page, "lengths-text-en")).toBe("true");
  expect(await page.locator(".lengths .chip.own").textContent()).not.toContain("picture");
  expect(await figures.getAttribute("data-programs")).toMatch(/\d/);
});

test("a language that does not come is said not to be used, and can be chosen again", async () => {
  const { page, shown } = await visit({ link, expected });
  await expect.poll(() => shown(".stage")).toBe("Ready");
  await page.locator("details.options form").waitFor({ state: "attached" }); // what comes late is there
  await offline(page, true);
  const button = page.getByRole("button", { name: "日本語" });
  await button.click();
  await expect.poll(() => page.locator("[data-notice=mishap]").textContent(), soon).toContain("Not used: “日本語”.");
  expect(await button.getAttribute("aria-busy")).toBe("false");
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
  await offline(page, false);
  await button.click();
  await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("ja");
});
