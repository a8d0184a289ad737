// The sentences of octet::check's reports, and how each is said in Korean and Japanese. Of two that fit, the first is said.

/** An English sentence, in which N stands for a number, W for words that stay as they are, and P for a phrase below. */
export type Said = [english: string, ko: string, ja: string];

export const phrases: Record<string, [ko: string, ja: string]> = {
  "in a bucket": ["버킷에", "バケットに"],
  "in memory": ["메모리에", "メモリーに"],
  "on the local disk": ["로컬 디스크에", "ローカルディスクに"],
  "TPU VM": ["TPU VM", "TPU VM "],
  "TPU node": ["TPU 노드", "TPU ノード"],
  "matrix unit": ["행렬 유닛", "行列ユニット"],
  "vector unit": ["벡터 유닛", "ベクトルユニット"],
  memory: ["메모리", "メモリー"],
  interconnect: ["칩 사이의 링크", "チップ間のリンク"],
  "beginning operations": ["연산 시작", "演算の開始"],
};

export const said: Said[] = [
  // Findings
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
    "어느 매개변수를 레플리카마다 통째로 갖고, 어느 것이 배치의 몫을 담는지 알 수 없습니다.",
    "どのパラメーターを各レプリカが丸ごと持ち、どれがバッチの分を持つのかがわかりません。",
  ],
  [
    "It is not known which parameters hold a replica's share of the batch.",
    "어느 매개변수가 레플리카의 배치 몫을 담는지 알 수 없습니다.",
    "どのパラメーターがレプリカのバッチの分を持つのかがわかりません。",
  ],
  [
    "It is not known which parameters hold the batch, so it is not known how much is fed.",
    "어느 매개변수가 배치를 담는지 몰라, 얼마나 들어오는지도 알 수 없습니다.",
    "どのパラメーターがバッチを持つのかがわからないため、どれだけ送り込まれるかもわかりません。",
  ],
  [
    "the text says of N parameters? that results may take the memory",
    "매개변수 $1개의 메모리를 결과가 넘겨받아도 된다고 프로그램에 적혀 있습니다",
    "パラメーター $1 個のメモリーを結果が引き継いでよいと、プログラムに書かれています",
  ],
  [
    "give several calls, of the lengths that the data really have",
    "데이터의 실제 길이로 여러 번 호출해 보세요",
    "データの実際の長さで、何度か呼び出す",
  ],
  [
    "name those of the batch: CheckOptions::batch; for octet check, --batch-argument NAME",
    "위의 ‘배치 매개변수’에 적으세요",
    "上の「バッチのパラメーター」に書く",
  ],
  [
    "name them: CheckOptions::batch; for octet check, --batch-argument NAME",
    "위의 ‘배치 매개변수’에 적으세요",
    "上の「バッチのパラメーター」に書く",
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
    "The input pipeline calls back into the program for every batch, and on the TPU node W it runs on the N hosts? of the chips, where that program is not.",
    "입력 파이프라인이 배치마다 프로그램을 콜백하는데, TPU 노드 $1에서는 칩의 호스트 $2대에서 돌고 거기에는 그 프로그램이 없습니다.",
    "入力パイプラインがバッチごとにプログラムをコールバックしますが、TPU ノード $1 ではチップのホスト $2 台で動き、そこにはそのプログラムがありません。",
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
    "일부러 다르게 둔 것일 수도 있습니다: 다른 데서 읽지 않는 평균과 개수, 또는 정수",
    "わざと違えているのかもしれません：ほかで読まれない平均や個数、または整数",
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
  ["'W': W for each of N replicas?.", "‘$1’: 레플리카 $3개에 저마다 $2.", "「$1」：$3 個のレプリカにそれぞれ $2。"],
  [
    "'W' is W, which cannot be split into N equal shares along its leading axis.",
    "‘$1’의 타입 $2: 첫 축을 똑같이 $3몫으로 나눌 수 없습니다.",
    "「$1」は $2 なので、先頭の軸で $3 等分できません。",
  ],
  [
    "The program updates nothing that replicas keep, so nothing can drift.",
    "레플리카들이 지니는 것을 프로그램이 아무것도 갱신하지 않으므로, 어긋날 것이 없습니다.",
    "レプリカが持ち続けるものをプログラムは何も更新しないので、ずれるものがありません。",
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
    "A replica needs W of the W that a program may use on W: it fits if activations are dropped and computed again, which adds W to a step of W.",
    "레플리카 하나에 $1가 필요합니다. $3에서 프로그램이 쓸 수 있는 것은 $2이므로, 활성값을 버리고 다시 계산해야($5짜리 스텝에 $4를 더해) 들어갑니다.",
    "1 つのレプリカに $1 必要です。$3 でプログラムが使えるのは $2 なので、活性値を捨てて計算し直せば（$5 のステップに $4 が加わり）収まります。",
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
    "入力と活性値は bf16 に丸め、積は f32 で足します。ほかに失われるものはありません。",
  ],
  [
    "Products round their operands to bf16 and add up in f32; nothing else is lost.",
    "곱셈은 피연산자를 bf16으로 반올림하고 f32로 더합니다. 그 밖에 잃는 것은 없습니다.",
    "積は入力を bf16 に丸め、f32 で足します。ほかに失われるものはありません。",
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

  // Evidence
  [
    "places that depend on data, in shapes that do not: W",
    "자리는 데이터에 달렸지만 형태는 그렇지 않은 연산: $1",
    "位置はデータで決まり、形は決まらない演算：$1",
  ],
  [
    "no two of the calls share a program",
    "프로그램을 함께 쓰는 호출이 하나도 없습니다",
    "同じプログラムを使う呼び出しが 1 組もありません",
  ],
  [
    "N programs? serves? one call alone: by that, about every call brings a new one, and N calls up to N programs?",
    "호출 한 번에만 쓰이는 프로그램이 $1개입니다. 이대로라면 호출마다 새로 생기다시피 해서, $2번이면 $3개까지 됩니다",
    "1 回の呼び出しにしか使われないプログラムが $1 個あります。このままなら呼び出しのたびにほぼ 1 つ増え、$2 回では $3 個までになります",
  ],
  [
    "N programs? serves? one call alone: by that, about one call in N brings a new one, and N calls up to N programs?",
    "호출 한 번에만 쓰이는 프로그램이 $1개입니다. 이대로라면 호출 $2번에 하나꼴로 새로 생기고, $3번이면 $4개까지 됩니다",
    "1 回の呼び出しにしか使われないプログラムが $1 個あります。このままなら約 $2 回に 1 つ増え、$3 回では $4 個までになります",
  ],
  [
    "the cache holds N programs?: others are dropped and compiled again",
    "캐시에 프로그램이 $1개 들어갑니다. 나머지는 버려지고 다시 컴파일됩니다",
    "キャッシュに入るプログラムは $1 個です。ほかは捨てられ、コンパイルし直されます",
  ],
  [
    "dimension N of 'W' varies, up to N",
    "‘$2’의 $1번 차원이 $3까지 달라집니다",
    "「$2」の次元 $1 が $3 まで変わります",
  ],
  [
    "N collectives? of W together, which take W on W if joined",
    "집합 통신 $1번, 모두 $2. 묶으면 $4에서 $3 걸립니다",
    "集団通信 $1 回、合わせて $2。まとめれば $4 で $3 かかります",
  ],
  [
    "arguments W, and at the peak W that lie between operations",
    "인자 $1, 그리고 가장 많을 때 연산 사이에 놓이는 것 $2",
    "引数が $1、最も多いときに演算の間にあるものが $2",
  ],
  ["the largest of these: L, W", "그 가운데 가장 큰 것: $1, $2", "その中で最大のもの：$1、$2"],
  ["not one example fits", "예제 하나도 들어가지 않습니다", "1 つのサンプルも収まりません"],
  [
    "not one example fits with nothing recomputed",
    "다시 계산하지 않으면 예제 하나도 들어가지 않습니다",
    "計算し直さなければ、1 つのサンプルも収まりません",
  ],
  [
    "the most that fits with nothing recomputed: N examples? a replica, N at once",
    "다시 계산하지 않고 들어가는 최대: 레플리카마다 $1개, 한 번에 $2개",
    "計算し直さずに収まる上限：レプリカごとに $1 個、一度に $2 個",
  ],
  [
    "the most that fits with nothing recomputed: at least N examples? a replica, at least N at once",
    "다시 계산하지 않고 들어가는 최대: 레플리카마다 적어도 $1개, 한 번에 적어도 $2개",
    "計算し直さずに収まる上限：レプリカごとに少なくとも $1 個、一度に少なくとも $2 個",
  ],
  [
    "if activations are dropped and computed again, which adds W to a step of W: at least N examples? a replica, at least N at once",
    "활성값을 버리고 다시 계산하면($2짜리 스텝에 $1를 더해): 레플리카마다 적어도 $3개, 한 번에 적어도 $4개",
    "活性値を捨てて計算し直せば（$2 のステップに $1 が加わり）：レプリカごとに少なくとも $3 個、一度に少なくとも $4 個",
  ],
  [
    "if activations are dropped and computed again, which adds W to a step of W: N examples? a replica, N at once",
    "활성값을 버리고 다시 계산하면($2짜리 스텝에 $1를 더해): 레플리카마다 $3개, 한 번에 $4개",
    "活性値を捨てて計算し直せば（$2 のステップに $1 が加わり）：レプリカごとに $3 個、一度に $4 個",
  ],
  [
    "of it, computing dropped activations again takes W",
    "그 가운데 버린 활성값을 다시 계산하는 데 $1",
    "そのうち、捨てた活性値の計算し直しに $1",
  ],
  [
    "random bits are taken to follow from a counter or a key: those of dropout are made again, not kept",
    "난수 비트는 카운터나 키에서 나온다고 봅니다. 드롭아웃의 비트는 남겨 두지 않고 다시 만듭니다",
    "乱数のビットはカウンターか鍵から作られるものとします。ドロップアウトのビットは残さず、作り直します",
  ],
  [
    "of all its work, N % is padding, W of a step's W",
    "하는 일 전체의 $1 %가 패딩이고, 스텝 $3 가운데 $2입니다",
    "仕事全体の $1 % がパディングで、1 ステップ $3 のうち $2 です",
  ],
  [
    "of all its work, N % is padding, which takes no time as long as memory is what bounds these products",
    "하는 일 전체의 $1 %가 패딩이지만, 이 곱셈들이 메모리에 묶여 있는 한 시간은 들지 않습니다",
    "仕事全体の $1 % がパディングですが、これらの積がメモリーで決まるうちは時間はかかりません",
  ],
  ["bound by: L", "시간을 정하는 것: $1", "時間を決めるもの：$1"],
  ["the longest: W, N %", "가장 오래 걸리는 것: $1, $2 %", "最も長いもの：$1、$2 %"],
  [
    "W a step, which take W from the hosts to the chips, hidden behind a step of W",
    "스텝마다 $1, 호스트에서 칩까지 $2. 스텝 $3 뒤에 가려집니다",
    "1 ステップに $1、ホストからチップまで $2。ステップ $3 の陰に隠れます",
  ],

  // Cures
  [
    "make the batch N, filled up with examples of weight zero",
    "배치를 가중치 0인 예제로 채워 $1개로 하세요",
    "重み 0 のサンプルで埋めて、バッチを $1 個にする",
  ],
  [
    "copy the files to a bucket of Cloud Storage and read them from there",
    "파일을 Cloud Storage 버킷에 복사해 거기서 읽으세요",
    "ファイルを Cloud Storage のバケットにコピーし、そこから読む",
  ],
  [
    "load all of them into memory, where they are small enough",
    "메모리에 들어갈 만큼 작다면 모두 메모리에 올리세요",
    "入りきる大きさなら、すべてメモリーに読み込む",
  ],
  [
    "rent a TPU VM, where one works on the machine that holds the chips",
    "칩이 꽂힌 기계에서 일하는 TPU VM을 빌리세요",
    "チップの載ったマシンで作業する TPU VM を借りる",
  ],
  [
    "rent a TPU VM, whose chips are on the machine that has the disk",
    "칩이 그 디스크와 같은 기계에 있는 TPU VM을 빌리세요",
    "チップがそのディスクと同じマシンにある TPU VM を借りる",
  ],
  [
    "rent a TPU VM, where pipeline and program are on one machine",
    "파이프라인과 프로그램이 한 기계에 있는 TPU VM을 빌리세요",
    "パイプラインとプログラムが同じマシンにある TPU VM を借りる",
  ],
  [
    "rent v2 or v3, which are offered as TPU nodes",
    "TPU 노드로 쓸 수 있는 v2나 v3을 빌리세요",
    "TPU ノードとして使える v2 か v3 を借りる",
  ],
  [
    "say so: CheckOptions::data; for octet check, --data memory\\|disk\\|bucket --host node\\|vm",
    "위의 ‘데이터’와 ‘호스트’에서 고르세요",
    "上の「データ」と「ホスト」で選ぶ",
  ],
  [
    "load all examples into tensors before training begins",
    "학습을 시작하기 전에 모든 예제를 텐서로 올려 두세요",
    "学習を始める前に、すべてのサンプルをテンソルに読み込む",
  ],
  [
    "write the examples to record files in a bucket once, and read these",
    "예제를 버킷에 레코드 파일로 한 번 써 두고 그것을 읽으세요",
    "サンプルをバケットのレコードファイルに一度書いておき、それを読む",
  ],
  [
    "measure it, and say so: DataPlacement::examples_per_second; for octet check, --examples-per-second [A-Z]",
    "재어 보고 위의 ‘초당 예제 수’에 적으세요",
    "測って、上の「毎秒のサンプル数」に書く",
  ],
  [
    "prefetch with more threads, store examples as they are needed, or compute more for each of them",
    "더 많은 스레드로 미리 읽거나, 예제를 쓰일 꼴로 저장하거나, 예제마다 더 많이 계산하세요",
    "もっと多くのスレッドで先読みする、サンプルをそのまま使える形で保存する、またはサンプルごとの計算を増やす",
  ],
  [
    "make (\\w+) = N: N more for the same work of the matrix unit",
    "$1 = $2: $3개 늘려도 행렬 유닛이 하는 일은 같습니다",
    "$1 = $2 にする：$3 増やしても行列ユニットの仕事は同じ",
  ],
  [
    "make (\\w+) = N: N more for the same work of the matrix unit; or N, which takes N % less of it",
    "$1 = $2: $3개 늘려도 행렬 유닛이 하는 일은 같습니다. $4까지 줄이면 그 일이 $5 % 줄어듭니다",
    "$1 = $2 にする：$3 増やしても行列ユニットの仕事は同じ。$4 にすれば、その仕事が $5 % 減る",
  ],
  [
    "store activations in bf16 between operations, with parameters and optimizer state in f32",
    "파라미터와 옵티마이저 상태는 f32로 두고, 연산 사이의 활성값을 bf16으로 저장하세요",
    "パラメーターとオプティマイザーの状態は f32 のまま、演算の間の活性値を bf16 で保存する",
  ],
  [
    "take at most N examples? a replica, and add up the gradients of N equal parts",
    "레플리카마다 많아야 $1개씩 넣고, 똑같이 나눈 $2번의 그래디언트를 더하세요",
    "レプリカごとに多くても $1 個にし、等しく分けた $2 回の勾配を足す",
  ],
  ["take at most N examples? a replica", "레플리카마다 많아야 $1개씩 넣으세요", "レプリカごとに多くても $1 個にする"],
  [
    "store activations in bf16: W, which fits",
    "활성값을 bf16으로 저장하세요: $1, 들어갑니다",
    "活性値を bf16 で保存する：$1、収まる",
  ],
  [
    "store activations in bf16: W, which fits with W of recomputing",
    "활성값을 bf16으로 저장하세요: $1, $2 동안 다시 계산하면 들어갑니다",
    "活性値を bf16 で保存する：$1、$2 の計算し直しで収まる",
  ],
  [
    "store activations in bf16: W, still too much",
    "활성값을 bf16으로 저장하세요: $1, 그래도 너무 많습니다",
    "活性値を bf16 で保存する：$1、それでも多すぎる",
  ],
  [
    "rent W, where a program may use W, or give each replica a smaller part of the model",
    "프로그램이 $2까지 쓸 수 있는 $1를 빌리거나, 레플리카마다 모델의 더 작은 부분을 맡기세요",
    "プログラムが $2 まで使える $1 を借りるか、各レプリカに持たせるモデルの部分を小さくする",
  ],
  [
    "give each replica a smaller part of the model: no chip that is known holds it",
    "레플리카마다 모델의 더 작은 부분을 맡기세요. 알려진 칩 가운데 들어가는 것이 없습니다",
    "各レプリカに持たせるモデルの部分を小さくする。知られているチップのどれにも収まらない",
  ],
  [
    "ask for recomputing in the program: jax.checkpoint in JAX, tf.recompute_grad in TensorFlow; XLA alone may not do it",
    "다시 계산하라고 프로그램에 적으세요. JAX에서는 jax.checkpoint, TensorFlow에서는 tf.recompute_grad입니다. XLA가 알아서 하지 않을 수 있습니다",
    "計算し直すようプログラムに書く。JAX では jax.checkpoint、TensorFlow では tf.recompute_grad。XLA だけでは行われないことがある",
  ],
  [
    "give each replica a larger batch, until operations take longer than they take to begin",
    "연산이 시작하는 시간보다 오래 걸릴 때까지 레플리카의 배치를 키우세요",
    "演算が開始にかかる時間より長くなるまで、レプリカのバッチを大きくする",
  ],
  [
    "the program is for a replica on each chip, whose cores are one device \\(megacore\\)",
    "이 프로그램은 칩마다 레플리카 하나를 돌립니다. 칩의 코어들이 한 장치입니다(메가코어)",
    "このプログラムはチップごとに 1 つのレプリカを動かします。コアは 1 つのデバイスになります（メガコア）",
  ],
  [
    "run one replica on each chip, whose cores are then one device \\(octet check --megacore\\), which fits",
    "칩마다 레플리카 하나를 돌리세요. 칩의 코어들이 한 장치가 되고(메가코어), 그러면 들어갑니다",
    "チップごとに 1 つのレプリカを動かす。コアは 1 つのデバイスになり（メガコア）、収まる",
  ],
  [
    "feed fewer bytes an example: ids rather than what follows from them, which the chips compute",
    "예제의 바이트를 줄이세요: id만 넣고, id에서 나오는 것은 칩에서 계산하세요",
    "サンプルあたりのバイト数を減らす：id だけを入れ、そこから決まるものはチップで計算する",
  ],
  ["compute more for each example", "예제마다 계산을 더 많이 하세요", "サンプルごとの計算を増やす"],
  [
    "give each call lists of one length, and set the same optionals: a program is made for them",
    "호출마다 리스트의 길이를 같게 하고 같은 optional을 채우세요. 프로그램은 거기에 맞춰 만들어집니다",
    "どの呼び出しでもリストの長さを同じにし、同じ optional を与える。プログラムはそれに合わせて作られる",
  ],
  ["rent a smaller slice", "더 작은 슬라이스를 빌리세요", "もっと小さなスライスを借りる"],
  [
    "(\\.buckets = .*): N programs?, N % padding",
    "$1: 프로그램 $2개, 패딩 $3 %",
    "$1：プログラム $2 個、パディング $3 %",
  ],
  [
    "pad the inputs to a few lengths, with a mask that leaves the padding out",
    "입력을 몇 가지 길이로 패딩하고 마스크로 패딩을 빼세요",
    "入力をいくつかの長さまでパディングし、マスクでパディングを除く",
  ],
];
