// The words of the loss's chart in Japanese.
import type { en } from "./loss.en";

export const ja: typeof en = {
  lossHint: (vocabulary, nats) =>
    `隠れた単語をどれほど外しているかをナット（nat）で表した値で、低いほど良い値です。${vocabulary} 個の単語の断片から当てずっぽうに選ぶと ${nats} になります。検証損失は、学習に使わずに取り分けた行で測ります。2 本の線が離れていくところでは、モデルは文章を丸暗記しています。`,
  trainingLoss: "学習",
  heldOutLoss: "検証",
  stepAxis: "ステップ",
  lossAxis: "損失（nat）",
  atStep: (step) => `ステップ ${step}`,
  chartSummary: (step, loss, heldOut) =>
    `損失の折れ線グラフ。ステップ ${step} で学習損失 ${loss}、検証損失 ${heldOut}。左右の矢印キーで読み取る位置を動かせます。`,
};
