import { expect, test } from "vitest";
import type { StepReport, Summary } from "../engine/engine";
import { after, replicaLosses, secondsLeft, tokensPerSecond, unopened } from "./run";

const summary: Summary = {
  vocabulary: 900,
  parameters: 500_000,
  training_lines: 95,
  held_out_lines: 5,
  threads: 2,
  replicas: 8,
  layers: 2,
  hidden: 128,
  steps: 30,
};

function report(step: number): StepReport {
  return {
    step,
    loss: 7 - step / 10,
    replica_losses: Array.from({ length: 8 }, (_, replica) => step + replica / 10),
    learning_rate: 0.001,
    tokens: 4096,
    milliseconds: 250,
    compiles: 1,
    cache_hits: step - 1,
    padding_share: 0.25,
  };
}

const opened = after(unopened, { type: "opened", name: "en", options: {}, summary });
const trained = [1, 2, 3].reduce((run, step) => after(run, { type: "stepped", report: report(step) }), opened);

test("a refused text leaves the run as it was, but for the message", () => {
  const diagnostics = [{ number: "X702", sentence: "The text is empty.", line: 0, because: [], rule: "", fix: [] }];
  const opening = after(trained, { type: "opening", name: "bad.txt" });
  const refused = after(opening, { type: "refused", name: "bad.txt", diagnostics });
  expect(refused).toEqual({
    ...trained,
    mishap: { name: "bad.txt", what: "text", diagnostics, reason: "", kept: true },
  });
});

test("a command that mends a refused file names that file", () => {
  const fix = ["iconv -f UTF-16LE -t UTF-8 'the text' > 'the text.utf8', and use that file"];
  const diagnostics = [{ number: "X704", sentence: "the text is not UTF-8", line: 0, because: [], rule: "", fix }];
  const refused = after(trained, { type: "refused", name: "it's $& mine.txt", diagnostics });
  expect(refused.mishap?.diagnostics[0]?.fix).toEqual([
    "iconv -f UTF-16LE -t UTF-8 'it'\\''s $& mine.txt' > 'it'\\''s $& mine.txt.utf8', and use that file",
  ]);
});

test("an unreadable text leaves the run as it was, but for the message", () => {
  const unread = after(trained, { type: "unreadable", name: "gone.txt", reason: "NotReadableError" });
  expect(unread.reports).toHaveLength(3);
  expect(unread.mishap?.reason).toBe("NotReadableError");
});

test("an accepted text begins with nothing of the run before it", () => {
  expect(after(trained, { type: "opened", name: "en", options: {}, summary })).toEqual(opened);
});

test("a text that is opened while another is trained on leaves training running, as the worker does", () => {
  const running = after(trained, { type: "running", running: true });
  const next = after(running, { type: "opened", name: "ja", options: {}, summary });
  expect(next).toEqual({ ...opened, name: "ja", running: true });
  expect(after(next, { type: "running", running: false }).running).toBe(false);
});

test("the pace counts the last steps only", () => {
  expect(tokensPerSecond([])).toBeNull();
  expect(tokensPerSecond([{ ...report(1), milliseconds: 60_000 }, report(2), report(3)], 2)).toBe(4096 * 4);
});

test("the time left is the steps left at the present pace", () => {
  expect(secondsLeft(opened)).toBeNull();
  expect(secondsLeft(trained)).toBeCloseTo(27 * 0.25);
});

test("a thinned history keeps its order and its last value", () => {
  const reports = Array.from({ length: 301 }, (_, at) => report(at + 1));
  const losses = replicaLosses(reports, 0, 60);
  expect(losses.length).toBeLessThanOrEqual(60);
  expect(losses.at(-1)).toBe(301);
  expect(losses).toEqual([...losses].sort((a, b) => a - b));
  expect(replicaLosses([], 0, 60)).toEqual([]);
});
