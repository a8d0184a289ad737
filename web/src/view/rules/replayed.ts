// The replayed run as the visitor steered it: parts, each under a policy of its own from some step on.
import type { Diagnostic } from "../../engine/engine";
import type { Replay, ReplayedStep } from "../../workshop/story";

export interface Part {
  from: number;
  replay: Replay;
}

/** The run with `part` in place of all that came from its first step on. */
export function changed(parts: readonly Part[], part: Part): Part[] {
  return [...parts.filter((each) => each.from < part.from), part];
}

export interface Moment extends ReplayedStep {
  /** Since the run began. */
  compiles: number;
  part: number;
}

/** Every step in order. A part ends where the next begins. */
export function moments(parts: readonly Part[]): Moment[] {
  const all: Moment[] = [];
  parts.forEach(({ from, replay }, part) => {
    const end = parts[part + 1]?.from ?? Infinity;
    replay.steps.forEach((step, at) => {
      if (from + at >= end) return;
      all.push({ ...step, part, compiles: (all.at(-1)?.compiles ?? 0) + (step.compiled ? 1 : 0) });
    });
  });
  return all;
}

/** Of all positions computed up to a step, the share that was padding beyond the batch's longest row. */
export function paddingUpTo(all: readonly Moment[], step: number): number {
  let real = 0;
  let computed = 0;
  for (const { length, extent } of all.slice(0, step)) {
    real += length;
    computed += extent;
  }
  return computed > 0 ? 1 - real / computed : 0;
}

/** The alarm that was raised by `step` in the part under way there, and the step, counted from 1, that raised it. */
export function alarmAt(
  parts: readonly Part[],
  all: readonly Moment[],
  step: number,
): { fault: Diagnostic; step: number } | null {
  const { alarm, alarmed_at: at } = parts[all[step - 1]?.part ?? 0]?.replay ?? { alarm: null, alarmed_at: 0 };
  return alarm && at < step ? { fault: alarm, step: at + 1 } : null;
}
