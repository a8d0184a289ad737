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
  lengths: "one" | "varied" | "multiples";
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
  checkReadiness(request: Candidate): Promise<Readiness>;
  checkProgram(request: Program): Promise<Readiness>;
}
