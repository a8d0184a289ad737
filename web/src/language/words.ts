// Every language's words, under one set of names, and the way to them from any part of the page.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { en } from "./en";
import { ja } from "./ja";
import { ko } from "./ko";
import type { Language } from "./language";

export type Words = typeof en;

export const words: Record<Language, Words> = { en, ko, ja };

export const LanguageContext = createContext<Language>("en");

export function useLanguage(): Language {
  return useContext(LanguageContext);
}

export function useWords(): Words {
  return words[useLanguage()];
}

/** The words of a section, which come with it. */
export function useSpoken<Spoken>(all: Record<Language, Spoken>): Spoken {
  return all[useLanguage()];
}
