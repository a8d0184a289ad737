import { expect, test } from "vitest";
import { placed, segmentsOf } from "./tiles";

test("ten rows take one whole tile and a quarter of another", () => {
  expect(segmentsOf(10, 8)).toEqual([{ used: 1 }, { used: 0.25 }]);
  expect(segmentsOf(8, 8)).toEqual([{ used: 1 }]);
  expect(segmentsOf(1, 128)).toEqual([{ used: 1 / 128 }]);
});

test("of many tiles the first ones are drawn and the last, which is the one that may be part empty", () => {
  const segments = segmentsOf(7171, 8);
  expect(segments).toHaveLength(5);
  expect(segments[3]).toBe("gap");
  expect(segments[4]).toEqual({ used: 3 / 8 });
});

test("tiles lie side by side, with room where some are left out", () => {
  const { tiles, gaps, end } = placed(segmentsOf(100 * 8, 8), 20, 10);
  expect(tiles.map(({ at }) => at)).toEqual([0, 20, 40, 70]);
  expect(gaps).toEqual([65]);
  expect(end).toBe(90);
});
