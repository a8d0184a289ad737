// The Text section with vocabularies that a visitor brings: GPT-2's and BERT's pieces, as their own encoders give them.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { bertVocabulary, gpt2, gpt2Reference, tokenizerOf, wordPieces } from "../vocabularies/public.mjs";
import { small, visit } from "./visit";

const link = `${small}&steps=5&start=no&section=text&lang=en`;
const soon = { timeout: 30_000 };
const sentences = [
  "Hello, world! It's the year 2019; naïve café costs 3.50€.",
  "골목 아이들이 공을 찬다 — 한글과 한자(漢字).",
  "吾輩は猫である。名前はまだ無い。カタカナも！",
  "for (int i = 0; i < n; ++i)  { sum += x[i]; }  // 👩‍🔬 🇰🇷",
];

const learned = (page: Page) =>
  expect.poll(() => page.locator("[data-stage]").getAttribute("data-stage", soon), { timeout: 90_000 }).toBe("done");
const ids = (page: Page, kind: string) =>
  page
    .locator(`[data-cut=${kind}] [data-id]`)
    .evaluateAll((chips) => chips.map((chip) => Number(chip.getAttribute("data-id"))));

/** Drops files on the section. */
const drop = (page: Page, files: Record<string, string>) =>
  page.evaluate((files) => {
    const dataTransfer = new DataTransfer();
    for (const [name, content] of Object.entries(files)) dataTransfer.items.add(new File([content], name));
    document
      .querySelector(".text-section")
      ?.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, files);

async function saved(page: Page, name: string): Promise<string> {
  const saving = page.waitForEvent("download");
  await page.locator(`[data-save="${name}"]`).click();
  return readFile(await (await saving).path(), "utf8");
}

async function typed(page: Page, kind: string, expected: (sentence: string) => number[] | Promise<number[]>) {
  for (const sentence of sentences) {
    await page.locator("#text-sentence").fill(sentence);
    const wanted = await expected(sentence);
    await expect.poll(() => ids(page, kind), soon).toEqual(wanted);
    if (kind === "bpe")
      expect(await page.locator("[data-cut=bpe] [data-decoded]").getAttribute("data-decoded")).toBe(sentence);
  }
}

test("with GPT-2's vocab.json and merges.txt what one types has GPT-2's ids, and they are saved as they were", async () => {
  const { page } = await visit({ link });
  await learned(page);
  const { "vocab.json": vocab, "merges.txt": merges } = gpt2;
  await drop(page, { "vocab.json": vocab, "merges.txt": merges });
  await typed(page, "bpe", gpt2Reference.encode);

  expect(JSON.parse(await saved(page, "bpe-vocab.json"))).toEqual(JSON.parse(vocab));
  expect(await saved(page, "bpe-merges.txt")).toBe(merges);
  const json = await saved(page, "bpe-tokenizer.json");
  const peer = tokenizerOf(json);
  for (const sentence of sentences)
    expect((await peer.encode(sentence, null)).getIds()).toEqual(gpt2Reference.encode(sentence));

  for (const tokenizer of [json, gpt2["tokenizer.json"]]) {
    await drop(page, { "tokenizer.json": tokenizer });
    await typed(page, "bpe", gpt2Reference.encode);
  }
});

test("with BERT's vocab.txt what one types has BERT's ids, and it is saved as it was", async () => {
  const { page } = await visit({ link });
  await learned(page);
  await drop(page, { "vocab.txt": bertVocabulary });
  const peer = wordPieces({ lowercase: true });
  const encoded = async (sentence: string): Promise<number[]> =>
    (await peer.encode(sentence, null, { addSpecialTokens: false })).getIds();
  await typed(page, "wordpiece", encoded);
  expect(await saved(page, "wordpiece-vocab.txt")).toBe(bertVocabulary);
  await drop(page, { "tokenizer.json": await saved(page, "wordpiece-tokenizer.json") });
  await typed(page, "wordpiece", encoded);
});
