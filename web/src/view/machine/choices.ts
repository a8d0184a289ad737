// What is trained and where, as the section keeps it in the link, and the marks of its sliders.
import type { Session } from "../../state/session";
import type { Choices, Feed, Job } from "../../workshop/machine";
import { marksWith } from "../marks";

export const usualJob: Job = {
  model: "bert-large",
  slice: "v3-32",
  code: "mlperf-bf16",
  sequences: 14,
  length: 512,
  accumulate: 1,
};

const mostSequences = 1 << 20;
const lengths = [64, 128, 256, 384, 512, 1024];
/** Lengths of sequences up to those that a model has positions for. */
export function lengthMarks(positions: number, now: number): number[] {
  return marksWith(
    lengths.filter((each) => each < positions),
    positions,
    now,
  );
}
/** What changes when a model is chosen: the length, too, where the model has fewer positions. */
export function withModel(
  job: Job,
  models: readonly { name: string; positions: number }[],
  name: string,
): Partial<Job> {
  const positions = models.find((model) => model.name === name)?.positions ?? Infinity;
  return job.length > positions ? { model: name, length: positions } : { model: name };
}
export const accumulateMarks = [1, 2, 4, 8, 16, 32, 64];

/** The whole number that a link keeps under a name; `usual` where it keeps none, or one out of bounds. */
export function keptNumber(text: string, usual: number, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : usual;
}

export function keptJob(session: Pick<Session, "kept">): Job {
  const text = (name: keyof Job) => session.kept(`machine.${name}`) || String(usualJob[name]);
  const number = (name: "sequences" | "length" | "accumulate", most: number) =>
    keptNumber(session.kept(`machine.${name}`), usualJob[name], 1, most);
  return {
    model: text("model"),
    slice: text("slice"),
    code: text("code"),
    sequences: number("sequences", mostSequences),
    length: number("length", 1 << 16),
    accumulate: number("accumulate", 1024),
  };
}

/** With the usual model or code in the place of one that there is none of: a link may have mistyped it. */
export function named(job: Job, known: Pick<Choices, "models" | "codes"> | null): Job {
  if (!known) return job;
  const model = known.models.some(({ name }) => name === job.model) ? job.model : usualJob.model;
  return { ...job, model, code: known.codes.includes(job.code) ? job.code : usualJob.code };
}

export function keepJob(session: Pick<Session, "keep">, change: Partial<Job>): void {
  for (const [name, value] of Object.entries(change))
    session.keep(`machine.${name}`, value === usualJob[name as keyof Job] ? "" : String(value));
}

export const places = ["memory", "disk", "bucket"] as const;
export const hosts = ["vm", "node"] as const;
export const preparers = ["hosts", "program"] as const;
export const mostPrefetch = 8;

/** What feeds the chips, as the link keeps it. */
export function keptFeed(session: Pick<Session, "kept">): Feed {
  const one = <Name extends string>(name: string, names: readonly [Name, ...Name[]]) =>
    names.find((each) => each === session.kept(`machine.${name}`)) ?? names[0];
  // 0: as many as the host has processors, or as long as the library takes for the text.
  const threads = keptNumber(session.kept("machine.threads"), 0, 1, 1 << 16);
  const prepare = keptNumber(session.kept("machine.prepare"), 0, 1, 1_000_000);
  return {
    place: one("place", places),
    host: one("host", hosts),
    prepared_by: one("prepared_by", preparers),
    prefetch: keptNumber(session.kept("machine.prefetch"), 2, 0, mostPrefetch),
    slow_host: keptNumber(session.kept("machine.slow_host"), 1, 1, 1000),
    ...(threads ? { threads } : {}),
    ...(prepare ? { prepare_microseconds: prepare } : {}),
  };
}

/**
 * Numbers of sequences: steps that grow with the number, to about twice the largest that fits, which is among them with the one
 * that does not.
 */
export function sequenceMarks(largest: number | null, now: number): number[] {
  const end = Math.max(8, 2 * (largest ?? 32));
  const marks = [1, 2, 3, 4, 5, 6, 7, 8];
  for (let base = 8; base < end; base *= 2) for (let part = 1; part <= 4; part++) marks.push(base + (base / 4) * part);
  const bounded = marks.filter((each) => each <= end);
  return marksWith(bounded, now, ...(largest === null ? [] : largest === 0 ? [1] : [largest, largest + 1]));
}

const mostExtent = 1 << 20;

/** A whole number that a product may have, in whatever width its digits are typed; null for what is none. */
export function extentOf(text: string): number | null {
  const digits = text.normalize("NFKC").trim();
  const value = /^\d{1,7}$/.test(digits) ? Number(digits) : 0;
  return value >= 1 && value <= mostExtent ? value : null;
}

/** "7168x1024x4096" → its three numbers, where it is three that a product may have. */
export function keptProduct(text: string): { m: number; k: number; n: number } | null {
  const [m, k, n, more] = text.split("x").map(extentOf);
  return m && k && n && more === undefined ? { m, k, n } : null;
}
