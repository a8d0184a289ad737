import { expect, test } from "vitest";
import { time } from "./units";

test("a time has three digits, of seconds too", () => {
  expect(time(0.00012345, "en")).toBe("123 µs");
  expect(time(0.45678, "en")).toBe("457 ms");
  expect(time(2.0512, "en")).toBe("2.05 s");
  expect(time(2.0512, "ko")).toBe("2.05초");
  expect(time(2.0512, "ja")).toBe("2.05 秒");
  expect(time(7300, "en")).toBe("2 h");
});
