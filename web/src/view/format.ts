// Numbers as each language writes them.
import type { Language } from "../language/language";
import type { Words } from "../language/words";

/** In the place of a number that is not there yet. */
export const none = "–";

/** 1234.5 → "1,235". A dash for a number that is not there yet. */
export function whole(value: number | null | undefined, language: Language): string {
  return value == null ? none : new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(value);
}

/** 3.14159 → "3.142": losses, in nats. */
export function loss(value: number | null | undefined): string {
  return value == null || Number.isNaN(value) ? none : value.toFixed(3);
}

/** 0.1234 → "12.3 %" in the language's own way. */
export function share(value: number | null | undefined, language: Language): string {
  return value == null
    ? none
    : new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
        value,
      );
}

/** 0.000123 → "0.00012": learning rates, two digits that count. */
export function rate(value: number | null | undefined): string {
  if (value == null) return none;
  return value === 0 ? "0" : value.toPrecision(2).replace(/\.?0+(?=e|$)/, "");
}

/** Seconds up to a minute and a half, minutes beyond. */
export function duration(seconds: number, words: Words, language: Language): string {
  return seconds < 90
    ? words.seconds(whole(Math.max(1, seconds), language))
    : words.minutes(whole(seconds / 60, language));
}
