import { expect, test } from "vitest";
import type { Language } from "./language";
import { refusalOf as refusalOfMessage } from "./refusals";

const refusalOf = (number: string, language: Language, sentence = "", fix: string[] = []) =>
  refusalOfMessage({ number, sentence, fix }, language);

/** What a visitor can bring about by what is written, chosen or dropped on the page. */
const met = [
  ...["X101", "X102", "X106", "X107", "X108", "X109", "X201", "X202", "X203", "X204", "X205", "X301", "X302"],
  ...["X401", "X402", "X403", "X404", "X407", "X410"],
  ...[
    "X501",
    "X601",
    "X602",
    "X604",
    "X606",
    "X607",
    "X610",
    "X701",
    "X702",
    "X703",
    "X704",
    "X705",
    "X706",
    "X708",
    "X709",
  ],
  ...["X710", "X712", "X713", "X716", "X720", "X721", "X724", "X725", "X730", "X731", "X732", "X733", "X734"],
];

test.each(["ko", "ja"] as const)("what a visitor can bring about is refused in %s too", (language) => {
  expect(met.filter((number) => !refusalOf(number, language))).toEqual([]);
});

test("messages are English as they are, and an unknown number has no words", () => {
  expect(refusalOf("X604", "en")).toBeUndefined();
  expect(refusalOf("X999", "ko")).toBeUndefined();
});

test("a missing file of a tokenizer is not said to be one that cannot be read", () => {
  expect(refusalOf("X701", "ja")).toBe("必要なファイルがないか、読み取れません。");
});

test("what a script lacks is proposed in no language", () => {
  for (const language of ["ko", "ja"] as const)
    for (const number of met) expect(refusalOf(number, language)).not.toMatch(/update_leading|Array\{|\{\./);
});

test("what holds for one of a number's messages is not said of all: the original says it", () => {
  for (const number of ["X402", "X403", "X604", "X607", "X709"]) {
    expect(refusalOf(number, "ko"), number).toContain("아래 원문에 있습니다");
    expect(refusalOf(number, "ja"), number).toContain("下の原文にあります");
  }
  expect(refusalOf("X604", "ko")).not.toContain("가까운");
  expect(refusalOf("X604", "ja")).not.toContain("近い");
  // A program in StableHLO calls back too, whose examples no record file holds, and which is no faster on a TPU VM.
  expect(refusalOf("X607", "ko")).not.toMatch(/레코드|TPU VM/);
  expect(refusalOf("X607", "ja")).not.toMatch(/レコード|TPU VM/);
  expect(refusalOf("X709", "ko")).not.toContain("범위");
  expect(refusalOf("X709", "ja")).not.toContain("範囲");
});

const branch = "A traced Array has no value to branch on";
const before = "XLA compiles the program before any value exists.";
const choose =
  "write select(condition, a, b), or cond(condition, on_true, on_false); for a loop, for (i : range(4)) x = where(condition, next, x), of as many turns as the host says; for the larger of two, maximum(a, b).";
const index = `A traced Array has no value to index, count or switch with: ${before}`;
const take = "write take(table, i), where the table is an array or a list of numbers; for (i : range(4)) for a loop";

test.each<[string, string, string[], string[]]>([
  // As the workshop says them, of: if, while, &&, ||, !, bool b = …; range(x), int(x), int n = ….
  ["X101", `${branch}: ${before}`, ["write y = where(sum(x) > 0, x, y)", choose], ["where", "for (i : range(4))"]],
  ["X101", `${branch}: ${before}`, ["write where(sum(x) > 0, x, y)", choose], ["where", "for (i : range(4))"]],
  ["X101", `${branch}: ${before}`, [choose], ["where", "for (i : range(4))"]],
  ["X101", `${branch}, and && must branch.`, ["write (sum(x) > 0) & (sum(x) < 3)", "write (a) & (b)"], ["(a) & (b)"]],
  ["X101", `${branch}, and || must branch.`, ["write (sum(x) > 0) | (sum(x) < 3)", "write (a) | (b)"], ["(a) | (b)"]],
  ["X101", `${branch}, and ! asks for one.`, ["write ~(sum(x) > 0)", "write ~x"], ["~x"]],
  ["X101", `${branch}: ${before}`, ["write b = sum(x) > 0, without bool", choose], ["bool"]],
  ["X101", `${branch}: ${before}`, ["write b = where(x > 0, x, y), without bool", choose], ["bool"]],
  ["X107", index, [take], ["take(table, i)", "for (i : range(4))", "where(i == 0, a, b)"]],
  ["X107", index, ["write cast(sum(x), i32)", take], ["cast(x, i32)"]],
  ["X107", index, ["write n = sum(x), without int", take], ["cast(x, i32)"]],
])("%s, %s has its own advice, and no other's (%#)", (number, sentence, fix, wanted) => {
  const advice = ["where", "for (i : range(4))", "(a) & (b)", "(a) | (b)", "~x", "bool", "take", "where(i == 0, a, b)"];
  for (const language of ["ko", "ja"] as const) {
    const said = refusalOf(number, language, sentence, fix) ?? "";
    for (const each of wanted) expect(said, language).toContain(each);
    const others = advice.filter((each) => !wanted.some((one) => one.includes(each)));
    for (const each of others) expect(said, language).not.toContain(each);
  }
});
