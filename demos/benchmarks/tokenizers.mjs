// Times what `octet tokenizer` does beside Hugging Face's tokenizers, on this machine, in one run.
//
//     npm install tokenizers@0.23 --ignore-scripts            # anywhere; it ships its binaries
//     node tokenizers.mjs --octet build/native/octet --modules DIR/node_modules TEXT...
//
// Both train 30,000 pieces on the files (that binding takes no options), and encode them with what Octet learned, on one
// thread. A line of JSON each: seconds, peak memory as a multiple of the text, and the ratio of the seconds, above 1 where
// Octet is faster; of training, the share of Octet's pieces that both learned, of BPE also of the merges, at their ranks; of
// encoding, the numbers of tokens (of BPE theirs lack the ends of lines).
// Those seconds leave out starting up and reading the text for theirs, and count everything, files written too, for Octet's.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const normalizer = { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: false, lowercase: true };
const empty = {
  wordpiece: { normalizer, pre_tokenizer: { type: "BertPreTokenizer" }, decoder: { type: "WordPiece", prefix: "##", cleanup: true },
               model: { type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 100, vocab: {} } },
  bpe: { normalizer: null, pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
         decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true }, model: { type: "BPE", vocab: {}, merges: [] } },
};

// In a process of its own, whose memory is then its own.
async function theirs(modules, task, kind, model, files) {
  const { Tokenizer } = createRequire(join(modules, "x.js"))("tokenizers");
  let begin = process.hrtime.bigint(), tokens = 0;
  if (task === "train") {
    const tokenizer = Tokenizer.fromString(JSON.stringify({ version: "1.0", added_tokens: [], post_processor: null, ...empty[kind] }));
    tokenizer.train(files);
    tokenizer.save(model);
  } else {
    const tokenizer = Tokenizer.fromFile(model);
    const lines = files.flatMap((file) => readFileSync(file, "utf8").split("\n"));
    begin = process.hrtime.bigint();
    for (let at = 0; at < lines.length; at += 1000)
      for (const encoding of await tokenizer.encodeBatch(lines.slice(at, at + 1000), { addSpecialTokens: false })) tokens += encoding.getLength();
  }
  console.log(JSON.stringify({ seconds: Number(process.hrtime.bigint() - begin) / 1e9, tokens }));
}

// Seconds and peak memory of a program; memory by looking, so a short program's may be told too small.
function measured(command, argv, environment = {}) {
  return new Promise((done, fail) => {
    const begin = process.hrtime.bigint();
    const child = spawn(command, argv, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...environment } });
    let bytes = 0, out = "";
    const look = setInterval(() => {
      try {
        bytes = Math.max(bytes, 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0));
      } catch {}
    }, 5);
    child.stdout.on("data", (part) => (out = (out + part).slice(-2000)));
    child.on("error", fail);
    child.on("close", (status) => {
      clearInterval(look);
      if (status !== 0) fail(new Error(`${command} ${argv.join(" ")} ended with ${status}`));
      else done({ seconds: Number(process.hrtime.bigint() - begin) / 1e9, bytes, out });
    });
  });
}

// What both learned, of what Octet did.
function shared(ours, theirs) {
  const [a, b] = [ours, theirs].map((file) => JSON.parse(readFileSync(file, "utf8")).model);
  const pieces = Object.keys(a.vocab), result = { pieces_shared: pieces.filter((piece) => piece in b.vocab).length / pieces.length };
  if (a.merges) {
    const merges = [a, b].map((model) => model.merges.map((merge) => (Array.isArray(merge) ? merge.join(" ") : merge)));
    result.merges_shared = merges[0].filter((merge, rank) => merge === merges[1][rank]).length / merges[0].length;
  }
  return result;
}

const self = fileURLToPath(import.meta.url);
const args = process.argv.slice(2);
if (args[0] === "--theirs") {
  await theirs(args[1], args[2], args[3], args[4], args.slice(5));
} else {
  const options = { "--octet": "build/native/octet", "--modules": "node_modules" }, files = [];
  for (let i = 0; i < args.length; ++i) args[i] in options ? (options[args[i]] = args[++i]) : files.push(resolve(args[i]));
  const octet = resolve(options["--octet"]), modules = resolve(options["--modules"]);
  const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const folder = mkdtempSync(join(tmpdir(), "octet-tokenizers-"));
  const times = (bytes) => Number((bytes / size).toFixed(2)), round = (seconds) => Number(seconds.toFixed(3));
  try {
    for (const kind of ["wordpiece", "bpe"]) {
      const training = ["tokenizer", "train", "--kind", kind, "--text", ...files, "--vocab-size", "30000", "--min-frequency", "1",
        ...(kind === "wordpiece" ? ["--limit-alphabet", "1000000"] : [])];
      const own = await measured(octet, [...training, "--out", join(folder, kind)]);
      const alone = await measured(octet, [...training, "--out", join(folder, kind + "1"), "--threads", "1"]);
      const model = join(folder, kind + ".json");
      const other = await measured(process.execPath, [self, "--theirs", modules, "train", kind, model, ...files]);
      const seconds = JSON.parse(other.out).seconds;
      console.log(JSON.stringify({ task: "train", kind, text_bytes: size, seconds: round(own.seconds), seconds_one_thread: round(alone.seconds),
        times_the_text: times(own.bytes), theirs_seconds: round(seconds), theirs_times_the_text: times(other.bytes),
        ratio: round(seconds / own.seconds), ...shared(join(folder, kind, "tokenizer.json"), model) }));

      writeFileSync(join(folder, "all.txt"), files.map((file) => readFileSync(file, "utf8")).join("\n"));
      const data = kind === "bpe" ? ["data", "causal", "--documents", "files"] : ["data", "bert", "--on-the-fly"];
      const encoded = await measured(octet, [...data, "--text", join(folder, "all.txt"), "--model", join(folder, kind), "--out",
        join(folder, kind + "-data"), "--threads", "1", "--json"]);
      const theirs = await measured(process.execPath, [self, "--theirs", modules, "encode", kind, join(folder, kind, "tokenizer.json"),
        join(folder, "all.txt")], { RAYON_NUM_THREADS: "1", TOKENIZERS_PARALLELISM: "false" });
      const other_way = JSON.parse(theirs.out);
      console.log(JSON.stringify({ task: "encode", kind, text_bytes: size, seconds: round(encoded.seconds), theirs_seconds: round(other_way.seconds),
        ratio: round(other_way.seconds / encoded.seconds), tokens: Number(/"tokens":(\d+)/.exec(encoded.out)?.[1]), theirs_tokens: other_way.tokens }));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
