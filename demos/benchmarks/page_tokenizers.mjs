// Times what the page's tokenizers take for a text beside @huggingface/tokenizers, which is JavaScript, in Chromium.
//
//     npm install @huggingface/tokenizers@0.2                 # anywhere
//     node page_tokenizers.mjs --modules DIR/node_modules --model DIR --text FILE [--before FILE] [--visits N] [--calls N]
//
// DIR is what `octet tokenizer train` wrote. Each visit has a worker of its own that opens the tokenizer and encodes the lines
// of the text so many times, then has the other do the same: a browser makes code faster while it runs. A line of JSON each:
// milliseconds of the first call, whose words are new, and the median of the later half of the calls; how many times as fast
// as the other both are; and the tokens, special ones left out. Ours begins with the file's bytes, theirs with a string for
// each line; ours counts tokens by `measureLines`, theirs by the lengths of what `encode` gives. With `--before` both encode
// another text first, which is not timed: what then remains of a slower first call is not the browser's, but the new words'.
// Both begin when the browser has come to rest, which takes a while after it began a window or opened a tokenizer.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "../../web/node_modules/playwright-core/index.mjs";
import { serve } from "../../web/serve.mjs";

const { values: given } = parseArgs({
  options: {
    modules: { type: "string", default: "node_modules" },
    model: { type: "string" },
    text: { type: "string" },
    before: { type: "string" },
    visits: { type: "string", default: "3" },
    calls: { type: "string", default: "20" },
  },
});
const built = join(dirname(fileURLToPath(import.meta.url)), "../../build/wasm");
const json = readFileSync(join(given.model, "tokenizer.json"), "utf8");
const kind = JSON.parse(json).model.type === "BPE" ? "bpe" : "wordpiece";

/** What the worker does. */
async function worker() {
  const bytesOf = (path) => fetch(path).then(async (answer) => new Uint8Array(await answer.arrayBuffer()));
  const [source, before, json, module] = await Promise.all([
    bytesOf("/text"),
    bytesOf("/before"),
    fetch("/tokenizer.json").then((answer) => answer.text()),
    WebAssembly.compileStreaming(fetch("/octet_workshop.wasm")),
  ]);
  const [kind, calls] = new URL(self.location).search.slice(1).split("&");
  const linesOf = (bytes) =>
    new TextDecoder()
      .decode(bytes)
      .split("\n")
      .filter((line) => line.trim() !== "");
  const { default: make } = await import("/octet_workshop.mjs");
  const program = await make({
    printErr() {},
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
  });
  program.openTokenizer({ files: [{ name: "tokenizer.json", bytes: new TextEncoder().encode(json) }] });
  const { Tokenizer } = await import("/theirs.mjs");
  const other = new Tokenizer(JSON.parse(json), {});
  const timed = (call) => {
    const begin = performance.now(),
      tokens = call();
    return [performance.now() - begin, tokens];
  };
  const special = kind === "bpe" ? 0 : 2;
  const ours = (bytes) => () =>
    program
      .measureLines({ kind, name: "text", bytes, longest: 1e9 })
      .lengths.reduce((sum, length) => sum + length - special, 0);
  const theirs = (lines) => () =>
    lines.reduce((sum, line) => sum + other.encode(line, { add_special_tokens: false }).ids.length, 0);
  const measured = (call) => Array.from({ length: Number(calls) }, () => timed(call));
  const rested = () => new Promise((resolve) => setTimeout(resolve, 1500));
  await rested();
  if (before.length > 0) ours(before)();
  const first = measured(ours(source));
  await rested();
  if (before.length > 0) theirs(linesOf(before))();
  postMessage([first, measured(theirs(linesOf(source)))]);
}

const server = await serve({ root: built });
const browser = await chromium.launch({
  executablePath: process.env.OCTET_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
const files = {
  "": { contentType: "text/html", body: "" },
  "worker.mjs": {
    contentType: "text/javascript",
    body: `(${worker})().catch((error) => postMessage({ error: String(error?.message ?? error) }));`,
  },
  "theirs.mjs": {
    contentType: "text/javascript",
    path: join(given.modules, "@huggingface/tokenizers/dist/tokenizers.mjs"),
  },
  "tokenizer.json": { contentType: "application/json", body: json },
  text: { contentType: "text/plain", path: given.text },
  before: given.before ? { contentType: "text/plain", path: given.before } : { contentType: "text/plain", body: "" },
};
const round = (number) => Number(number.toFixed(1));
for (let visit = 0; visit < Number(given.visits); ++visit) {
  const context = await browser.newContext();
  for (const [name, answer] of Object.entries(files))
    await context.route(new RegExp(`^${server.address}/?${name}(\\?.*)?$`), (route) => route.fulfill(answer));
  const page = await context.newPage();
  await page.goto(server.address);
  const [ours, theirs] = await page.evaluate(
    (query) =>
      new Promise((done, fail) => {
        const worker = new Worker(`/worker.mjs?${query}`, { type: "module" });
        worker.onmessage = ({ data }) => (data.error ? fail(new Error(data.error)) : done(data));
        worker.onerror = ({ message }) => fail(new Error(message));
      }),
    `${kind}&${given.calls}`,
  );
  const first = (calls) => calls[0][0];
  const later = (calls) =>
    calls
      .slice(calls.length >> 1)
      .map(([milliseconds]) => milliseconds)
      .sort((a, b) => a - b)[calls.length >> 2];
  console.log(
    JSON.stringify({
      browser: `Chromium ${browser.version()}`,
      kind,
      first: round(first(ours)),
      later: round(later(ours)),
      theirs_first: round(first(theirs)),
      theirs_later: round(later(theirs)),
      ratio_first: round(first(theirs) / first(ours)),
      ratio_later: round(later(theirs) / later(ours)),
      tokens: ours[0][1],
      theirs_tokens: theirs[0][1],
    }),
  );
  await context.close();
}
await browser.close();
await server.close();
