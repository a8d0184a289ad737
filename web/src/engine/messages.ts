// Everything the page and its worker say to each other.
import type { Blank, Diagnostic, Evaluation, Options, StepReport, Summary } from "./engine";

/** Where a text comes from: one that is served with the page, or a file of the visitor's. */
export type Source = { url: string } | { file: Blob };

/** Page to worker. */
export type Order =
  /** The worker's program, fetched and compiled. */
  | { type: "program"; program: WebAssembly.Module }
  /** Train on another text. Should it be refused, the run before it goes on. `name` is only handed back. */
  | { type: "open"; source: Source; name: string; options: Options; run: boolean }
  | { type: "run" }
  /** Takes effect after the step under way. */
  | { type: "pause" }
  /** One step, then pause. */
  | { type: "step" }
  /** Back to step 0 of the same run, paused. */
  | { type: "reset" }
  /** Fill this sentence now and again as training goes on; an empty one ends that. */
  | { type: "ask"; sentence: string };

/** Worker to page. */
export type News =
  | { type: "opening"; name: string }
  | { type: "opened"; name: string; options: Options; summary: Summary }
  /** The text was refused; whatever ran before still does. */
  | { type: "refused"; name: string; diagnostics: Diagnostic[] }
  /** The text could not be read at all; whatever ran before still does. */
  | { type: "unreadable"; name: string; reason: string }
  | { type: "running"; running: boolean }
  | { type: "stepped"; report: StepReport }
  | { type: "evaluated"; step: number; evaluation: Evaluation; parametersHash: string }
  | { type: "finished" }
  | { type: "filled"; sentence: string; step: number; blanks: Blank[] }
  /** There is no answer: it was refused, or, where there are no diagnostics, what it needs did not arrive. */
  | { type: "unfilled"; sentence: string; diagnostics: Diagnostic[]; reason: string }
  /** The program itself broke, or could not be loaded: nothing goes on without a new worker. */
  | { type: "broken"; reason: string };
