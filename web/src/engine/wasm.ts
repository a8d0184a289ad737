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

/** What the program that is loaded may use. */
export interface Abilities {
  /** Memory can be shared among threads: the page is cross-origin isolated. */
  threads: boolean;
  /** The engine has WebAssembly's relaxed SIMD: a multiply-add is one operation. */
  relaxedSimd: boolean;
}

/** The program's name, without its ending. */
export function nameOf(abilities: Abilities): string {
  return `octet_web${abilities.relaxedSimd ? "_relaxed" : ""}${abilities.threads ? "" : "_single"}`;
}

/** Starts the program, which may still be on its way. */
export async function loadEngine(
  folder: string,
  abilities: Abilities,
  program: Promise<WebAssembly.Module>,
): Promise<EngineMaker> {
  const module = await startProgram<BoundModule>(folder, nameOf(abilities), program);
  return {
    open: (text: Uint8Array, options: Options) => guarded(() => bind(new module.Engine(text, options))),
    checkSize: (bytes: number) => guarded(() => module.checkTextSize(bytes)),
  };
}
