// The bits of a number as they are shown and pressed.
import type { Language } from "../../language/language";
import type { Written } from "../../workshop/machine";
import { digits } from "./units";

export type BitGroup = "sign" | "exponent" | "fraction";

/** Of f32 as of bf16: one bit of sign, eight of exponent, the rest of the fraction. */
export function groupOf(place: number): BitGroup {
  return place === 0 ? "sign" : place <= 8 ? "exponent" : "fraction";
}

/** The bits with the one at `place` turned over. */
export function pressed(bits: string, place: number): string {
  return [...bits].map((bit, at) => (at === place ? (bit === "1" ? "0" : "1") : bit)).join("");
}

/** 2 to the power, in small raised digits: −4 → "2⁻⁴". */
export function powerOfTwo(exponent: number): string {
  return `2${[...String(exponent)].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)])).join("")}`;
}

/** What f32 has lost already of a number that was typed: it reads zero or infinity, and was neither, or another number. */
export function lostInF32(typed: string, kind: Written["kind"]): "tooSmall" | "tooLarge" | "rounded" | null {
  const text = typed.normalize("NFKC");
  if (kind === "zero" && /[1-9]/.test(text.split(/e/i)[0] ?? "")) return "tooSmall";
  if (kind === "infinity") return /inf/i.test(text) ? null : "tooLarge";
  const number = Number(text);
  return Number.isFinite(number) && Math.fround(number) !== number ? "rounded" : null;
}

/** "−(1 + 0.5625) × 2⁻⁴"; empty for what has no such value. */
export function formulaOf({ kind, bits, exponent, fraction }: Written, language: Language): string {
  if (kind !== "normal" && kind !== "subnormal") return "";
  const sign = bits[0] === "1" ? "−" : "";
  const part = digits(fraction, 8, language);
  return kind === "subnormal"
    ? `${sign}${part} × ${powerOfTwo(exponent)}`
    : `${sign}(1 + ${part}) × ${powerOfTwo(exponent)}`;
}

/** With a minus of its own width and an exponent in raised digits: "-1.5e-40" → "−1.5 × 10⁻⁴⁰". */
export function signed(text: string): string {
  const [mantissa = "", exponent] = text.split("e");
  const shown = mantissa.replace("-", "−").replace("inf", "∞").replace("nan", "NaN");
  if (exponent === undefined) return shown;
  const power = powerOfTwo(Number(exponent)).slice(1);
  return `${shown} × 10${power}`;
}
