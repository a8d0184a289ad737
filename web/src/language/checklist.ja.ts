// The Checklist section's words in Japanese.
import type { en } from "./checklist.en";

const madeUp =
  "最長の 8 分の 1 から最長までの、仮の長さ 60 個です。自分の文章で判定するには、上で学習する文章に選ぶか、「3 つのルール」で選んでください。";
const ofText =
  "文章の行を順にバッチにまとめた長さで、GPT-2 では文章を分けたブロックの長さです。大きな文章は最初の 2 MB か 20,000 行までを測ります。";

export const ja: typeof en = {
  lead: "TPU を借りる前に、学習ステップをこのコンピューターで点検できます。octet check がステップをトレースし、一覧を順に確かめます。TPU では何も実行せず、わからないことは「判定保留」と示します。",
  heading: "何を、どこで、どのように学習するか",
  hint: "どれかを変えると、下の点検の結果も変わります。アドレスバーのリンクに、選んだ内容が入ります。",
  subject: "点検するもの",
  published: "公開されているモデル",
  ownProgram: "自分のプログラム…",
  ownHint:
    "JAX が出力するままの StableHLO プログラムです。ファイルはこのタブから出ません。次の 1 行でファイルを作れます。デバイスは 1 つ、バッチはレプリカ 1 つの分にします。",
  batchArguments: "バッチのパラメーター",
  batchArgumentsHint:
    "バッチを持つパラメーター、またはそれを含む構造体の名前を、空白で区切って書きます。例：batch、または arg1 arg2。",
  tooLarge: "ファイルが 64 MB を超えています。大きな定数はプログラムから外し、パラメーターにしてください。",
  leftOut: (name) => `「${name}」は使いませんでした。一度に点検できるプログラムは 1 つです。`,
  where: "場所：",
  model: "モデル",
  modelHint: "公開されているトランスフォーマーで、大きさは論文のとおりです。",
  slice: "スライス",
  sliceHint: "借りる単位です。世代に続く数は、コア（v2～v4、v5p）またはチップ（v5e、v6e）の数です。",
  batch: "バッチ",
  batchHint: "全レプリカを合わせて、1 ステップに使うシーケンスの数です。",
  seq: "トークン",
  seqHint: "いちばん長いシーケンスのトークン数です。",
  lengths: "長さ",
  lengthsHints: {
    one: "ステップに渡されるバッチは、すべてその長さです。",
    varied: madeUp,
    multiples: madeUp,
    own: ofText,
    own_multiples: ofText,
  },
  lengthsNames: {
    one: () => "すべて最長",
    varied: () => "仮の長さのまま",
    multiples: () => "仮の長さを 64 の倍数にパディング",
    own: (name) => `${name} の長さのまま`,
    own_multiples: (name) => `64 の倍数にパディング、${name} の長さ`,
  },
  code: "コード",
  codeHint:
    "学習するコードの種類です。何を bf16 で持つか、ドロップアウトをどう行うかが違います。MLPerf のコードはオプティマイザーの状態を分け合いますが、ここでは各レプリカがすべてを持つものとして調べます。",
  host: "ホスト",
  hostHint: "チップへのつなぎ方です。",
  hostNames: {
    vm: "TPU VM：チップのあるマシンで",
    node: "TPU ノード：ネットワーク越しに",
  },
  data: "データ",
  dataHint: "ステップの前にサンプルが置かれている場所です。",
  dataNames: {
    unknown: "指定なし",
    memory: "メモリー",
    disk: "ローカルディスク",
    bucket: "バケット（ストレージ）",
  },
  pipeline: "入力パイプライン",
  pipelineHint: "サンプルごとにプログラムのコードを呼ぶかどうかです。",
  pipelineNames: {
    no: "単独で動く",
    yes: "プログラムをコールバックする",
  },
  rate: "毎秒のサンプル数",
  rateHint: "パイプラインが作る数の実測値です。わからなければ 0 のままにします。",
  wrong: (least, most, used) =>
    `${least} から ${most} までの整数を書いてください。下の点検の結果はまだ ${used} のときのものです。`,
  report: "点検の結果",
  checking: "トレースして点検しています…",
  ready: "準備ができています。",
  notReady: "まだ準備ができていません。",
  counts: (pass, warn, fail, unknown) => `合格 ${pass}、注意 ${warn}、不合格 ${fail}、判定保留 ${unknown}。`,
  verdicts: {
    pass: "合格",
    warn: "注意",
    fail: "不合格",
    unknown: "判定保留",
  },
  evidence: "根拠",
  cure: "直し方",
  questions: {
    rule_1: "ルール 1：テンソルの値で分岐しない",
    rule_2: "ルール 2：テンソルの値で形を決めない",
    rule_3: "ルール 3：入力の形は数種類だけ",
    compiles: "プログラムがこのマシンでコンパイルできる",
    data: "データが TPU のホストから読める場所にある",
    pipeline: "入力パイプラインが単独で動く",
    scope: "モデルと状態をすべてのレプリカに作る",
    inner_jit: "内側で別にコンパイルされるものがない",
    batch: "レプリカがバッチを等分する",
    gradients: "すべてのレプリカで更新が同じになる",
    memory: "レプリカのメモリーに収まる",
    matrix_unit: "行列ユニットがパディングではなくデータを計算する",
    precision: "数が bf16 でも保たれる",
    time: "ステップが、チップを遊ばせないだけの長さを持つ",
    input: "入力がチップに追いつく",
  },
};
