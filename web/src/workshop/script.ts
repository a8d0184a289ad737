// What the workshop says to a visitor's program (web/bindings/workshop/rules.cpp).
import type { Diagnostic } from "../engine/engine";

/** A line that gave an array. */
export interface ScriptLine {
  /** Counted from 1. */
  line: number;
  /** Empty for an expression. */
  name: string;
  /** "f32[4, 8]" */
  type: string;
  kind: "real" | "whole" | "truth";
  shape: number[];
  /** Row by row, at most 64. */
  values: number[];
}

export interface Tried {
  /** Empty where it is a program. */
  faults: Diagnostic[];
  /** The program with what is wrong rewritten, where the library knows how; else empty. */
  mended: string;
  lines: ScriptLine[];
  /** As StableHLO text. */
  program: string;
}

export interface ScriptCalls {
  tryProgram(request: { text: string }): Promise<Tried>;
}
