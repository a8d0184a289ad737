// The run's numbers, and what they mean, in Japanese.
import type { en } from "./numbers.en";

export const ja: typeof en = {
  tokensPerSecond: "毎秒のトークン数",
  tokensPerSecondHint: (tokens) =>
    `トークンとは、単語または単語の断片です。最後のステップでは ${tokens} 個を処理しました。`,
  compiles: "コンパイルしたプログラム",
  compilesHint:
    "TPU が実行するのはコンパイル済みのプログラムで、入力の形が新しくなるたびに別のプログラムが要ります。コンパイルには時間がかかるので、形の種類は少ないほど有利です。",
  cacheHits: "キャッシュヒット",
  cacheHitsHint: "コンパイル済みのプログラムを、追加の時間なしで使い回せた回数です。",
  padding: "パディング",
  paddingHint:
    "1 つのプログラムですべてを処理できるよう、短い行を同じ長さまで埋めます。計算のうちこの割合が、埋めた部分に使われています。",
  learningRate: "学習率",
  learningRateHint: "1 回の更新の大きさです。ウォームアップの間は上がり、その後に残るステップでは 0 まで下がります。",
  vocabulary: "単語の断片",
  vocabularyHint: (lines, heldOut) =>
    `この文章から作った語彙の大きさです。学習用が ${lines} 行、検証用が ${heldOut} 行あります。`,
  parameters: "重み",
  parametersHint: (layers, hidden) =>
    `モデルが学ぶ数値の個数です。幅 ${hidden} の層が ${layers} 個あります。積は TPU と同じく bf16 で計算します。`,
  threads: "スレッド",
  threadsHint: "レプリカが分け合うスレッドの数です。増やしても減らしても、結果の数値はすべて同じです。",
};
