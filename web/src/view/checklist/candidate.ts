// What the checklist is asked about, and its place in the link.
import type { Candidate, Choices } from "../../workshop/checklist";

export const choices = {
  slices: [
    "v2-8",
    "v3-8",
    "v3-32",
    "v3-128",
    "v4-8",
    "v4-32",
    "v4-128",
    "v5e-4",
    "v5e-8",
    "v5e-16",
    "v5p-8",
    "v6e-8",
    "v6e-16",
  ],
  lengths: ["one", "varied", "multiples", "own", "own_multiples"],
  hosts: ["vm", "node"],
  places: ["unknown", "memory", "disk", "bucket"],
  pipelines: ["no", "yes"],
} as const;

export const usual: Candidate = {
  model: "bert-base",
  slice: "v3-8",
  batch: 256,
  seq: 128,
  code: "tf2",
  lengths: "varied",
  host: "node",
  data: "disk",
  calls_back: "no",
  examples_per_second: 0,
};

const names = Object.keys(usual) as (keyof Candidate)[];

/** The values in order, separated by blanks; empty for the usual ones. */
export function toKept(candidate: Candidate): string {
  const text = (each: Candidate) => names.map((name) => each[name]).join(" ");
  return text(candidate) === text(usual) ? "" : text(candidate);
}

/** What `toKept` wrote; the usual where anything in it is none of the choices. */
export function fromKept(kept: string): Candidate {
  const values = kept.split(" ");
  if (values.length !== names.length) return usual;
  const given = Object.fromEntries(names.map((name, at) => [name, values[at]])) as Record<keyof Candidate, string>;
  const whole = (text: string, most: number, least = 1) =>
    /^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most;
  const one = (list: readonly string[], text: string) => list.includes(text);
  const name = /^[a-z][a-z0-9-]{0,30}$/;
  const good =
    name.test(given.model) &&
    name.test(given.code) &&
    one(choices.slices, given.slice) &&
    one(choices.lengths, given.lengths) &&
    one(choices.hosts, given.host) &&
    one(choices.places, given.data) &&
    one(choices.pipelines, given.calls_back) &&
    whole(given.batch, 65536) &&
    whole(given.seq, 1024) &&
    whole(given.examples_per_second, 1_000_000, 0);
  return good
    ? ({
        ...given,
        batch: Number(given.batch),
        seq: Number(given.seq),
        examples_per_second: Number(given.examples_per_second),
      } as Candidate)
    : usual;
}

/** Whether its lengths are those of the visitor's text. */
export const isOfText = ({ lengths }: Pick<Candidate, "lengths">) => lengths.startsWith("own");

/** With lengths that are made up in the place of a text's that is not there: no link carries it. */
export function withLengths(candidate: Candidate, text: File | null): Candidate {
  if (text || !isOfText(candidate)) return candidate;
  return { ...candidate, lengths: candidate.lengths === "own" ? "varied" : "multiples" };
}

/** With the usual model or code in the place of one that there is none of: a link may have mistyped it. */
export function named(candidate: Candidate, known: Choices | null): Candidate {
  if (!known) return candidate;
  const model = known.models.includes(candidate.model) ? candidate.model : usual.model;
  const code = known.codes.some(({ name }) => name === candidate.code) ? candidate.code : usual.code;
  return { ...candidate, model, code };
}
