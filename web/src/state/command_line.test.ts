import { expect, test } from "vitest";
import type { Options } from "../engine/engine";
import { commandOf } from "./command_line";
import { bounds, completed } from "./settings";

test("what the page chooses by itself is said, and what a terminal does anyway is not", () => {
  expect(commandOf({ ...completed({}, "en"), threads: 4 }, { file: "en.txt" })).toBe(
    "octet train --text en.txt --steps 300 --seed 1 --seq 32 --packing none",
  );
  expect(commandOf(completed({ steps: 1000, seed: 0 }, "own"), { file: "a.txt" })).toBe("octet train --text a.txt");
  expect(commandOf(completed({ hidden: 256, learning_rate: 1e-6 }, "own"), { file: "a.txt" })).toBe(
    "octet train --text a.txt --steps 300 --seed 1 --hidden 256 --heads 4 --intermediate 1024 --learning-rate 0.000001",
  );
});

test("of a short run the command says how long it warms up, as a terminal would for 100 steps", () => {
  expect(commandOf(completed({ steps: 50 }, "own"), { file: "a.txt" })).toBe(
    "octet train --text a.txt --steps 50 --seed 1 --warmup-steps 16",
  );
  expect(commandOf(completed({ steps: 2 }, "own"), { file: "a.txt" })).toContain("--warmup-steps 0");
});

test("every option of a link or of the form is in the command, but for threads", () => {
  const names = Object.keys(bounds).filter((name) => name !== "threads");
  for (const name of names) {
    const command = commandOf({ [name]: 7 } as Options, { file: "a.txt" });
    expect(command).toBe(`octet train --text a.txt --${name.replace("_", "-")} 7`);
  }
  expect(commandOf({ threads: 7 }, { file: "a.txt" })).toBe("octet train --text a.txt");
});

test("a name is written as a shell reads it back, and a table's column is named", () => {
  expect(commandOf({}, { file: "my 'own' text.txt" })).toBe("octet train --text 'my '\\''own'\\'' text.txt'");
  expect(commandOf({}, { file: "글.txt" })).toBe("octet train --text '글.txt'");
  expect(commandOf({}, { file: "-x.txt" })).toBe("octet train --text ./-x.txt");
  expect(commandOf({}, { file: "t.csv", field: "text" })).toBe("octet train --text t.csv");
  expect(commandOf({}, { file: "t.csv", field: "the body" })).toBe("octet train --text t.csv --field='the body'");
});
