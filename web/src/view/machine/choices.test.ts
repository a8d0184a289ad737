import { expect, test } from "vitest";
import { placeOf } from "../marks";
import {
  keepJob,
  keptFeed,
  keptJob,
  keptProduct,
  lengthMarks,
  named,
  sequenceMarks,
  usualJob,
  withModel,
} from "./choices";

function store(kept: Record<string, string>) {
  return {
    kept: (name: string) => kept[name] ?? "",
    keep: (name: string, value: string) => {
      kept[name] = value;
    },
  };
}

test("a job in the link is read back, and what is usual takes no room in it", () => {
  const kept: Record<string, string> = {};
  expect(keptJob(store(kept))).toEqual(usualJob);
  const job = { ...usualJob, slice: "v4-128", sequences: 24 };
  keepJob(store(kept), job);
  expect(keptJob(store(kept))).toEqual(job);
  expect(Object.values(kept).filter((value) => value !== "")).toEqual(["v4-128", "24"]);
});

test("numbers in a link that cannot be are as usual", () => {
  for (const text of ["0", "-3", "1e9", "3.5", "🙂", "99999999999999"])
    expect(keptJob(store({ "machine.sequences": text })).sequences, text).toBe(usualJob.sequences);
});

test("the slider reaches the largest batch that fits and the one that does not", () => {
  for (const largest of [1, 7, 54, 100, 2311]) {
    const marks = sequenceMarks(largest, 14);
    expect(marks).toContain(largest);
    expect(marks).toContain(largest + 1);
    expect(marks).toContain(14);
    expect(Math.max(...marks)).toBeLessThanOrEqual(Math.max(14, 2 * largest + 1, 8));
    expect(marks).toEqual([...new Set(marks)].sort((a, b) => a - b));
    expect(marks[placeOf(marks, largest)]).toBe(largest);
  }
  expect(sequenceMarks(0, 1)).toContain(1);
});

test("lengths go up to the positions of the model, and a model of fewer takes them down", () => {
  expect(lengthMarks(512, 512)).toEqual([64, 128, 256, 384, 512]);
  expect(lengthMarks(1024, 512).at(-1)).toBe(1024);
  expect(lengthMarks(512, 4096).at(-1)).toBe(4096); // what a link says stays there to be refused
  const models = [
    { name: "bert-base", positions: 512 },
    { name: "gpt2", positions: 1024 },
  ];
  expect(withModel({ ...usualJob, length: 1024 }, models, "bert-base")).toEqual({ model: "bert-base", length: 512 });
  expect(withModel({ ...usualJob, length: 512 }, models, "gpt2")).toEqual({ model: "gpt2" });
});

test("a model or a code that there is none of is the usual one, once those that there are are known", () => {
  const known = { models: [{ name: "gpt2", parameters: 1, positions: 1024 }], codes: ["tf2"] };
  const mistyped = { ...usualJob, model: "gtp2", code: "zzz", slice: "v4-8" };
  expect(named(mistyped, null)).toEqual(mistyped);
  expect(named(mistyped, known)).toEqual({ ...usualJob, slice: "v4-8" });
  expect(named({ ...usualJob, model: "gpt2", code: "tf2" }, known)).toEqual({
    ...usualJob,
    model: "gpt2",
    code: "tf2",
  });
});

test("a product in the link is three whole numbers", () => {
  expect(keptProduct("7168x1024x4096")).toEqual({ m: 7168, k: 1024, n: 4096 });
  for (const text of ["", "10x20", "axbxc", "1x2x3x4", "-1x2x3", "1x2x99999999", "0x1x1", "1x1x1048577"])
    expect(keptProduct(text), text).toBeNull();
});

test("what feeds the chips is read back, and what cannot be is as usual", () => {
  const usual = { place: "memory", host: "vm", prepared_by: "hosts", prefetch: 2, slow_host: 1 };
  expect(keptFeed(store({}))).toEqual(usual);
  expect(
    keptFeed(store({ "machine.host": "나", "machine.place": "🙂", "machine.prefetch": "-1", "machine.prepare": "0" })),
  ).toEqual(usual);
  expect(
    keptFeed(
      store({
        "machine.host": "node",
        "machine.place": "bucket",
        "machine.prepared_by": "program",
        "machine.prefetch": "0",
        "machine.threads": "4",
        "machine.prepare": "1000",
      }),
    ),
  ).toEqual({
    ...usual,
    host: "node",
    place: "bucket",
    prepared_by: "program",
    prefetch: 0,
    threads: 4,
    prepare_microseconds: 1000,
  });
});
