// The words of each language, under one set of names; loaded when a visitor speaks it.
import type { en } from "./en";
import type { Language } from "./language";

export type Words = typeof en;

const sources: { [Each in Language]: () => Promise<Record<Each, Words>> } = {
  en: () => import("./en"),
  ko: () => import("./ko"),
  ja: () => import("./ja"),
};

const loaded: Partial<Record<Language, Words>> = {};

/** Loads a language's words, which must be there before anything is drawn in it. */
export async function loadWords(language: Language): Promise<Words> {
  return (loaded[language] ??= ((await sources[language]()) as Record<Language, Words>)[language]);
}

/** The words of a language that is loaded. */
export function wordsOf(language: Language): Words {
  const words = loaded[language];
  if (!words) throw new Error(`The words of "${language}" are not loaded.`);
  return words;
}
