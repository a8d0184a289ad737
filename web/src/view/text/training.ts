// Training both tokenizers in slices: a part of the file, then some pairs, and in between the worker is free for other calls
// and the page draws. Of the file no more than a part is held.
import {
  type Growth,
  type TextCalls,
  type TokenizerKind,
  tokenizerKinds,
  type TrainingOptions,
} from "../../workshop/text";

type TrainingCalls = Pick<TextCalls, "beginTraining" | "readText" | "endText" | "learnPieces" | "stopTraining">;

export const usualOptions: TrainingOptions = {
  vocab_size: 1000,
  min_frequency: 2,
  limit_alphabet: 1000,
  wordpieces_prefix: "##",
  clean_text: true,
  lowercase: true,
  strip_accents: false,
  handle_chinese_chars: true,
  add_prefix_space: false,
};

/** A growth of which only what is drawn as a line is kept. */
export interface GrowthPoint {
  pieces: number;
  tokensPerWord: number;
}

export interface Progress {
  stage: "reading" | "learning" | "done";
  name: string;
  /** Bytes. */
  read: number;
  size: number;
  /** Distinct ones. */
  words: number;
  /** Not all was read: it has too many different words. */
  full: boolean;
  growth: Partial<Record<TokenizerKind, Growth>>;
  curve: Record<TokenizerKind, GrowthPoint[]>;
}

/** Of a text of which nothing is there yet. */
export function begun(name: string): Progress {
  return {
    stage: "reading",
    name,
    read: 0,
    size: 0,
    words: 0,
    full: false,
    growth: {},
    curve: { wordpiece: [], bpe: [] },
  };
}

export interface Pace {
  /** Bytes of the file that are read at a time. */
  part: number;
  /** Milliseconds of a slice of learning. */
  slice: number;
  /** How many slices show a vocabulary grow, at least. */
  slices: number;
  /** Waits for the page to draw. */
  frame(): Promise<void>;
}

/**
 * Trains on `source` and reports after each slice. Resolves with whether both stand: not where it was aborted while reading;
 * aborted while learning, they stand as far as they were learned. Rejects as the calls do, and where the file cannot be read.
 */
export async function train(
  calls: TrainingCalls,
  source: Blob,
  name: string,
  options: TrainingOptions,
  pace: Pace,
  report: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const progress = { ...begun(name), size: source.size };
  const tell = (change: Partial<Progress>) => report({ ...Object.assign(progress, change) });
  const stop = async (stands: boolean) => {
    await calls.stopTraining({});
    if (stands) tell({ stage: "done" });
    return stands;
  };

  tell({});
  await calls.beginTraining({ ...options, name });
  while (progress.read < source.size && !progress.full) {
    if (signal.aborted) return stop(false);
    const bytes = new Uint8Array(await source.slice(progress.read, progress.read + pace.part).arrayBuffer());
    if (signal.aborted) return stop(false);
    const read = progress.read + bytes.length;
    tell({ read, ...(await calls.readText({ bytes })) });
  }
  const { words } = await calls.endText({ whole: progress.read >= source.size });

  tell({ stage: "learning", words });
  const pairs = Math.max(1, Math.ceil(options.vocab_size / pace.slices));
  const learning = new Set<TokenizerKind>(tokenizerKinds);
  while (learning.size > 0) {
    for (const kind of learning) {
      if (signal.aborted) return stop(true);
      const growth = await calls.learnPieces({ kind, pairs, milliseconds: pace.slice });
      if (!growth.more) learning.delete(kind);
      const point = { pieces: growth.pieces, tokensPerWord: growth.tokens_per_word };
      tell({
        growth: { ...progress.growth, [kind]: growth },
        curve: { ...progress.curve, [kind]: thinned([...progress.curve[kind], point]) },
      });
    }
    await pace.frame();
  }
  tell({ stage: "done" });
  return true;
}

const mostPoints = 400;

/** Every second point, but for the last, where there are more than a line can show. */
export function thinned(points: GrowthPoint[]): GrowthPoint[] {
  return points.length <= mostPoints ? points : points.filter((_, at) => at % 2 === 0 || at === points.length - 1);
}

/** A tokenizer's file by the name that the library knows it by: "vocab (1).txt", as browsers call a second copy, is vocab.txt. */
export function plainName(name: string): string {
  return name.replace(
    /(^|[^a-z])(vocab|merges|tokenizer|tokenizer_config)( ?\(\d+\)|[- ]\d+)(\.(txt|json))$/i,
    "$1$2$4",
  );
}

/** Whether a file is read as a tokenizer rather than as a text to learn from. */
export function isTokenizerFile(name: string): boolean {
  return /\.json$|(^|[^a-z])(vocab|merges)\.txt$/i.test(plainName(name));
}
