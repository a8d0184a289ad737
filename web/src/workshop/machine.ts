// What the workshop says about training on a slice (web/bindings/workshop/machine.cpp, matrix_unit.cpp, numbers.cpp). Seconds
// and bytes.
import type { Diagnostic } from "../engine/engine";

export interface Slice {
  name: string;
  /** The generation, as in "v3". */
  chip: string;
  chips: number;
  cores: number;
  hosts: number;
  torus: number[];
  wraps: boolean;
}

export interface Chip {
  name: string;
  /** Flop/s in bf16. */
  peak: number;
  cores: number;
  /** Whether the number in a slice's name counts cores; chips otherwise. */
  counts_cores: boolean;
  hbm_bytes: number;
  hbm_bandwidth: number;
  matrix_unit_size: number;
  /** Of one host. */
  processors: number;
  slices: Slice[];
}

export interface Choices {
  models: { name: string; parameters: number; positions: number }[];
  codes: string[];
  chips: Chip[];
}

/** What is trained, where and how. */
export interface Job {
  model: string;
  slice: string;
  code: string;
  /** That a replica takes at once. */
  sequences: number;
  /** Tokens of a sequence. */
  length: number;
  predictions?: number;
  accumulate: number;
}

export type Bound = "matrix_unit" | "vector_unit" | "memory" | "interconnect" | "start";

export interface Memory {
  /** What a program may use. */
  capacity: number;
  /** With as much recomputed as it takes to fit. */
  needed: number;
  /** With nothing recomputed. */
  peak: number;
  fits: boolean;
  /** Where it fits only by recomputing that XLA was not seen to do unasked: how many times the capacity it was. */
  must_ask_beyond?: number;
  weights: number;
  optimizer: number;
  /** Gradients of the accumulation steps before. */
  added_up: number;
  /** Activations and gradients, at the worst moment. */
  working: number;
  largest: { type: string; description: string; bytes: number }[];
}

export interface Product {
  batch: number;
  m: number;
  k: number;
  n: number;
  calls: number;
  seconds: number;
  /** Of the matrix unit's work, the share that is not padding. */
  use: number;
}

export interface Estimate {
  slice: Slice;
  parameters: number;
  replicas: number;
  batch: number;
  sequences: number;
  step: number;
  forward_backward: number;
  recompute: number;
  accumulate: number;
  all_reduce: number;
  update: number;
  /** Of forward and backward, the seconds of the operations that each unit bounds. */
  bound: Record<Bound, number>;
  sequences_per_second: number;
  peak_share: number;
  matrix_use: number;
  memory: Memory;
  products: Product[];
}

export type Given = "half_batch" | "accumulate" | "bf16_activations" | "sharded_optimizer" | "gradient_checkpointing";

export interface MemoryAnswer {
  /** Sequences that a replica can take at once, at most. */
  largest_batch: number;
  /** The same with nothing recomputed; 0 where not one fits so. */
  largest_kept: number;
  choices: { id: Given; peak: number; step: number; fits: boolean }[];
  /** One, where the job does not fit. */
  refused: Diagnostic[];
}

/** A step on one slice of the generation. */
export interface Scaled extends Slice {
  replicas: number;
  batch: number;
  /** Sequences of weight zero beside it. */
  padding: number;
  step: number;
  all_reduce: number;
  sequences_per_second: number;
  peak_share: number;
  fits: boolean;
}

export interface TimelineEvent {
  lane: number;
  name: string;
  category: string;
  begin: number;
  seconds: number;
  step: number;
}

export interface Timeline {
  seconds: number;
  lanes: { group: string; name: string }[];
  events: TimelineEvent[];
  replicas: number;
  hosts: number;
  step: number;
  /** From one step to the next. */
  cycle: number;
  waiting_share: number;
  slowest: "read" | "prepare" | "transfer" | "step";
  too_few_prefetched: boolean;
  one_slow_host: boolean;
  threads: number;
  /** Of a host. */
  processors: number;
  prepare_microseconds: number;
  threads_needed: number | null;
  prefetch_needed: number | null;
}

export type Place = "memory" | "disk" | "bucket";

/** How one reaches the hosts of the chips: by working on them, or over the network from a machine of one's own. */
export type Host = "vm" | "node";

/** Who prepares examples: threads of the hosts, or the program, which the pipeline calls back for each. */
export type PreparedBy = "hosts" | "program";

/** What is left out is as usual. */
export interface Feed {
  threads?: number;
  prefetch: number;
  place: Place;
  host: Host;
  prepared_by: PreparedBy;
  slow_host: number;
  prepare_microseconds?: number;
}

/** What would make a step faster. */
export interface FindingValue {
  value: number;
  unit: "count" | "share" | "seconds" | "bytes" | "factor";
}

/** What stalls a step: codes with their numbers, and the same in English. */
export interface Finding {
  id: string;
  sentence: string;
  values: FindingValue[];
  remedy: string;
  change: string;
  changes: FindingValue[];
  /** Of a step, that the change saves. */
  seconds: number;
  share: number;
}

export interface Dimension {
  name: "m" | "k" | "n";
  extent: number;
  padded: number;
  tile: number;
  padded_seconds: number;
  /** The next extent below that fills whole tiles; 0 where there is none. */
  below: number;
  below_seconds: number | null;
}

export interface MatrixUnit {
  size: number;
  /** Which of the two outer extents streams through the unit in rows of eight. */
  streams: "m" | "n";
  seconds: number;
  bound: string;
  flops: number;
  padded_flops: number;
  use: number;
  m: Dimension;
  k: Dimension;
  n: Dimension;
}

export interface Written {
  /** The sign, the exponent's eight, the fraction's. */
  bits: string;
  text: string;
  value: number;
  kind: "zero" | "subnormal" | "normal" | "infinity" | "nan";
  /** Of two. */
  exponent: number;
  /** From 0 to 1. */
  fraction: number;
}

export interface Apart {
  f32: Written;
  bf16: Written;
  error: number | null;
  relative_error: number | null;
  below: Written | null;
  above: Written | null;
}

export interface Updated {
  weight: string;
  change: string;
  after_one: string;
  vanished: boolean;
  half_gap: string;
  /** The weight kept in bf16, after 0, 1, 2, … updates. */
  kept: number[];
  /** A master in f32, and its copies in bf16. */
  masters: number[];
  copies: number[];
  kept_text: string;
  master_text: string;
}

export interface MachineCalls {
  machineChoices(request: object): Promise<Choices>;
  estimateJob(job: Job): Promise<Estimate>;
  memoryOf(job: Job): Promise<MemoryAnswer>;
  scalingOf(request: Job & { keeps: "batch" | "share" }): Promise<Scaled[]>;
  timelineOf(request: Job & Feed & { steps?: number }): Promise<Timeline>;
  findingsOf(request: Job & Feed): Promise<Finding[]>;
  matrixUnit(request: { chip: string; m: number; k: number; n: number }): Promise<MatrixUnit>;
  takeApart(request: { text: string } | { bits: string }): Promise<Apart>;
  updateAgain(request: { text: string; power: number; updates: number }): Promise<Updated>;
}
