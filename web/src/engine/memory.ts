// What a run takes of the engine's memory, so that one that is too large is refused before it begins. A browser's program
// that runs out of memory can only be loaded again, and what it trained is lost.
import { type Options, Refusal } from "./engine";

/** What the engine may grow to (cmake/wasm_link.cmake), in bytes. */
const capacity = 2 ** 31;

/** The engine's own defaults, where they matter here; the page says the others itself. */
const usual = { threads: 1, batch: 64, seq: 64, vocab_size: 2048, layers: 2, hidden: 128, heads: 2 };
const replicas = 8;

// Found by measuring how far the memory grows until the second step is over, in Chromium, over widths of 128 to 768, 2 to
// 12 layers, 8 to 512 rows and 2 and 8 threads; a little more than was found.
const ofProgram = 40 << 20;
const ofParameter = 56; // weights and two moments, and a gradient for each of eight replicas
const ofTextByte = 8; // lines, words and tokens

/** The bytes that a run on a text of `bytes` may take. */
export function memoryNeeded(bytes: number, options: Options): number {
  const { threads, batch, seq, vocab_size, layers, hidden, heads, intermediate } = sizes(options);
  const pieces = Math.min(vocab_size, bytes);
  const ofLayer = 4 * hidden ** 2 + 2 * hidden * intermediate + 9 * hidden + intermediate;
  const parameters = pieces * (hidden + 1) + (seq + 7 + hidden) * hidden + layers * ofLayer;
  const ofToken = 4 * (layers * (14 * hidden + 5 * intermediate + 3 * heads * seq) + 0.6 * pieces);
  const tokens = Math.ceil(batch / replicas) * seq;
  return ofProgram + ofTextByte * bytes + ofParameter * parameters + threads * tokens * ofToken;
}

function sizes(options: Options) {
  const all = { ...usual, ...options };
  return { intermediate: 4 * all.hidden, ...all };
}

/** Whether two runs that need so many bytes fit beside each other. */
export function fitTogether(one: number, other: number): boolean {
  return one + other <= capacity;
}

/** What to choose instead: of one option at a time, the most that fits; nothing where that alone does not help. */
function cures(bytes: number, options: Options): string[] {
  const given = sizes(options);
  const { layers, hidden, batch, intermediate } = given;
  const most = (from: number, step: number, change: (value: number) => Options) => {
    let value = from;
    while (value > 0 && memoryNeeded(bytes, { ...given, ...change(value) }) > capacity) value -= step;
    return value;
  };
  const fitting: [string, number][] = [
    ["layers", most(layers, 1, (value) => ({ layers: value }))],
    ["hidden", most(hidden, 16, (value) => ({ hidden: value, intermediate: (intermediate / hidden) * value }))],
    ["batch", most(batch, replicas, (value) => ({ batch: value }))],
  ];
  const found = fitting.filter(([, value]) => value > 0);
  return [
    ...found.map(([name, value]) => `choose ${name} ${value} or less`),
    "train it in a terminal with octet train",
  ];
}

/** Throws Refusal for a run that the engine's memory cannot hold. */
export function requireFits(bytes: number, options: Options): void {
  const needed = memoryNeeded(bytes, options);
  if (needed <= capacity) return;
  const gigabytes = (count: number) => (count / 1e9).toFixed(1);
  const { layers, hidden, batch, seq } = sizes(options);
  const model = `layers ${layers} and hidden ${hidden}, trained on batches of ${batch} x ${seq} tokens`;
  throw new Refusal([
    {
      number: "X709",
      sentence: `A model of ${model}, needs about ${gigabytes(needed)} GB; the page has ${gigabytes(capacity)}.`,
      line: 0,
      because: [],
      rule: "Options are checked before any work begins.",
      fix: cures(bytes, options),
    },
  ]);
}
