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
  unused: [],
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
    unused: [],
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

test("a link with nonsense in it is read without it, and what was not used is told, of numbers with their bounds", () => {
  const read = fromLink(
    "#lang=xx&text=../../etc&steps=30000&seed=1.5&learning_rate=nan&layers=1e9&hidden=&threads=two&batch=16&any=thing",
    fallback,
  );
  const unused = [
    "lang=xx",
    "text=../../etc",
    "steps=30000 (1–20000)",
    "seed=1.5 (0–2147483647)",
    "threads=two (1–8)",
    "learning_rate=nan (0.000001–0.1)",
    "layers=1e9 (1–12)",
    "hidden= (16–768)",
  ];
  expect(read).toEqual({ ...fallback, options: { batch: 16 }, unused });
  expect(toLink(read)).toBe("#lang=en&text=en&batch=16");
  expect(fromLink(toLink(read), fallback)).toEqual({ ...read, unused: [] });
});

test("only a section's own names are kept, and no more than a link carries", () => {
  const long = "x".repeat(45_001);
  const read = fromLink(`#rules.program=x&rules.long=${long}&program=x&__proto__.x=1&rules.A=1`, fallback);
  expect(read.kept).toEqual({ "rules.program": "x" });
  expect(toLink({ ...fallback, kept: { "rules.long": long } })).not.toContain("rules.long");
});

test("a link made with an own file says so; read, it is one to its language's text, and the file is told to be lacking", () => {
  const link = toLink({ ...fallback, language: "ko", text: "own", options: { batch: 16 } });
  expect(link).toBe("#lang=ko&text=own&batch=16");
  expect(fromLink(link, fallback)).toMatchObject({ text: "ko", options: { batch: 16 }, unused: ["text=own"] });
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

test("a short run warms up for a third of its steps, one of 300 and more for 100, unless it is said", () => {
  for (const [steps, warmup_steps] of [
    [1, 0],
    [3, 1],
    [50, 16],
    [299, 99],
    [300, 100],
    [20_000, 100],
  ] as const)
    for (const text of ["en", "own"] as const)
      expect(completed({ steps }, text).warmup_steps, `${steps}`).toBe(warmup_steps);
  expect(completed({}, "en").warmup_steps).toBe(100);
  expect(completed({ steps: 50, warmup_steps: 100 }, "en").warmup_steps).toBe(100);
});

test("a link to a short run leaves its warm-up to whoever reads it, unless it was said", () => {
  const { options } = fromLink(toLink({ ...fallback, options: { steps: 50 } }), fallback);
  expect(completed(options, "en")).toMatchObject({ steps: 50, warmup_steps: 16 });
  const said = fromLink(toLink({ ...fallback, options: { steps: 50, warmup_steps: 100 } }), fallback);
  expect(said.options).toEqual({ steps: 50, warmup_steps: 100 });
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
