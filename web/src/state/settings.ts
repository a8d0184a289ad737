// What the visitor chose, and its place in the page's link: language, text, options, and the sentence with the blank.
import type { NumberOption, Options } from "../engine/engine";
import { isLanguage, type Language } from "../language/language";

/** A text served with the page is named by its language; "own" is a file of the visitor's, which a link can tell of, not carry. */
export type TextName = Language | "own";

export interface Settings {
  language: Language;
  text: TextName;
  options: Options;
  /** Null: the sentence that comes with the text. */
  sentence: string | null;
  /** Whether training starts by itself once a text is open. */
  start: boolean;
  /** The section that the link leads to; empty: the top of the page. */
  section: string;
  /** What sections keep, by names such as "rules.program". */
  kept: Record<string, string>;
  /** What the link asked for and did not get, as it is written there; of a number with its bounds. */
  unused: readonly string[];
}

/** A name that a section may keep something under, and how much; no sentence is longer, either. */
const keptName = /^[a-z]+\.[a-z_]+$/;
const mostKept = 45_000; // characters: a program of a hundred long lines

/** What the page trains with unless the link or the visitor says otherwise; the rest is the engine's default. */
export const defaultOptions = {
  steps: 300,
  seed: 1,
  learning_rate: 0.001,
  vocab_size: 2048,
  layers: 2,
  hidden: 128,
} as const;

/** Bounds of each option, which hold for the link as for the form. */
export const bounds: Record<NumberOption, { least: number; most: number; whole: boolean }> = {
  steps: { least: 1, most: 20000, whole: true },
  seed: { least: 0, most: 2 ** 31 - 1, whole: true },
  threads: { least: 1, most: 8, whole: true },
  learning_rate: { least: 1e-6, most: 0.1, whole: false },
  warmup_steps: { least: 0, most: 20000, whole: true },
  batch: { least: 8, most: 512, whole: true },
  seq: { least: 8, most: 512, whole: true },
  vocab_size: { least: 128, most: 8192, whole: true },
  layers: { least: 1, most: 12, whole: true },
  hidden: { least: 16, most: 768, whole: true },
  heads: { least: 1, most: 16, whole: true },
  intermediate: { least: 16, most: 3072, whole: true },
};

/**
 * A line of the page's own texts is a thought of its own, and short: each makes a row. Joined, they would give so few rows
 * that the model learns places in the text by heart, not sentences.
 */
const forOwnTexts: Options = { seq: 32, packing: "none" };

/**
 * The options of a run in full: a width given alone brings heads of 64 and an intermediate layer four times as wide. A short
 * run warms up for a third of its steps, not the engine's 100: else it would end before the learning rate that was chosen.
 */
export function completed(options: Options, text: TextName): Options {
  const all = { ...defaultOptions, ...options };
  let heads = Math.max(1, Math.floor(all.hidden / 64));
  while (all.hidden % heads !== 0) heads--;
  const warmup_steps = Math.min(100, Math.floor(all.steps / 3));
  return { heads, intermediate: 4 * all.hidden, warmup_steps, ...(text === "own" ? {} : forOwnTexts), ...all };
}

const optionNames = Object.keys(bounds) as NumberOption[];

/** The number that `text` writes, if it is one this option takes. */
export function readOption(name: NumberOption, text: string): number | null {
  const { least, most, whole } = bounds[name];
  const value = text.trim() === "" ? NaN : Number(text);
  return Number.isFinite(value) && value >= least && value <= most && (!whole || Number.isInteger(value))
    ? value
    : null;
}

const readLanguage = (code: string) => (isLanguage(code) ? code : null);

/** Reads a link's fragment; what it does not name, or names wrongly, is as `fallback` has it. */
export function fromLink(fragment: string, fallback: Settings): Settings {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const unused: string[] = [];
  const taken = <Value>(name: string, read: (written: string) => Value | null, within = ""): Value | null => {
    const written = given.get(name);
    const value = written === null ? null : read(written);
    if (written !== null && value === null) unused.push(`${name}=${written}${within}`);
    return value;
  };
  const language = taken("lang", readLanguage) ?? fallback.language;
  const text = taken("text", readLanguage) ?? language; // "own" is not used either: its file is not here
  const options: Options = { ...fallback.options };
  for (const name of optionNames) {
    const { least, most } = bounds[name];
    const value = taken(name, (written) => readOption(name, written), ` (${least}–${most})`);
    if (value !== null) options[name] = value;
  }
  const kept = [...given].filter(([name, value]) => keptName.test(name) && value.length <= mostKept);
  return {
    language,
    text,
    options,
    sentence: given.get("sentence") ?? fallback.sentence,
    start: given.get("start") !== "no" && fallback.start,
    section: given.get("section") ?? fallback.section,
    kept: { ...fallback.kept, ...Object.fromEntries(kept) },
    unused,
  };
}

/** The link's fragment, with a leading "#", that `fromLink` reads back to the same settings. Defaults are left out. */
export function toLink(settings: Settings): string {
  const link = new URLSearchParams({ lang: settings.language, text: settings.text });
  const usual: Options = defaultOptions;
  for (const name of optionNames) {
    const value = settings.options[name];
    if (value !== undefined && value !== usual[name]) link.set(name, String(value));
  }
  if (settings.sentence !== null && settings.sentence.length <= mostKept) link.set("sentence", settings.sentence);
  if (!settings.start) link.set("start", "no");
  if (settings.section) link.set("section", settings.section);
  for (const [name, value] of Object.entries(settings.kept)) if (value.length <= mostKept) link.set(name, value);
  return `#${link}`;
}

/** Whether a sentence asks for a word: the engine's mask is in it. */
export function hasMask(sentence: string): boolean {
  return sentence.includes("[MASK]");
}

/** The engine's mask for what people write as a blank: "[MASK]" in any case, or two or more underscores. */
export function withMask(sentence: string): string {
  return sentence.replace(/\[mask\]|[_＿]{2,}/giu, "[MASK]");
}
