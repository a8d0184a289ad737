import { expect, test } from "vitest";
import { fromKept, named, toKept, usual, withLengths } from "./candidate";

test("what is kept in the link reads back", () => {
  const candidate = {
    ...usual,
    model: "gpt2",
    slice: "v5e-8",
    batch: 64,
    data: "bucket",
    examples_per_second: 900,
  } as const;
  expect(fromKept(toKept(candidate))).toEqual(candidate);
  expect(toKept(usual)).toBe("");
});

test("nonsense in the link is the usual candidate", () => {
  const good = toKept({ ...usual, batch: 64 });
  for (const text of [
    "",
    "x",
    good.replace("64", "-1"),
    good.replace("v3-8", "v9-8"),
    good.replace("node", "moon"),
    `${good} more`,
  ])
    expect(fromKept(text)).toEqual(usual);
});

test("a model or a code that there is none of is the usual one, once those that there are are known", () => {
  const known = { models: ["bert-base", "gpt2"], codes: [{ name: "tf2", summary: "" }] };
  const mistyped = { ...usual, model: "bert-bas", code: "tf3", batch: 64 };
  expect(named(mistyped, null)).toEqual(mistyped);
  expect(named(mistyped, known)).toEqual({ ...usual, batch: 64 });
  expect(named({ ...usual, model: "gpt2" }, known)).toEqual({ ...usual, model: "gpt2" });
});

test("the lengths of a text that no link carries are made up until there is one", () => {
  const own = { ...usual, lengths: "own" } as const;
  expect(fromKept(toKept(own))).toEqual(own);
  expect(withLengths(own, null).lengths).toBe("varied");
  expect(withLengths({ ...own, lengths: "own_multiples" }, null).lengths).toBe("multiples");
  expect(withLengths({ ...own, lengths: "one" }, null).lengths).toBe("one");
  expect(withLengths(own, new File(["a"], "a.txt"))).toEqual(own);
});
