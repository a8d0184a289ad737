// Bytes, short times and figures as each language writes them.
import type { Language } from "../../language/language";
import { span } from "../span";

/** 15347272918 → "15.3 GB". */
export function bytes(value: number, language: Language): string {
  const [scaled, unit] =
    value >= 1e12
      ? [value / 1e12, "TB"]
      : value >= 1e8
        ? [value / 1e9, "GB"]
        : value >= 1e5
          ? [value / 1e6, "MB"]
          : [value / 1e3, "kB"];
  return `${digits(scaled, 3, language)}${gap(language)}${unit}`;
}

/** Before a unit: Korean writes it at the number, as the browser does for seconds. */
function gap(language: Language): string {
  return language === "ko" ? "" : " ";
}

/** As `span`, and microseconds below a millisecond; three digits. */
export function time(seconds: number, language: Language): string {
  if (seconds > 0 && seconds < 0.9995e-3) return `${digits(seconds * 1e6, 3, language)}${gap(language)}µs`;
  if (seconds < 0.9995) return `${digits(seconds * 1e3, 3, language)}${gap(language)}ms`;
  if (seconds < 100) return `${digits(seconds, 3, language)}${gap(language)}${second[language]}`;
  return span(seconds, language);
}

const second: Record<Language, string> = { en: "s", ko: "초", ja: "秒" };

/** So many digits that count. */
export function digits(value: number, count: number, language: Language): string {
  return new Intl.NumberFormat(language, { maximumSignificantDigits: count }).format(value);
}
