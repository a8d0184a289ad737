// The workshop's worker: starts the program at the first call, and then carries out one call after the other.
/// <reference lib="webworker" />
import { Refusal } from "../engine/engine";
import { guarded, type Make, startProgram } from "../engine/program";
import type { Call, Reply } from "./messages";
import { byFile } from "./table_cures";

type Bound = Record<string, (request: unknown) => unknown>;

const name = "octet_workshop";

/** Fetches, compiles and starts the program in `folder`, a URL that ends in a slash. */
async function start(folder: string): Promise<Bound> {
  const compiled = fetch(`${folder}${name}.wasm`).then(async (response) => {
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    return response.headers.get("Content-Type")?.startsWith("application/wasm")
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer());
  });
  compiled.catch(() => {}); // told below, also where the script does not come
  const { default: make } = (await import(/* @vite-ignore */ `${folder}${name}.mjs`)) as { default: Make<Bound> };
  return startProgram(make, compiled);
}

let program: Promise<Bound> | null = null;

function reply(reply: Reply): void {
  self.postMessage(reply);
}

self.onmessage = async ({ data: call }: MessageEvent<Call>) => {
  try {
    program ??= start(call.folder);
    const bound = (await program)[call.name];
    if (!bound) throw new Error(`The workshop has no function ${call.name}.`);
    reply({ id: call.id, answer: guarded(() => bound(call.request)) });
  } catch (error) {
    if (error instanceof Refusal) reply({ id: call.id, refused: error.diagnostics.map(byFile) });
    else reply({ broken: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
};
