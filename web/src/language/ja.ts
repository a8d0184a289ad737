// The page's words in Japanese.
import type { Words } from "./words";

export const ja: Words = {
  title: "Octet：このタブの中、8 つのレプリカで学習する小さな BERT",
  description:
    "ブラウザの中で、選んだ文章を使い、bf16 の TPU レプリカ 8 つをシミュレートして小さな BERT を学習します。インストールは不要で、データが手元を離れることはありません。",
  skip: "操作ボタンへ移動",
  language: "言語",
  heading: "小さな BERT が、このタブの中、8 つのレプリカで学びます",
  lead: "ところどころ単語を隠した文章を読み、隠れた単語を当てることを学びます。本物の TPU と同じように、シミュレートした 8 つの TPU コアが仕事を分け合います。計算はすべてお使いのコンピューターの中で行われ、選んだ文章はどこにも送信されません。",

  sections: "このページの構成",
  trainingPart: "学習",
  rules: "3 つのルール",
  textSection: "文章とトークン",
  machine: "TPU のしくみ",
  checklist: "TPU に載せる準備はできた？",
  sectionFailed: "ページのこの部分を読み込めませんでした。",
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
    "ステップごとに 8 つの勾配を平均します。どの複製も同じ更新をするので、8 つは最後の 1 ビットまで等しいままです。ハッシュはその重みの指紋です。",
  hashAt: (step) => `ステップ ${step} の後の重みのハッシュ`,

  loss: "損失",
  lossHint: (vocabulary, nats) =>
    `隠れた単語をどれほど外しているかをナット（nat）で表した値で、低いほど良い値です。${vocabulary} 個の単語片から当てずっぽうに選ぶと ${nats} になります。検証損失は、学習に使わずに取り分けた行で測ります。2 本の線が離れていくところでは、モデルは文章を丸暗記しています。`,
  trainingLoss: "学習",
  heldOutLoss: "検証",
  stepAxis: "ステップ",
  lossAxis: "損失（nat）",
  atStep: (step) => `ステップ ${step}`,
  chartSummary: (step, loss, heldOut) =>
    `損失の折れ線グラフ。ステップ ${step} で学習損失 ${loss}、検証損失 ${heldOut}。左右の矢印キーで読み取る位置を動かせます。`,

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
  tokensPerSecond: "毎秒のトークン数",
  tokensPerSecondHint: (tokens) => `トークンとは、単語または単語の断片です。1 ステップで ${tokens} 個を処理します。`,
  compiles: "コンパイルしたプログラム",
  compilesHint:
    "TPU が実行するのはコンパイル済みのプログラムで、入力の形が新しくなるたびに別のプログラムが要ります。コンパイルには時間がかかるので、形の種類は少ないほど有利です。",
  cacheHits: "キャッシュヒット",
  cacheHitsHint: "コンパイル済みのプログラムを、追加の時間なしで使い回せた回数です。",
  padding: "パディング",
  paddingHint:
    "1 つのプログラムですべてを処理できるよう、短い行を同じ長さまで埋めます。計算のうちこの割合が、埋めた部分に使われています。",
  learningRate: "学習率",
  learningRateHint:
    "1 回の更新の大きさです。ウォームアップの間は上がり、その後は最後のステップで 0 になるまで下がります。",
  vocabulary: "単語片",
  vocabularyHint: (lines, heldOut) =>
    `この文章から作った語彙の大きさです。学習用が ${lines} 行、検証用が ${heldOut} 行あります。`,
  parameters: "重み",
  parametersHint: (layers, hidden) =>
    `モデルが学ぶ数値の個数です。幅 ${hidden} の層が ${layers} つあります。積は TPU と同じく bf16 で計算します。`,
  threads: "スレッド",
  threadsHint: "レプリカが分け合うスレッドの数です。増やしても減らしても、結果の数値はすべて同じです。",

  options: "設定",
  optionsHint: "設定を変えると、学習を新しく始めます。アドレスバーのリンクに、選んだ内容が入ります。",
  optionSteps: "ステップ数",
  optionSeed: "シード",
  optionLearningRate: "学習率（最大値）",
  optionVocabulary: "単語片の数（上限）",
  optionLayers: "層の数",
  optionHidden: "幅",
  apply: "この設定で学習",

  oneThread:
    "このページは 1 つのスレッドで動いています。スレッド間でメモリーを共有するためのヘッダー（クロスオリジン分離）を、サーバーが送っていないためです。結果はビットまで同じで、時間が長くかかるだけです。",
  turnOnThreads: "スレッドを有効にする",
  turnOnThreadsHint: "サービスワーカーがヘッダーを付け加え、ページを読み込み直します。",
  threadsFailed: "このブラウザではスレッドを有効にできませんでした。",
  notUsed: (name) => `「${name}」は使いませんでした。`,
  earlierRun: "それまでの学習はそのまま残っています。",
  unreadable: "ファイルを読み取れませんでした。",
  refusals: {
    X701: "ファイルを読み取れません。",
    X702: "文章が空です。単語の入ったファイルを選んでください。",
    X703: "テキストファイルではありません。プレーンテキスト（UTF-8）に変換したファイルを選んでください。",
    X704: "UTF-8 ではありません。エディターで文字コードを UTF-8 にして保存し直してください。",
    X705: "文章が文字の途中で切れています。ファイルをもう一度ダウンロードまたはコピーしてください。",
    X706: "学習するには文章が短すぎます。数百行ほどあれば始められます。",
    X709: "設定の値が範囲の外です。",
    X716: "文章が大きすぎます。一部だけを使うか、ターミナルで学習してください。",
  },
  broken:
    "プログラムが停止しました。文章は手元にそのまま残っています。ページを読み込み直して、もう一度始めてください。",
  reload: "ページを読み込み直す",
  dismiss: "閉じる",

  footer:
    "Octet は C++20 のライブラリーで、ここでは WebAssembly にコンパイルされています。ターミナルで同じ学習を実行すると、ビットまで同じ結果になります。",
};
