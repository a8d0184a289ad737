// The cures that octet::check's reports name.
import type { Said } from "./report_phrases";

/** At most so many examples: of a step, or of each of the parts that it takes one after another. */
const fewer = (
  [
    ["", "레플리카마다", "レプリカごとに"],
    [" in each part", "나눈 부분마다 레플리카에", "分けた 1 回ごとに、レプリカあたり"],
  ] as const
).flatMap(([part, ko, ja]): Said[] => [
  [
    `take at most N examples? a replica${part}, and add up the gradients of N equal parts`,
    `${ko} 많아야 $1개씩 넣고, 똑같이 나눈 $2번의 그래디언트를 더하세요`,
    `${ja}多くても $1 個にし、等しく分けた $2 回の勾配を足す`,
  ],
  [
    `take at most N examples? a replica${part}, with recomputing asked for, and add up the gradients of N equal parts`,
    `다시 계산하도록 하고, ${ko} 많아야 $1개씩 넣고 똑같이 나눈 $2번의 그래디언트를 더하세요`,
    `計算し直すように書き、${ja}多くても $1 個にして、等しく分けた $2 回の勾配を足す`,
  ],
  [
    `take at most N examples? a replica${part}, with recomputing asked for`,
    `다시 계산하도록 하고, ${ko} 많아야 $1개씩 넣으세요`,
    `計算し直すように書き、${ja}多くても $1 個にする`,
  ],
  [`take at most N examples? a replica${part}`, `${ko} 많아야 $1개씩 넣으세요`, `${ja}多くても $1 個にする`],
]);

/** Those that ask for recomputing come first: the others would fit them, too. */
const rented = (
  [
    [", with recomputing asked for", "다시 계산하도록 하고, ", "計算し直すように書き、"],
    ["", "", ""],
  ] as const
).flatMap(([asked, ko, ja]): Said[] => [
  [
    `rent W with one replica on each chip \\(octet check --megacore\\), where a program may use W${asked}, or give each replica a smaller part of the model`,
    `${ko}프로그램이 $2까지 쓸 수 있는 $1 슬라이스를 칩마다 레플리카 하나로(메가코어) 빌리거나, 레플리카마다 모델의 더 작은 부분을 맡기세요`,
    `${ja}プログラムが $2 まで使える $1 をチップごとに 1 つのレプリカ（メガコア）で借りるか、各レプリカに持たせるモデルの部分を小さくする`,
  ],
  [
    `rent W, where a program may use W${asked}, or give each replica a smaller part of the model`,
    `${ko}프로그램이 $2까지 쓸 수 있는 $1 슬라이스를 빌리거나, 레플리카마다 모델의 더 작은 부분을 맡기세요`,
    `${ja}プログラムが $2 まで使える $1 を借りるか、各レプリカに持たせるモデルの部分を小さくする`,
  ],
]);

