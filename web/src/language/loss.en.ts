// The words of the loss's chart in English. The other languages' files have the same names.
export const en = {
  lossHint: (vocabulary: string, nats: string) =>
    `How badly the model guesses the hidden words, in nats; lower is better. Blind guessing among ${vocabulary} word pieces would cost ${nats}. The held-out loss is measured on lines it never trains on: where the two curves move apart, the model is learning by heart.`,
  trainingLoss: "training",
  heldOutLoss: "held out",
  stepAxis: "step",
  lossAxis: "loss (nats)",
  atStep: (step: string) => `at step ${step}`,
  chartSummary: (step: string, loss: string, heldOut: string) =>
    `Line chart of the loss. At step ${step}: training ${loss}, held out ${heldOut}. Left and right arrow keys move the readout.`,
};
