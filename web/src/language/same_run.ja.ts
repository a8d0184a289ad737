// The words around a run's command in Japanese.
import type { en } from "./same_run.en";

export const ja: typeof en = {
  heading: "ターミナルでこのコマンドを実行すると、同じハッシュになります",
  hint: "文章のあるフォルダーで実行してください。octet は、./run train がビルドするプログラムです（build/native/octet）。",
  copy: "コピー",
  copied: "コピーしました。",
  selected: "ここではブラウザーがコピーを許していません。コマンドを選択したので、キーボードでコピーしてください。",
  save: (name) => `文章を保存：${name}`,
};
