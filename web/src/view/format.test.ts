import { expect, test } from "vitest";
import { en } from "../language/en";
import { ja } from "../language/ja";
import { ko } from "../language/ko";
import { duration, loss, rate, share, whole } from "./format";
import { span } from "./span";

test("a number that is not there yet is a dash", () => {
  for (const text of [whole(null, "en"), loss(undefined), loss(NaN), share(null, "ja"), rate(undefined)])
    expect(text).toBe("–");
});

test("learning rates keep two digits that count", () => {
  expect([0.001, 0.00079, 0.0000123, 1e-9, 0].map(rate)).toEqual(["0.001", "0.00079", "0.000012", "1e-9", "0"]);
});

test("a duration is never said to be nothing", () => {
  expect(duration(0.2, en, "en")).toBe("1 s");
  expect(duration(89, ko, "ko")).toBe("89초");
  expect(duration(600, ja, "ja")).toBe("10 分");
});

test("a second is written alike everywhere", () => {
  expect([0.033, 34, 7300].map((seconds) => span(seconds, "en"))).toEqual(["33 ms", "34 s", "2 h"]);
  expect([0.033, 34].map((seconds) => span(seconds, "ko"))).toEqual(["33ms", "34초"]);
});
