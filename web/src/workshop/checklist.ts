// octet::check in the workshop (web/bindings/workshop/checklist.cpp).
export interface Choices {
  models: string[];
  codes: { name: string; summary: string }[];
}

export interface Candidate {
  model: string;
  slice: string;
  batch: number;
  seq: number;
  code: string;
  lengths: "one" | "varied" | "multiples";
  host: "vm" | "node";
  data: "memory" | "disk" | "bucket" | "unknown";
  calls_back: "yes" | "no";
  /** That the pipeline makes; 0: not known. */
  examples_per_second: number;
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
}

export interface Readiness {
  summary: string;
  ready: boolean;
  lines: CheckLine[];
}

export interface ChecklistCalls {
  checkChoices(request: object): Promise<Choices>;
  checkReadiness(request: Candidate): Promise<Readiness>;
}
