import { expect, test } from "vitest";
import { perColumn, rangeOf, roundNumbers, stepAt } from "./plot";

test("an axis has round numbers, no more than fit", () => {
  expect(roundNumbers(0, 300, 6, true)).toEqual([0, 50, 100, 150, 200, 250, 300]);
  expect(roundNumbers(0, 3, 10, true)).toEqual([0, 1, 2, 3]);
  expect(roundNumbers(0, 1, 10, true)).toEqual([0, 1]);
  const levels = roundNumbers(5.93, 7.41, 5, false);
  expect(levels.map((each) => each.toFixed(1))).toEqual(["6.0", "6.5", "7.0"]);
  for (const [least, most] of [
    [0, 8],
    [0.001, 0.002],
    [2, 2.2],
    [0, 20000],
  ] as const)
    expect(roundNumbers(least, most, 7, false).length).toBeGreaterThan(1);
});

test("the losses' range has some air, and is there before any loss", () => {
  expect(rangeOf({ steps: 9, training: [], heldOut: [] })).toEqual({ least: 0, most: 8 });
  expect(rangeOf({ steps: 9, training: [5, NaN, Infinity], heldOut: [] })).toEqual({ least: 4.9, most: 5.1 });
  expect(rangeOf({ steps: 9, training: [1], heldOut: [{ step: 1, loss: 11 }] })).toEqual({ least: 0.5, most: 11.5 });
});

test("the step under the pointer is one of the run's", () => {
  expect(stepAt(-50, 578, 500)).toBe(0);
  expect(stepAt(66, 578, 500)).toBe(0);
  expect(stepAt(66 + 250, 578, 500)).toBe(250);
  expect(stepAt(9999, 578, 500)).toBe(500);
  expect(stepAt(10, 20, 500)).toBeLessThanOrEqual(500);
});

test("a line has no more points than its pixels show, and none of its peaks is lost", () => {
  expect(perColumn([5, NaN, 3], 9, 400)).toEqual([
    [1, 5],
    [3, 3],
  ]);
  const losses = Array.from({ length: 20000 }, (_, at) => 7 - at / 4000 + Math.sin(at));
  losses[12345] = 99;
  losses[12346] = -99;
  const points = perColumn(losses, 20000, 500);
  expect(points.length).toBeLessThanOrEqual(1000);
  expect(points).toContainEqual([12346, 99]);
  expect(points).toContainEqual([12347, -99]);
  for (const [step, loss] of points) expect(loss).toBe(losses[step - 1]);
  const steps = points.map(([step]) => step);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(steps.at(-1)).toBeGreaterThan(20000 - 20000 / 500);
});
