// What octet::check's reports give as evidence below a finding.
import type { Said } from "./report_phrases";

/** How many examples fit: how the sentences begin, and the number of what is told then. */
const fitting = (
  [
    ["the most that fits with nothing recomputed", "다시 계산하지 않고 들어가는 최대", "計算し直さずに収まる上限", 1],
    [
      "the most that fits with nothing more recomputed",
      "더 다시 계산하지 않고 들어가는 최대",
      "これ以上計算し直さずに収まる上限",
      1,
    ],
    [
      "if activations are dropped and computed again, which adds W to a step of W",
      "활성값을 버리고 다시 계산하면($2짜리 스텝에 $1를 더해)",
      "活性値を捨てて計算し直せば（$2 のステップに $1 が加わり）",
      3,
    ],
    [
      "if more activations are dropped and computed again, which adds W to a step of W",
      "활성값을 더 버리고 다시 계산하면($2짜리 스텝에 $1를 더해)",
      "さらに活性値を捨てて計算し直せば（$2 のステップに $1 が加わり）",
      3,
    ],
  ] as const
).flatMap(([english, ko, ja, at]) =>
  (
    [
      ["", "", ""],
      ["at least ", "적어도 ", "少なくとも"],
    ] as const
  ).flatMap(([least, leastKo, leastJa]) =>
    (
      [
        ["at once", "한 번에", "一度に"],
        ["in a step", "스텝마다", "1 ステップに"],
      ] as const
    ).map(([when, whenKo, whenJa]): Said => [
      `${english}: ${least}N examples? a replica, ${least}N ${when}`,
      `${ko}: 레플리카마다 ${leastKo}$${at}개, ${whenKo} ${leastKo}$${at + 1}개`,
      `${ja}：レプリカごとに${leastJa} $${at} 個、${whenJa}${leastJa} $${at + 1} 個`,
    ]),
  ),
);

