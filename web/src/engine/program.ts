// Starting a WebAssembly program, and what it throws.
import { type Diagnostic, Refusal } from "./engine";

/** What a program throws (web/bindings/crossing.hpp): a plain object. */
interface Fault {
  name: "OctetError" | "EngineError";
  message: string;
  diagnostics: Diagnostic[];
}

/** What `call` returns; Octet's messages are thrown as Refusal, its other faults as Error. */
export function guarded<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error) throw error;
    const fault = error as Fault;
    if (fault.name === "OctetError") throw new Refusal(fault.diagnostics);
    const message = fault.message === "std::bad_alloc" ? "the page's memory is full" : fault.message;
    throw Object.assign(new Error(message), { name: fault.name });
  }
}

/** What Emscripten exports: starts a program. */
export type Make<Bound> = (settings: ModuleSettings) => Promise<Bound>;

interface ModuleSettings {
  printErr(line: string): void;
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
}

/** Starts the program, which may still be on its way: what lies around it is loaded meanwhile. */
export async function startProgram<Bound>(make: Make<Bound>, program: Promise<WebAssembly.Module>): Promise<Bound> {
  let failed: (reason: unknown) => void;
  const failure = new Promise<never>((_, reject) => (failed = reject));
  const started = make({
    printErr: (line) => console.warn(line),
    instantiateWasm(imports, done) {
      program.then(async (module) => done(await WebAssembly.instantiate(module, imports), module)).catch(failed);
      return {};
    },
  });
  return Promise.race([started, failure]);
}
