// Numbers as this section writes them.
import type { Language } from "../../language/language";

/** 1234567 → "1.2": bytes in megabytes of a million. */
export function megabytes(bytes: number, language: Language): string {
  return decimal(bytes / 1e6, 1, language);
}

/** With so many digits after the point, always. */
export function decimal(value: number, digits: number, language: Language): string {
  return new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    value,
  );
}
