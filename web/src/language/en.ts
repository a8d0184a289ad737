// The page's words in English. The other languages have the same names (see words.ts).

export const en = {
  title: "Octet: a small BERT on eight replicas, in this tab",
  description:
    "Train a small BERT in your browser on eight simulated TPU replicas in bf16, on a text you choose. Nothing is installed and nothing leaves your machine.",
  skip: "Skip to the controls",
  language: "Language",
  heading: "A small BERT learns here, on eight replicas, in this tab",
  lead: "It reads a text in which some words are hidden and learns to guess them. Eight simulated TPU cores share the work, as on a real TPU, and all of it runs on your machine: the text you choose goes nowhere.",

  sections: "Parts of this page",
  trainingPart: "Train",
  rules: "The three rules",
  textSection: "Text and tokens",
  machine: "The machine",
  checklist: "Ready for a TPU?",
  sectionFailed: "This part of the page could not be loaded.",
  tryAgain: "Try again",

  text: "Text",
  textHint: "Or drop a text file anywhere on the page. Plain UTF-8, a sentence or two on each line.",
  ownFile: "Your own file…",
  dropHere: "Drop the file to train on it",

  controls: "Training",
  start: "Start",
  pause: "Pause",
  step: "Step",
  reset: "Reset",
  again: "Train again",
  stepOf: (step: string, steps: string) => `Step ${step} of ${steps}`,
  timeLeft: (time: string) => `${time} left`,
  seconds: (count: string) => `${count} s`,
  minutes: (count: string) => `${count} min`,
  loading: "Loading the program",
  opening: "Learning the vocabulary and compiling",
  training: "Training",
  paused: "Paused",
  ready: "Ready",
  finished: "Finished",
  announceLoss: (step: string, loss: string) => `Step ${step}, loss ${loss}`,

  replicas: "Eight replicas",
  replicasHint:
    "A replica is one copy of the model on one TPU core. Each takes an eighth of the batch and finds its own loss, shown here, and its own gradient.",
  replica: (number: string) => `Replica ${number}`,
  allReduce: "All-reduce",
  allReduceHint:
    "After each step the eight gradients are averaged. Every copy makes the same update, so all eight stay equal to the last bit. The hash is a fingerprint of their weights.",
  hashAt: (step: string) => `Hash of the weights after step ${step}`,

  loss: "Loss",
  lossHint: (vocabulary: string, nats: string) =>
    `How badly the model guesses the hidden words, in nats; lower is better. Blind guessing among ${vocabulary} word pieces would cost ${nats}. The held-out loss is measured on lines it never trains on: where the two part, the model is learning by heart.`,
  trainingLoss: "training",
  heldOutLoss: "held out",
  stepAxis: "step",
  lossAxis: "loss (nats)",
  atStep: (step: string) => `at step ${step}`,
  chartSummary: (step: string, loss: string, heldOut: string) =>
    `Line chart of the loss. At step ${step}: training ${loss}, held out ${heldOut}. Left and right arrow keys move the readout.`,

  fill: "Fill the blank",
  fillLabel: "A sentence with a blank, written ___",
  fillHint: "Ask while it trains, and watch the guesses change.",
  insertBlank: "Insert blank",
  fillAfter: (step: string) => `Guesses after step ${step}`,
  blankNumber: (number: string) => `Blank ${number}`,
  noBlank: "Write ___ where the word is missing.",
  wordRest: "## marks a piece that goes on with the word before it.",
  waiting: "The guesses appear here once the model is ready.",

  numbers: "In numbers",
  tokensPerSecond: "Tokens per second",
  tokensPerSecondHint: (tokens: string) =>
    `A token is a word or a piece of one. Each step works through ${tokens} of them.`,
  compiles: "Programs compiled",
  compilesHint:
    "A TPU runs compiled programs, and each new shape of input needs its own. Compiling is slow, so few shapes are good.",
  cacheHits: "Cache hits",
  cacheHitsHint: "How often a program compiled earlier was used again, at no cost.",
  padding: "Padding",
  paddingHint:
    "Short rows are filled up to a common length, so that one program serves them all. This share of the work is spent on the filling.",
  learningRate: "Learning rate",
  learningRateHint: "The size of an update. It climbs while warming up, then falls to zero at the last step.",
  vocabulary: "Word pieces",
  vocabularyHint: (lines: string, heldOut: string) =>
    `The vocabulary, learned from this text: ${lines} lines to train on and ${heldOut} held out.`,
  parameters: "Weights",
  parametersHint: (layers: string, hidden: string) =>
    `The numbers the model learns, in ${layers} layers of width ${hidden}. Products are taken in bf16, as on a TPU.`,
  threads: "Threads",
  threadsHint: "The replicas share this many threads. With more or fewer, every number comes out the same.",

  options: "Options",
  optionsHint: "Changing one starts a new run. The link in the address bar carries your choices.",
  optionSteps: "Steps",
  optionSeed: "Seed",
  optionLearningRate: "Learning rate (highest)",
  optionVocabulary: "Word pieces (most)",
  optionLayers: "Layers",
  optionHidden: "Width",
  apply: "Train with these",

  oneThread:
    "This page runs on one thread, because its server did not send the headers that let a page share memory between threads (cross-origin isolation). The results are the same to the bit; it only takes longer.",
  turnOnThreads: "Turn on threads",
  turnOnThreadsHint: "A service worker will add the headers, and the page will load again.",
  threadsFailed: "Threads could not be turned on in this browser.",
  notUsed: (name: string) => `“${name}” was not used.`,
  earlierRun: "The run before it is still here.",
  unreadable: "The file could not be read.",
  /** The engine's messages by number, where its own words are not in this language. */
  refusals: {} as Record<string, string>,
  broken: "The program stopped. Your text is safe on your machine; load the page again to start anew.",
  reload: "Load the page again",
  dismiss: "Close",

  footer: "Octet is a C++20 library, compiled here to WebAssembly. In a terminal the same run gives the same bits.",
};
