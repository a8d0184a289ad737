// The engine's WebAssembly program: the one that uses what this browser and this page have.
import type { Blank, Engine, EngineMaker, Evaluation, Options, StepReport, Summary } from "./engine";
import { guarded, startProgram } from "./program";

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

/** The program that this browser can run, which index.html begins to fetch. */
export interface Begun {
  /** Memory can be shared among threads: the page is cross-origin isolated. */
  threads: boolean;
  /** The program's, without its ending. */
  name: string;
  /** Where it lies: a URL that ends in a slash. */
  folder: string;
  response: Promise<Response>;
}

/** Starts the program called `name`, which may still be on its way. */
export async function loadEngine(
  folder: string,
  name: string,
  program: Promise<WebAssembly.Module>,
): Promise<EngineMaker> {
  const module = await startProgram<BoundModule>(folder, name, program);
  return {
    open: (text: Uint8Array, options: Options) => guarded(() => bind(new module.Engine(text, options))),
    checkSize: (bytes: number) => guarded(() => module.checkTextSize(bytes)),
  };
}
