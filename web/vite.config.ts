// Builds the page into build/page/: static files with relative links, which work under any path.
// The engine's WebAssembly is built by CMake beforehand and copied here, its JavaScript joined with the worker's and made
// small (OCTET_WASM_DIR names another place to take it from).
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, defineConfig, minify, type Plugin } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));
const wasmFolder = resolve(here, process.env.OCTET_WASM_DIR ?? "../build/wasm");
const pageFolder = resolve(here, "../build/page");
const engines = ["octet_web", "octet_web_single", "octet_web_relaxed", "octet_web_relaxed_single"];
const engineFiles = [
  // What a visit rarely calls is in a file of its own (cmake/page_split.cmake).
  ...engines.flatMap((program) => [`${program}.mjs`, `${program}.wasm`, `${program}.rest.wasm`]),
  "octet_workshop.mjs",
  "octet_workshop.wasm",
];

const target = "es2022";
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** The engine's worker as one script, which imports nothing but an engine's. */
async function workerScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      minify: false,
      target,
      lib: { entry: join(here, "src/engine/worker.ts"), formats: ["es"] },
      rollupOptions: { external: ["octet-engine"] },
    },
  });
  const [result] = [built].flat();
  if (!result || !("output" in result)) throw new Error("The engine's worker was not built.");
  return result.output[0].code;
}

/**
 * An engine's script with the worker's in it, which comes second. The threads of a program start with the same file, under
 * a name that Emscripten gives them, and leave the worker out.
 */
function joined(engine: string, worker: string): string {
  const replaced = (text: string, what: string | RegExp, by: string) => {
    if (text.split(what).length !== 2) throw new Error(`The page's engine and worker do not fit together: ${what}`);
    return text.replace(what, by);
  };
  const rest = replaced(worker, /^import make from "octet-engine";$/m, "const make = Module;");
  return `${replaced(engine, "export default Module;", "")}\nif (!self.name.startsWith("em-pthread")) {\n${rest}\n}\n`;
}

/**
 * Where a build has the engine: each its own folder, named by what is in it. A page that a browser kept, or reads anew,
 * would run with the engine of another day that it kept besides.
 */
async function builtFolder(worker: string): Promise<string> {
  const hash = createHash("sha256").update(worker);
  for (const file of engineFiles) hash.update(await readFile(join(wasmFolder, file)));
  return `engine-${hash.digest("hex").slice(0, 8)}`;
}

/** A file as the page has it: JavaScript without its comments and long names, that of engines with the worker. */
async function copySmall(from: string, to: string, worker: string): Promise<void> {
  if (!from.endsWith(".mjs")) return copyFile(from, to);
  const script = await readFile(from, "utf8");
  const isEngine = engines.some((program) => from.endsWith(`/${program}.mjs`));
  const { code } = await minify(from, isEngine ? joined(script, worker) : script, { module: true });
  await writeFile(to, code);
}

/** Puts the engine's files where the page asks for them: copied for a build, served as they are in development. */
function engine(): Plugin {
  let worker = "";
  let folder = "engine";
  return {
    name: "octet-engine",
    transformIndexHtml: (html) => html.replace("./engine/", `./${folder}/`),
    async buildStart() {
      if (this.meta.watchMode) return;
      for (const file of engineFiles)
        await access(join(wasmFolder, file)).catch(() => {
          throw new Error(`${join(wasmFolder, file)} is missing: build the target octet_page first (./run demo does).`);
        });
      worker = await workerScript();
      folder = await builtFolder(worker);
    },
    configureServer(server) {
      server.middlewares.use("/engine/", (request, response, next) => {
        const file = engineFiles.find((name) => request.url?.split("?")[0] === `/${name}`);
        if (!file) return next();
        response.setHeader("Content-Type", file.endsWith(".wasm") ? "application/wasm" : "text/javascript");
        for (const [name, value] of Object.entries(isolation)) response.setHeader(name, value);
        const from = join(wasmFolder, file);
        if (!engines.includes(file.replace(/\.mjs$/, ""))) createReadStream(from).on("error", next).pipe(response);
        else
          Promise.all([readFile(from, "utf8"), workerScript()]).then(
            ([script, worker]) => response.end(joined(script, worker)),
            next,
          );
      });
    },
    async closeBundle() {
      if (this.meta.watchMode) return;
      await mkdir(join(pageFolder, folder), { recursive: true });
      for (const file of engineFiles) await copySmall(join(wasmFolder, file), join(pageFolder, folder, file), worker);
    },
  };
}

/** The script within the page without its comments and long names, as in files of scripts. */
function smallWithin(): Plugin {
  return {
    name: "octet-small-within",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      async handler(html) {
        const [element, script] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
        if (!element || !script) throw new Error("The page has no script within.");
        const { code } = await minify("within.js", script);
        return html.replace(element, () => `<script>${code.trim()}</script>`).replace(/<!--.*?-->\s*/gs, "");
      },
    },
  };
}

export default defineConfig({
  root: here,
  base: "./",
  plugins: [engine(), smallWithin()],
  server: { host: "127.0.0.1", headers: isolation },
  worker: { format: "es" },
  build: {
    outDir: pageFolder,
    emptyOutDir: true,
    target,
    modulePreload: { polyfill: false },
    // The page's own script is one file, with what sections use too of it: HTTP/1.1 sends six at once.
    rollupOptions: { output: { codeSplitting: { groups: [{ name: "index", test: /\/src\/main\.ts$/ }] } } },
  },
});
