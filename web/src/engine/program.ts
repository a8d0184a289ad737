// Fetching, compiling and starting a WebAssembly program, and what it throws.
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
    throw Object.assign(new Error(fault.message), { name: fault.name });
  }
}

interface ModuleSettings {
  printErr(line: string): void;
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
}

/** Fetches and compiles the program called `name` in `folder`, a URL that ends in a slash; it may be on its way already. */
export async function compileProgram(
  folder: string,
  name: string,
  fetched?: Promise<Response>,
): Promise<WebAssembly.Module> {
  const url = `${folder}${name}.wasm`;
  const response = await (fetched ?? fetch(url));
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  // Compiled as it comes in, where the server says what it is.
  return response.headers.get("Content-Type")?.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/** Starts the program, which may still be on its way: what lies around it is loaded meanwhile. */
export async function startProgram<Bound>(
  folder: string,
  name: string,
  program: Promise<WebAssembly.Module>,
): Promise<Bound> {
  let failed: (reason: unknown) => void;
  const failure = new Promise<never>((_, reject) => (failed = reject));
  const start = async () => {
    const { default: make } = (await import(/* @vite-ignore */ `${folder}${name}.mjs`)) as {
      default: (settings: ModuleSettings) => Promise<Bound>;
    };
    return make({
      printErr: (line) => console.warn(line),
      instantiateWasm(imports, done) {
        program.then(async (module) => done(await WebAssembly.instantiate(module, imports), module)).catch(failed);
        return {};
      },
    });
  };
  const [module] = await Promise.race([Promise.all([start(), program]), failure]);
  return module;
}
