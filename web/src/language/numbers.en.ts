// The run's numbers, and what they mean, in English. The other languages' files have the same names.
import { s } from "./plural";

export const en = {
  tokensPerSecond: "Tokens per second",
  tokensPerSecondHint: (tokens: string) =>
    `A token is a word or a piece of one. The last step worked through ${tokens} of them.`,
  compiles: "Programs compiled",
  compilesHint:
    "A TPU runs compiled programs, and each new shape of input needs its own. Compiling is slow, so few shapes are good.",
  cacheHits: "Cache hits",
  cacheHitsHint: "How often a program compiled earlier was used again, at no cost.",
  padding: "Padding",
  paddingHint:
    "Short rows are filled up to a common length, so that one program serves them all. This share of the work is spent on the filling.",
  learningRate: "Learning rate",
  learningRateHint:
    "The size of an update. It climbs while warming up, and over the steps that are left falls to zero.",
  vocabulary: "Word pieces",
  vocabularyHint: (lines: string, heldOut: string) =>
    `The vocabulary, learned from this text: ${lines} line${s(lines)} to train on and ${heldOut} to measure on.`,
  parameters: "Weights",
  parametersHint: (layers: string, hidden: string) =>
    `The numbers the model learns, in ${layers} layer${s(layers)} of width ${hidden}. Products are taken in bf16, as on a TPU.`,
  threads: "Threads",
  threadsHint: "The replicas share this many threads. With more or fewer, every number comes out the same.",
};
