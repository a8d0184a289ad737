import { expect, test } from "vitest";
import { refusalOf } from "./refusals";

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
