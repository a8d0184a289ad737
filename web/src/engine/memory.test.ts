import { expect, test } from "vitest";
import { Refusal } from "./engine";
import { memoryNeeded, requireFits } from "./memory";

const text = 12_000; // bytes
const own = { seq: 32, threads: 2 };

// How far the engine's memory grew in Chromium, in MiB, and the pieces that the text gave. It grows by up to 96 MiB at once.
test.each([
  [56, {}],
  [207, { hidden: 256, layers: 4, heads: 4, batch: 8 }],
  [429, { hidden: 384, layers: 4, heads: 6, batch: 8 }],
  [827, { hidden: 384, layers: 8, heads: 6, batch: 8 }],
  [1384, { hidden: 512, layers: 8, heads: 8, batch: 8 }],
  [1697, { hidden: 512, layers: 10, heads: 8, batch: 8 }],
  [1560, { hidden: 768, layers: 4, heads: 12, batch: 8 }],
  [178, { batch: 512 }],
  [664, { batch: 512, threads: 8 }],
  [128, { seq: 128 }],
  [383, { seq: 128, threads: 8 }],
  [511, { seq: 512 }],
  [335, { hidden: 256, layers: 4, heads: 4, batch: 128 }],
  [473, { hidden: 256, layers: 4, heads: 4, threads: 8 }],
])("what a run needs is told within 96 MiB and a tenth: %s MiB for %o", (grown, options) => {
  const told = memoryNeeded(text, { ...own, vocab_size: 555, ...options }) / 2 ** 20;
  expect(told).toBeGreaterThan(grown - 96);
  expect(told).toBeLessThan(1.1 * grown + 96);
});

test("a run that does not fit is refused, and each cure that is named fits", () => {
  const options = { ...own, layers: 12, hidden: 768, heads: 12 };
  let fixes: string[] = [];
  try {
    requireFits(text, options);
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    fixes = (error as Refusal).diagnostics[0]?.fix ?? [];
  }
  const named = fixes.flatMap((fix) => [...fix.matchAll(/choose (\w+) (\d+) or less/g)]);
  expect(named.map(([, name]) => name)).toEqual(["layers", "hidden"]);
  for (const [, name, value] of named) {
    expect(() => requireFits(text, { ...options, [name as string]: Number(value) })).not.toThrow();
    expect(() => requireFits(text, { ...options, [name as string]: Number(value) + 16 })).toThrow(Refusal);
  }
});
