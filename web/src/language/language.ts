// The languages of the page, and the choice among them.

export const languages = ["en", "ko", "ja"] as const;
export type Language = (typeof languages)[number];

/** Each language's own name for itself. */
export const languageNames: Record<Language, string> = { en: "English", ko: "한국어", ja: "日本語" };

/** The title of each language's text, in that language. */
export const textTitles: Record<Language, string> = { en: "The harbour", ko: "골목 사람들", ja: "島の暮らし" };

export function isLanguage(code: string): code is Language {
  return (languages as readonly string[]).includes(code);
}

/** The first of the visitor's languages (as in `navigator.languages`) that the page speaks, else English. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const code = tag.toLowerCase().split("-")[0] ?? "";
    if (isLanguage(code)) return code;
  }
  return "en";
}
