// The engine as the page sees it: C++ compiled to WebAssembly, of which nothing crosses but bytes, numbers and plain
// objects (web/bindings/octet_web.cpp). This file gives those objects their types.

/** What a run is made with. Whatever is left out takes the engine's default. */
export interface Options {
  steps?: number;
  seed?: number;
  threads?: number;
  learning_rate?: number;
  warmup_steps?: number;
  batch?: number;
  seq?: number;
  vocab_size?: number;
  layers?: number;
  hidden?: number;
  heads?: number;
  intermediate?: number;
  /** "lines" joins lines and cuts full rows from them; "none" makes each line a row of its own, filled up with padding. */
  packing?: "lines" | "none";
}

/** The options that are numbers, which a link and the form may set. */
export type NumberOption = Exclude<keyof Options, "packing">;

/** What one training step tells. Losses are means over masked tokens, in nats: of the batch, and of each replica's share. */
export interface StepReport {
  step: number;
  loss: number;
  replica_losses: number[];
  learning_rate: number;
  /** Of this step, padding not counted. */
  tokens: number;
  milliseconds: number;
  /** Since the run began. */
  compiles: number;
  /** Since the run began. */
  cache_hits: number;
  /** Of all positions computed since the run began, how many were padding: 0 to 1. */
  padding_share: number;
}

export interface Evaluation {
  held_out_loss: number;
  masked_tokens: number;
}

export interface Candidate {
  token: string;
  probability: number;
}

/** The likeliest words for one blank, best first. */
export interface Blank {
  position: number;
  candidates: Candidate[];
}

/** What the run was made of. */
export interface Summary {
  vocabulary: number;
  parameters: number;
  training_lines: number;
  held_out_lines: number;
  threads: number;
  replicas: number;
  layers: number;
  hidden: number;
  steps: number;
}

/** A message of the engine: its number and sentence, why, and what to do. */
export interface Diagnostic {
  number: string;
  sentence: string;
  /** Of what was given; 0 where it belongs to none. */
  line: number;
  /** The chain from the arguments to what is at fault. */
  because: string[];
  rule: string;
  fix: string[];
}

/** The engine refused what it was given. */
export class Refusal extends Error {
  constructor(readonly diagnostics: Diagnostic[]) {
    super(diagnostics.map((each) => `${each.number}: ${each.sentence}`).join("\n"));
    this.name = "Refusal";
  }
}

/** A model in training. */
export interface Engine {
  step(): StepReport;
  evaluate(): Evaluation;
  /**
   * Where the program must load a part of itself for it, which may take long, `canCallAgain` has it throw what has `there`, a
   * promise that is settled when it is time to call again.
   */
  fill(sentence: string, count: number, canCallAgain: boolean): Blank[];
  summary(): Summary;
  parametersHash(): string;
  /** Frees the model's memory; the engine is of no use afterwards. */
  close(): void;
}

/** Makes engines. */
export interface EngineMaker {
  /** Learns the vocabulary, makes the model and compiles it; throws Refusal for a text that cannot be trained on. */
  open(text: Uint8Array, options: Options): Engine;
  /** Throws Refusal for a text of so many bytes, so that it need not be read first. */
  checkSize(bytes: number): void;
}
