// The page's words in Japanese.
import type { Words } from "./words";

export const ja: Words = {
  title: "Octet：このタブの中、8 つのレプリカで学習する小さな BERT",
  description:
    "ブラウザー内で、選んだ文章を使い、bf16 の TPU レプリカ 8 つをシミュレートして小さな BERT を学習します。インストールは不要で、データは手元を離れません。",
  skip: "操作ボタンへ移動",
  language: "言語",
  heading: "小さな BERT が、このタブの中、8 つのレプリカで学びます",
  lead: "ところどころ単語を隠した文章を読み、隠れた単語を当てることを学びます。本物の TPU と同じように、シミュレートした 8 つの TPU コアが仕事を分け合います。計算はすべてお使いのコンピューターの中で行われ、選んだ文章はどこにも送信されません。",

  sections: "このページの構成",
  trainingPart: "学習",
  rules: "3 つのルール",
  textSection: "文章とトークン",
  machine: "TPU のしくみ",
  checklist: "TPU に載せる準備はできましたか？",
  sectionFailed: "ページのこの部分を読み込めませんでした。",
  coming: "読み込み中…",
  tryAgain: "もう一度試す",

  text: "文章",
  textHint:
    "テキストファイルをページのどこかにドロップしても選べます。UTF-8 のプレーンテキストで、1 行に 1、2 文が目安です。",
  ownFile: "自分のファイル…",
  dropHere: "ドロップすると、このファイルで学習します",

  controls: "学習",
  start: "開始",
  pause: "一時停止",
  step: "1 ステップ",
  reset: "最初に戻す",
  again: "もう一度学習",
  stepOf: (step, steps) => `${steps} ステップ中 ${step} ステップ`,
  timeLeft: (time) => `残り ${time}`,
  seconds: (count) => `${count} 秒`,
  minutes: (count) => `${count} 分`,
  loading: "プログラムを読み込んでいます",
  opening: "語彙を作り、コンパイルしています",
  training: "学習中",
  paused: "一時停止中",
  ready: "準備完了",
  finished: "学習完了",
  announceLoss: (step, loss) => `ステップ ${step}、損失 ${loss}`,

  replicas: "8 つのレプリカ",
  replicasHint:
    "レプリカとは、1 つの TPU コアに載ったモデルの複製です。それぞれがバッチの 8 分の 1 を受け持ち、自分の分の損失（下の数字）と勾配を計算します。",
  replica: (number) => `レプリカ ${number}`,
  allReduce: "オールリデュース（all-reduce）",
  allReduceHint:
    "ステップごとに 8 つの損失と勾配を、各レプリカの隠れたトークンの数で加重平均します。どの複製も同じ更新をするので、8 つは最後の 1 ビットまで等しいままです。ハッシュはその重みの指紋です。",
  hashAt: (step) => `ステップ ${step} の後の重みのハッシュ`,

  loss: "損失",

  fill: "空欄を埋める",
  fillLabel: "空欄を ___ と書いた文",
  fillHint: "学習の途中でも尋ねられます。答えが変わっていく様子を見てください。",
  insertBlank: "空欄を入れる",
  fillAfter: (step) => `ステップ ${step} の後の推測`,
  blankNumber: (number) => `空欄 ${number}`,
  noBlank: "単語が抜けているところに ___ と書いてください。",
  wordRest: "## は、前の単語に続く断片であることを表します。",
  waiting: "モデルの準備ができると、ここに推測が表示されます。",

  numbers: "数字で見る",

  options: "設定",

  broken:
    "プログラムが停止しました。文章は手元にそのまま残っています。ページを読み込み直して、もう一度始めてください。",
  reload: "ページを読み込み直す",

  footer:
    "Octet は C++20 のライブラリーで、ここでは WebAssembly にコンパイルされています。ターミナルで同じ学習を実行すると、ビットまで同じ結果になります。",
};
