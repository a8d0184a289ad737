// Writes the names of the functions that a visit of the page does not call, one a line, for wasm-split:
//
//   node page_profile.mjs WASM_SPLIT PROGRAM.mjs INSTRUMENTED.wasm TEXTS OUTPUT -- FEATURES...
//
// PROGRAM is linked without threads; INSTRUMENTED.wasm is that program made by `wasm-split --instrument`. A visit, here, is
// training on each of the page's own texts and on some of a visitor's own, with odd sizes too, and asking for missing words,
// also in sentences that have none. What threads need is kept by name, as this program has none, and what a browser alone calls.
// The program is the one with relaxed SIMD, which most browsers are given: its products have functions of their own.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";

setFlagsFromString("--experimental-wasm-relaxed-simd"); // node 20 has it, and does not use it unasked

const [tool, program, instrumented, texts, output, , ...features] = process.argv.slice(2);
const kept = [
  /^_*(cxa_.*exception|pthread|emscripten|wasm|em_|lock|unlock|(timed)?wait|futex|proxy|do_proxy|tls|sysconf)/, // C's
  /^_ZNK?(10__cxxabiv1|St13exception_ptr)|^_ZSt17(rethrow|current)_exception/, // C++'s
  /^_ZNK?St3__2.*(mutex|condition_variable|thread|call_once|atomic|assoc_sub_state|_lock)/,
  /^_ZZ?NK?5octetW5octetW4base7Threads(?!5share|8for_each)|W4base7Threads4Pool/, // those two are called with one thread, too
  /^_ZNSt3__212basic_string.*19__null_terminate_at/, // of a string that is given a text no longer than it has room for
];

let instance;
const { default: make } = await import(pathToFileURL(resolve(program)).href);
const engine = await make({
  printErr() {},
  instantiateWasm(imports, done) {
    const module = new WebAssembly.Module(readFileSync(instrumented));
    instance = new WebAssembly.Instance(module, imports);
    done(instance, module);
    return instance.exports;
  },
});

function refused(call) {
  try {
    call();
  } catch (fault) {
    if (fault.name === "OctetError") return;
    throw fault;
  }
  throw new Error("A call that ought to be refused was not.");
}

function train(text, options, sentence) {
  const fill = (sentence) => engine.fill({ engine: run, sentence, count: 5 });
  const run = engine.open({ text, options: { seed: 1, learning_rate: 0.001, threads: 1, steps: 3, ...options } });
  engine.summary(run);
  fill(sentence);
  for (let step = 0; step < 3; ++step) engine.step(run);
  engine.evaluate(run);
  engine.parametersHash(run);
  fill(`${sentence} [MASK]`);
  refused(() => fill("Nothing is missing."));
  refused(() => fill(`${"very ".repeat(600)}[MASK]`));
  engine.close(run);
}

const usual = {
  vocab_size: 2048,
  layers: 2,
  hidden: 128,
  heads: 2,
  intermediate: 512,
};
const bytes = (text) => new TextEncoder().encode(text);
for (const name of readdirSync(texts).filter((each) => each.endsWith(".txt"))) {
  const text = readFileSync(join(texts, name));
  const sentence = text.toString().split("\n")[3].replace(/^\S+/, "[MASK]");
  train(text, { ...usual, seq: 32, packing: "none" }, sentence); // as the page opens it
  train(text, { ...usual, packing: "lines" }, sentence); // as a file of a visitor's own
}
const marks =
  "\uFEFFÀ l'été, un café 😀 coûte\t5,50 €!\r\nİstanbul e\u0301te\u0301 한글 ﬁn 中文字 カナ ｶﾅ\u200B ǅ ß\r\n";
const varied = bytes(marks.repeat(60) + "Anna likes bread. Peter likes fish.\n\n\n".repeat(200));
const odd = {
  seq: 17,
  batch: 24,
  vocab_size: 300,
  hidden: 48,
  heads: 3,
  intermediate: 100,
  warmup_steps: 0,
};
train(varied, { ...odd, layers: 1, packing: "lines" }, "É [MASK] 😀 中 ");
train(varied, { ...odd, layers: 3, packing: "none", steps: 2 ** 20 }, "[MASK] ǅ likes");
train(
  varied,
  {
    ...usual,
    seq: 128,
    batch: 8,
    hidden: 320,
    heads: 5,
    intermediate: 1280,
    layers: 1,
  },
  "fish [MASK]",
);

// The program is over: its memory may take the profile.
const memory = Object.values(instance.exports).find((each) => each instanceof WebAssembly.Memory);
const place = 65536;
const size = instance.exports.__write_profile(place, memory.buffer.byteLength - place);
const profile = `${output}.profile`;
writeFileSync(profile, new Uint8Array(memory.buffer, place, size));
const listed = execFileSync(tool, [...features, "--print-profile", profile, program.replace(/\.mjs$/, ".wasm")], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
  maxBuffer: 2 ** 26,
});
rmSync(profile);
const uncalled = listed.split("\n").flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : []));
if (uncalled.length === 0) throw new Error("wasm-split named no function that is not called.");

/**
 * Whether this is what other threads run of a loop that was called: the function within Threads::for_each(), unless that is
 * there and was not called.
 */
function ofCalledLoop(name) {
  const [, loop] = /^_Z(ZN5octetW5octetW4base7Threads8for_each.*)ENUlPvmE_8__invokeE/.exec(name) ?? [];
  return loop !== undefined && !uncalled.includes(`_${loop}`);
}

/** Who calls this asks for the text of a message, which is in the second file (page_texts.mjs). */
const messages = "_ZN5octetW5octetW4base9catalogueEv";
if (!listed.split("\n").includes(`+ ${messages}`)) throw new Error(`No call that is refused calls ${messages}.`);

const rest = uncalled.filter((name) => !kept.some((each) => each.test(name)) && !ofCalledLoop(name));
rest.push(messages);
writeFileSync(output, rest.join("\n"));
