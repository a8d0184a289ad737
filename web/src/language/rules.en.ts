// The Rules section's words in English. The other languages' files have the same names.
import { s } from "./plural";

export const en = {
  lead: "A TPU runs programs that XLA compiled ahead, for tensors of fixed shapes. Three rules follow from that. Here you can break each of them, see what the library says, and mend it, without installing a compiler.",

  lengths: {
    heading: "Rule 3: every new shape is another program",
    hint: "Sentences differ in length, and each length is a shape of its own. Padding them up to a few lengths, the buckets, spares compiles and costs work on padding. Here is a real text, cut into tokens and batches, under every policy that the library has.",
    text: "Text whose lengths are measured",
    measured: (lines: string, tokens: string, longest: string) =>
      `${lines} line${s(lines)}, ${tokens} token${s(tokens)} with [CLS] and [SEP], the longest line with ${longest}. A file dropped on the page is measured too.`,
    beginning: "Of a text so long, the beginning is measured: two million bytes, 20,000 lines at most.",
    cut: (most: string) => `Of a line of more than ${most} tokens, the first ${most} are counted.`,
    rows: "Lines in a batch",
    rowsHint: "A batch is as long as its longest line, so larger batches vary less and pad more.",
    compiling: "Time to compile one program",
    measuredHere: "measured here",
    compilingHint:
      "Small models compile in milliseconds in this tab; a large one on a TPU takes half a minute and more.",
    steps: "Steps of the run",
    stepsHint: "The longer a run, the less a compile weighs against padding, which every step pays for.",
    table: "Bucket policies: programs compiled, share of padding and time of the run",
    policy: "Policy",
    programs: "Programs",
    padding: "Padding",
    time: "Whole run",
    ofCompiling: "compiling",
    ofRunning: "computing",
    best: "least of the batches",
    compilingTime: (time: string) => `compiling ${time}`,
    policies: {
      exact: "Each line by itself",
      longest: "Longest of the batch",
      multiple_of: "Multiples of a number",
      doubling_then_linear: "Doubling, then steps",
      one_of: "A list of lengths",
      max_length: "One length for all",
      fitted: "Fitted to the text",
    },
    policyHints: {
      exact:
        "No padding at all: each line is a call of its own, and each length a program of its own. What is not counted here: a call of one line leaves most of a TPU's matrix unit idle.",
      longest:
        'The lines of a batch are padded to its longest one, as with padding="longest". Every longest length is one more program.',
      multiple_of:
        "Lengths go up to the next multiple, as with pad_to_multiple_of. Nothing of the text need be known, so it is often chosen; the time says whether it suits this text.",
      doubling_then_linear:
        "Powers of two for short batches, multiples beyond: few programs, and little padding where it is long.",
      one_of: "Only these lengths. A batch that is longer than the last of them is refused.",
      max_length:
        'Everything is padded to the longest line, as with padding="max_length": one program, and the most padding.',
      fitted:
        "The library looks at the lengths, the time of a compile and the length of the run, and finds the multiples of 8 with the least time in all.",
    },
    multiple: "Multiple of",
    multipleHint: "A small number pads little and compiles often; a large one the other way round.",
    bound: "Doubling up to",
    boundHint: "Below it lengths double; above it they grow by this much.",
    most: "Buckets at most",
    mostHint: "A bound on the number of programs. Left at its lowest, as many as pay for themselves.",
    asPay: "as many as pay",
    list: "Lengths, with commas between",
    listHint: "Whole numbers of tokens; order does not matter.",
    listWrong: (most: string, count: string, used: string) =>
      `These are not whole numbers from 1 to ${most}, ${count} of them at most: what is shown is still of ${used}.`,
    noBatch: "no batch: a matrix unit would be idle",
    histogram: (batches: string, buckets: string) =>
      `Bar chart of the longest lengths of ${batches} batch${batches === "1" ? "" : "es"}, over which the chosen policy lays ${buckets} bucket${s(buckets)}.`,
    upAxis: (count: string) => `${count} batch${count === "1" ? "" : "es"}`,
    acrossAxis: "tokens",
    histogramHint:
      "How many batches have which longest line, in tokens. The bands are the buckets of the chosen policy; what lies between a bar and the end of its band is padding.",
  },

  programs: {
    heading: "Rules 1 and 2: no branch on a value, no shape from data",
    hint: "Each line is traced as you write it, by the library that a C++ program would import. While it is traced an array has an element type and a shape, and no values: what asks for one is refused, with the number, the sentence and the rewrite that the C++ compiler prints.",
    examples: "Programs to begin with",
    examplesHint: "Each breaks a rule in one line. The button below a message puts the corrected program in its place.",
    titles: {
      branch: "if on a sum",
      loss: "A loss without padding",
      classes: "Different labels",
      both: "&& and !",
      number: "A float from an array",
      extent: "As many as there are",
      rows: "A loop over rows",
      branches: "Branches of two shapes",
    },
    editor: "Your program",
    editorHint:
      "Change anything. One statement a line, no blocks, as in Python or C++: names, input(f32, [4, 8]), + - * / @, comparisons, where, sum, mean, max, take, softmax and others.",
    refused: "Refused",
    plain:
      "To trace is to run the program once without numbers, only to note its operations for the compiler. f32[4, 8] is what is known of an array then: 4 rows of 8 numbers of 32 bits.",
    accepted: "It traces, and this is what each line is",
    mend: "Put the corrected program in its place",
    again: "Show the wrong one again",
    own: "My program",
    table: "Lines of the program with types and values",
    line: "Line",
    type: "Type",
    values: "Values on small inputs",
    result: "result",
    listing: "The program as XLA gets it (StableHLO)",
  },

  fault: {
    at: (line: string) => `line ${line}`,
    sentence: "What is wrong",
    because: "because",
    rule: "rule",
    fix: "fix",
  },

  story: {
    heading: "The story of 429 compiles",
    hint: "In 2022 a RoBERTa that was trained through XLA compiled anew in nearly every step: its profiler counted 429 compiles in 493 steps, because each batch was as long as its longest row. Padding all rows to 512 ended it. Here such a run is replayed on this library's own cache, with invented lengths that give the same count. The report:",
    play: "Replay",
    again: "Replay from the start",
    pause: "Pause",
    toEnd: "To the end",
    remedy: "Buckets for the length",
    remedies: {
      none: "None, as it was",
      multiple: "Multiples of 64",
      doubling: "Doubling up to 64, then 64",
      max: "All 512, as they did",
      fitted: "Fitted, at most 8",
    },
    remedyHint:
      "Choose while it runs: the rest of the run goes on under the new buckets, compiling anew what it needs.",
    compiles: "Compiles so far",
    steps: "Steps so far",
    padding: "Padding of rows so far",
    step: "Step",
    stepHint: "Go to any step. Buckets chosen there take over from it.",
    curve: (compiles: string, steps: string) => `Line chart of compiles over steps: ${compiles} after ${steps}.`,
    everyStep: "a compile in every step",
    counted: (count: string) => `${count} compile${s(count)}`,
    ended: (count: string) => `${count} step${s(count)}`,
    compiled: "compiles of this run",
    raised: (step: string) => `Raised at step ${step}`,
    explanation: "What explain() says in the end",
  },
};
