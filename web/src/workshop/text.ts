// What the workshop says about tokenizers (web/bindings/workshop/text.cpp and text_training.cpp). Of each kind there is one
// at a time, which stands until another is learned or read.

export const tokenizerKinds = ["wordpiece", "bpe"] as const;
export type TokenizerKind = (typeof tokenizerKinds)[number];

/** What both are trained with; those from `limit_alphabet` on are WordPiece's, the last BPE's. */
export interface TrainingOptions {
  vocab_size: number;
  min_frequency: number;
  limit_alphabet: number;
  wordpieces_prefix: string;
  clean_text: boolean;
  lowercase: boolean;
  strip_accents: boolean;
  handle_chinese_chars: boolean;
  add_prefix_space: boolean;
}

export interface Piece {
  id: number;
  /** What it stands for; empty where its bytes are no whole characters. */
  text: string;
  /** Those bytes in hexadecimal then. */
  bytes: string;
}

/** How far learning is. */
export interface Growth {
  pieces: number;
  more: boolean;
  /** Of the whole text. */
  tokens_per_word: number;
  /** Learned last, the last one first. */
  latest: Piece[];
}

export interface Token extends Piece {
  /** As files show it. */
  piece: string;
  /** What a WordPiece that continues a word begins with in files; else empty. */
  mark: string;
  continues: boolean;
  special: boolean;
  unknown: boolean;
  /** The characters (code points) of the text that it stands for. */
  begin: number;
  end: number;
}

export interface Encoded {
  ids: Int32Array;
  /** How many of them stand for what the vocabulary does not have. */
  unknown: number;
  /** The first ones, or all where `most` is not given. */
  tokens: Token[];
  /** Where `decode` is set. */
  decoded?: string;
  vocabulary: number;
}

/** A tokenizer that was read from files. */
export interface Opened {
  /** Of the files that it was read from. */
  name: string;
  kind: TokenizerKind;
  pieces: number;
  missing_bytes: number;
}

export interface TextCalls {
  beginTraining(request: TrainingOptions & { name: string }): Promise<object>;
  /** `full`: there are so many different words that no more are taken. */
  readText(request: { bytes: Uint8Array }): Promise<{ words: number; full: boolean }>;
  /** `whole`: whether the text was read to its end. */
  endText(request: { whole: boolean }): Promise<{ words: number }>;
  /** Joins so many pairs, fewer where the time is over before. */
  learnPieces(request: { kind: TokenizerKind; pairs: number; milliseconds: number }): Promise<Growth>;
  /** What was learned so far stands. */
  stopTraining(request: object): Promise<object>;
  encodeText(request: { kind: TokenizerKind; bytes: Uint8Array; most?: number; decode?: boolean }): Promise<Encoded>;
  measureLines(request: {
    kind: TokenizerKind;
    name: string;
    bytes: Uint8Array;
    /** Whether they are all of it. */
    whole: boolean;
    longest: number;
  }): Promise<{ lengths: Int32Array }>;
  tokenizerFiles(request: { kind: TokenizerKind }): Promise<{ files: { name: string; content: string }[] }>;
  openTokenizer(request: { files: { name: string; bytes: Uint8Array }[] }): Promise<Opened>;
}
