// What a visitor waits for before the page trains.
import { readFile } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { fileURLToPath } from "node:url";
import { visit } from "./visit";

const built = fileURLToPath(new URL("../../build/page", import.meta.url));
// Bytes, as a server sends them with brotli: what is waited for, and all that comes unasked.
const budget = 250_000;
const budgetOfAll = 250 * 1024;

const known = new Map<string, number>(); // compressing takes seconds

/** The size of each file that was asked for, compressed. */
async function weights(loaded: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const path of new Set(loaded)) {
    const file = `${built}${path === "/" ? "/index.html" : path}`;
    const size = known.get(path) ?? brotliCompressSync(await readFile(file)).length;
    known.set(path, size);
    sizes.set(path, size);
  }
  return sizes;
}

test.each([
  ["en", true, true],
  ["ko", true, true],
  ["ja", true, true],
  ["en", true, false],
  ["en", false, true],
  ["en", false, false],
])(
  "all that is loaded before the page trains is 250,000 bytes at most (%s, isolation: %s, relaxed SIMD: %s)",
  async (language, isolation, relaxedSimd) => {
    const { page, loaded } = await visit({ link: `lang=${language}`, isolation, relaxedSimd });
    await page.locator("[data-hash-step='1']").waitFor({ timeout: 60_000 });
    await page.locator(".candidates").waitFor();
    // What is asked for from the first step on is not waited for.
    const later = await page.evaluate(() => {
      const trains = performance.getEntriesByName("under way")[0]?.startTime ?? Infinity;
      const after = performance.getEntriesByType("resource").filter(({ startTime }) => startTime >= trains);
      return after.map(({ name }) => new URL(name).pathname);
    });
    const sizes = await weights(loaded.filter((path) => !later.includes(path)));
    expect([...sizes.keys()].filter((path) => path.endsWith(".wasm"))).toHaveLength(1); // no second program, no rest
    const total = (of: Map<string, number>) => [...of.values()].reduce((a, b) => a + b);
    expect(total(sizes), JSON.stringify([...sizes])).toBeLessThanOrEqual(budget);
    await page.locator(".options form").waitFor({ state: "attached" });
    expect(total(await weights(loaded))).toBeLessThanOrEqual(budgetOfAll);
  },
);
