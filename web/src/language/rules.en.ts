// The Rules section's words in English. The other languages' files have the same names.
export const en = {
  lead: "A TPU runs programs that XLA compiled ahead, for tensors of fixed shapes. Three rules follow from that. Here you can break each of them, see what the library says, and mend it, without installing a compiler.",

  lengths: {
    heading: "Rule 3: every new shape is another program",
    hint: "Sentences differ in length, and each length is a shape of its own. Padding them up to a few lengths, the buckets, spares compiles and costs work on padding. Here is a real text, cut into tokens and batches, under every policy that the library has.",
    text: "Text whose lengths are measured",
    measured: (lines: string, tokens: string, longest: string) =>
      `${lines} lines, ${tokens} tokens, the longest line with ${longest}. A file dropped on the page is measured too.`,
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
    best: "least",
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
      exact: "No padding at all: each line is a call of its own, and each length a program of its own.",
      longest:
        'The lines of a batch are padded to its longest one, as with padding="longest". Every longest length is one more program.',
      multiple_of: "Lengths go up to the next multiple, as with pad_to_multiple_of. The usual choice.",
      doubling_then_linear:
        "Powers of two for short batches, multiples beyond: few programs, and little padding where it is long.",
      one_of: "Only these lengths. A batch that is longer than the last of them is refused.",
      max_length:
        'Everything is padded to the longest line, as with padding="max_length": one program, and the most padding.',
      fitted:
        "The library looks at the lengths, the time of a compile and the length of the run, and finds the buckets with the least time in all.",
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
    histogram: (batches: string, buckets: string) =>
      `Bar chart of the longest lengths of ${batches} batches, over which the chosen policy lays ${buckets} buckets.`,
    histogramHint:
      "How many batches have which longest line, in tokens. The bands are the buckets of the chosen policy; what lies between a bar and the end of its band is padding.",
  },
};
