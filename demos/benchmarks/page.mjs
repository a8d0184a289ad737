// octet bench in Chromium: the same program in a page, with relaxed SIMD and then without; and how soon the page trains.
//
//     ./run bench page [OPTIONS of octet bench...]
//     ./run bench page --visits N
//
// Each program prints the table of octet bench, its shares those of the peak that it measured itself. With --json each line
// says in which program and browser it was measured. With --visits the page that is built is visited so often instead, each
// time as if never before, by a browser that has nothing else to do: until its first training step is over.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "../../web/node_modules/playwright-core/index.mjs";
import { serve } from "../../web/serve.mjs";

const programs = [
  { file: "octet_browser_relaxed.mjs", name: "with relaxed SIMD" },
  { file: "octet_browser.mjs", name: "without relaxed SIMD" },
];
const build = join(dirname(fileURLToPath(import.meta.url)), "../../build");
const given = ["bench", ...process.argv.slice(2)];
const { values: own, tokens } = parseArgs({
  options: { visits: { type: "string" }, json: { type: "boolean" } },
  strict: false, // the others are those of octet bench
  tokens: true,
});
const json = own.json === true;
const visits = Number(own.visits === true ? NaN : (own.visits ?? 0));
if (own.visits !== undefined && !(Number.isInteger(visits) && visits > 0)) {
  console.error("--visits takes a whole number above 0: how often the page is visited.");
  process.exit(2);
}
if (visits > 0 && tokens.some(({ name }) => name !== "visits" && name !== "json")) {
  console.error("--visits measures the page alone: of the other options it takes --json.");
  process.exit(2);
}

/** An empty page that may start threads. */
const empty = {
  contentType: "text/html",
  body: "",
  headers: { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" },
};

/** Runs a program in a page of its own; resolves to its exit status. */
async function run(browser, address, file, printed) {
  const page = await browser.newPage();
  await page.route(address, (route) => route.fulfill(empty));
  await page.exposeFunction("printed", printed);
  // An exception on the page's own thread reaches neither onExit nor onAbort.
  const failed = new Promise((_, fail) => page.once("pageerror", fail));
  await page.goto(address);
  const ended = page.evaluate(
    async ([file, given]) => {
      const { default: start } = await import(`/${file}`);
      return new Promise((onExit, failed) => {
        const options = { arguments: given, print: printed, printErr: printed, onExit, onAbort: failed };
        start(options).catch(failed);
      });
    },
    [file, given],
  );
  const status = await Promise.race([ended, failed]);
  await page.close();
  return status;
}

/** Milliseconds from navigation to the end of the first training step, in a visit by a browser that has come to rest. */
async function firstStep(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await new Promise((rested) => setTimeout(rested, 1000)); // a browser takes a while to begin a window, and to end one
  await page.goto(address);
  await page.locator("[data-hash-step='1']").waitFor();
  const milliseconds = await page.evaluate(() => performance.getEntriesByName("under way")[0].startTime);
  await context.close();
  return milliseconds;
}

const server = await serve({ root: join(build, visits > 0 ? "page" : "wasm") });
const browser = await chromium.launch({
  executablePath: process.env.OCTET_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
const measured = { browser: `Chromium ${browser.version()}` };
if (visits > 0) {
  const times = [];
  for (let visit = 0; visit < visits; ++visit) times.push(await firstStep(browser, server.address));
  times.sort((a, b) => a - b);
  const at = (share) => {
    const place = share * (visits - 1);
    return (times[Math.floor(place)] + times[Math.ceil(place)]) / 2;
  };
  const ms = { median: at(0.5), quartile_1: at(0.25), quartile_3: at(0.75) };
  const [median, first, third] = Object.values(ms).map(Math.round);
  const sentence =
    `the first training step is over ${median} ms after navigation ` +
    `(median of ${visits} visits; quartiles ${first} and ${third})`;
  console.log(json ? JSON.stringify({ ...measured, bench: "first step", visits, ms }) : `${measured.browser}: ${sentence}`);
}
for (const { file, name } of visits > 0 ? [] : programs) {
  if (!json) console.log(`${measured.browser}, ${name}`);
  process.exitCode = await run(browser, server.address, file, (line) =>
    console.log(line.startsWith("{") ? JSON.stringify({ ...measured, program: name, ...JSON.parse(line) }) : line),
  ).catch((error) => {
    console.error(`The page failed: ${error.message}`);
    return 1;
  });
  if (process.exitCode !== 0) break;
}
await browser.close();
await server.close();
