// The page's words in English. The other languages have the same names (see words.ts).

export const en = {
  title: "Octet: a small BERT on eight replicas, in this tab",
  description:
    "Train a small BERT in your browser on eight simulated TPU replicas in bf16, on a text you choose. Nothing is installed and nothing leaves your machine.",
  skip: "Skip to the controls",
  language: "Language",
  heading: "A small BERT learns here, on eight replicas, in this tab",
  lead: "It reads a text in which some words are hidden and learns to guess them. Eight simulated TPU cores share the work, all of it on your machine.",

  sections: "Parts of this page",
  trainingPart: "Train",
  rules: "The three rules",
  textSection: "Text and tokens",
  machine: "The machine",
  checklist: "Ready for a TPU?",
  sectionFailed: "This part of the page could not be loaded.",
  coming: "Loading…",
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
    "A replica is one copy of the model on one TPU core. Each takes an eighth of the batch and finds its own loss, shown here, and gradient.",
  replica: (number: string) => `Replica ${number}`,
  allReduce: "All-reduce",
  allReduceHint:
    "In each step losses and gradients are averaged over all masked tokens. Every copy makes the same update, so all stay equal to the bit. The hash is a fingerprint of the weights.",
  hashAt: (step: string) => `Hash of the weights after step ${step}`,

  loss: "Loss",

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

  options: "Options",

  broken: "The program stopped. Your text is safe on your machine; load the page again to start anew.",
  reload: "Load the page again",

  footer: "Octet is a C++20 library, compiled here to WebAssembly. In a terminal the same run gives the same bits.",
};
