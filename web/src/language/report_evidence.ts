// What octet::check's reports give as evidence below a finding.
import type { Said } from "./report_phrases";

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
    "what Octet does not know is counted by what it reads and writes: it may take longer",
    "Octet이 모르는 것은 읽고 쓰는 양으로만 셉니다. 더 오래 걸릴 수 있습니다",
    "Octet の知らないものは、読み書きする量だけで数えます。もっと長くかかるかもしれません",
  ],
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
    "the most that fits with nothing more recomputed: N examples? a replica, N at once",
    "더 다시 계산하지 않고 들어가는 최대: 레플리카마다 $1개, 한 번에 $2개",
    "これ以上計算し直さずに収まる上限：レプリカごとに $1 個、一度に $2 個",
  ],
  [
    "the most that fits with nothing more recomputed: at least N examples? a replica, at least N at once",
    "더 다시 계산하지 않고 들어가는 최대: 레플리카마다 적어도 $1개, 한 번에 적어도 $2개",
    "これ以上計算し直さずに収まる上限：レプリカごとに少なくとも $1 個、一度に少なくとも $2 個",
  ],
  [
    "if more activations are dropped and computed again, which adds W to a step of W: at least N examples? a replica, at least N at once",
    "활성값을 더 버리고 다시 계산하면($2짜리 스텝에 $1를 더해): 레플리카마다 적어도 $3개, 한 번에 적어도 $4개",
    "さらに活性値を捨てて計算し直せば（$2 のステップに $1 が加わり）：レプリカごとに少なくとも $3 個、一度に少なくとも $4 個",
  ],
  [
    "if more activations are dropped and computed again, which adds W to a step of W: N examples? a replica, N at once",
    "활성값을 더 버리고 다시 계산하면($2짜리 스텝에 $1를 더해): 레플리카마다 $3개, 한 번에 $4개",
    "さらに活性値を捨てて計算し直せば（$2 のステップに $1 が加わり）：レプリカごとに $3 個、一度に $4 個",
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
];
