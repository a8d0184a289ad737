// Loads the engine's WebAssembly program: the one that uses what this browser and this page have.
import type { Blank, Diagnostic, Engine, EngineMaker, Evaluation, Options, StepReport, Summary } from "./engine";
import { Refusal } from "./engine";

/** The class that web/bindings/octet_web.cpp exports. */
interface BoundEngine {
  step(): StepReport;
  evaluate(): Evaluation;
  fill(sentence: string, count: number): Blank[];
  summary(): Summary;
  parametersHash(): string;
  delete(): void;
}

interface BoundModule {
  Engine: new (text: Uint8Array, options: Options) => BoundEngine;
  checkTextSize(bytes: number): void;
}

interface ModuleSettings {
  printErr(line: string): void;
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
}

type ModuleFactory = (settings: ModuleSettings) => Promise<BoundModule>;

/** What the engine throws: a plain object. */
interface Fault {
  name: "OctetError" | "EngineError";
  message: string;
  diagnostics: Diagnostic[];
}

/** What `call` returns; the engine's messages are thrown as Refusal, its other faults as Error. */
function guarded<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error) throw error;
    const fault = error as Fault;
    if (fault.name === "OctetError") throw new Refusal(fault.diagnostics);
    throw Object.assign(new Error(fault.message), { name: fault.name });
  }
}

function bind(bound: BoundEngine): Engine {
  return {
    step: () => guarded(() => bound.step()),
    evaluate: () => guarded(() => bound.evaluate()),
    fill: (sentence, count) => guarded(() => bound.fill(sentence, count)),
    summary: () => guarded(() => bound.summary()),
    parametersHash: () => guarded(() => bound.parametersHash()),
    close: () => bound.delete(),
  };
}

/** What the program that is loaded may use. */
export interface Abilities {
  /** Memory can be shared among threads: the page is cross-origin isolated. */
  threads: boolean;
  /** The engine has WebAssembly's relaxed SIMD: a multiply-add is one operation. */
  relaxedSimd: boolean;
}

function nameOf(abilities: Abilities): string {
  return `octet_web${abilities.relaxedSimd ? "_relaxed" : ""}${abilities.threads ? "" : "_single"}`;
}

/** Fetches and compiles the program in `folder`, a URL that ends in a slash. */
export async function compileProgram(folder: string, abilities: Abilities): Promise<WebAssembly.Module> {
  const url = `${folder}${nameOf(abilities)}.wasm`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  // Compiled as it comes in, where the server says what it is.
  return response.headers.get("Content-Type")?.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/** Starts the program, which may still be on its way: what lies around it is loaded meanwhile. */
export async function loadEngine(
  folder: string,
  abilities: Abilities,
  program: Promise<WebAssembly.Module>,
): Promise<EngineMaker> {
  const start = async () => {
    const { default: make } = (await import(/* @vite-ignore */ `${folder}${nameOf(abilities)}.mjs`)) as {
      default: ModuleFactory;
    };
    return make({
      printErr: (line) => console.warn(line),
      instantiateWasm(imports, done) {
        void program.then(async (module) => done(await WebAssembly.instantiate(module, imports), module));
        return {};
      },
    });
  };
  const [module] = await Promise.all([start(), program]);
  return {
    open: (text: Uint8Array, options: Options) => guarded(() => bind(new module.Engine(text, options))),
    checkSize: (bytes: number) => guarded(() => module.checkTextSize(bytes)),
  };
}