export const evidence: Said[] = [
  [
    "the rest of the program is judged, with what this takes and gives, and nothing of what it computes",
    "프로그램의 나머지는 이것이 받고 내는 것만 넣어 판단합니다. 이것이 계산하는 것은 판단하지 않습니다",
    "プログラムの残りは、これが受け取るものと出すものだけを数えて判定し、これが計算するものは判定しません",
  ],
  [
    "the text says that N devices? share the program, and of N parameters? that each has a part",
    "장치 $1개가 프로그램을 나눠 실행하고, 파라미터 $2개는 장치마다 일부만 갖는다고 적혀 있습니다",
    "デバイス $1 個でプログラムを分け合い、パラメーター $2 個はそれぞれが一部を持つと書かれています",
  ],
  [
    "places that depend on data, in shapes that do not: W",
    "자리는 데이터에 달렸지만 형태는 그렇지 않은 연산: $1",
    "位置はデータによって変わるが、形は変わらない演算：$1",
  ],
  [
    "N lines? in batches of N: N % of all positions are padding, that within batches included",
    "$1줄을 $2줄씩 묶은 배치에서, 배치 안의 것까지 모든 위치의 $3 %가 패딩입니다",
    "$1 行を $2 行ずつのバッチにすると、バッチの中のものも含めて、すべての位置の $3 % がパディングです",
  ],
  [
    "N lines? (?:is|are) longer than N tokens, and counted as cut off there",
    "$1줄은 토큰 $2개보다 길어서, 거기서 자른 것으로 셉니다",
    "$1 行は $2 トークンより長いので、そこで切ったものとして数えます",
  ],
  [
    "lengths are counted in N WordPieces? learned from W itself, not the model's own",
    "길이는 모델의 조각이 아니라 $2에서 학습한 WordPiece $1개로 셌습니다",
    "長さは、モデルの断片ではなく、$2 から学習した WordPiece $1 個で数えています",
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
  [
    "the largest of these: W of W over L, W",
    "그 가운데 가장 큰 것: $1, $3에 대한 $2의 결과, $4",
    "その中で最大のもの：$1（$3 にわたる $2 の結果）、$4",
  ],
  [
    "the largest of these: W of L, W",
    "그 가운데 가장 큰 것: $1($2의 결과), $3",
    "その中で最大のもの：$1（$2 の結果）、$3",
  ],
  ["the largest of these: L, W", "그 가운데 가장 큰 것: $1, $2", "その中で最大のもの：$1、$2"],
  [
    "a replica takes its share of the batch in N equal parts, one after another",
    "레플리카는 제 몫의 배치를 똑같이 나눈 $1번에 걸쳐 차례로 처리합니다",
    "レプリカは自分の分のバッチを、等しく分けた $1 回で順に処理します",
  ],
  ["not one example fits", "예제 하나도 들어가지 않습니다", "1 つのサンプルも収まりません"],
  [
    "not one example fits with nothing recomputed",
    "다시 계산하지 않으면 예제 하나도 들어가지 않습니다",
    "計算し直さなければ、1 つのサンプルも収まりません",
  ],
  [
    "not one example fits with nothing more recomputed",
    "더 다시 계산하지 않으면 예제 하나도 들어가지 않습니다",
    "これ以上計算し直さなければ、1 つのサンプルも収まりません",
  ],
  [
    "what the program computes again, behind an optimization_barrier, is counted as it is",
    "프로그램이 optimization_barrier 뒤에서 다시 계산하는 것은 그대로 셉니다",
    "プログラムが optimization_barrier の後で計算し直すものは、そのまま数えています",
  ],
  [
    "of it, computing dropped activations again takes W",
    "그 가운데 버린 활성값을 다시 계산하는 데 $1",
    "そのうち、捨てた活性値の計算し直しに $1",
  ],
  [
    "random bits are taken to follow from a counter or a key: those of dropout are made again, not kept",
    "난수 비트는 카운터나 키에서 나온다고 봅니다. 드롭아웃의 비트는 남겨 두지 않고 다시 만듭니다",
    "乱数のビットはカウンターかキーから作られるものとします。ドロップアウトのビットは残さず、作り直します",
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
  ["constant W at W", "$2의 상수 $1", "$2 の定数 $1"],
  ["constant W", "상수 $1", "定数 $1"],
  ["first at W", "처음 달라지는 곳: $1", "最初に変わるところ：$1"],
  ["bound by: L", "시간을 정하는 것: $1", "時間を決めるもの：$1"],
  ["the longest: W, N %", "가장 오래 걸리는 것: $1, $2 %", "最も長いもの：$1、$2 %"],
  [
    "W a step, which take W from the hosts to the chips, hidden behind a step of W",
    "스텝마다 $1, 호스트에서 칩까지 $2. 스텝 $3 뒤에 가려집니다",
    "1 ステップに $1、ホストからチップまで $2。ステップ $3 の陰に隠れます",
  ],
  [
    "what Octet does not know is counted by what it reads and writes, and not at all where it has no result: it may take longer",
    "Octet이 모르는 것은 읽고 쓰는 양으로만 세고, 결과가 없으면 세지 않습니다. 더 오래 걸릴 수 있습니다",
    "Octet の知らないものは読み書きする量だけで数え、結果のないものは数えません。もっと長くかかるかもしれません",
  ],
  [
    "all N replicas? do the same work: nothing that is computed is smaller by that axis of the mesh",
    "레플리카 $1개가 모두 같은 일을 합니다. 메시의 그 축으로 작아지는 계산이 없습니다",
    "$1 個のレプリカがすべて同じ仕事をします。メッシュのその軸で小さくなる計算がありません",
  ],
  [
    "N replicas each do the same work: nothing that is computed is smaller by that axis of the mesh",
    "레플리카 $1개씩 같은 일을 합니다. 메시의 그 축으로 작아지는 계산이 없습니다",
    "$1 個ずつのレプリカが同じ仕事をします。メッシュのその軸で小さくなる計算がありません",
  ],
  [
    "N replicas each are given the same share",
    "레플리카 $1개씩 같은 몫을 받습니다",
    "$1 個ずつのレプリカが同じ分を受け取ります",
  ],
  [
    "N replicas each are given the same share, and compute with their own parts of the rest",
    "레플리카 $1개씩 같은 몫을 받아, 나머지는 저마다 자기 몫으로 계산합니다",
    "$1 個ずつのレプリカが同じ分を受け取り、残りはそれぞれ自分の分で計算します",
  ],
  [
    "N replicas each are given parts of the same examples",
    "레플리카 $1개씩 같은 예제의 일부를 받습니다",
    "$1 個ずつのレプリカが同じサンプルの一部を受け取ります",
  ],
  [
    "N replicas each are given parts of the same examples, and compute with their own parts of the rest",
    "레플리카 $1개씩 같은 예제의 일부를 받아, 나머지는 저마다 자기 몫으로 계산합니다",
    "$1 個ずつのレプリカが同じサンプルの一部を受け取り、残りはそれぞれ自分の分で計算します",
  ],
  [
    "W has N hosts?, each with a disk of its own",
    "$1의 호스트 $2대에 디스크가 따로 있습니다",
    "$1 のホスト $2 台は、それぞれ自分のディスクを持ちます",
  ],
  [
    "all of a TPU's speed over other machines is its matrix unit's",
    "TPU가 다른 기계보다 빠른 것은 모두 행렬 유닛 덕분입니다",
    "TPU がほかのマシンより速いのは、すべて行列ユニットによるものです",
  ],
  ["the loop is at W", "반복문이 있는 곳: $1", "ループのある場所：$1"],
  ["W a step for W", "$2 전체에 스텝마다 $1", "$2 全体で 1 ステップに $1"],
  [
    "N values? of i64, which a TPU keeps as two of 32 bits( \\(.+\\))?",
    "i64인 값 $1개: TPU는 32비트 둘로 나눠 둡니다$2",
    "i64 の値 $1 個：TPU は 32 ビット 2 つで持ちます$2",
  ],
  [
    "N conversions? of whole numbers to bf16, of a size that is not known without data; exact up to 256",
    "정수를 bf16으로 바꾸는 곳 $1개: 수의 크기는 데이터 없이 알 수 없습니다. 256까지 정확합니다",
    "整数から bf16 への変換 $1 個：数の大きさはデータなしではわかりません。正確なのは 256 までです",
  ],
  [
    "types that Octet does not have are counted as wider ones: it may fit",
    "Octet에 없는 타입은 더 넓은 타입으로 셉니다. 들어갈 수도 있습니다",
    "Octet にない型は、より広い型として数えています。収まるかもしれません",
  ],
  [
    "types that Octet does not have are counted as wider ones: it may take less",
    "Octet에 없는 타입은 더 넓은 타입으로 셉니다. 시간이 덜 걸릴 수 있습니다",
    "Octet にない型は、より広い型として数えています。かかる時間はもっと短いかもしれません",
  ],
  [
    "types that Octet does not have are counted as wider ones: both may take less",
    "Octet에 없는 타입은 더 넓은 타입으로 셉니다. 둘 다 시간이 덜 걸릴 수 있습니다",
    "Octet にない型は、より広い型として数えています。どちらの時間ももっと短いかもしれません",
  ],
  [
    "all else is judged as it would be with bf16 in place of f16, which takes as much memory",
    "나머지는 f16 대신 메모리를 똑같이 쓰는 bf16인 것으로 판단합니다",
    "ほかは、f16 の代わりに、同じだけメモリーを使う bf16 であるものとして判定します",
  ],
  [
    "N calls? of functions of their own, as an inner jit leaves them, became a part of the one program",
    "안쪽 jit가 남기는 것과 같은 함수 호출 $1개가 하나인 프로그램의 일부가 되었습니다",
    "内側の jit が残すような関数の呼び出し $1 個が、1 つのプログラムの一部になりました",
  ],
  ...fitting,
];
