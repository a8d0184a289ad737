// What octet::check can say is looked for in its source, so that no sentence of it is left in English unseen.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { said } from "./report_sentences";

const folder = fileURLToPath(new URL("../../../modules/tpu/", import.meta.url));
/** Most of whose sentences are about arguments of a C++ call, which the page has none of. */
const ofCalls = ["check_trace.cpp"];
/** A fault's rule, which the page does not show; what stands beside an option, which it has none of; a call that the words have a W for; what is said of C++ functions. */
const unsaid = [
  "; then check again",
  "A program runs on as many devices as it is lowered for, and its batch is in as many shares.",
  "average the gradients before the update: all_reduce(gradient, slice.all()) /",
  "Which result is the next",
  "is not known, and there is one that differs.",
  "return the structure by itself, or before or after single arrays",
];

/** The words between the values that a sentence is put together from. */
function wordsOf(source: string): string[] {
  const code = source.replace(/(?<!")\/\/.*$/gm, "").replaceAll("'\"'", "");
  const joined = code.replace(/"\s*\n\s*"/g, "");
  return [...joined.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, words = ""]) => words.replaceAll('\\"', '"').trim());
}

/** A sentence as its source has it: of numbers and of what may be left out nothing is told apart. */
const plain = (sentence: string) =>
  sentence
    .replaceAll("[A-Z]", "N")
    .replace(/\((?:\?:)?([^()]*)\)\?/g, "$1")
    .replace(/\\(.)|\?/g, "$1")
    .replace(/\d[\d,]*/g, "N");

test("whatever a line of the check can say has words in each language", () => {
  const known = said.map(([english]) => plain(english)).join("\n");
  const files = readdirSync(folder).filter((name) => /^check_\w+\.cpp$/.test(name) && !ofCalls.includes(name));
  expect(files.length).toBeGreaterThan(8);
  const words = files.flatMap((name) => wordsOf(readFileSync(folder + name, "utf8")));
  const sentences = words.filter(
    (each) => each.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length >= 3 && !unsaid.includes(each),
  );
  expect(sentences.length).toBeGreaterThan(150);
  expect(sentences.filter((each) => !known.includes(each.replace(/\d[\d,]*/g, "N")))).toEqual([]);
});
