// What octet::check reports, in Korean and Japanese: its English sentences, and how each is said there with its numbers.
// What is not among them stays in English, and so do most in English: but for those that name what the page has a field for.
import type { Language } from "./language";
import { phrases } from "./report_phrases";
import { said } from "./report_sentences";

const forms: Record<string, string> = {
  N: "(-?\\d[\\d,.]*)",
  W: "(.+?)",
  P: `(${Object.keys(phrases).join("|")})`,
  L: "(.+)",
};
const known = said.map(([english, ko, ja, page]) => ({
  pattern: new RegExp(`^${english.replace(/\.$/, "\\.").replace(/\b[NWPL]\b/g, (form) => forms[form] ?? form)}$`),
  words: { en: page, ko, ja },
}));

/** A sentence of the report in `language`; undefined where it is to be said as it is. */
export function reportOf(sentence: string, language: Language): string | undefined {
  const at = language === "ko" ? 0 : 1;
  const between = language === "ko" ? ", " : "、";
  const quoted = language === "ko" ? "‘$1’" : "「$1」";
  const phrase = (text: string) => phrases[text]?.[at] ?? text.replace(/(?<!\w)'([^']+)'(?!\w)/g, quoted);
  for (const { pattern, words } of known) {
    const given = pattern.exec(sentence);
    if (!given) continue;
    const own = words[language];
    if (own === undefined) return undefined;
    const list = (text: string) =>
      text.replace(
        /(^|, )([a-z ]+?) (\S+ %)/g,
        (_, comma: string, name: string, share: string) => `${comma && between}${phrase(name)} ${share}`,
      );
    const whole = own.replace(/\$(\d)/g, (_, number: string) => {
      const text = given[Number(number)] ?? "";
      return sentence.startsWith("bound by") ? list(text) : phrase(text);
    });
    return whole.replace(/ (?=「)|(?<=」),? /g, "");
  }
  return undefined;
}
