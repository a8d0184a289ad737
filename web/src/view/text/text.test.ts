import { expect, test } from "vitest";
import { counted, wholeLines } from "./line_lengths";
import { graphemeOf } from "./pieces";
import { segments } from "./sentence";
import { parts } from "./shown";
import { keep, kept } from "./use_tokenizers";
import { usualOptions } from "./training";

test("options go into the link where they are not the usual ones, and come back", () => {
  const link: Record<string, string> = {};
  const session = {
    kept: (name: string) => link[name] ?? "",
    keep: (name: string, value: string) => void (link[name] = value),
  };
  const options = { ...usualOptions, vocab_size: 8000, strip_accents: true, lowercase: false, min_frequency: 7 };
  for (const wordpieces_prefix of ["##", "@@", "yes", "한", ""]) {
    const all = { ...options, limit_alphabet: 60, clean_text: false, wordpieces_prefix };
    keep(session, all);
    expect(kept(session)).toEqual(all);
  }
  keep(session, usualOptions);
  expect(Object.values(link).join("")).toBe("");
  expect(kept({ kept: () => "123456789012345678901" })).toEqual(usualOptions);
});

test("blanks of a piece are shown by signs, and nothing is lost", () => {
  expect(parts(" the")).toEqual([
    { text: "␣", sign: true },
    { text: "the", sign: false },
  ]);
  expect(parts("")).toEqual([]);
  expect(parts("\u3000\u00a0").map((part) => part.sign)).toEqual([true, true]);
});

test("characters are counted as people count them, words without punctuation", () => {
  expect(segments("한글".normalize("NFD"), "grapheme", "ko")).toBe(2);
  expect(segments("👨‍👩‍👧🇰🇷", "grapheme", "en")).toBe(2);
  expect(segments("Well, well…", "word", "en")).toBe(2);
  expect(segments("", "word", "ja")).toBe(0);
});

test("the place of a code point is that of the character it is part of", () => {
  expect(graphemeOf("a👍🏽 👨‍👩‍👧b", "en")).toEqual([1, 2, 2, 3, 4, 4, 4, 4, 4, 5]);
  expect(graphemeOf("", "ko")).toEqual([]);
});

test("a part of a text ends with a line, or else with a whole character", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(wholeLines(bytes("ab\ncd"))).toEqual(bytes("ab\n"));
  expect(wholeLines(bytes("a한").subarray(0, 3))).toEqual(bytes("a"));
  expect(wholeLines(bytes(""))).toHaveLength(0);
});

test("lengths are counted in rising order", () => {
  expect(counted([3, 1, 3])).toEqual([
    { extent: 1, calls: 1 },
    { extent: 3, calls: 2 },
  ]);
});
