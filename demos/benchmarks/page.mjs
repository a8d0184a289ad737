// octet bench in Chromium: the same program in a page, with relaxed SIMD and then without.
//
//     ./run bench page [OPTIONS of octet bench...]
//
// Each prints the table of octet bench, its shares those of the peak that it measured itself. With --json each line says
// in which program and browser it was measured.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "../../web/node_modules/playwright-core/index.mjs";
import { serve } from "../../web/serve.mjs";

const programs = [
  { file: "octet_browser_relaxed.mjs", name: "with relaxed SIMD" },
  { file: "octet_browser.mjs", name: "without relaxed SIMD" },
];
const built = join(dirname(fileURLToPath(import.meta.url)), "../../build/wasm");
const given = ["bench", ...process.argv.slice(2)];

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
  await page.goto(address);
  const status = await page.evaluate(
    async ([file, given]) => {
      const { default: start } = await import(`/${file}`);
      return new Promise((onExit, failed) => {
        const options = { arguments: given, print: printed, printErr: printed, onExit, onAbort: failed };
        start(options).catch(failed);
      });
    },
    [file, given],
  );
  await page.close();
  return status;
}

const server = await serve({ root: built });
const browser = await chromium.launch({
  executablePath: process.env.OCTET_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
const measured = { browser: `Chromium ${browser.version()}` };
for (const { file, name } of programs) {
  if (!given.includes("--json")) console.log(`${measured.browser}, ${name}`);
  process.exitCode = await run(browser, server.address, file, (line) =>
    console.log(line.startsWith("{") ? JSON.stringify({ ...measured, program: name, ...JSON.parse(line) }) : line),
  );
  if (process.exitCode !== 0) break;
}
await browser.close();
await server.close();
