import { expect, test } from "vitest";
import { completed, fromLink, readOption, type Settings, toLink, withMask } from "./settings";

const fallback: Settings = {
  language: "en",
  text: "en",
  options: {},
  sentence: null,
  start: true,
  section: "",
  kept: {},
};

test("a link reads back to the settings it was written from", () => {
  const settings: Settings = {
    language: "ko",
    text: "ja",
    options: { steps: 30, seed: 7, learning_rate: 0.0005, batch: 16 },
    sentence: "고양이는 ___ & #1 = 50 % 마신다",
    start: false,
    section: "rules",
    kept: { "rules.program": "x = input(f32, [4])\nif (sum(x) > 1) & 한글" },
  };
  expect(fromLink(toLink(settings), fallback)).toEqual(settings);
});

test("an empty link is the fallback", () => {
  expect(fromLink("", fallback)).toEqual(fallback);
  expect(fromLink("#", fallback)).toEqual(fallback);
});

test("a link leaves out what is usual", () => {
  expect(toLink({ ...fallback, options: { steps: 300, seed: 1 } })).toBe("#lang=en&text=en");
});

test("a language without a text chooses its own text", () => {
  expect(fromLink("#lang=ja", fallback).text).toBe("ja");
});

test("a link with nonsense in it is read without it", () => {
  const read = fromLink(
    "#lang=xx&text=../../etc&steps=-5&seed=1.5&learning_rate=nan&layers=1e9&hidden=&threads=two",
    fallback,
  );
  expect(read).toEqual(fallback);
});

test("only a section's own names are kept, and no more than a link carries", () => {
  const long = "x".repeat(45_001);
  const read = fromLink(`#rules.program=x&rules.long=${long}&program=x&__proto__.x=1&rules.A=1`, fallback);
  expect(read.kept).toEqual({ "rules.program": "x" });
  expect(toLink({ ...fallback, kept: { "rules.long": long } })).not.toContain("rules.long");
});

test("an own file is not in the link", () => {
  expect(toLink({ ...fallback, text: "own" })).not.toContain("text");
});

test("an option takes only numbers within its bounds", () => {
  expect(readOption("steps", "300")).toBe(300);
  expect(readOption("steps", " 300 ")).toBe(300);
  for (const wrong of ["", " ", "0", "-1", "3.5", "1e99", "Infinity", "NaN", "0x", "ten"]) {
    expect(readOption("steps", wrong), wrong).toBeNull();
  }
  expect(readOption("learning_rate", "1e-4")).toBe(1e-4);
});

test("a width alone brings heads that divide it", () => {
  expect(completed({}, "own")).toMatchObject({ hidden: 128, heads: 2, intermediate: 512 });
  for (const hidden of [16, 96, 160, 208, 768]) expect(hidden % (completed({ hidden }, "own").heads ?? 0)).toBe(0);
  expect(completed({ hidden: 256, heads: 8 }, "own").heads).toBe(8);
});

test("the page's own texts are rows of one line, unless a length is asked for; a file is as the engine has it", () => {
  expect(completed({}, "en")).toMatchObject({ seq: 32, packing: "none" });
  expect(completed({ seq: 64 }, "en")).toMatchObject({ seq: 64, packing: "none" });
  expect(completed({}, "own")).not.toHaveProperty("packing");
});

test("a blank is two or more underscores, or [MASK] in any case", () => {
  expect(withMask("the ___ sat")).toBe("the [MASK] sat");
  expect(withMask("고양이는 ＿＿를 [mask]")).toBe("고양이는 [MASK]를 [MASK]");
  expect(withMask("snake_case stays")).toBe("snake_case stays");
});
