import { expect, test } from "vitest";
import type { Diagnostic } from "../../engine/engine";
import { alarmAt, changed, moments, paddingUpTo, type Part } from "./replayed";

const alarm: Diagnostic = { number: "X302", sentence: "", line: 0, because: [], rule: "", fix: [] };

function part(from: number, compiled: boolean[], alarmedAt: number | null = null): Part {
  return {
    from,
    replay: {
      steps: compiled.map((each) => ({ length: 3, extent: 4, compiled: each, text: "" })),
      policy: "exact()",
      padding_share: 0.25,
      explanation: "",
      alarm: alarmedAt === null ? null : alarm,
      alarmed_at: alarmedAt ?? 0,
    },
  };
}

test("a policy chosen on the way takes the place of what would have come", () => {
  const first = part(0, [true, true, true, true]);
  const parts = changed([first], part(2, [true, false]));
  expect(moments(parts).map((each) => each.compiles)).toEqual([1, 2, 3, 3]);
  expect(changed(parts, part(0, [true, false, false, false]))).toHaveLength(1);
});

test("padding is counted up to the step", () => {
  expect(paddingUpTo(moments([part(0, [true, false])]), 0)).toBe(0);
  expect(paddingUpTo(moments([part(0, [true, false])]), 2)).toBe(0.25);
});

test("an alarm rings from its step on, until another policy takes over", () => {
  const parts = changed([part(0, [true, true, true, true], 1)], part(3, [false]));
  const all = moments(parts);
  expect(alarmAt(parts, all, 0)).toBeNull();
  expect(alarmAt(parts, all, 1)).toBeNull();
  expect(alarmAt(parts, all, 2)).toEqual({ fault: alarm, step: 2 });
  expect(alarmAt(parts, all, 4)).toBeNull();
});
