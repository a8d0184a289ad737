// The replayed run, step by step (web/bindings/workshop/story.cpp).
import type { Diagnostic } from "../engine/engine";
import type { Policy } from "./lengths";

export interface ReplayedStep {
  /** Of the batch's longest row, and what the policy pads it to. */
  length: number;
  extent: number;
  compiled: boolean;
  /** What the library says of the compile; else empty. */
  text: string;
}

export interface Replay {
  steps: ReplayedStep[];
  /** As one would write it. */
  policy: string;
  padding_share: number;
  /** What explain() says at the end. */
  explanation: string;
  alarm: Diagnostic | null;
  alarmed_at: number;
}

export interface StoryCalls {
  replay(request: { from: number; policy: Policy }): Promise<Replay>;
}
