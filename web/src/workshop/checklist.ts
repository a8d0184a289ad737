// octet::check in the workshop (web/bindings/workshop/checklist.cpp).
export interface Choices {
  models: string[];
  codes: { name: string; summary: string }[];
}

/** Where it is to run, and where its data come from. */
export interface Surroundings {
  slice: string;
  host: "vm" | "node";
  data: "memory" | "disk" | "bucket" | "unknown";
  calls_back: "yes" | "no";
  /** That the pipeline makes; 0: not known. */
  examples_per_second: number;
}

/** A training step of a published model. */
export interface Candidate extends Surroundings {
  model: string;
  batch: number;
  seq: number;
  code: string;
  /** Those of the visitor's text are "own…". */
  lengths: "one" | "varied" | "multiples" | "own" | "own_multiples";
}

/** What the lines of the visitor's text are like. */
export interface OwnLengths {
  name: string;
  /** How many WordPieces were learned from it. */
  vocabulary: number;
  line_lengths: number[];
}

/** A program of the visitor's, in StableHLO. */
export interface Program extends Surroundings {
  text: string;
  name: string;
  /** The names of what holds a replica's share of the batch. */
  batch_arguments: string[];
}

export type Verdict = "pass" | "warn" | "fail" | "not judged";

export interface CheckLine {
  id: string;
  /** As a sentence that holds where the verdict is pass. */
  question: string;
  verdict: Verdict;
  /** Of the message behind it; empty where there is none. */
  number: string;
  finding: string;
  evidence: string[];
  cure: string[];
  /** Where in a program of the visitor's. */
  places?: string[];
}

export interface Readiness {
  summary: string;
  ready: boolean;
  lines: CheckLine[];
}

export interface ChecklistCalls {
  checkChoices(request: object): Promise<Choices>;
  /** Where its lengths are those of a text, that is given. */
  checkReadiness(request: Candidate & Partial<OwnLengths>): Promise<Readiness>;
  checkProgram(request: Program): Promise<Readiness>;
}
