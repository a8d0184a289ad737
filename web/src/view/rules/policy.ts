// The bucket policies on offer, what of them a visitor can turn, and how the link keeps that.
import type { Session } from "../../state/session";
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

export const rowChoices = [1, 2, 4, 8, 16, 32, 64];
export const stepChoices = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];
export const compileChoices = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120]; // seconds
const usualRows = 8; // lines in a batch
const usualSteps = 1000;

/** All that a visitor can turn. */
export interface Turned extends Parameters {
  rows: number;
  steps: number;
  /** Seconds that a compile takes; null: as it was measured. */
  compiling: number | null;
}

/** What the link has, where the sliders and the list have it, too. */
export function kept(session: Pick<Session, "kept">): Turned {
  const one = <Usual extends number | null>(name: string, has: (value: number) => boolean, otherwise: Usual) => {
    const text = session.kept(`rules.${name}`);
    return text !== "" && has(Number(text)) ? Number(text) : otherwise;
  };
  const among = (choices: readonly number[]) => (value: number) => choices.includes(value);
  return {
    multiple: one("multiple", (value) => value % 8 === 0 && value >= 8 && value <= 256, usual.multiple),
    bound: one("bound", among([8, 16, 32, 64, 128, 256]), usual.bound),
    list: readList(session.kept("rules.list")) ?? usual.list,
    most: one("most", (value) => Number.isInteger(value) && value >= 0 && value <= 12, usual.most),
    rows: one("rows", among(rowChoices), usualRows),
    steps: one("steps", among(stepChoices), usualSteps),
    compiling: one("compiling", among(compileChoices), null),
  };
}

/** Where it is not as usual. A compile's time is kept where another visitor's slider has it. */
export function keep(session: Pick<Session, "keep">, turned: Turned): void {
  const write = (name: string, value: string, as: string) => session.keep(`rules.${name}`, value === as ? "" : value);
  for (const name of ["multiple", "bound", "most"] as const) write(name, String(turned[name]), String(usual[name]));
  write("list", turned.list.join(","), usual.list.join(","));
  write("rows", String(turned.rows), String(usualRows));
  write("steps", String(turned.steps), String(usualSteps));
  const { compiling } = turned;
  write("compiling", compiling !== null && compileChoices.includes(compiling) ? String(compiling) : "", "");
}
