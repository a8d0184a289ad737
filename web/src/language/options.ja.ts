// The option form's words in Japanese.
import type { en } from "./options.en";

export const ja: typeof en = {
  optionsHint: "設定を変えると、学習を新しく始めます。アドレスバーのリンクに、選んだ内容が入ります。",
  optionSteps: "ステップ数",
  optionSeed: "シード",
  optionLearningRate: "学習率（最大値）",
  optionVocabulary: "単語の断片の数（上限）",
  optionLayers: "層の数",
  optionHidden: "幅",
  apply: "この設定で学習",
};
