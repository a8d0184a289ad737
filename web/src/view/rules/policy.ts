// The bucket policies on offer, and what of them a visitor can turn.
import type { Policy, PolicyKind } from "../../workshop/lengths";

export const kinds: readonly PolicyKind[] = [
  "exact",
  "longest",
  "multiple_of",
  "doubling_then_linear",
  "one_of",
  "max_length",
  "fitted",
];

/** One number for each policy that has one, and the list. */
export interface Parameters {
  multiple: number;
  bound: number;
  list: number[];
  most: number;
}

export const usual: Parameters = { multiple: 64, bound: 64, list: [16, 32, 64, 128], most: 0 };

export function policyOf(kind: PolicyKind, parameters: Parameters, longest: number): Policy {
  switch (kind) {
    case "multiple_of":
      return { kind, n: parameters.multiple };
    case "doubling_then_linear":
      return { kind, n: parameters.bound, step: parameters.bound };
    case "one_of":
      return { kind, extents: parameters.list };
    case "max_length":
      return { kind, n: longest };
    case "fitted":
      return { kind, max_buckets: parameters.most };
    default:
      return { kind };
  }
}

/** "32, 64; 128" → [32, 64, 128]: what is a number of at most 4096 in a text, sixteen of them at most. */
export function readList(text: string): number[] {
  const numbers = [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return [...new Set(numbers.filter((each) => each >= 1 && each <= 4096))].sort((a, b) => a - b).slice(0, 16);
}
