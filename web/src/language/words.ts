// The way to a language's words from any part of the page.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Language } from "./language";
import { type Words, wordsOf } from "./load_words";

export type { Words };

export const LanguageContext = createContext<Language>("en");

export function useLanguage(): Language {
  return useContext(LanguageContext);
}

export function useWords(): Words {
  return wordsOf(useLanguage());
}

/** The words of a section, which come with it. */
export function useSpoken<Spoken>(all: Record<Language, Spoken>): Spoken {
  return all[useLanguage()];
}
