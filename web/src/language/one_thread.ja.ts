// The words of the notice about one thread, in Japanese.
import type { en } from "./one_thread.en";

export const ja: typeof en = {
  oneThread:
    "このページは 1 つのスレッドで動いています。スレッド間でメモリーを共有するためのヘッダー（クロスオリジン分離）を、サーバーが送っていないためです。結果はビットまで同じで、時間が長くかかるだけです。",
  turnOnThreads: "スレッドを有効にする",
  turnOnThreadsHint: "サービスワーカーがヘッダーを付け加え、ページを読み込み直します。",
  threadsFailed: "このブラウザーではスレッドを有効にできませんでした。",
};