export const cures: Said[] = [
  [
    "where replicas are to learn together, say so only of what each keeps a part of",
    "레플리카들이 함께 학습해야 한다면, 저마다 나눠 지니는 것만 그렇다고 알리세요",
    "レプリカがいっしょに学習するなら、それぞれが一部を持つものだけをそう伝える",
  ],
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
    "choose “Data” and “Host” above",
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
    "measure it, and say so: CheckOptions::examples_per_second; for octet check, --examples-per-second [A-Z]",
    "재어 보고 위의 ‘초당 예제 수’에 적으세요",
    "測って、上の「毎秒のサンプル数」に書く",
    "measure it, and write it in “Examples a second” above",
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
    "donate 'W', so that its next value takes its place: W, which fits",
    "‘$1’의 메모리를 다음 값이 넘겨받게 하세요(donate): $2, 들어갑니다",
    "「$1」のメモリーを次の値が引き継ぐようにする（donate）：$2、収まる",
  ],
  [
    "donate 'W', so that its next value takes its place: W, which fits with W of recomputing",
    "‘$1’의 메모리를 다음 값이 넘겨받게 하세요(donate): $2, $3 동안 다시 계산하면 들어갑니다",
    "「$1」のメモリーを次の値が引き継ぐようにする（donate）：$2、$3 の計算し直しで収まる",
  ],
  [
    "donate 'W', so that its next value takes its place: W, still too much",
    "‘$1’의 메모리를 다음 값이 넘겨받게 하세요(donate): $2, 그래도 너무 많습니다",
    "「$1」のメモリーを次の値が引き継ぐようにする（donate）：$2、それでも多すぎる",
  ],
  [
    "donate 'W', so that its next value takes its place: W, still too much for W",
    "‘$1’의 메모리를 다음 값이 넘겨받게 하세요(donate): $2, 그래도 $3에는 너무 많습니다",
    "「$1」のメモリーを次の値が引き継ぐようにする（donate）：$2、それでも $3 には多すぎる",
  ],
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
    "store activations in bf16: W, still too much for W",
    "활성값을 bf16으로 저장하세요: $1, 그래도 $2에는 너무 많습니다",
    "活性値を bf16 で保存する：$1、それでも $2 には多すぎる",
  ],
  ...rented,
  [
    "give each replica a smaller part of the model: no chip that is known holds it",
    "레플리카마다 모델의 더 작은 부분을 맡기세요. 알려진 칩 가운데 들어가는 것이 없습니다",
    "各レプリカに持たせるモデルの部分を小さくする。知られているチップのどれにも収まらない",
  ],
  [
    "ask for more recomputing in the program: checkpoint in Octet, jax.checkpoint in JAX, tf.recompute_grad in TensorFlow; XLA alone may not do it",
    "더 다시 계산하라고 프로그램에 적으세요. Octet에서는 checkpoint, JAX에서는 jax.checkpoint, TensorFlow에서는 tf.recompute_grad입니다. XLA가 알아서 하지 않을 수 있습니다",
    "さらに計算し直すようプログラムに書く。Octet では checkpoint、JAX では jax.checkpoint、TensorFlow では tf.recompute_grad。XLA だけでは行われないことがある",
  ],
  [
    "ask for recomputing in the program: checkpoint in Octet, jax.checkpoint in JAX, tf.recompute_grad in TensorFlow; XLA alone may not do it",
    "다시 계산하라고 프로그램에 적으세요. Octet에서는 checkpoint, JAX에서는 jax.checkpoint, TensorFlow에서는 tf.recompute_grad입니다. XLA가 알아서 하지 않을 수 있습니다",
    "計算し直すようプログラムに書く。Octet では checkpoint、JAX では jax.checkpoint、TensorFlow では tf.recompute_grad。XLA だけでは行われないことがある",
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
    "run one replica on each chip, whose cores are then one device \\(octet check --megacore\\), which fits with W of recomputing",
    "칩마다 레플리카 하나를 돌리세요. 칩의 코어들이 한 장치가 되고(메가코어), $1 동안 다시 계산하면 들어갑니다",
    "チップごとに 1 つのレプリカを動かす。コアは 1 つのデバイスになり（メガコア）、$1 の計算し直しで収まる",
  ],
  [
    "add up first, and reduce once: in a loop over parts of the batch, the all_reduce belongs after it",
    "먼저 더하고 올리듀스는 한 번만 하세요. 배치를 나누어 도는 반복문이라면 all_reduce는 그 뒤에 둡니다",
    "先に足し、リデュースは 1 回にする：バッチを分けて回るループなら、all_reduce はその後に置く",
  ],
  [
    "reduce what belongs together in one place, so that the compiler joins it",
    "함께할 것은 한 자리에서 올리듀스해, 컴파일러가 묶게 하세요",
    "いっしょにできるものは 1 か所でリデュースし、コンパイラーがまとめられるようにする",
  ],
  [
    "feed fewer bytes an example: ids rather than what follows from them, which the chips compute",
    "예제의 바이트를 줄이세요: id만 넣고, id에서 나오는 것은 칩에서 계산하세요",
    "サンプルあたりのバイト数を減らす：id だけを入れ、そこから決まるものはチップで計算する",
  ],
  [
    "call the function itself instead of the jit of it: it becomes a part of the one program",
    "jit한 것 말고 함수 자체를 호출하세요. 그러면 하나인 프로그램의 일부가 됩니다",
    "jit したものではなく、関数そのものを呼び出す：1 つのプログラムの一部になる",
  ],
  [
    "pass what changes as an argument: random numbers by their key, counters as an array of one element",
    "바뀌는 것은 인자로 넘기세요. 난수는 키로, 카운터는 원소가 하나인 배열로 넘깁니다",
    "変わるものは引数で渡す：乱数はキーで、カウンターは要素 1 つの配列で",
  ],
  [
    "check the function that it was traced from: what runs meanwhile is seen",
    "이 프로그램을 추적해 낸 함수를 점검하세요. 그동안 실행되는 것을 볼 수 있습니다",
    "トレース元の関数を調べる：その間に実行されるものがわかる",
  ],
  ["compute more for each example", "예제마다 계산을 더 많이 하세요", "サンプルごとの計算を増やす"],
  [
    "give each call lists of one length, the same optionals and variants: a program is made for them",
    "호출마다 리스트의 길이를 같게 하고 같은 optional과 variant를 주세요. 프로그램은 거기에 맞춰 만들어집니다",
    "どの呼び出しでもリストの長さを同じにし、同じ optional と variant を与える。プログラムはそれに合わせて作られる",
  ],
  ["rent a smaller slice", "더 작은 슬라이스를 빌리세요", "もっと小さなスライスを借りる"],
  [
    "give a longer text, or a smaller batch",
    "더 긴 글을 주거나 배치를 줄이세요",
    "もっと長い文章を与えるか、バッチを小さくする",
  ],
  [
    "put examples of like length into one batch, or several short ones into one sequence",
    "길이가 비슷한 예제끼리 배치로 묶거나, 짧은 예제 여럿을 시퀀스 하나에 넣으세요",
    "長さの近いサンプルを 1 つのバッチにまとめるか、短いサンプルをいくつか 1 つのシーケンスに入れる",
  ],
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
  [
    "pass 'W' as an array: its value is part of the program, and it changes",
    "‘$1’을(를) 배열로 넘기세요. 그 값이 프로그램의 일부인데, 바뀝니다",
    "「$1」を配列で渡す。その値はプログラムの一部なのに、変わる",
  ],
  [
    "pass the batch as it is, not replicated: it is split along its leading axis",
    "배치를 복제하지 말고 그대로 넘기세요. 첫 축을 따라 나뉩니다",
    "バッチを複製せずそのまま渡す：先頭の軸に沿って分けられる",
  ],
  [
    "cut the batch along every axis of the mesh",
    "메시의 모든 축을 따라 배치를 나누세요",
    "メッシュのすべての軸に沿ってバッチを分ける",
  ],
  [
    "cut the batch along every axis of the mesh, or weights so that each replica has its part of a product",
    "메시의 모든 축을 따라 배치를 나누거나, 레플리카마다 곱셈의 일부를 맡도록 가중치를 나누세요",
    "メッシュのすべての軸に沿ってバッチを分けるか、各レプリカが積の一部を受け持つように重みを分ける",
  ],
  [
    "write what it computes as operations of the program",
    "그것이 계산하는 것을 프로그램의 연산으로 쓰세요",
    "それが計算するものを、プログラムの演算として書く",
  ],
  ["compute it beforehand, and pass it as an argument", "미리 계산해 인자로 넘기세요", "前もって計算し、引数で渡す"],
  ["give a batch of N or a multiple of it", "배치를 $1개나 그 배수로 하세요", "バッチを $1 個かその倍数にする"],
  [
    "have the condition fail at last: count by 1 or more towards a limit that can be passed",
    "조건이 언젠가 거짓이 되게 하세요. 넘을 수 있는 한계를 향해 1 이상씩 세면 됩니다",
    "条件がいつかは偽になるようにする。超えられる上限に向かって 1 以上ずつ数えればよい",
  ],
  [
    "nothing, where the program is meant to have none",
    "곱셈이 없는 것이 맞다면 그대로 두세요",
    "積がなくてよいプログラムなら、何もしない",
  ],
  [
    "lower it for one device, with its share of the batch",
    "장치 하나의 배치 몫으로, 장치 하나용 프로그램을 만드세요",
    "1 つのデバイスの分のバッチで、デバイス 1 つ向けに作る",
  ],
  [
    "lower the program for a batch that is a multiple of N",
    "배치가 $1의 배수인 프로그램을 만드세요",
    "バッチが $1 の倍数のプログラムを作る",
  ],
  [
    "pad the batch to one, with weight zero for what is added",
    "배치를 그 배수로 패딩하고, 더한 것의 가중치는 0으로 두세요",
    "バッチをその倍数までパディングし、加えた分の重みを 0 にする",
  ],
  [
    "say what the batch is: --batch-argument NAME",
    "위의 ‘배치 파라미터’에 배치를 적으세요",
    "上の「バッチのパラメーター」にバッチを書く",
    "name the batch in “Batch parameters” above",
  ],
  [
    "compute in f32: cast<float>\\(x\\), and f32 data to begin with",
    "f32로 계산하고(cast<float>(x)), 데이터도 처음부터 f32로 하세요",
    "f32 で計算し（cast<float>(x)）、データもはじめから f32 にする",
  ],
  [
    "keep ids and counts in i32, or in f32 where they must be floating-point",
    "id와 개수는 i32로, 부동소수점이어야 하면 f32로 두세요",
    "id や個数は i32 で、浮動小数点でなければならないなら f32 で持つ",
  ],
  ["add it in f32, and convert what comes of it", "f32로 더하고 그 결과를 바꾸세요", "f32 で足し、その結果を変換する"],
  [
    "keep parameters and optimizer state in f32, and convert to bf16 where they are used",
    "파라미터와 옵티마이저 상태는 f32로 두고, 쓰는 곳에서 bf16으로 바꾸세요",
    "パラメーターとオプティマイザーの状態は f32 で持ち、使うところで bf16 に変換する",
  ],
  [
    "leave the precision of products at its default, but for those that need it",
    "꼭 필요한 곱셈 말고는 정밀도를 기본값으로 두세요",
    "必要なものを除き、積の精度は既定のままにする",
  ],
  [
    "use Precision::bf16, the TPU's default",
    "TPU의 기본값인 Precision::bf16을 쓰세요",
    "TPU の既定である Precision::bf16 を使う",
  ],
  ["lower the program for N devices?", "프로그램을 장치 $1개용으로 만드세요", "デバイス $1 個向けにプログラムを作る"],
  [
    "check it for a slice that has as many replicas as it is lowered for",
    "프로그램의 장치만큼 레플리카가 있는 슬라이스로 점검하세요",
    "プログラムのデバイスと同じ数のレプリカを持つスライスで点検する",
  ],
  [
    "let groups and slice be of the same replicas: W; for octet check, --slice NAME with as many",
    "위의 ‘슬라이스’에서 레플리카 수가 그룹과 같은 것을 고르세요",
    "上の「スライス」で、レプリカの数がグループと同じものを選ぶ",
    "choose a slice of as many replicas in “Slice” above",
  ],
  [
    "lower a program of JAX for N replicas?, whose numbers its groups name then",
    "JAX 프로그램은 레플리카 $1개용으로 만드세요. 그러면 그룹이 그 번호들을 가리킵니다",
    "JAX のプログラムはレプリカ $1 個向けに作る。グループはその番号を指すようになる",
  ],
  [
    "copy the files, or the part that a host needs, to every host; or read them from a bucket",
    "파일을, 또는 호스트마다 필요한 부분을 모든 호스트에 복사하거나, 버킷에서 읽으세요",
    "ファイルを、またはホストごとに要る分を、すべてのホストにコピーするか、バケットから読む",
  ],
  [
    "export the program again for inputs of fixed shapes, padded to a few lengths, with a mask",
    "입력을 몇 가지 길이로 패딩하고 마스크를 써서, 형태가 정해진 입력으로 프로그램을 다시 내보내세요",
    "入力をいくつかの長さまでパディングしてマスクを使い、形の決まった入力でプログラムを書き出し直す",
  ],
  [
    "use bf16: it has the range of f32, and needs no loss scaling",
    "bf16을 쓰세요. 범위가 f32와 같고, 손실 스케일링이 필요 없습니다",
    "bf16 を使う：範囲は f32 と同じで、損失のスケーリングも要らない",
  ],
  [
    "decide by a value that is equal on all replicas: all_reduce it over slice.all\\(\\) first",
    "모든 레플리카에서 같은 값으로 정하세요. 먼저 slice.all()로 all_reduce합니다",
    "すべてのレプリカで等しい値で決める：先に slice.all() で all_reduce する",
  ],
  [
    "lower the program for one device, with its share of the batch",
    "장치 하나의 배치 몫으로, 장치 하나용 프로그램을 만드세요",
    "1 つのデバイスの分のバッチで、デバイス 1 つ向けのプログラムを作る",
  ],
  ["correct the text at the place named", "위에 나온 곳을 고치세요", "示された場所を直す"],
  [
    "convert it before the program, to i32, bf16 or f32",
    "프로그램에 넣기 전에 i32나 bf16이나 f32로 바꾸세요",
    "プログラムに渡す前に、i32 か bf16 か f32 に変換する",
  ],
  [
    "convert it before the program, or leave what is of it out of the program that is checked",
    "프로그램에 넣기 전에 바꾸거나, 점검할 프로그램에서 빼세요",
    "プログラムに渡す前に変換するか、点検するプログラムから外す",
  ],
  ...fewer,
];
