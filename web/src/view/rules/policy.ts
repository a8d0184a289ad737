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

/** Lengths that a list may hold, and how many of them. */
export const listed = { most: 4096, count: 16 };

/**
 * "32, 64; 128" → [32, 64, 128], in whatever width digits are typed; null where anything in it is no whole number from 1 to
 * `listed.most`, or where there is none, or more than `listed.count`.
 */
export function readList(text: string): number[] | null {
  const parts = text
    .normalize("NFKC")
    .split(/[\s,;、]+/)
    .filter((part) => part !== "");
  const numbers = parts.map((part) => (/^\d+$/.test(part) ? Number(part) : NaN));
  const lengths = [...new Set(numbers)].sort((a, b) => a - b);
  const good = numbers.every((each) => each >= 1 && each <= listed.most);
  return good && lengths.length >= 1 && lengths.length <= listed.count ? lengths : null;
}
