import { expect, test } from "vitest";
import { en as checklistEn } from "./checklist.en";
import { ja as checklistJa } from "./checklist.ja";
import { ko as checklistKo } from "./checklist.ko";
import { ko as findings } from "./findings.ko";
import { languages, preferredLanguage } from "./language";
import { loadWords, wordsOf } from "./load_words";
import { en as numbersEn } from "./numbers.en";
import { ja as numbersJa } from "./numbers.ja";
import { ko as numbersKo } from "./numbers.ko";
import { ko as text } from "./text.ko";

await Promise.all(languages.map(loadWords));

/** The words of the sections, by file and then by the name they are exported under, which is their language. */
const ofSections = import.meta.glob<Record<string, object>>("./*.{en,ko,ja}.ts", { eager: true });

/** Every sentence of a language, the ones with numbers in them filled with a mark. */
function sentences(language: (typeof languages)[number]): [string, string][] {
  const files = Object.entries(ofSections).filter(([file]) => file.endsWith(`.${language}.ts`));
  const parts: [string, object][] = [
    ["", wordsOf(language)],
    ...files.map(([file, { [language]: part }]): [string, object] => [`${file.split(".")[1]} `, part ?? {}]),
  ];
  return parts.flatMap(([part, entries]) => flat(part, entries));
}

function flat(path: string, entries: object): [string, string][] {
  return Object.entries(entries).flatMap(([key, entry]): [string, string][] => {
    const name = path + key;
    if (typeof entry === "string") return [[name, entry]];
    if (typeof entry === "function")
      return [[name, (entry as (...given: string[]) => string)("⟨1⟩", "⟨2⟩", "⟨3⟩", "⟨4⟩")]];
    return key === "refusals" ? [] : flat(`${name}.`, entry as object);
  });
}

test.each(languages)("no sentence is empty in %s", (language) => {
  for (const [name, sentence] of sentences(language)) expect(sentence.trim(), name).not.toBe("");
});

test.each(["ko", "ja"] as const)("every sentence of %s is translated and says all its numbers", (language) => {
  const english = new Map(sentences("en"));
  for (const [name, sentence] of sentences(language)) {
    expect(sentence, name).not.toBe(english.get(name));
    const numbers = (text: string) => [...text.matchAll(/⟨\d⟩/g)].map(([mark]) => mark).sort();
    expect(numbers(sentence), name).toEqual(numbers(english.get(name) ?? ""));
  }
});

test("the visitor's first language that the page speaks is taken", () => {
  expect(preferredLanguage(["fr-FR", "ja-JP", "en"])).toBe("ja");
  expect(preferredLanguage(["KO-kr"])).toBe("ko");
  expect(preferredLanguage(["fr"])).toBe("en");
  expect(preferredLanguage([])).toBe("en");
});

test("the tokens of a step are said to be the last one's, and a pipeline to call back for each example", () => {
  for (const [of, last] of [
    [numbersEn, "last step"],
    [numbersKo, "마지막 스텝"],
    [numbersJa, "最後のステップ"],
  ] as const)
    expect(of.tokensPerSecondHint("378")).toContain(last);
  for (const [of, each] of [
    [checklistEn, "for each example"],
    [checklistKo, "예제마다"],
    [checklistJa, "サンプルごと"],
  ] as const)
    expect(of.pipelineHint).toContain(each);
});

test("a Korean particle after a number goes by how its last digit is read", () => {
  const lengths = ["384", "256", "1,000", "893"].map(
    (to) => findings.remedies.other_length(to, "1", "2").split(" ")[0],
  );
  expect(lengths).toEqual(["384로", "256으로", "1,000으로", "893으로"]);
  expect(text.training.curve("2.41", "1.87")).toContain("2.41에서 1.87로");
});

test("losses and gradients of the replicas are said to be averaged as the engine does it: by their masked tokens", () => {
  expect(wordsOf("en").allReduceHint).toContain("losses and gradients are averaged over all masked tokens");
  expect(wordsOf("ko").allReduceHint).toContain("손실과 그래디언트를 가려진 토큰 수로 가중 평균");
  expect(wordsOf("ja").allReduceHint).toContain("損失と勾配を、各レプリカの隠れたトークンの数で加重平均");
});
