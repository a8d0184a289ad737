// The same bits here as natively: OCTET_EXPECTED_HASH names a JSON file that a native run wrote,
//   {"text": PATH, "options": {"steps": 12, "seed": 1, …}, "steps": 12, "parameters_hash": "…"}
// where `steps` is how many of the run's steps were done, and PATH is relative to that file.
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { expect, test } from "vitest";
import { plainText, small, visit } from "./visit";

const expectedFile = process.env.OCTET_EXPECTED_HASH;

interface Expected {
  text: string;
  options: Record<string, number>;
  steps: number;
  parameters_hash: string;
}

/** Trains on a file for so many steps and returns the hash of the weights. */
async function hashAfter(
  steps: number,
  options: Record<string, number>,
  text: Uint8Array,
  isolation: boolean,
  relaxedSimd = true,
): Promise<string> {
  const own = new URLSearchParams(Object.entries(options).map(([name, value]) => [name, String(value)]));
  const { page, loaded, shown, choose } = await visit({ link: `lang=en&start=no&${own}`, isolation, relaxedSimd });
  await expect.poll(() => shown(".stage"), { timeout: 60_000 }).toBe("Ready");
  await choose("text.txt", text);
  await page.getByRole("button", { name: "text.txt", pressed: true }).waitFor({ timeout: 60_000 });
  await expect.poll(() => shown(".stage"), { timeout: 60_000 }).toBe("Ready");
  for (let step = 1; step <= steps; step++) {
    await page.locator("[data-action=step]").click();
    await page.locator(`[data-hash-step="${step}"]`).waitFor({ timeout: 60_000 });
  }
  await page.locator(`[data-hash-step="${steps}"]`).waitFor({ timeout: 200_000 });
  const program = `octet_web${relaxedSimd ? "_relaxed" : ""}${isolation ? "" : "_single"}.wasm`;
  expect(loaded.filter((path) => path.endsWith(".wasm")).map((path) => path.split("/").pop())).toContain(program);
  return shown("[data-hash]");
}

test.runIf(expectedFile).each([
  [true, true],
  [true, false],
  [false, true],
])(
  "the weights are those of a native run, to the bit (isolation: %s, relaxed SIMD: %s)",
  { timeout: 400_000 },
  async (isolation, relaxedSimd) => {
    const file = resolve(expectedFile ?? "");
    const expected = JSON.parse(await readFile(file, "utf8")) as Expected;
    const text = await readFile(resolve(dirname(file), expected.text));
    expect(await hashAfter(expected.steps, expected.options, text, isolation, relaxedSimd)).toBe(
      expected.parameters_hash,
    );
  },
);

test("the weights are the same with threads and without, with relaxed SIMD and without", async () => {
  const options = {
    ...Object.fromEntries(new URLSearchParams(small)),
    steps: 10,
    seed: 3,
  } as unknown as Record<string, number>;
  const text = Buffer.from(plainText(200));
  const hash = await hashAfter(10, options, text, true);
  expect(await hashAfter(10, options, text, false)).toBe(hash);
  expect(await hashAfter(10, options, text, false, false)).toBe(hash);
});
