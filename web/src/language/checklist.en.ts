// The Checklist section's words in English. The other languages' files have the same names.

const madeUp =
  "60 made-up lengths, from an eighth of the longest up. To be judged by a text of yours, choose it above for training, or under “The three rules”.";
const ofText =
  "Those of the text's lines in batches, in their order, or of the blocks that GPT-2 is given; of a large text the first 2 MB or 20,000 lines.";

export const en = {
  lead: "Before a TPU is rented, a training step can be checked on this machine: octet check traces it and goes through the list. Nothing is run on a TPU, and what cannot be known is marked as not judged.",
  heading: "What is to be trained, where and how",
  hint: "Change anything; the report below follows. The link in the address bar carries your choices.",
  subject: "What is checked",
  published: "a published model",
  ownProgram: "your own program…",
  ownHint:
    "A program in StableHLO, as JAX prints it. It stays in this tab. With this line a file is made, for one device and with one replica's share of the batch:",
  batchArguments: "Batch parameters",
  batchArgumentsHint:
    "The parameters that hold the batch, or the structures that do, with blanks between: batch, or arg1 arg2.",
  tooLarge: "The file has more than 64 MB. Take large constants out of the program: make them parameters.",
  leftOut: (name: string) => `Not used: “${name}”. One program is checked at a time.`,
  where: "Where: ",
  model: "Model",
  modelHint: "A published transformer, with the sizes of its paper.",
  slice: "Slice",
  sliceHint: "What is rented: the generation, then cores (v2 to v4, v5p) or chips (v5e, v6e).",
  batch: "Batch",
  batchHint: "Sequences of one step, over all replicas.",
  seq: "Tokens",
  seqHint: "Of the longest sequence.",
  lengths: "Lengths",
  lengthsHints: {
    one: "Each batch that the step is called with is as long as that.",
    varied: madeUp,
    multiples: madeUp,
    own: ofText,
    own_multiples: ofText,
  },
  lengthsNames: {
    one: () => "all of the longest",
    varied: () => "made up, as they come",
    multiples: () => "made up, padded to multiples of 64",
    own: (name: string) => `as in ${name}`,
    own_multiples: (name: string) => `to multiples of 64, as in ${name}`,
  },
  code: "Code",
  codeHint:
    "The class of code that trains: what it keeps in bf16, how it does dropout. Each replica holds all of the optimizer's state here, where MLPerf's code holds a share.",
  host: "Host",
  hostHint: "How the chips are reached.",
  hostNames: {
    vm: "TPU VM: on their machine",
    node: "TPU node: over the network",
  },
  data: "Data",
  dataHint: "Where the examples lie before a step.",
  dataNames: {
    unknown: "not said",
    memory: "in memory",
    disk: "on the local disk",
    bucket: "in a bucket",
  },
  pipeline: "Input pipeline",
  pipelineHint: "Whether it runs code of the program for each example.",
  pipelineNames: {
    no: "stands by itself",
    yes: "calls back into the program",
  },
  rate: "Examples a second",
  rateHint: "That the pipeline makes, as measured; 0 where it is not known.",
  wrong: (least: string, most: string, used: string) =>
    `A whole number from ${least} to ${most} is needed. The report is still for ${used}.`,
  report: "The report",
  checking: "Tracing and checking…",
  ready: "Ready.",
  notReady: "Not ready.",
  counts: (pass: string, warn: string, fail: string, unknown: string) =>
    `${pass} pass, ${warn} warn, ${fail} fail, ${unknown} not judged.`,
  verdicts: {
    pass: "pass",
    warn: "warn",
    fail: "fail",
    unknown: "not judged",
  },
  evidence: "Evidence",
  cure: "What to do",
  questions: {
    rule_1: "Rule 1: no branch depends on a tensor's value",
    rule_2: "Rule 2: no shape depends on a tensor's values",
    rule_3: "Rule 3: inputs come in few shapes",
    compiles: "The program compiles on this machine",
    data: "The data lie where the TPU's hosts can read them",
    pipeline: "The input pipeline needs no program beside it",
    scope: "Model and state are made for all replicas",
    inner_jit: "Nothing inside is compiled by itself",
    batch: "Replicas share the batch equally",
    gradients: "Updates are the same on all replicas",
    memory: "It fits into a replica's memory",
    matrix_unit: "The matrix unit works on data, not on padding",
    precision: "Numbers survive bf16",
    time: "A step is long enough to keep the chips busy",
    input: "The input keeps up with the chips",
  },
};
