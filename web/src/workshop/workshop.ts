// The workshop: the library behind the sections below the training part. It is a WebAssembly program of its own
// (octet_workshop, one thread), loaded in a worker of its own at the first call, so that neither the training engine nor the
// first load grows with it.
//
// To add a section called "machine": put what it calls into web/bindings/workshop/machine.cpp, functions of one object that
// return one object, named in a crossing::Functions; write their types in web/src/workshop/machine.ts as an interface of
// promises and make them callable with workshop<MachineCalls>(); draw the section in web/src/view/machine/, whose module's
// default export takes the session, with its style beside the others in web/src/style/machine.css and its words in
// web/src/language/machine.{en,ko,ja}.ts, joined in machine.ts; and name it in web/src/view/sections.tsx, with its title among
// the page's own words. What of its state belongs into the link, keep with session.keep("machine.slice", …) and read with
// session.kept("machine.slice"). Refusals arrive as Refusal, to be shown with Diagnostics (view/diagnostics.tsx); tests go to
// tests/page/machine.test.ts.
import { Refusal } from "../engine/engine";
import type { Call, Reply } from "./messages";

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

let worker: Worker | null = null;
let calls = 0;
const waiting = new Map<number, Waiting>();

/** After a break nothing of the program can be trusted: the next call starts another. */
function broke(reason: string): void {
  worker?.terminate();
  worker = null;
  const ended = [...waiting.values()];
  waiting.clear();
  for (const each of ended) each.reject(new Error(reason));
}

function take(reply: Reply): void {
  if ("broken" in reply) return broke(reply.broken);
  const call = waiting.get(reply.id);
  waiting.delete(reply.id);
  if ("refused" in reply) call?.reject(new Refusal(reply.refused));
  else call?.resolve(reply.answer);
}

function start(): Worker {
  const started = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  started.onmessage = ({ data }: MessageEvent<Reply>) => take(data);
  started.onerror = (event) => broke(event.message || "The workshop could not be loaded."); // a script that does not come has none
  return started;
}

function call(name: string, request: unknown): Promise<unknown> {
  worker ??= start();
  const message: Call = { id: ++calls, folder: octetEngine.folder, name, request };
  worker.postMessage(message);
  return new Promise((resolve, reject) => waiting.set(message.id, { resolve, reject }));
}

/** The program's functions, by the names and types of `Calls`. They reject with Refusal, or with Error where the program broke. */
export function workshop<Calls extends object>(): Calls {
  return new Proxy({} as Calls, {
    get:
      (_, name) =>
      (request: unknown = {}) =>
        call(String(name), request),
  });
}
