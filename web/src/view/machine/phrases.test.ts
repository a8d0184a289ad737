import { expect, test } from "vitest";
import type { Finding } from "../../workshop/machine";
import { remedyOf, sentenceOf } from "./phrases";

const heads: Finding = {
  id: "padded_heads",
  sentence: "Heads of 64 fill 64 of the 128 rows of the matrix unit that they take.",
  values: [
    { value: 64, unit: "count" },
    { value: 128, unit: "count" },
  ],
  remedy: "fewer_heads",
  change: "take 8 heads of 128 instead of 16: as many weights, in another model",
  changes: [
    { value: 8, unit: "count" },
    { value: 128, unit: "count" },
    { value: 16, unit: "count" },
  ],
  seconds: 0.01,
  share: 0.1,
};

test("a finding is said in each language, with its numbers", () => {
  expect(sentenceOf(heads, "en")).toBe(heads.sentence);
  expect(sentenceOf(heads, "ko")).toBe("크기 64인 헤드는 차지하는 행렬 유닛의 행 128개 가운데 64개만 채웁니다.");
  expect(sentenceOf(heads, "ja")).toBe("大きさ 64 のヘッドは、占める行列ユニットの 128 行のうち 64 行しか埋めません。");
  expect(remedyOf(heads, "en")).toBe("Take 8 heads of 128 instead of 16: as many weights, in another model.");
  const [, ...others] = heads.changes;
  expect(remedyOf({ ...heads, changes: [{ value: 1, unit: "count" }, ...others] }, "en")).toMatch(
    /^Take 1 head of 128 /,
  );
  expect(remedyOf(heads, "ko")).toContain("헤드 16개 대신 크기 128인 헤드 8개");
});

test("numbers are written in their units", () => {
  const slow: Finding = {
    ...heads,
    id: "slow_host",
    values: [
      { value: 2, unit: "count" },
      { value: 16, unit: "count" },
      { value: 30.4567, unit: "factor" },
      { value: 0.756, unit: "share" },
    ],
    remedy: "join_all_reduces",
    changes: [{ value: 0.00412, unit: "seconds" }],
  };
  expect(sentenceOf(slow, "en")).toContain("Host 2 of 16 takes 30.5 times as long");
  expect(sentenceOf(slow, "en")).toContain("75.6%");
  expect(remedyOf(slow, "ko")).toContain("4.12ms");
});

test("a host beside which the others take no time is said without a factor", () => {
  const only: Finding = {
    ...heads,
    id: "only_slow_host",
    values: [
      { value: 2, unit: "count" },
      { value: 16, unit: "count" },
      { value: 0.756, unit: "share" },
    ],
    remedy: "mend_host",
    changes: [],
  };
  expect(sentenceOf(only, "en")).toContain("Host 2 of 16 alone takes time");
  expect(sentenceOf(only, "ko")).toContain("호스트 16대 가운데 2번만");
  expect(sentenceOf(only, "ja")).toContain("16 台のうちホスト 2 だけが");
  for (const language of ["en", "ko", "ja"] as const) expect(sentenceOf(only, language)).toContain("75.6");
});

test("what a language has no words for stays as the library says it", () => {
  expect(sentenceOf({ ...heads, id: "toString" }, "ko")).toBeUndefined();
  expect(remedyOf({ ...heads, remedy: "buy_more" }, "ja")).toBeUndefined();
});
