// What octet::check's reports say of a line first: its finding.
import type { Said } from "./report_phrases";

/** Programs that devices share and Octet does not judge: why, how many numbers and names that has, and what it judges. */
const notJudged = (
  [
    [
      "'W' is to hold the batch, and is cut along dimension N",
      2,
      "‘$1’은(는) 배치인데 $2번 차원을 따라 나뉘어 있습니다.",
      "「$1」はバッチですが、次元 $2 に沿って分けられています。",
    ],
    [
      "'W', of N examples, and 'W', of N, are both cut, so one is not the batch",
      4,
      "예제 $2개인 ‘$1’, $4개인 ‘$3’: 모두 나뉘어 있으니, 하나는 배치가 아닙니다.",
      "サンプル $2 個の「$1」と $4 個の「$3」がどちらも分けられているので、一方はバッチではありません。",
    ],
    [
      "'W' and 'W' are cut over different devices, so one is not the batch",
      2,
      "‘$1’, ‘$2’: 서로 다른 장치에 나뉘어 있으니, 하나는 배치가 아닙니다.",
      "「$1」と「$2」は異なるデバイスに分けられているので、一方はバッチではありません。",
    ],
    [
      "A value within the program is cut, and no parameter",
      0,
      "파라미터가 아니라 프로그램 안의 값이 나뉘어 있습니다.",
      "パラメーターではなく、プログラムの中の値が分けられています。",
    ],
    [
      "'W' is cut, and may be the batch or a weight",
      1,
      "‘$1’: 나뉘어 있는데, 배치인지 가중치인지 알 수 없습니다.",
      "「$1」は分けられていますが、バッチなのか重みなのかわかりません。",
    ],
  ] as const
).map(([english, given, ko, ja]): Said => [
  `${english}\\. Of programs that N devices share, Octet judges those whose tensors are cut into equal parts along the axes of one mesh, and whose batch is cut along its first dimension.`,
  `${ko} 장치 $${given + 1}개가 나눠 실행하는 프로그램은, 텐서가 한 메시의 축들을 따라 똑같이 나뉘고 배치가 첫 차원에서 나뉜 것만 판단합니다.`,
  `${ja}$${given + 1} 個のデバイスで分け合うプログラムは、テンソルが 1 つのメッシュの軸に沿って等しく分けられ、バッチが最初の次元で分けられたものだけを判定します。`,
]);

const calls: Said[] = [
  [
    "N calls? of N shapes? need N programs?.",
    "형태가 $2가지인 호출 $1번에 프로그램 $3개가 필요합니다.",
    "形が $2 種類の呼び出し $1 回に、プログラムが $3 個要ります。",
  ],
  [
    "N calls? of N shapes? need N programs?, with N % padding.",
    "형태가 $2가지인 호출 $1번에 프로그램 $3개가 필요하고, 패딩이 $4 %입니다.",
    "形が $2 種類の呼び出し $1 回に、プログラムが $3 個要り、パディングは $4 % です。",
  ],
  [
    "N calls? need N programs?.",
    "호출 $1번에 프로그램 $2개가 필요합니다.",
    "呼び出し $1 回に、プログラムが $2 個要ります。",
  ],
  [
    "N calls? need N programs?, with N % padding.",
    "호출 $1번에 프로그램 $2개가 필요하고, 패딩이 $3 %입니다.",
    "呼び出し $1 回に、プログラムが $2 個要り、パディングは $3 % です。",
  ],
];

