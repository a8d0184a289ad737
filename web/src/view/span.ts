// Lengths of time, which sections tell and the page above them does not.
import type { Language } from "../language/language";
import { none } from "./format";

/** A length of time in the unit that suits it: 0.0412 → "41 ms", 7300 → "2 h". */
export function span(seconds: number | null | undefined, language: Language): string {
  if (seconds == null || !Number.isFinite(seconds)) return none;
  const [value, unit] =
    seconds < 0.9995
      ? [seconds * 1000, "millisecond"]
      : seconds < 100
        ? [seconds, "second"]
        : seconds < 6000
          ? [seconds / 60, "minute"]
          : [seconds / 3600, "hour"];
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumSignificantDigits: value < 100 ? 2 : 3,
  })
    .format(value)
    .replace(/ ([sh])(ec|r)$/, " $1"); // English: as everywhere on the page
}
