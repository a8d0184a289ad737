// The engine's WebAssembly program: the one that uses what this browser and this page have.
import type { Blank, Engine, EngineMaker, Evaluation, Options, StepReport, Summary } from "./engine";
import { guarded, type Make, startProgram } from "./program";

/** The functions of web/bindings/octet_web.cpp; an engine is its address. */
export interface BoundModule {
  open(request: { text: Uint8Array; options: Options }): number;
  close(engine: number): void;
  step(engine: number): StepReport;
  evaluate(engine: number): Evaluation;
  fill(request: { engine: number; sentence: string; count: number }): Blank[];
  summary(engine: number): Summary;
  parametersHash(engine: number): string;
  checkTextSize(bytes: number): void;
  /** Asked by web/bindings/rest.js. */
  canCallAgain?: boolean;
  /** Of the program with threads: fulfilled when all of them have started. */
  pthreadPoolReady?: Promise<unknown>;
}

function opened(module: BoundModule, engine: number): Engine {
  return {
    step: () => guarded(() => module.step(engine)),
    evaluate: () => guarded(() => module.evaluate(engine)),
    fill(sentence, count, canCallAgain) {
      module.canCallAgain = canCallAgain;
      try {
        return guarded(() => module.fill({ engine, sentence, count }));
      } finally {
        module.canCallAgain = false;
      }
    },
    summary: () => guarded(() => module.summary(engine)),
    parametersHash: () => guarded(() => module.parametersHash(engine)),
    close: () => module.close(engine),
  };
}

/** The program that this browser can run and the worker it runs in, which index.html begins to load. */
export interface Begun {
  /** Memory can be shared among threads: the page is cross-origin isolated. */
  threads: boolean;
  /** Takes orders; the program is sent to it as soon as it is there. */
  worker: Worker;
  /** Where the engine's files are: a URL that ends in a slash. */
  folder: string;
  /** Never fulfilled; rejected where the worker or the program does not come. */
  broken: Promise<never>;
}

/** How long threads are waited for, in milliseconds; they take 30 on two cores. A run goes on without those that are late. */
const patience = 150;

/**
 * Starts the program, which may still be on its way. A browser starts a worker's threads only while that worker rests, so it
 * does until they are there: the first step would be over before it rests again.
 */
export async function loadEngine(make: Make<BoundModule>, program: Promise<WebAssembly.Module>): Promise<EngineMaker> {
  const module = await startProgram(make, program);
  if (module.pthreadPoolReady)
    await Promise.race([module.pthreadPoolReady, new Promise((resolve) => setTimeout(resolve, patience))]);
  return {
    open: (text: Uint8Array, options: Options) =>
      opened(
        module,
        guarded(() => module.open({ text, options })),
      ),
    checkSize: (bytes: number) => guarded(() => module.checkTextSize(bytes)),
  };
}