export const findings: Said[] = [
  [
    "The program could not be traced \\(W\\): once that is mended, this can be judged.",
    "프로그램을 추적할 수 없었습니다($1). 그것을 고치면 판단할 수 있습니다.",
    "プログラムをトレースできませんでした（$1）。それを直せば判定できます。",
  ],
  [
    "One call was given, which does not say what shapes others have.",
    "호출이 하나뿐이라, 다른 호출의 형태를 알 수 없습니다.",
    "呼び出しが 1 つだけなので、ほかの呼び出しの形はわかりません。",
  ],
  [
    "It is not known which parameters each replica has whole and which hold its share of the batch.",
    "어느 파라미터를 레플리카마다 통째로 갖고, 어느 것이 배치의 몫을 담는지 알 수 없습니다.",
    "どのパラメーターを各レプリカが丸ごと持ち、どれがバッチの分を持つのかがわかりません。",
  ],
  [
    "It is not known which parameters hold a replica's share of the batch.",
    "어느 파라미터가 레플리카의 배치 몫을 담는지 알 수 없습니다.",
    "どのパラメーターがレプリカのバッチの分を持つのかがわかりません。",
  ],
  [
    "It is not known which parameters hold the batch, so it is not known how much is fed.",
    "어느 파라미터가 배치를 담는지 몰라, 얼마나 들어오는지도 알 수 없습니다.",
    "どのパラメーターがバッチを持つのかがわからないため、どれだけ送り込まれるかもわかりません。",
  ],
  [
    "the text says of N parameters? that results may take the memory",
    "파라미터 $1개의 메모리를 결과가 넘겨받아도 된다고 프로그램에 적혀 있습니다",
    "パラメーター $1 個のメモリーを結果が引き継いでよいと、プログラムに書かれています",
  ],
  [
    "give several calls, of the lengths that the data really have",
    "데이터의 실제 길이로 여러 번 호출해 보세요",
    "データの実際の長さで、何度か呼び出す",
  ],
  [
    "a program in StableHLO has one shape: check one of each length that the data really have",
    "StableHLO 프로그램은 형태가 하나입니다. 데이터의 실제 길이마다 프로그램을 하나씩 점검하세요",
    "StableHLO のプログラムの形は 1 つ：データの実際の長さごとに、1 つずつ点検する",
  ],
  [
    "name those of the batch: CheckOptions::batch; for octet check, --batch-argument NAME",
    "위의 ‘배치 파라미터’에 적으세요",
    "上の「バッチのパラメーター」に書く",
    "name them in “Batch parameters” above",
  ],
  [
    "say which is: --batch-argument NAME",
    "그중 배치인 것을 위의 ‘배치 파라미터’에 적으세요",
    "バッチであるものを、上の「バッチのパラメーター」に書く",
    "name the one that is in “Batch parameters” above",
  ],
  [
    "say whether it is: --batch-argument NAME",
    "배치라면 위의 ‘배치 파라미터’에 적으세요",
    "バッチであれば、上の「バッチのパラメーター」に書く",
    "if it is one, name it in “Batch parameters” above",
  ],
  [
    "name them: CheckOptions::batch; for octet check, --batch-argument NAME",
    "위의 ‘배치 파라미터’에 적으세요",
    "上の「バッチのパラメーター」に書く",
    "name them in “Batch parameters” above",
  ],
  [
    "Every choice is made on the device: W.",
    "모든 선택이 장치에서 이루어집니다: $1.",
    "選択はすべてデバイスの上で行われます：$1。",
  ],
  [
    "The program takes one path for all values.",
    "어떤 값에서든 프로그램의 경로는 하나입니다.",
    "どんな値でも、プログラムの経路は 1 つです。",
  ],
  [
    "All shapes of N operations? were known before any value.",
    "연산 $1개의 형태를 모두 값 없이 알 수 있었습니다.",
    "演算 $1 個の形が、すべて値なしでわかりました。",
  ],
  ...calls,
  ...calls.map(([english, ko, ja]): Said => {
    const padding = `$${(english.match(/\bN\b/g) ?? []).length + 1} %`;
    return [
      `${english} Of all positions, N % are padding.`,
      `${ko} 모든 위치의 ${padding}가 패딩입니다.`,
      `${ja}すべての位置の ${padding} がパディングです。`,
    ];
  }),
  [
    "The text makes one batch, which does not say what lengths others have.",
    "글이 배치 하나밖에 되지 않아, 다른 배치의 길이는 알 수 없습니다.",
    "文章がバッチ 1 つにしかならず、ほかのバッチの長さはわかりません。",
  ],
  [
    "The text makes one batch, which does not say what lengths others have. Of all positions, N % are padding.",
    "글이 배치 하나밖에 되지 않아, 다른 배치의 길이는 알 수 없습니다. 모든 위치의 $1 %가 패딩입니다.",
    "文章がバッチ 1 つにしかならず、ほかのバッチの長さはわかりません。すべての位置の $1 % がパディングです。",
  ],
  [
    "The text is cut into blocks of N tokens?: one program, and no padding.",
    "글을 토큰 $1개짜리 블록으로 자르므로, 프로그램은 하나이고 패딩이 없습니다.",
    "文章は $1 トークンのブロックに切られるので、プログラムは 1 つで、パディングはありません。",
  ],
  [
    "N operations? became N kernels?, traced in W and compiled in W.",
    "연산 $1개가 커널 $2개가 되었습니다. 추적에 $3, 컴파일에 $4 걸렸습니다.",
    "演算 $1 個がカーネル $2 個になりました。トレースに $3、コンパイルに $4 かかりました。",
  ],
  [
    "The data lie P, and are reached from a P.",
    "데이터가 $1 있고, $2에서 접근합니다.",
    "データは$1あり、$2から読めます。",
  ],
  [
    "Nothing was said of where the data lie and how the chips are reached.",
    "데이터가 어디에 있고 칩에 어떻게 접근하는지 주어지지 않았습니다.",
    "データの置き場所とチップへのつなぎ方が示されていません。",
  ],
  [
    "The data lie on the disk of the machine that starts the program, and the N hosts? of the TPU node W that would read (?:them|it) cannot.",
    "데이터가 프로그램을 시작한 기계의 디스크에 있어서, TPU 노드 $2의 호스트 $1대가 읽을 수 없습니다.",
    "データがプログラムを始めたマシンのディスクにあり、TPU ノード $2 のホスト $1 台からは読めません。",
  ],
  [
    "W chips are not reached through TPU nodes, and W is made of them.",
    "$2의 칩 $1: TPU 노드로는 쓸 수 없습니다.",
    "$1 のチップは TPU ノードでは使えませんが、$2 はそのチップでできています。",
  ],
  [
    "The pipeline does not call back into the program.",
    "파이프라인이 프로그램을 콜백하지 않습니다.",
    "パイプラインはプログラムをコールバックしません。",
  ],
  [
    "The pipeline calls back into the program, which on a TPU VM runs beside it.",
    "파이프라인이 프로그램을 콜백하지만, TPU VM에서는 같은 기계에서 돕니다.",
    "パイプラインはプログラムをコールバックしますが、TPU VM では同じマシンで動きます。",
  ],
  [
    "The input pipeline calls back into the program for each example, and on the TPU node W it runs on the N hosts? of the chips, where that program is not.",
    "입력 파이프라인이 예제마다 프로그램을 콜백하는데, TPU 노드 $1에서는 칩의 호스트 $2대에서 돌고 거기에는 그 프로그램이 없습니다.",
    "入力パイプラインがサンプルごとにプログラムをコールバックしますが、TPU ノード $1 ではチップのホスト $2 台で動き、そこにはそのプログラムがありません。",
  ],
  [
    "Everything is split over N replicas?, and nothing is kept.",
    "모두 레플리카 $1개에 나뉘고, 남겨 두는 것은 없습니다.",
    "すべてが $1 個のレプリカに分けられ、残しておくものはありません。",
  ],
  [
    "Each of N replicas? has N parameters? whole.",
    "레플리카 $1개가 저마다 파라미터 $2개 전체를 갖습니다.",
    "$1 個のレプリカのそれぞれがパラメーター $2 個の全体を持ちます。",
  ],
  [
    "Each of N replicas? has N parameters? whole, and its own part of N parameters?.",
    "레플리카 $1개가 저마다 파라미터 $2개 전체와 파라미터 $3개 가운데 자기 몫을 갖습니다.",
    "$1 個のレプリカのそれぞれがパラメーター $2 個の全体と、パラメーター $3 個のうち自分の分を持ちます。",
  ],
  [
    "Each of N replicas? has its own part of N parameters?.",
    "레플리카 $1개가 저마다 파라미터 $2개 가운데 자기 몫을 갖습니다.",
    "$1 個のレプリカのそれぞれがパラメーター $2 個のうち自分の分を持ちます。",
  ],
  [
    "Each of N replicas? has W whole.",
    "레플리카 $1개가 저마다 $2 전체를 갖습니다.",
    "$1 個のレプリカのそれぞれが $2 の全体を持ちます。",
  ],
  [
    "Each of N replicas? has W whole, and its own part of W.",
    "레플리카 $1개가 저마다 $2 전체와 $3 가운데 자기 몫을 갖습니다.",
    "$1 個のレプリカのそれぞれが $2 の全体と、$3 のうち自分の分を持ちます。",
  ],
  [
    "Each of N replicas? has its own part of W.",
    "레플리카 $1개가 저마다 $2 가운데 자기 몫을 갖습니다.",
    "$1 個のレプリカのそれぞれが $2 のうち自分の分を持ちます。",
  ],
  [
    "average the gradients before the update: W / N",
    "갱신하기 전에 그래디언트를 평균하세요: $1 / $2",
    "更新の前に勾配を平均する：$1 / $2",
  ],
  [
    "where each replica is to keep its own, say so: CheckOptions::sharded; for octet check, --sharded-argument NAME",
    "레플리카마다 자기 것을 지녀야 한다면, octet check에 --sharded-argument NAME으로 알리세요",
    "レプリカごとに自分の分を持たせるなら、octet check に --sharded-argument NAME で伝える",
  ],
  [
    "they may be meant to differ: averages and counts that nothing else reads, or whole numbers",
    "레플리카마다 달라도 되는 것일 수 있습니다: 다른 데서 읽지 않는 평균과 개수, 또는 정수",
    "レプリカごとに異なっていてよいものかもしれません：ほかから読まれない平均や個数、または整数",
  ],
  [
    "or it is a loss or an output that only has the type of the parameter: donate what is updated, or let the text say tf.aliasing_output, and this is certain",
    "또는 파라미터와 타입만 같은 손실이나 출력일 수 있습니다: 갱신하는 것을 넘겨주거나(donate) 텍스트에 tf.aliasing_output을 적으면 확실해집니다",
    "またはパラメーターと型が同じだけの損失や出力かもしれません：更新するものを譲り渡す（donate）か、テキストに tf.aliasing_output を書けば、はっきりします",
  ],
  [
    "No table that was worked out on the host is part of the program, as an inner jit would leave one.",
    "호스트에서 미리 계산한 표가 프로그램에 없습니다. 안쪽 jit가 있었다면 남았을 것입니다.",
    "ホストで計算した表はプログラムにありません。内側の jit があれば残るはずのものです。",
  ],
  [
    "No compiled function ran while the program was traced.",
    "프로그램을 추적하는 동안 실행된 컴파일된 함수는 없습니다.",
    "プログラムをトレースする間に実行されたコンパイル済みの関数はありません。",
  ],
  [
    "A compiled function ran on this machine while the program was traced: its results are frozen in the program as constants.",
    "프로그램을 추적하는 동안 컴파일된 함수가 이 컴퓨터에서 실행되어, 그 결과가 프로그램에 상수로 굳었습니다.",
    "プログラムをトレースする間にコンパイル済みの関数がこのマシンで実行され、その結果がプログラムに定数として固定されました。",
  ],
  [
    "W ran on this machine while the program was traced: its results are frozen in the program as constants.",
    "프로그램을 추적하는 동안 이 컴퓨터에서 실행된 것: $1. 그 결과가 프로그램에 상수로 굳었습니다.",
    "プログラムをトレースする間に $1 がこのマシンで実行され、その結果がプログラムに定数として固定されました。",
  ],
  [
    "Traced twice with the same arguments, the program is not the same: something that changes on the host is frozen in it.",
    "같은 인자로 두 번 추적했더니 프로그램이 다릅니다. 호스트에서 바뀌는 것이 프로그램에 굳어 있습니다.",
    "同じ引数で 2 回トレースしたところ、プログラムが同じではありません。ホストで変わるものがプログラムに固定されています。",
  ],
  [
    "N constants? of several elements, W, came from the host: tables that are meant to be there, or results of an inner jit; the program does not tell.",
    "원소가 여럿인 상수 $1개($2)가 호스트에서 왔습니다. 있어야 할 표이거나 안쪽 jit의 결과인데, 프로그램만으로는 알 수 없습니다.",
    "要素が複数ある定数 $1 個（$2）がホストから来ています。あるべき表か、内側の jit の結果ですが、プログラムだけではわかりません。",
  ],
  ["'W': W for each of N replicas?.", "‘$1’: 레플리카 $3개에 저마다 $2.", "「$1」：$3 個のレプリカにそれぞれ $2。"],
  [
    "'W' is W, which cannot be split into N equal shares along its leading axis.",
    "‘$1’의 타입 $2: 첫 축을 똑같이 $3몫으로 나눌 수 없습니다.",
    "「$1」は $2 なので、先頭の軸で $3 等分できません。",
  ],
  [
    "No next value of a parameter was recognized among the results: nothing is seen that could drift.",
    "결과 가운데 파라미터의 다음 값으로 보이는 것이 없으므로, 어긋날 만한 것이 보이지 않습니다.",
    "結果の中にパラメーターの次の値と分かるものがないので、ずれそうなものは見当たりません。",
  ],
  [
    "All that is updated (N arrays?) is said to be each replica's own.",
    "갱신되는 것(배열 $1개)이 모두 레플리카마다 따로 지니는 것이라고 되어 있습니다.",
    "更新されるもの（配列 $1 個）は、すべてレプリカごとに自分の分だとされています。",
  ],
  [
    "W is one replica, which cannot drift from itself.",
    "$1은(는) 레플리카 하나라서 어긋날 상대가 없습니다.",
    "$1 はレプリカ 1 つなので、ずれる相手がありません。",
  ],
  [
    "N updated arrays? follows? from what all replicas share or have reduced together.",
    "갱신되는 배열($1개)은 모두, 레플리카들이 공유하거나 함께 올리듀스한 값에서 나옵니다.",
    "更新される配列（$1 個）はすべて、レプリカが共有するものか、いっしょにオールリデュースしたものから出ています。",
  ],
  [
    "N collectives in N rounds that wait for one another take W of a step's W; one of all their W would take W.",
    "서로 기다리는 집합 통신 $1번($2단계)이 스텝 $4 가운데 $3 걸립니다. $5를 모두 한 번에 하면 $6 걸립니다.",
    "たがいに待ち合う集団通信 $1 回（$2 段階）に、1 ステップ $4 のうち $3 かかります。合わせて $5 を 1 回にすれば $6 です。",
  ],
  [
    "N collectives in N rounds that wait for one another, in each of N turns, take W of a step's W; one of all their W in each would take W.",
    "$3바퀴마다 서로 기다리는 집합 통신 $1번($2단계)이 스텝 $5 가운데 $4 걸립니다. 바퀴마다 $6를 모두 한 번에 하면 $7 걸립니다.",
    "$3 周のそれぞれでたがいに待ち合う集団通信 $1 回（$2 段階）に、1 ステップ $5 のうち $4 かかります。周ごとに $6 を 1 回にすれば $7 です。",
  ],
  [
    "A replica needs W of the W that a program may use on W: it fits if activations are dropped and computed again, which adds W to a step of W.",
    "레플리카 하나에 $1가 필요합니다. $3에서 프로그램이 쓸 수 있는 것은 $2이므로, 활성값을 버리고 다시 계산해야($5짜리 스텝에 $4를 더해) 들어갑니다.",
    "1 つのレプリカに $1 必要です。$3 でプログラムが使えるのは $2 なので、活性値を捨てて計算し直せば（$5 のステップに $4 が加わり）収まります。",
  ],
  [
    "A replica needs W of the W that a program may use on W: it fits if more activations are dropped and computed again, which adds W to a step of W.",
    "레플리카 하나에 $1가 필요합니다. $3에서 프로그램이 쓸 수 있는 것은 $2이므로, 활성값을 더 버리고 다시 계산해야($5짜리 스텝에 $4를 더해) 들어갑니다.",
    "1 つのレプリカに $1 必要です。$3 でプログラムが使えるのは $2 なので、さらに活性値を捨てて計算し直せば（$5 のステップに $4 が加わり）収まります。",
  ],
  [
    "A replica needs W of the W that a program may use on W: recomputing would make it fit, and XLA alone was not seen to make room for more than N times its memory.",
    "레플리카 하나에 $1가 필요합니다. $3에서 프로그램이 쓸 수 있는 것은 $2입니다. 다시 계산하면 들어가지만, XLA가 스스로 메모리의 $4배가 넘는 자리를 만든 예는 알려져 있지 않습니다.",
    "1 つのレプリカに $1 必要です。$3 でプログラムが使えるのは $2 です。計算し直せば収まりますが、XLA が自分でメモリーの $4 倍を超える分を空けた例は知られていません。",
  ],
  [
    "A replica needs W of the W that a program may use on W.",
    "레플리카 하나에 $1가 필요합니다. $3에서 프로그램이 쓸 수 있는 것은 $2입니다.",
    "1 つのレプリカに $1 必要です。$3 でプログラムが使えるのは $2 です。",
  ],
  [
    "A replica needs W, W with all recomputed that can be, and a program on W may use W.",
    "레플리카 하나에 $1, 다시 계산할 수 있는 것을 모두 다시 계산해도 $2가 필요한데, $3에서 프로그램이 쓸 수 있는 것은 $4입니다.",
    "1 つのレプリカに $1、計算し直せるものをすべて計算し直しても $2 必要ですが、$3 でプログラムが使えるのは $4 です。",
  ],
  [
    "A replica needs W of the W that a program may use on W: it fits if recomputing is asked for.",
    "레플리카 하나에 $1가 필요한데, $3에서 프로그램이 쓸 수 있는 것은 $2입니다. 다시 계산하도록 하면 들어갑니다.",
    "1 つのレプリカに $1 必要ですが、$3 でプログラムが使えるのは $2 です。計算し直すように書けば収まります。",
  ],
  [
    "A replica needs W, W with recomputing asked for, and a program on W may use W.",
    "레플리카 하나에 $1, 다시 계산하도록 해도 $2가 필요한데, $3에서 프로그램이 쓸 수 있는 것은 $4입니다.",
    "1 つのレプリカに $1、計算し直すように書いても $2 必要ですが、$3 でプログラムが使えるのは $4 です。",
  ],
  [
    "A replica needs W, and a program on W may use W.",
    "레플리카 하나에 $1가 필요한데, $2에서 프로그램이 쓸 수 있는 것은 $3입니다.",
    "1 つのレプリカに $1 必要ですが、$2 でプログラムが使えるのは $3 です。",
  ],
  [
    "Of the matrix unit's work, N % is padding.",
    "행렬 유닛이 하는 일의 $1 %가 패딩입니다.",
    "行列ユニットの仕事の $1 % がパディングです。",
  ],
  [
    "In L, (\\w+) = N costs what N would: N % of the matrix unit's work is padding there.",
    "$1에서 $2 = $3: $4일 때만큼 듭니다. 거기서 행렬 유닛이 하는 일의 $5 %가 패딩입니다.",
    "$1 では、$2 = $3 に $4 のときと同じだけかかります。そこで行列ユニットの仕事の $5 % がパディングです。",
  ],
  [
    "Operands and activations round to bf16, and products add up in f32; nothing else is lost.",
    "피연산자와 활성값은 bf16으로 반올림하고, 곱셈은 f32로 더합니다. 그 밖에 잃는 것은 없습니다.",
    "オペランドと活性値は bf16 に丸め、積は f32 で足します。ほかに失われるものはありません。",
  ],
  [
    "Products round their operands to bf16 and add up in f32; nothing else is lost.",
    "곱셈은 피연산자를 bf16으로 반올림하고 f32로 더합니다. 그 밖에 잃는 것은 없습니다.",
    "積はオペランドを bf16 に丸め、f32 で足します。ほかに失われるものはありません。",
  ],
  [
    "Activations are stored in f32; in bf16 a step would take W instead of W.",
    "활성값을 f32로 저장합니다. bf16이면 스텝이 $2 대신 $1 걸립니다.",
    "活性値を f32 で保存しています。bf16 なら、1 ステップは $2 ではなく $1 になります。",
  ],
  [
    "A step takes about W on W, and N % of it goes into beginning operations: they are too small.",
    "스텝 하나가 $2에서 약 $1 걸리고, 그 $3 %가 연산을 시작하는 데 쓰입니다. 연산이 너무 작습니다.",
    "1 ステップは $2 で約 $1 かかり、その $3 % が演算の開始に使われます。演算が小さすぎます。",
  ],
  ["A step takes about W on W.", "스텝 하나가 $2에서 약 $1 걸립니다.", "1 ステップは $2 で約 $1 かかります。"],
  [
    "How fast the pipeline makes examples is not known; the chips would take N examples? a second.",
    "파이프라인이 예제를 얼마나 빨리 만드는지 모릅니다. 칩은 초당 $1개를 쓸 수 있습니다.",
    "パイプラインがサンプルを作る速さがわかりません。チップは毎秒 $1 個を使えます。",
  ],
  [
    "The pipeline makes N examples? a second, and the chips take N examples? a second.",
    "파이프라인은 초당 예제 $1개를 만들고, 칩은 초당 $2개를 씁니다.",
    "パイプラインは毎秒 $1 個のサンプルを作り、チップは毎秒 $2 個を使います。",
  ],
  [
    "The pipeline makes N examples? a second, and the chips would take N examples? a second: they wait N % of the time.",
    "파이프라인은 초당 예제 $1개를 만드는데 칩은 초당 $2개를 쓸 수 있습니다. 칩이 시간의 $3 %를 기다리며 보냅니다.",
    "パイプラインは毎秒 $1 個のサンプルしか作らず、チップは毎秒 $2 個を使えます。チップは時間の $3 % を待って過ごします。",
  ],
  [
    "How fast the pipeline makes examples is not known; the chips would take N batch(?:es)? a second.",
    "파이프라인이 예제를 얼마나 빨리 만드는지 모릅니다. 칩은 배치를 초당 $1개 쓸 수 있습니다.",
    "パイプラインがサンプルを作る速さがわかりません。チップはバッチを毎秒 $1 個使えます。",
  ],
  [
    "The input alone takes W from the hosts to the chips, and a step W.",
    "입력만 해도 호스트에서 칩까지 $1 걸리는데, 스텝은 $2입니다.",
    "入力だけでホストからチップまで $1 かかり、1 ステップは $2 です。",
  ],
  [
    "The arrays of the batch have no leading extent in common, so it is not known how many examples a step takes.",
    "배치의 배열들은 첫 축의 크기가 서로 달라, 스텝 하나가 예제를 몇 개 쓰는지 알 수 없습니다.",
    "バッチの配列は先頭の軸の大きさがそろっていないため、1 ステップが使うサンプルの数がわかりません。",
  ],
  [
    "A loop never ends: its condition is always met.",
    "반복문이 끝나지 않습니다. 조건이 늘 참입니다.",
    "ループが終わりません。条件がいつも真です。",
  ],
  [
    "A loop runs as often as its data say, which no estimate knows; with one round, a step takes W.",
    "반복문이 몇 번 도는지는 데이터에 달려 있어 추정할 수 없습니다. 한 번만 돌면 스텝이 $1 걸립니다.",
    "ループの回数はデータで決まるので、見積もれません。1 回だけなら、1 ステップは $1 かかります。",
  ],
  [
    "A loop runs as often as its data say, so it is not known how fast the chips take examples.",
    "반복문이 몇 번 도는지는 데이터에 달려 있어, 칩이 예제를 얼마나 빨리 쓰는지 알 수 없습니다.",
    "ループの回数はデータで決まるので、チップがサンプルを使う速さはわかりません。",
  ],
  [
    "A loop never ends, and takes no further example.",
    "반복문이 끝나지 않아, 예제를 더 쓰지 않습니다.",
    "ループが終わらず、サンプルをそれ以上使いません。",
  ],
  ["The program has no products.", "프로그램에 곱셈이 없습니다.", "プログラムに積がありません。"],
  ["W is one replica.", "$1은(는) 레플리카 하나입니다.", "$1 はレプリカ 1 つです。"],
  [
    "There is nothing to split, and one replica.",
    "나눌 것이 없고, 레플리카는 하나입니다.",
    "分けるものがなく、レプリカは 1 つです。",
  ],
  [
    "Each of N replicas? is given all of the batch, and nothing is kept.",
    "레플리카 $1개가 저마다 배치 전체를 받고, 남겨 두는 것은 없습니다.",
    "$1 個のレプリカのそれぞれがバッチ全体を受け取り、残しておくものはありません。",
  ],
  [
    "Each of N replicas? has a part of N parameters?.",
    "레플리카 $1개가 저마다 파라미터 $2개의 일부를 갖습니다.",
    "$1 個のレプリカのそれぞれがパラメーター $2 個の一部を持ちます。",
  ],
  [
    "Each of N replicas? has N parameters? whole, and a part of N parameters?.",
    "레플리카 $1개가 저마다 파라미터 $2개 전체와 파라미터 $3개의 일부를 갖습니다.",
    "$1 個のレプリカのそれぞれがパラメーター $2 個の全体と、パラメーター $3 個の一部を持ちます。",
  ],
  [
    "No argument is split: all N replicas? would do the same work.",
    "나뉘는 인자가 없습니다. 레플리카 $1개가 모두 같은 일을 하게 됩니다.",
    "分けられる引数がありません。$1 個のレプリカがすべて同じ仕事をすることになります。",
  ],
  [
    "No argument is split: all N replicas? are given all of each.",
    "나뉘는 인자가 없습니다. 레플리카 $1개가 모두 인자를 통째로 받습니다.",
    "分けられる引数がありません。$1 個のレプリカがすべて、どの引数も丸ごと受け取ります。",
  ],
  [
    "All replicas take the same batch, and it is not known which parameters hold it.",
    "모든 레플리카가 같은 배치를 받고, 어느 파라미터가 배치를 담는지 알 수 없습니다.",
    "すべてのレプリカが同じバッチを受け取り、どのパラメーターがバッチを持つのかがわかりません。",
  ],
  [
    "All N replicas? compute with the same batch, and each with its own part of N parameters?.",
    "레플리카 $1개가 모두 같은 배치와, 저마다 파라미터 $2개 가운데 자기 몫으로 계산합니다.",
    "$1 個のレプリカがすべて同じバッチと、それぞれパラメーター $2 個のうち自分の分で計算します。",
  ],
  [
    "All N replicas? compute with the same batch, and each with a part of N parameters?.",
    "레플리카 $1개가 모두 같은 배치와, 저마다 파라미터 $2개의 일부로 계산합니다.",
    "$1 個のレプリカがすべて同じバッチと、それぞれパラメーター $2 個の一部で計算します。",
  ],
  [
    "'W' is W, which cannot be split into N equal shares along its leading axis: there is nothing in it.",
    "‘$1’의 타입 $2: 첫 축을 똑같이 $3몫으로 나눌 수 없습니다. 비어 있습니다.",
    "「$1」は $2 なので、先頭の軸で $3 等分できません。中身がありません。",
  ],
  [
    "'W' has N examples, which N devices cannot share equally.",
    "‘$1’의 예제 $2개를 장치 $3개가 똑같이 나눌 수 없습니다.",
    "「$1」のサンプル $2 個を $3 個のデバイスで等分できません。",
  ],
  [
    "Of N updated arrays? each replica has its own part, and one program has them whole.",
    "갱신되는 배열 $1개를 레플리카가 저마다 자기 몫만 갖고, 하나인 프로그램은 전체를 갖습니다.",
    "更新される配列 $1 個は、各レプリカが自分の分を持ち、1 つのプログラムが全体を持ちます。",
  ],
  [
    "The next W and N more depends? on a replica's own share of the batch, with no all_reduce on the way: replicas drift apart.",
    "$1 외 $2개: 다음 값이 레플리카마다 다른 배치 몫에서 나오는데 도중에 all_reduce가 없습니다. 레플리카들이 서로 어긋납니다.",
    "$1 ほか $2 個：次の値がレプリカごとに異なるバッチの分から出ていて、途中に all_reduce がありません。レプリカどうしがずれていきます。",
  ],
  [
    "The next W and N more depends? on a replica's own share of the batch, reduced only within groups of N: replicas drift apart.",
    "$1 외 $2개: 다음 값이 레플리카마다 다른 배치 몫에서 나오는데 $3개씩의 그룹 안에서만 리듀스합니다. 레플리카들이 서로 어긋납니다.",
    "$1 ほか $2 個：次の値がレプリカごとに異なるバッチの分から出ていて、$3 個ずつのグループの中でしかリデュースされません。レプリカどうしがずれていきます。",
  ],
  [
    "The next W depends? on a replica's own share of the batch, with no all_reduce on the way: replicas drift apart.",
    "$1: 다음 값이 레플리카마다 다른 배치 몫에서 나오는데 도중에 all_reduce가 없습니다. 레플리카들이 서로 어긋납니다.",
    "$1：次の値がレプリカごとに異なるバッチの分から出ていて、途中に all_reduce がありません。レプリカどうしがずれていきます。",
  ],
  [
    "The next W depends? on a replica's own share of the batch, reduced only within groups of N: replicas drift apart.",
    "$1: 다음 값이 레플리카마다 다른 배치 몫에서 나오는데 $2개씩의 그룹 안에서만 리듀스합니다. 레플리카들이 서로 어긋납니다.",
    "$1：次の値がレプリカごとに異なるバッチの分から出ていて、$2 個ずつのグループの中でしかリデュースされません。レプリカどうしがずれていきます。",
  ],
  [
    "The program reduces within groups and then within others, and which replicas agree after all of them is not followed.",
    "프로그램이 그룹 안에서, 그다음 다른 그룹 안에서 리듀스하는데, 모두 끝난 뒤 어느 레플리카들의 값이 같아지는지는 따라가지 않습니다.",
    "プログラムがグループの中で、次に別のグループの中でリデュースしますが、すべての後でどのレプリカの値が等しくなるかは追っていません。",
  ],
  [
    "The program of each device reduces along axes of a mesh, one by one, and which devices agree on what is not followed.",
    "장치마다의 프로그램이 메시의 축을 하나씩 따라 리듀스하는데, 어느 장치들의 값이 같아지는지는 따라가지 않습니다.",
    "各デバイスのプログラムがメッシュの軸に沿って 1 つずつリデュースしますが、どのデバイスの値が等しくなるかは追っていません。",
  ],
  [
    "The program is lowered for N devices?, and W has N replicas?.",
    "프로그램은 장치 $1개용인데, $2의 레플리카는 $3개입니다.",
    "プログラムはデバイス $1 個向けですが、$2 のレプリカは $3 個です。",
  ],
  [
    "A collective names replica N, and W has N replicas?.",
    "집합 통신이 레플리카 $1번을 가리키는데, $2의 레플리카는 $3개입니다.",
    "集団通信がレプリカ $1 番を指していますが、$2 のレプリカは $3 個です。",
  ],
  [
    "The groups of a collective name N replicas?, and W has N replicas?: the others would wait for ever.",
    "집합 통신의 그룹이 가리키는 레플리카는 $1개인데, $2의 레플리카는 $3개입니다. 나머지는 끝없이 기다리게 됩니다.",
    "集団通信のグループが指すレプリカは $1 個ですが、$2 のレプリカは $3 個です。残りはいつまでも待つことになります。",
  ],
  [
    "Replicas may disagree about the branch of a cond in which they would meet: it follows from a replica's own values.",
    "레플리카들이 만날 cond의 갈래가 서로 다를 수 있습니다. 레플리카마다의 값으로 정해지기 때문입니다.",
    "レプリカどうしが落ち合う cond の分岐が食い違うかもしれません。レプリカごとの値で決まるからです。",
  ],
  [
    "Replicas may disagree about the number of rounds of a loop in which they would meet: it follows from a replica's own values.",
    "레플리카들이 만날 반복문의 횟수가 서로 다를 수 있습니다. 레플리카마다의 값으로 정해지기 때문입니다.",
    "レプリカどうしが落ち合うループの回数が食い違うかもしれません。レプリカごとの値で決まるからです。",
  ],
  [
    "'W' runs Python of the host in each step: on a TPU VM the chips wait for it, and where a TPU node has them it does not run.",
    "‘$1’: 스텝마다 호스트의 Python을 실행합니다. TPU VM에서는 칩이 그것을 기다리고, TPU 노드에서는 실행되지 않습니다.",
    "「$1」はステップごとにホストの Python を実行します。TPU VM ではチップがそれを待ち、TPU ノードでは実行されません。",
  ],
  [
    "'W' calls back into the program that made this text, which no program that is compiled for a TPU does.",
    "‘$1’: 이 텍스트를 만든 프로그램을 콜백합니다. TPU용으로 컴파일한 프로그램은 그러지 못합니다.",
    "「$1」はこのテキストを作ったプログラムをコールバックします。TPU 向けにコンパイルされたプログラムにはできません。",
  ],
  [
    "'W' has a shape that is not known when the program is compiled.",
    "‘$1’의 형태를 컴파일할 때 알 수 없습니다.",
    "「$1」の形が、コンパイルのときにわかりません。",
  ],
  [
    "The program has numbers of f16 \\(W\\), which a TPU has no unit for, and whose numbers end at 65,504.",
    "프로그램이 f16으로 계산합니다($1). TPU에는 f16 유닛이 없고, f16의 수는 65,504까지입니다.",
    "プログラムが f16 で計算します（$1）。TPU に f16 のユニットはなく、f16 の数は 65,504 までです。",
  ],
  [
    "N values? (?:is|are) of f64, which a TPU has no unit for: it is worked out in software, many times slower\\.( \\(.+\\))?",
    "f64인 값이 $1개 있습니다. TPU에는 f64 유닛이 없어, 소프트웨어로 훨씬 느리게 계산합니다.$2",
    "f64 の値が $1 個あります。TPU に f64 のユニットはなく、ソフトウェアで計算するため何倍も遅くなります。$2",
  ],
  [
    "Whole numbers up to N become bf16, which holds them exactly up to 256 alone: neighbours become one\\.( \\(.+\\))?",
    "$1까지의 정수가 bf16이 됩니다. bf16은 256까지만 정확해서, 이웃한 수들이 하나가 됩니다.$2",
    "$1 までの整数が bf16 になります。bf16 が正確なのは 256 までで、隣り合う数が 1 つになります。$2",
  ],
  [
    "W is added in bf16, where it vanishes beside anything above W\\.( \\(.+\\))?",
    "$1을(를) bf16으로 더합니다. $2보다 큰 수에 더하면 사라집니다.$3",
    "$1 を bf16 で足しています。$2 より大きな数に足すと消えます。$3",
  ],
  [
    "'W' and N more are updated in bf16: beside a value of W, a change below W vanishes.",
    "‘$1’ 외 $2개를 bf16으로 갱신합니다. 값이 $3일 때 $4보다 작은 변화는 사라집니다.",
    "「$1」ほか $2 個を bf16 で更新しています。値が $3 のとき、$4 より小さな変化は消えます。",
  ],
  [
    "'W' is updated in bf16: beside a value of W, a change below W vanishes.",
    "‘$1’을(를) bf16으로 갱신합니다. 값이 $2일 때 $3보다 작은 변화는 사라집니다.",
    "「$1」を bf16 で更新しています。値が $2 のとき、$3 より小さな変化は消えます。",
  ],
  [
    "N products? asks? for HIGHEST precision, which takes six passes of the matrix unit\\.( \\(.+\\))?",
    "곱셈 $1개가 HIGHEST 정밀도를 요구해, 행렬 유닛을 여섯 번 거칩니다.$2",
    "積 $1 個が HIGHEST の精度を求め、行列ユニットを 6 回通ります。$2",
  ],
  [
    "N products? asks? for HIGH precision, which takes three passes of the matrix unit\\.( \\(.+\\))?",
    "곱셈 $1개가 HIGH 정밀도를 요구해, 행렬 유닛을 세 번 거칩니다.$2",
    "積 $1 個が HIGH の精度を求め、行列ユニットを 3 回通ります。$2",
  ],
  [
    "Products are asked for in f32, which takes six passes of the matrix unit instead of one.",
    "곱셈을 f32로 요구해, 행렬 유닛을 한 번이 아니라 여섯 번 거칩니다.",
    "積を f32 で求めているため、行列ユニットを 1 回ではなく 6 回通ります。",
  ],
  ...notJudged,
];
