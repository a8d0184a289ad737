// The notices' words in Japanese.
import type { en } from "./notices.en";

export const ja: typeof en = {
  oneThread:
    "このページは 1 つのスレッドで動いています。スレッド間でメモリーを共有するためのヘッダー（クロスオリジン分離）を、サーバーが送っていないためです。結果はビットまで同じで、時間が長くかかるだけです。",
  turnOnThreads: "スレッドを有効にする",
  turnOnThreadsHint: "サービスワーカーがヘッダーを付け加え、ページを読み込み直します。",
  threadsFailed: "このブラウザーではスレッドを有効にできませんでした。",
  notUsed: (name) => `「${name}」は使いませんでした。`,
  optionsNotUsed: "この設定は使いませんでした。",
  linkNotUsed: "リンクにある設定は使いませんでした。",
  earlierRun: "それまでの学習はそのまま残っています。",
  unreadable: "ファイルを読み取れませんでした。選んだ後に移動または変更された可能性があります。",
  notLoaded:
    "読み込めませんでした。ネットワークが切れているかもしれません。サーバーのページがその間に変わった場合は、ページを読み込み直してください。",
  oneFile: "一度に学習に使えるファイルは 1 つです。",
  dismiss: "閉じる",
};
