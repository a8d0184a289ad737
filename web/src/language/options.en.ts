// The option form's words in English. The other languages' files have the same names.
export const en = {
  optionsHint: "Changing one starts a new run. The link in the address bar carries your choices.",
  optionSteps: "Steps",
  optionSeed: "Seed",
  optionLearningRate: "Learning rate (highest)",
  optionVocabulary: "Word pieces (most)",
  optionLayers: "Layers",
  optionHidden: "Width",
  apply: "Train with these",
};
