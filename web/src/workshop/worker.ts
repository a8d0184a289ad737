// The workshop's worker: starts the program at the first call, and then carries out one call after the other.
/// <reference lib="webworker" />
import { Refusal } from "../engine/engine";
import { compileProgram, guarded, startProgram } from "../engine/program";
import type { Call, Reply } from "./messages";

type Bound = Record<string, (request: unknown) => unknown>;

const name = "octet_workshop";
let program: Promise<Bound> | null = null;

function reply(reply: Reply): void {
  self.postMessage(reply);
}

self.onmessage = async ({ data: call }: MessageEvent<Call>) => {
  try {
    program ??= startProgram<Bound>(call.folder, name, compileProgram(call.folder, name));
    const bound = (await program)[call.name];
    if (!bound) throw new Error(`The workshop has no function ${call.name}.`);
    reply({ id: call.id, answer: guarded(() => bound(call.request)) });
  } catch (error) {
    if (error instanceof Refusal) reply({ id: call.id, refused: error.diagnostics });
    else reply({ broken: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
};
