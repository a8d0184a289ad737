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

type ModuleFactory = (settings: { printErr: (line: string) => void }) => Promise<BoundModule>;

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

/** Loads the program from `folder`, a URL that ends in a slash. */
export async function loadEngine(folder: string, abilities: Abilities): Promise<EngineMaker> {
  const file = `octet_web${abilities.relaxedSimd ? "_relaxed" : ""}${abilities.threads ? "" : "_single"}.mjs`;
  const { default: make } = (await import(/* @vite-ignore */ `${folder}${file}`)) as { default: ModuleFactory };
  const module = await make({ printErr: (line) => console.warn(line) });
  return {
    open: (text: Uint8Array, options: Options) => guarded(() => bind(new module.Engine(text, options))),
    checkSize: (bytes: number) => guarded(() => module.checkTextSize(bytes)),
  };
}
