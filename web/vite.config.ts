// Builds the page into build/page/: static files with relative links, which work under any path.
// The engine's WebAssembly is built by CMake beforehand and copied here, its JavaScript made small (OCTET_WASM_DIR names
// another place to take it from).
import { createReadStream } from "node:fs";
import { access, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, minify, type Plugin } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));
const wasmFolder = resolve(here, process.env.OCTET_WASM_DIR ?? "../build/wasm");
const pageFolder = resolve(here, "../build/page");
const engineFiles = [
  // What a visit rarely calls is in a file of its own (cmake/page_split.cmake).
  ...["web", "web_single", "web_relaxed", "web_relaxed_single"].flatMap((program) => [
    `octet_${program}.mjs`,
    `octet_${program}.wasm`,
    `octet_${program}.rest.wasm`,
  ]),
  "octet_workshop.mjs",
  "octet_workshop.wasm",
];

const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** Copies a file; JavaScript without its comments and long names. */
async function copySmall(from: string, to: string): Promise<void> {
  if (!from.endsWith(".mjs")) return copyFile(from, to);
  const { code } = await minify(from, await readFile(from, "utf8"), { module: true });
  await writeFile(to, code);
}

/** Puts the engine's files at engine/ of the page: copied for a build, served as they are in development. */
function engine(): Plugin {
  return {
    name: "octet-engine",
    configureServer(server) {
      server.middlewares.use("/engine/", (request, response, next) => {
        const file = engineFiles.find((name) => request.url?.split("?")[0] === `/${name}`);
        if (!file) return next();
        response.setHeader("Content-Type", file.endsWith(".wasm") ? "application/wasm" : "text/javascript");
        for (const [name, value] of Object.entries(isolation)) response.setHeader(name, value);
        createReadStream(join(wasmFolder, file)).on("error", next).pipe(response);
      });
    },
    async closeBundle() {
      if (this.meta.watchMode) return;
      await mkdir(join(pageFolder, "engine"), { recursive: true });
      for (const file of engineFiles) {
        const from = join(wasmFolder, file);
        await access(from).catch(() => {
          throw new Error(`${from} is missing: build the target octet_page first (./run demo does).`);
        });
        await copySmall(from, join(pageFolder, "engine", file));
      }
    },
  };
}

/** Has what draws the page fetched together with what starts it. */
function drawnSoon(): Plugin {
  return {
    name: "octet-drawn-soon",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle }) => {
        const draw = Object.values(bundle ?? {}).find((chunk) => chunk.type === "chunk" && chunk.name === "draw");
        if (draw?.type !== "chunk") throw new Error("The chunk that draws the page is missing.");
        return [draw.fileName, ...draw.imports]
          .filter((file) => !html.includes(file))
          .map((file) => ({ tag: "link", attrs: { rel: "modulepreload", href: `./${file}` } }));
      },
    },
  };
}

export default defineConfig({
  root: here,
  base: "./",
  plugins: [engine(), drawnSoon()],
  server: { host: "127.0.0.1", headers: isolation },
  worker: { format: "es" },
  build: {
    outDir: pageFolder,
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
  },
});
