// What the library found, phrased: its codes and numbers in the words of a language.
import { findingWords } from "../../language/findings";
import type { Language } from "../../language/language";
import type { Finding, FindingValue } from "../../workshop/machine";
import { share, whole } from "../format";
import { bytes, digits, time } from "./units";

type Phrase = string | ((...given: string[]) => string);

/** A number as its unit wants it written. */
function written({ value, unit }: FindingValue, language: Language): string {
  switch (unit) {
    case "share":
      return share(value, language);
    case "seconds":
      return time(value, language);
    case "bytes":
      return bytes(value, language);
    case "factor":
      return digits(value, 3, language);
    default:
      return whole(value, language);
  }
}

function phrased(phrases: Record<string, Phrase>, code: string, values: FindingValue[], language: Language) {
  const phrase = Object.hasOwn(phrases, code) ? phrases[code] : undefined;
  return typeof phrase === "function" ? phrase(...values.map((value) => written(value, language))) : phrase;
}

/** What is slow, in `language`; undefined where it has no words for it. */
export function sentenceOf(finding: Finding, language: Language): string | undefined {
  return phrased(findingWords[language].says, finding.id, finding.values, language);
}

/** What to change, in `language`; undefined where it has no words for it. */
export function remedyOf(finding: Finding, language: Language): string | undefined {
  return phrased(findingWords[language].remedies, finding.remedy, finding.changes, language);
}
