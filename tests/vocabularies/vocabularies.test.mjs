// With public vocabularies Octet gives the ids that their own encoders give, and the bytes back:
//
//     OCTET=build/native/octet node --test tests/vocabularies
//
// OCTET may be several words; OCTET_TEXTS names more files to try, with a colon between.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bertVocabulary, bytePairs, gpt2, gpt2Reference, tokenizerOf, wordPieces } from "./public.mjs";
import { samples } from "./samples.mjs";

const [program, ...first] = (
  process.env.OCTET ?? resolve(fileURLToPath(import.meta.url), "../../../build/native/octet")
).split(" ");
const folder = mkdtempSync(join(tmpdir(), "octet-vocabularies-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A directory with these files. */
function model(name, files) {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content);
  return path;
}

function octet(args, input = "") {
  const { status, stdout, stderr, error } = spawnSync(program, [...first, "tokenizer", ...args], {
    input,
    maxBuffer: 1 << 30,
  });
  assert.ok(status === 0 && !error, `octet tokenizer ${args[0]}: ${stderr} ${error ?? ""}`);
  return stdout;
}

/** `{ids, tokens, offsets}` of each text. What ends a line cannot be in one of standard input, so goes as an argument. */
function encoded(model, texts) {
  const encode = (more, input) =>
    octet(["encode", "--model", model, "--json", ...more], input)
      .toString()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  const several = texts.filter((text) => /[\r\n]/.test(text)),
    one = texts.filter((text) => !/[\r\n]/.test(text));
  const answers = new Map();
  const take = (asked, given) => {
    assert.equal(given.length, asked.length);
    asked.forEach((text, at) => answers.set(text, given[at]));
  };
  take(one, encode([], one.map((text) => `${text}\n`).join("")));
  for (let at = 0; at < several.length; at += 500) {
    const part = several.slice(at, at + 500);
    take(part, encode(["--", ...part]));
  }
  return texts.map((text) => answers.get(text));
}

/** The bytes that ids stand for, with what ends the line of ids. */
const decoded = (model, ids) => octet(["decode", "--model", model, "--keep-special"], `${ids.join(" ")}\n`);

/** Fails with the text and where the two lists differ first, and nothing longer. */
function same(mine, other, text) {
  const [a, b] = [mine, other].map((list) => list.map(String));
  const at = a.findIndex((each, at) => each !== b[at]);
  if (at < 0 && a.length === b.length) return;
  const near = (list) => list.slice(Math.max(at - 3, 0), at + 8).join(" ");
  assert.fail(`${JSON.stringify(text).slice(0, 300)} at ${at}: ${near(a)} instead of ${near(b)}`);
}

async function sameAs(peer, model, texts) {
  const ours = encoded(model, texts);
  const theirs = await peer.encodeBatch(texts, { addSpecialTokens: false });
  texts.forEach((text, at) => {
    const [mine, other] = [ours[at], theirs[at]];
    same(mine.ids, other.getIds(), text);
    same(mine.tokens, other.getTokens(), text);
    same(mine.offsets, other.getOffsets(), text);
  });
  return ours;
}

const special = ["<|endoftext|>", "one<|endoftext|> two", "<|endoftext|><|endoftext|>\n<|endoftext"];

for (const [from, files] of [
  ["vocab.json and merges.txt", { "vocab.json": gpt2["vocab.json"], "merges.txt": gpt2["merges.txt"] }],
  ["tokenizer.json", { "tokenizer.json": gpt2["tokenizer.json"] }],
])
  test(`GPT-2's vocabulary, from ${from}, gives GPT-2's ids and the same bytes again`, async () => {
    const path = model(from, files);
    const ours = await sameAs("merges.txt" in files ? bytePairs() : tokenizerOf(gpt2["tokenizer.json"]), path, [
      ...samples,
      ...special,
    ]);
    // That encoder has JavaScript's idea of white space, which is not Python's for these two, and looks up a pair of
    // pieces by both with a comma between, which is another pair's name where pieces have commas. It has no special tokens.
    const comparable = (text) => !/[\x85\ufeff]|,,|<\|endoftext\|>/.test(text);
    let compared = 0;
    samples.forEach((text, at) => {
      if (!comparable(text)) return;
      same(ours[at].ids, gpt2Reference.encode(text), text);
      assert.equal(gpt2Reference.decode(ours[at].ids), text);
      ++compared;
    });
    assert.ok(compared > 0.9 * samples.length);
    const all = [...samples, ...special].join("");
    const bytes = decoded(
      path,
      ours.flatMap(({ ids }) => ids),
    );
    assert.ok(bytes.equals(Buffer.from(`${all}\n`)));
  });

test("GPT-2's vocabulary has pieces for bytes that are no text", () => {
  const path = model("any bytes", gpt2);
  let seed = 7;
  const byte = () => (seed = (seed * 48271) % 2147483647) % 256;
  const noise = Buffer.from(Array.from({ length: 100_000 }, byte).filter((each) => each !== 10 && each !== 13));
  const line = Buffer.concat([noise, Buffer.from("\n")]);
  const ids = octet(["encode", "--model", path], line).toString().trim().split(" ").map(Number);
  assert.ok(decoded(path, ids).equals(line));
});

for (const lowercase of [true, false])
  test(`BERT's vocabulary gives BERT's ids, ${lowercase ? "uncased" : "with the case kept"}`, async () => {
    const peer = wordPieces({ lowercase });
    const path = model(`bert ${lowercase}`, {
      "vocab.txt": bertVocabulary,
      ...(lowercase ? {} : { "tokenizer_config.json": '{"do_lower_case": false}' }),
    });
    await sameAs(peer, path, samples);
    // And from the file that the other tokenizer writes.
    const written = model(`bert ${lowercase} json`, {});
    peer.save(join(written, "tokenizer.json"));
    await sameAs(peer, written, samples);
  });

test("pairs of texts become BERT's input", async () => {
  const peer = wordPieces({ lowercase: true });
  peer.setTruncation(24, { strategy: "LongestFirst" });
  peer.setPadding({ padToMultipleOf: 8, padId: 0, padToken: "[PAD]" });
  const path = model("bert pairs", { "vocab.txt": bertVocabulary });
  const lines = samples.filter((text) => text.trim() !== "" && !/[\t\r\n]/.test(text)).slice(0, 2000);
  const pairs = lines.slice(1).map((line, at) => [lines[at], line]);
  const ours = octet(
    ["encode", "--model", path, "--json", "--pairs", "--max-length", "24", "--pad-to-multiple-of", "8"],
    pairs.map((pair) => `${pair.join("\t")}\n`).join(""),
  )
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(ours.length, pairs.length);
  for (const [at, [one, two]] of pairs.entries()) {
    const theirs = await peer.encode(one, two);
    same(ours[at].ids, theirs.getIds(), [one, two]);
    same(ours[at].type_ids, theirs.getTypeIds(), [one, two]);
    same(ours[at].attention_mask, theirs.getAttentionMask(), [one, two]);
  }
});
