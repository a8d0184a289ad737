// What the page knows about the run, as a function of the news from the worker: no drawing, no clocks.
import type { Blank, Diagnostic, Options, StepReport, Summary } from "../engine/engine";
import type { News } from "../engine/messages";

/** What was new about a run that was asked for: its text, the options chosen, or those of the link. */
export type Tried = "text" | "options" | "link";

/** What became of a text or options that could not be used. */
export interface Mishap {
  /** The text's. */
  name: string;
  what: Tried;
  /** Empty where the file could not be read at all. */
  diagnostics: Diagnostic[];
  reason: string;
  /** Whether there was a run, which goes on. */
  kept: boolean;
  /** The visitor's table that was refused: there may be another column to take. */
  table?: File;
}

export interface Answer {
  sentence: string;
  step: number;
  blanks: Blank[];
  diagnostics: Diagnostic[];
  /** Why there is no answer, where what it needs did not arrive; else empty. */
  notLoaded: string;
}

export interface HeldOut {
  step: number;
  loss: number;
}

export interface Run {
  stage: "loading" | "opening" | "open" | "broken";
  running: boolean;
  finished: boolean;
  name: string;
  options: Options;
  summary: Summary | null;
  reports: readonly StepReport[];
  heldOut: readonly HeldOut[];
  /** Of the weights, which all replicas share, and the step it was taken at. */
  parametersHash: { step: number; value: string } | null;
  answer: Answer | null;
  mishap: Mishap | null;
  /** Why nothing goes on, where stage is "broken". */
  reason: string;
}

export const unopened: Run = {
  stage: "loading",
  running: false,
  finished: false,
  name: "",
  options: {},
  summary: null,
  reports: [],
  heldOut: [],
  parametersHash: null,
  answer: null,
  mishap: null,
  reason: "",
};

/** The run after one piece of news; `tried` is what was new where that tells of a refusal. */
export function after(run: Run, news: News, tried: Tried = "text"): Run {
  switch (news.type) {
    case "opening":
      return { ...run, stage: "opening" };
    case "opened":
      // Training goes on into the new run, where it goes on at all: "running" is told when that changes.
      return {
        ...unopened,
        stage: "open",
        running: run.running,
        mishap: run.mishap,
        name: news.name,
        options: news.options,
        summary: news.summary,
      };
    case "refused":
      return failed(run, news.name, tried, news.diagnostics);
    case "unreadable":
      return failed(run, news.name, "text", [], news.reason);
    case "running":
      return { ...run, running: news.running };
    case "stepped":
      return { ...run, reports: [...run.reports, news.report] };
    case "evaluated":
      return {
        ...run,
        heldOut: [...run.heldOut, { step: news.step, loss: news.evaluation.held_out_loss }],
        parametersHash: { step: news.step, value: news.parametersHash },
      };
    case "finished":
      return { ...run, finished: true };
    case "filled":
      return {
        ...run,
        answer: { sentence: news.sentence, step: news.step, blanks: news.blanks, diagnostics: [], notLoaded: "" },
      };
    case "unfilled":
      return {
        ...run,
        answer: {
          sentence: news.sentence,
          step: run.reports.length,
          blanks: [],
          diagnostics: news.diagnostics,
          notLoaded: news.diagnostics.length ? "" : news.reason,
        },
      };
    case "broken":
      return { ...run, stage: "broken", running: false, reason: news.reason };
  }
}

/** The engine knows no file's name; a command that it tells is one to type, with the name in a shell's quotes. */
function naming(name: string, { fix, ...said }: Diagnostic): Diagnostic {
  const quoted = (_: string, ending: string) => `'${`${name}${ending}`.replaceAll("'", "'\\''")}'`;
  return { ...said, fix: fix.map((each) => each.replace(/'the text((?:\.utf8)?)'/g, quoted)) };
}

function failed(run: Run, name: string, what: Tried, told: Diagnostic[], reason = ""): Run {
  const diagnostics = told.map((each) => naming(name, each));
  return { ...run, stage: "open", mishap: { name, what, diagnostics, reason, kept: run.summary !== null } };
}

/** Tokens for each second of training, over the last `window` steps; null before the first. */
export function tokensPerSecond(reports: readonly StepReport[], window = 8): number | null {
  const last = reports.slice(-window);
  const seconds = last.reduce((sum, report) => sum + report.milliseconds, 0) / 1000;
  return seconds > 0 ? last.reduce((sum, report) => sum + report.tokens, 0) / seconds : null;
}

/** Seconds until the last step at the present pace; null before the first step. */
export function secondsLeft(run: Run, window = 8): number | null {
  const last = run.reports.slice(-window);
  if (last.length === 0 || !run.summary) return null;
  const each = last.reduce((sum, report) => sum + report.milliseconds, 0) / last.length / 1000;
  return each * Math.max(0, run.summary.steps - run.reports.length);
}

/** One replica's losses, thinned evenly to at most `most`, the last always among them. */
export function replicaLosses(reports: readonly StepReport[], replica: number, most: number): number[] {
  const stride = Math.max(1, Math.ceil(reports.length / most));
  const losses: number[] = [];
  for (let at = reports.length - 1; at >= 0; at -= stride) losses.push(reports[at]?.replica_losses[replica] ?? NaN);
  return losses.reverse();
}
