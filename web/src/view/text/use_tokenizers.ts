// The section's state: which text is learned from and how far that is, which tokenizers stand, and why something was refused.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Diagnostic, Refusal } from "../../engine/engine";
import { isLanguage } from "../../language/language";
import { namesOf, type Session } from "../../state/session";
import type { Opened, TextCalls, TrainingOptions } from "../../workshop/text";
import { failure } from "../../workshop/use_answer";
import { workshop } from "../../workshop/workshop";
import { blobOf, nameOf, noteOwnText, type Source } from "../page_text";
import { begun, plainName, type Progress, train, usualOptions } from "./training";

export const calls = workshop<TextCalls>();

export interface Mishap {
  /** The text's, or the tokenizer's files'. */
  name: string;
  refused: Diagnostic[];
  /** The program broke, or could not be loaded. */
  broken: string;
  /** The file could not be read. */
  unreadable: boolean;
}

export interface Tokenizers {
  source: Source;
  options: TrainingOptions;
  progress: Progress | null;
  /** Whether reading was given up. */
  cancelled: boolean;
  /** Read from files since a text was learned from: one of each kind at most, the last of them last. */
  opened: readonly Opened[];
  mishap: Mishap | null;
  /** What could not be learned from, or the files that could not be opened. */
  refused: Source | File[] | null;
  /** Texts that were dropped beside the one that is learned from; else empty. */
  leftOut: string;
  /** Rises whenever a tokenizer may have become another. */
  version: number;
  /** Whether there are tokenizers to ask. */
  ready: boolean;
  /** Learns from this text, and from none that were given with it. */
  choose(source: Source, others?: File[]): void;
  /** Learns again from the same text. */
  turn(change: Partial<TrainingOptions>): void;
  again(): void;
  /** Learns from the text that could not be had, or opens the files. */
  retry(): void;
  stop(): void;
  open(files: File[]): void;
}

/** A file up to this size is learned from again at once when an option changes. */
const soonLearned = 2 << 20;
const largestFile = 64 << 20; // of a tokenizer; a larger one is refused, and not read to its end
/** Why learning ends: not for another choice, but to go back to what was there. */
const givenUp = "given up";
const settled = 200; // milliseconds after which a slider rests

export const sizes = [300, 500, 1000, 2000, 4000, 8000, 16_000, 30_000] as const;
export const alphabets = [10, 30, 60, 100, 200, 500, 1000, 2000, 5000] as const;
export const longestPrefix = 20; // UTF-16 units

export function useTokenizers(session: Session): Tokenizers {
  const [options, setOptions] = useState(() => kept(session));
  const [source, setSource] = useSource(session);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [cancelled, setCancelled] = useState(false);
  const [opened, setOpened] = useState<readonly Opened[]>([]);
  const [mishap, setMishap] = useState<Mishap | null>(null);
  const [version, setVersion] = useState(0);
  const [ready, setReady] = useState(false);
  const [leftOut, setLeftOut] = useState("");
  const run = useRef({
    stop: new AbortController(),
    ended: Promise.resolve(),
    /** What was learned from last, and what that came to. */
    learned: null as { source: Source; progress: Progress } | null,
    /** What could not be learned from, or the files that could not be opened. */
    failed: null as Source | File[] | null,
    /** The text to go back to without learning from it again. */
    back: null as Source | null,
  }).current;

  /** After whatever runs has ended, as the workshop has one text at a time. */
  const afterwards = (name: string, work: (signal: AbortSignal) => Promise<void>): void => {
    clearTimeout(waiting.current); // of options for the text before
    run.stop.abort();
    const { signal } = (run.stop = new AbortController());
    run.ended = run.ended.then(async () => {
      if (signal.aborted) return;
      setMishap(null);
      setCancelled(false);
      await work(signal).catch((error: unknown) => setMishap(mishapOf(name, error)));
    });
  };

  /** Back to the text that was learned from before, whose tokenizers still stand. */
  const goBack = (from: Source, signal: AbortSignal) => {
    setProgress(run.learned?.progress ?? null);
    run.failed = from;
    const chosenAnew = signal.aborted && signal.reason !== givenUp;
    if (!run.learned || run.learned.source === from || chosenAnew) return;
    run.back = run.learned.source;
    setSource(run.back);
  };

  const learn = (from: Source, how: TrainingOptions) =>
    afterwards(nameOf(from), async (signal) => {
      setProgress(begun(nameOf(from)));
      const blob = await blobOf(from, signal).catch((error: unknown) => {
        goBack(from, signal);
        if (signal.aborted) return null;
        throw error;
      });
      if (!blob) return setCancelled(true);
      let standing = false;
      let last: Progress | null = null;
      const stands = await train(
        calls,
        blob,
        nameOf(from),
        how,
        // Parts so small that a call for the sentence never waits long; a vocabulary is seen to grow for about a second.
        { part: 256 << 10, slice: 30, slices: restful() ? 4 : 60, frame },
        (told) => {
          if (told.stage === "reading" && signal.aborted) return;
          setProgress((last = told));
          if (told.stage === "reading") return;
          if (!standing) setReady((standing = true));
          setOpened([]);
          setVersion((last) => last + 1);
        },
        signal,
      ).catch((error: unknown) => {
        // A program that broke has no tokenizers any more.
        if (!(error instanceof Refusal || error instanceof DOMException)) {
          run.learned = null;
          setReady(false);
        }
        goBack(from, signal);
        throw error;
      });
      if (stands && last) run.learned = { source: from, progress: last };
      if (stands) noteOwnText(from);
      if (!stands) {
        goBack(from, signal);
        setProgress((last) => (last ? { ...last, stage: "done" } : last));
        setCancelled(true);
      }
    });

  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (run.back !== source) learn(source, options);
    run.back = null;
    return () => run.stop.abort();
  }, [source]);
  const choose = (next: Source, others: File[] = []) => {
    if (typeof next !== "string" && session.takesProgram(next, others)) return;
    setLeftOut(namesOf(others));
    if (next === source) learn(next, options);
    else setSource(next);
  };
  const open = (files: File[]) => {
    const names = new Set(files.map((file) => file.name));
    setLeftOut("");
    run.failed = files;
    run.stop.abort(givenUp); // a text that is still read was not chosen anew: back to the one before
    afterwards([...names].join(", "), async () => {
      const given = await Promise.all(
        files.map(async (file) => ({
          name: names.has(plainName(file.name)) ? file.name : plainName(file.name),
          bytes: new Uint8Array(await file.slice(0, largestFile + 1).arrayBuffer()),
        })),
      );
      const answer = await calls.openTokenizer({ files: given });
      setOpened((before) => [...before.filter(({ kind }) => kind !== answer.kind), answer]);
      setReady(true);
      setVersion((last) => last + 1);
    });
  };

  return {
    source,
    options,
    progress,
    cancelled,
    opened,
    mishap,
    refused: run.failed,
    leftOut,
    version,
    ready,
    choose,
    turn: (change) => {
      const next = { ...options, ...change };
      setOptions(next);
      keep(session, next);
      clearTimeout(waiting.current);
      if (typeof source === "string" || source.size <= soonLearned)
        waiting.current = setTimeout(() => learn(source, next), settled);
    },
    again: () => learn(source, options),
    retry: () => {
      const { failed } = run;
      if (Array.isArray(failed)) open(failed);
      else choose(failed ?? source);
    },
    stop: () => run.stop.abort(givenUp),
    open,
  };
}

