// The notices' words in Japanese.
import type { en } from "./notices.en";

export const ja: typeof en = {
  notUsed: (name) => `「${name}」は使いませんでした。`,
  optionsNotUsed: "この設定は使いませんでした。",
  linkNotUsed: (options) => `リンクにある次の設定は使いませんでした：${options}`,
  ownText: "自分のファイルで作ったリンクです。ファイルはリンクに入らないので、選び直してください。",
  earlierRun: "それまでの学習はそのまま残っています。",
  unreadable: "読み取れませんでした。フォルダーであるか、選んだ後に移動または変更された可能性があります。",
  notLoaded:
    "読み込めませんでした。ネットワークが切れているかもしれません。サーバーのページがその間に変わった場合は、ページを読み込み直してください。",
  oneFile: "一度に学習に使えるファイルは 1 つです。",
  dismiss: "閉じる",
};
