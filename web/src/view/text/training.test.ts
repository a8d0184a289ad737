import { expect, test } from "vitest";
import type { Growth, TextCalls } from "../../workshop/text";
import { isTokenizerFile, plainName, type Progress, thinned, train, usualOptions } from "./training";

const pace = { part: 10, slice: 5, slices: 4, frame: async () => {} };

/** Calls that note their names and learn so many slices of each kind. */
function noting(slices: number, fullAfter = Infinity) {
  const called: string[] = [];
  const left = { wordpiece: slices, bpe: slices + 1 };
  let read = 0;
  const calls: Pick<TextCalls, "beginTraining" | "readText" | "endText" | "learnPieces" | "stopTraining"> = {
    beginTraining: async () => (called.push("begin"), {}),
    readText: async ({ bytes }) => {
      called.push(`read ${bytes.length}`);
      read += bytes.length;
      return { words: read, full: read >= fullAfter };
    },
    endText: async ({ whole }) => (called.push(`end ${whole}`), { words: read }),
    learnPieces: async ({ kind, pairs }): Promise<Growth> => {
      called.push(`${kind} ${pairs}`);
      return { pieces: 10, more: --left[kind] > 0, tokens_per_word: 2, latest: [] };
    },
    stopTraining: async () => (called.push("stop"), {}),
  };
  return { called, calls };
}

test("a file is read in parts and both kinds are learned in turn until neither has more", async () => {
  const { called, calls } = noting(2);
  const seen: Progress[] = [];
  const options = { ...usualOptions, vocab_size: 100 };
  const stands = await train(
    calls,
    new Blob(["x".repeat(25)]),
    "x",
    options,
    pace,
    (progress) => seen.push(progress),
    new AbortController().signal,
  );
  expect(stands).toBe(true);
  expect(called).toEqual(
    ["begin", "read 10", "read 10", "read 5", "end true"].concat([
      "wordpiece 25",
      "bpe 25",
      "wordpiece 25",
      "bpe 25",
      "bpe 25",
    ]),
  );
  expect(seen.map((each) => each.read).slice(0, 4)).toEqual([0, 10, 20, 25]);
  expect(seen.at(-1)).toMatchObject({ stage: "done", size: 25, words: 25 });
  expect(seen.at(-1)?.curve.bpe).toHaveLength(3);
});

test("stopped while it reads nothing stands, stopped while it learns what was learned does", async () => {
  for (const stage of ["reading", "learning"] as const) {
    const { called, calls } = noting(100);
    const stop = new AbortController();
    const stands = await train(
      calls,
      new Blob(["x".repeat(25)]),
      "x",
      usualOptions,
      pace,
      (progress) => {
        if (progress.stage === stage && (stage === "learning" || progress.read === 10)) stop.abort();
      },
      stop.signal,
    );
    expect(stands).toBe(stage === "learning");
    expect(called.at(-1)).toBe("stop");
    expect(called).toHaveLength(stage === "reading" ? 3 : 6);
  }
});

test("of a text with too many different words the rest is not read", async () => {
  const { called, calls } = noting(1, 20);
  let last: Progress | undefined;
  const source = new Blob(["x".repeat(100)]);
  const stop = new AbortController();
  await train(calls, source, "x", usualOptions, pace, (progress) => (last = progress), stop.signal);
  expect(called.slice(0, 4)).toEqual(["begin", "read 10", "read 10", "end false"]);
  expect(last).toMatchObject({ full: true, read: 20, stage: "done" });
});

test("a line of growth stays short and keeps its last point", () => {
  let points = [{ pieces: 0, tokensPerWord: 1 }];
  for (let pieces = 1; pieces < 5000; pieces++) points = thinned([...points, { pieces, tokensPerWord: 1 }]);
  expect(points.length).toBeLessThanOrEqual(400);
  expect(points[0]?.pieces).toBe(0);
  expect(points.at(-1)?.pieces).toBe(4999);
});

test("a tokenizer's files are told from texts by their names", () => {
  const tokenizers = ["vocab.txt", "bert-vocab.txt", "merges.txt", "vocab.json", "tokenizer.JSON"];
  const texts = [
    "novel.txt",
    "subvocab.txt",
    "나의 글.txt",
    "merges.txt.bak",
    "json",
    "novel (1).txt",
    "vocab of day 2.txt",
  ];
  const copies = ["vocab (1).txt", "vocab(2).txt", "merges-1.txt", "bert-vocab 2.txt", "Vocab (12).json"];
  expect(copies.map(plainName)).toEqual(["vocab.txt", "vocab.txt", "merges.txt", "bert-vocab.txt", "Vocab.json"]);
  expect([...tokenizers, ...texts].map(plainName)).toEqual([...tokenizers, ...texts]);
  tokenizers.push(...copies);
  expect(tokenizers.filter(isTokenizerFile)).toEqual(tokenizers);
  expect(texts.filter(isTokenizerFile)).toEqual([]);
});