function mishapOf(name: string, error: unknown): Mishap {
  return error instanceof Refusal
    ? { name, refused: error.diagnostics, broken: "", unreadable: false }
    : { name, refused: [], ...failure(error) };
}

/** The next frame; where none comes because the page is hidden, a moment. */
function frame(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) setTimeout(resolve, 20);
    else requestAnimationFrame(() => resolve());
  });
}

function restful(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A text of the page's own, or a file: the one that is trained on, when it becomes another. */
function useSource(session: Session): [Source, (source: Source) => void] {
  const name = session.kept("text.source");
  const [file, setFile] = useState<File | null>(session.file);
  const own = session.file;
  useEffect(() => {
    if (own) setFile(own);
  }, [own]);
  const choose = (source: Source) => {
    setFile(typeof source === "string" ? null : source);
    session.keep("text.source", typeof source === "string" ? source : "");
  };
  return [file ?? (isLanguage(name) ? name : session.settings.language), choose];
}

const flags = ["clean_text", "lowercase", "strip_accents", "handle_chinese_chars", "add_prefix_space"] as const;

/** The options that the link has; what it does not have, or has wrongly, is as usual. */
export function kept(session: Pick<Session, "kept">): TrainingOptions {
  const options = { ...usualOptions };
  const size = Number(session.kept("text.size"));
  if (sizes.some((each) => each === size)) options.vocab_size = size;
  const frequency = Number(session.kept("text.frequency"));
  if (Number.isInteger(frequency) && frequency >= 1 && frequency <= 20) options.min_frequency = frequency;
  const alphabet = Number(session.kept("text.alphabet"));
  if (alphabets.some((each) => each === alphabet)) options.limit_alphabet = alphabet;
  const prefix = session.kept("text.prefix");
  if (session.kept("text.no_prefix") === "yes") options.wordpieces_prefix = "";
  else if (prefix && prefix.length <= longestPrefix) options.wordpieces_prefix = prefix;
  for (const flag of flags) {
    const value = session.kept(`text.${flag}`);
    if (value === "yes" || value === "no") options[flag] = value === "yes";
  }
  return options;
}

export function keep(session: Pick<Session, "keep">, options: TrainingOptions): void {
  const unless = (usual: boolean, value: string) => (usual ? "" : value);
  const { vocab_size: size, min_frequency: frequency, limit_alphabet: alphabet, wordpieces_prefix: prefix } = options;
  session.keep("text.size", unless(size === usualOptions.vocab_size, String(size)));
  session.keep("text.frequency", unless(frequency === usualOptions.min_frequency, String(frequency)));
  session.keep("text.alphabet", unless(alphabet === usualOptions.limit_alphabet, String(alphabet)));
  session.keep("text.prefix", unless(prefix === usualOptions.wordpieces_prefix, prefix));
  session.keep("text.no_prefix", prefix ? "" : "yes");
  for (const flag of flags)
    session.keep(`text.${flag}`, unless(options[flag] === usualOptions[flag], options[flag] ? "yes" : "no"));
}
