// The training loop: owns the engine, takes the page's orders, tells what happens.
// It runs in the worker, and in tests with an engine of the test's own; it knows neither threads nor windows.
import type { Engine, EngineMaker, Options } from "./engine";
import { Refusal } from "./engine";
import { fitTogether, memoryNeeded, requireFits } from "./memory";
import type { News, Order } from "./messages";

const evaluateEvery = 25; // steps
const answerEvery = 10; // steps
const candidates = 5; // for each blank
const evaluationShare = 0.15; // of the time, at most: a visitor's own text may hold out many lines

export interface Surroundings {
  /** Tells the page. */
  tell(news: News): void;
  /** Lets waiting orders in: resolves once they have been taken. */
  rest(): Promise<void>;
  /** A text's size in bytes where it is known before reading, else null; and its reading. */
  read(source: Extract<Order, { type: "open" }>["source"]): { size: number | null; bytes(): Promise<Uint8Array> };
  now(): number;
}

/** Of a refusal; none where a part of the program did not arrive (bindings/rest.js), without which what runs goes on. */
function diagnosticsOf(error: unknown): Refusal["diagnostics"] {
  if ((error as Error).name === "NetworkError") return [];
  if (!(error instanceof Refusal)) throw error;
  return error.diagnostics;
}

interface Run {
  engine: Engine;
  text: Uint8Array;
  name: string;
  options: Options;
  /** Steps the run is to have, and those done. */
  steps: number;
  step: number;
  evaluatedAt: number;
  answeredAt: number;
  trainedFor: number; // milliseconds since the last evaluation
  evaluationTook: number; // milliseconds
}

export class Trainer {
  private run: Run | null = null;
  private running = false;
  private looping = false;
  private question = "";
  /** An answer waits for a part of the program, which training does not. */
  private awaited = false;
  private opening = 0;

  constructor(
    private readonly maker: EngineMaker | Promise<EngineMaker>,
    private readonly around: Surroundings,
  ) {}

  /** Carries out an order; one that lets training go on resolves when training ends. */
  async take(order: Exclude<Order, { type: "program" }>): Promise<void> {
    switch (order.type) {
      case "open":
        return this.open(order);
      case "run":
        this.setRunning(this.run !== null);
        return this.loop();
      case "pause":
        this.setRunning(false);
        if (!this.looping) this.review();
        return;
      case "step":
        this.setRunning(false);
        if (this.run && !this.finished(this.run)) this.advance(this.run);
        this.review();
        return;
      case "reset":
        this.setRunning(false);
        if (this.run) this.begin(await this.maker, this.run.text, this.run.name, this.run.options);
        this.answer();
        return;
      case "ask":
        this.question = order.sentence;
        this.answer();
        return;
    }
  }

  private async open(order: Extract<Order, { type: "open" }>): Promise<void> {
    const turn = ++this.opening;
    const { size, bytes } = this.around.read(order.source);
    const read = () => bytes().catch((error: unknown) => ({ reason: String(error) }));
    const early = size === null ? read() : null; // of what it cannot be too large for, while the engine is on its way
    const maker = await this.maker;
    this.around.tell({ type: "opening", name: order.name });
    try {
      if (size !== null) maker.checkSize(size);
      const text = await (early ?? read());
      if (turn !== this.opening) return; // another text was chosen meanwhile
      if ("reason" in text) {
        this.around.tell({ type: "unreadable", name: order.name, reason: text.reason });
        return;
      }
      this.begin(maker, text, order.name, order.options);
    } catch (error) {
      const { name } = order;
      const diagnostics = diagnosticsOf(error);
      this.around.tell(
        diagnostics.length
          ? { type: "refused", name, diagnostics }
          : { type: "unreadable", name, reason: String(error) },
      );
      return;
    }
    this.setRunning(order.run);
    if (!order.run) this.answer();
    return this.loop();
  }

  /**
   * Replaces the run by a new one; leaves the old one as it is where the engine refuses, or as it began where memory does
   * not hold both.
   */
  private begin(maker: EngineMaker, text: Uint8Array, name: string, options: Options): void {
    requireFits(text.length, options);
    const old = this.run;
    if (!old || fitTogether(memoryNeeded(text.length, options), memoryNeeded(old.text.length, old.options))) {
      const engine = maker.open(text, options);
      old?.engine.close();
      return this.opened(engine, text, name, options);
    }
    old.engine.close();
    this.run = null;
    try {
      this.opened(maker.open(text, options), text, name, options);
    } catch (error) {
      diagnosticsOf(error);
      this.opened(maker.open(old.text, old.options), old.text, old.name, old.options);
      throw error;
    }
  }

  private opened(engine: Engine, text: Uint8Array, name: string, options: Options): void {
    const summary = engine.summary();
    this.run = {
      engine,
      text,
      name,
      options,
      steps: summary.steps,
      step: 0,
      evaluatedAt: -1,
      answeredAt: -1,
      trainedFor: 0,
      evaluationTook: 0,
    };
    this.around.tell({ type: "opened", name, options, summary });
  }

  private async loop(): Promise<void> {
    if (this.looping) return;
    this.looping = true;
    try {
      while (this.running && this.run) {
        if (this.finished(this.run)) this.setRunning(false);
        else this.advance(this.run);
        await this.around.rest();
      }
      this.review();
    } finally {
      this.looping = false;
    }
  }

  private advance(run: Run): void {
    const report = run.engine.step();
    run.step = report.step;
    run.trainedFor += report.milliseconds;
    this.around.tell({ type: "stepped", report });
    const due = run.step % evaluateEvery === 0 && run.evaluationTook <= evaluationShare * run.trainedFor;
    if (due || run.step === 1 || this.finished(run)) this.evaluate(run);
    if (run.step % answerEvery === 0 || this.finished(run)) this.answer();
    if (this.finished(run)) this.around.tell({ type: "finished" });
  }

  /** Measures the held-out loss, unless this step's is known. */
  private evaluate(run: Run): void {
    if (run.evaluatedAt === run.step) return;
    const began = this.around.now();
    const evaluation = run.engine.evaluate();
    run.evaluationTook = this.around.now() - began;
    run.evaluatedAt = run.step;
    run.trainedFor = 0;
    this.around.tell({ type: "evaluated", step: run.step, evaluation, parametersHash: run.engine.parametersHash() });
  }

  /** Brings all that is measured now and then up to the last step. */
  private review(): void {
    if (!this.run || this.run.step === 0) return;
    this.evaluate(this.run);
    if (this.run.answeredAt !== this.run.step) this.answer();
  }

  private answer(canCallAgain = true): void {
    if (!this.run || this.question === "" || this.awaited) return;
    const sentence = this.question;
    this.run.answeredAt = this.run.step;
    try {
      const blanks = this.run.engine.fill(sentence, candidates, canCallAgain);
      this.around.tell({ type: "filled", sentence, step: this.run.step, blanks });
    } catch (error) {
      const { there } = error as { there?: Promise<unknown> };
      if (there) {
        const again = () => {
          this.awaited = false;
          this.answer(false);
        };
        this.awaited = true;
        there.then(again, again).catch((reason) => this.around.tell({ type: "broken", reason: String(reason) }));
        return;
      }
      this.around.tell({ type: "unfilled", sentence, diagnostics: diagnosticsOf(error), reason: String(error) });
    }
  }

  private finished(run: Run): boolean {
    return run.step >= run.steps;
  }

  private setRunning(running: boolean): void {
    if (this.running === running) return;
    this.running = running;
    this.around.tell({ type: "running", running });
  }
}
