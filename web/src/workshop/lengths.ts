// What the workshop says about lengths and buckets (web/bindings/workshop/lengths.cpp).
import type { Diagnostic } from "../engine/engine";

export interface Lengths {
  /** Word pieces learned from it, which are the tokens. */
  vocabulary: number;
  /** Tokens of each line. */
  lengths: number[];
}

/** Seconds, measured on this machine. */
export interface Costs {
  compile_seconds: number;
  seconds_per_position: number;
}

export type PolicyKind =
  "exact" | "longest" | "multiple_of" | "doubling_then_linear" | "one_of" | "max_length" | "fitted";

export interface Policy {
  kind: PolicyKind;
  /** Of multiples: the multiple. Of doubling: up to where. Of one length: that one. */
  n?: number;
  /** Of doubling: the step beyond. */
  step?: number;
  /** Of a list. */
  extents?: number[];
  /** Of fitted ones; 0 is as many as pay. */
  max_buckets?: number;
}

/** What a policy comes to over a run; only kind and refused where it will not do. */
export interface Outcome {
  kind: PolicyKind;
  refused: Diagnostic[];
  name: string;
  programs: number;
  /** Of all positions computed, 0 to 1. */
  padding_share: number;
  compile_seconds: number;
  run_seconds: number;
  buckets: Calls[];
}

/** How many calls have an extent. */
export interface Calls {
  extent: number;
  calls: number;
}

export interface LengthCalls {
  measureLengths(request: { text: Uint8Array; name: string; longest: number }): Promise<Lengths>;
  measureCosts(request: object): Promise<Costs>;
  weighPolicies(request: {
    lengths: number[];
    rows: number;
    steps: number;
    compile_seconds: number;
    seconds_per_position: number;
    policies: Policy[];
  }): Promise<{ batches: number; longest: Calls[]; outcomes: Outcome[] }>;
}
