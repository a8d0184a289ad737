import { expect, test } from "vitest";
import { reportOf } from "./reports";

test("a report's sentences are said with their numbers", () => {
  expect(reportOf("60 calls of 60 shapes need 2 programs, with 28 % padding.", "ko")).toBe(
    "형태가 60가지인 호출 60번에 프로그램 2개가 필요하고, 패딩이 28 %입니다.",
  );
  expect(reportOf("2 calls need 1 program.", "ja")).toBe("呼び出し 2 回に、プログラムが 1 個要ります。");
  expect(reportOf("The data lie in a bucket, and are reached from a TPU node.", "ja")).toBe(
    "データはバケットにあり、TPU ノードから読めます。",
  );
  expect(reportOf("bound by: matrix unit 35 %, memory 57 %, interconnect 7.5 %", "ko")).toBe(
    "시간을 정하는 것: 행렬 유닛 35 %, 메모리 57 %, 칩 사이의 링크 7.5 %",
  );
  expect(reportOf("bound by: matrix unit 35 %, memory 57 %", "ja")).toBe(
    "時間を決めるもの：行列ユニット 35 %、メモリー 57 %",
  );
  expect(
    reportOf("make k = 256: 61 more for the same work of the matrix unit; or 128, which takes 50 % less of it", "ko"),
  ).toBe("k = 256: 61개 늘려도 행렬 유닛이 하는 일은 같습니다. 128까지 줄이면 그 일이 50 % 줄어듭니다");
});

test("a rate is told as one of each second, the chips' too", () => {
  const made = "The pipeline makes 3,462 examples a second, and the chips";
  expect(reportOf(`${made} take 3,400 examples a second.`, "ko")).toContain("칩은 초당 3,400개를 씁니다");
  expect(reportOf(`${made} would take 6,924 examples a second: they wait 50 % of the time.`, "ja")).toContain(
    "チップは毎秒 6,924 個を使えます。チップは時間の 50 %",
  );
});

test("that nothing can drift is said in each language", () => {
  const nothing = "No next value of a parameter was recognized among the results: nothing is seen that could drift.";
  expect(reportOf(nothing, "ko")).toContain("어긋날 만한 것이 보이지 않습니다");
  expect(reportOf(nothing, "ja")).toContain("ずれそうなものは見当たりません");
  expect(reportOf("v2-1 is one replica, which cannot drift from itself.", "ko")).toContain("레플리카 하나");
});

test("what each replica keeps a part of is said beside what it has whole", () => {
  const said = "Each of 8 replicas has 43 parameters whole, and its own part of 84 parameters.";
  expect(reportOf(said, "ko")).toContain("파라미터 43개 전체와 파라미터 84개 가운데 자기 몫을");
  expect(reportOf(said, "ja")).toContain("パラメーター 43 個の全体と、パラメーター 84 個のうち自分の分を");
  expect(reportOf("Each of 8 replicas has 43 parameters whole.", "ko")).toContain("파라미터 43개 전체를");
  expect(reportOf("Each of 8 replicas has 1 parameter whole.", "ja")).toContain("パラメーター 1 個の全体を");
  expect(reportOf("Each of 8 replicas has 'state' whole.", "ja")).toContain("「state」の全体を");
  expect(reportOf("Everything is split over 8 replicas, and nothing is kept.", "ko")).toContain(
    "레플리카 8개에 나뉘고",
  );
  const meant =
    "where each replica is to keep its own, say so: CheckOptions::sharded; for octet check, --sharded-argument NAME";
  expect(reportOf(meant, "ja")).toContain("--sharded-argument NAME");
});

test("collectives that wait for one another are told with all turns of a loop", () => {
  const turns =
    "8 collectives in 8 rounds that wait for one another, in each of 16 turns, take 16.1 ms of a step's 17.0 ms; one of all their 8.19 KB in each would take 2.02 ms.";
  expect(reportOf(turns, "ko")).toContain("집합 통신 8번(8단계)이 스텝 17.0 ms 가운데 16.1 ms");
  expect(reportOf(turns, "ja")).toContain("16 周のそれぞれで");
  const once =
    "16 collectives in 16 rounds that wait for one another take 16.1 ms of a step's 17.0 ms; one of all their 8.19 KB would take 2.02 ms.";
  expect(reportOf(once, "ja")).toContain("集団通信 16 回（16 段階）に、1 ステップ 17.0 ms のうち 16.1 ms");
  expect(reportOf(once, "ko")).toContain("8.19 KB");
});

test("what an inner jit leaves in a program is said in each language", () => {
  const ran = "ran on this machine while the program was traced: its results are frozen in the program as constants.";
  expect(reportOf(`A compiled function ${ran}`, "ko")).toContain("컴파일된 함수가 이 컴퓨터에서 실행되어");
  expect(reportOf(`'inner', 'other' ${ran}`, "ja")).toContain("「inner」「other」がこのマシンで実行され");
  expect(reportOf("constant f32[2] at step.py:3", "ko")).toBe("step.py:3의 상수 f32[2]");
  expect(reportOf("constant f32[2, 3]", "ja")).toBe("定数 f32[2, 3]");
  const tables =
    "2 constants of several elements, 8.19 KB, came from the host: tables that are meant to be there, or results of an inner jit; the program does not tell.";
  expect(reportOf(tables, "ko")).toContain("원소가 여럿인 상수 2개(8.19 KB)");
  expect(reportOf(tables, "ja")).toContain("定数 2 個（8.19 KB）");
  const traced = "check the function that it was traced from: what runs meanwhile is seen";
  const itself = "call the function itself instead of the jit of it: it becomes a part of the one program";
  for (const sentence of [traced, itself])
    for (const language of ["ko", "ja"] as const) expect(reportOf(sentence, language)).toBeDefined();
});

test("what is donated is said with what is needed then", () => {
  const donated = "donate 'model', so that its next value takes its place: 12.9 GB, ";
  expect(reportOf(`${donated}which fits`, "ko")).toBe(
    "‘model’의 메모리를 다음 값이 넘겨받게 하세요(donate): 12.9 GB, 들어갑니다",
  );
  expect(reportOf(`${donated}which fits with 8.1 ms of recomputing`, "ja")).toContain("12.9 GB、8.1 ms の計算し直しで");
  expect(reportOf(`${donated}still too much`, "ja")).toContain("12.9 GB、それでも多すぎる");
  expect(reportOf(`${donated}still too much for 12.8 GB`, "ko")).toContain("그래도 12.8 GB에는 너무 많습니다");
});

test("what activations lose in bf16 is said in each language", () => {
  const lost = "Operands and activations round to bf16, and products add up in f32; nothing else is lost.";
  expect(reportOf(lost, "ko")).toContain("활성값은 bf16으로");
  expect(reportOf(lost, "ja")).toContain("活性値は bf16 に");
});

test("what holds commas and colons is told from what follows it", () => {
  expect(
    reportOf(
      "In dot_general [30522, 1] x [1, 128], k = 1 costs what 128 would: 79 % of the matrix unit's work is padding there.",
      "ko",
    ),
  ).toContain("dot_general [30522, 1] x [1, 128]에서 k = 1: 128일 때만큼");
  expect(
    reportOf(
      "A replica needs 12.0 GB of the 8.03 GB that a program may use on v2-8: it fits if activations are dropped and computed again, which adds 22.4 ms to a step of 1.20 s.",
      "ja",
    ),
  ).toBe(
    "1 つのレプリカに 12.0 GB 必要です。v2-8 でプログラムが使えるのは 8.03 GB なので、活性値を捨てて計算し直せば（1.20 s のステップに 22.4 ms が加わり）収まります。",
  );
});

test("what XLA alone was never seen to make room for is told in all languages", () => {
  const sentence =
    "A replica needs 188 GB of the 16.6 GB that a program may use on v3-8: recomputing would make it fit, and XLA alone was not seen to make room for more than 3.4 times its memory.";
  expect(reportOf(sentence, "ko")).toContain("메모리의 3.4배");
  expect(reportOf(sentence, "ja")).toContain("メモリーの 3.4 倍");
});

test("cures that name a field of the page name it in English, too", () => {
  const told = (sentence: string) => reportOf(sentence, "en");
  expect(told("name them: CheckOptions::batch; for octet check, --batch-argument NAME")).toBe(
    "name them in “Batch parameters” above",
  );
  expect(told("say which is: --batch-argument NAME")).toBe("name the one that is in “Batch parameters” above");
  expect(told("say whether it is: --batch-argument NAME")).toBe("if it is one, name it in “Batch parameters” above");
  expect(
    told("measure it, and say so: CheckOptions::examples_per_second; for octet check, --examples-per-second N"),
  ).toContain("“Examples a second”");
  expect(told("A replica needs 12.0 GB of the 16.6 GB that a program may use on v3-8.")).toBeUndefined();
});

test("what a program recomputes already is told from what it could recompute beyond that", () => {
  const more = "with nothing more recomputed: 12 examples a replica, 96 at once";
  expect(reportOf(`the most that fits ${more}`, "ko")).toBe(
    "더 다시 계산하지 않고 들어가는 최대: 레플리카마다 12개, 한 번에 96개",
  );
  expect(
    reportOf(
      "A replica needs 12.0 GB of the 8.03 GB that a program may use on v2-8: it fits if more activations are dropped and computed again, which adds 22.4 ms to a step of 1.20 s.",
      "ja",
    ),
  ).toContain("さらに活性値を捨てて");
  const counted = "what the program computes again, behind an optimization_barrier, is counted as it is";
  const asked =
    "ask for more recomputing in the program: checkpoint in Octet, jax.checkpoint in JAX, tf.recompute_grad in TensorFlow; XLA alone may not do it";
  const taken = "a replica takes its share of the batch in 4 equal parts, one after another";
  for (const sentence of [counted, asked, taken])
    for (const language of ["ko", "ja"] as const) expect(reportOf(sentence, language)).toBeDefined();
});

test("what frees memory is said in each language", () => {
  const parts = "take at most 11 examples a replica, and add up the gradients of 8 equal parts";
  expect(reportOf(parts, "ko")).toBe("레플리카마다 많아야 11개씩 넣고, 똑같이 나눈 8번의 그래디언트를 더하세요");
  expect(reportOf("store activations in bf16: 25.5 GB, still too much", "ja")).toBe(
    "活性値を bf16 で保存する：25.5 GB、それでも多すぎる",
  );
  expect(reportOf("store activations in bf16: 33.81 GB, still too much for 33.80 GB", "ko")).toBe(
    "활성값을 bf16으로 저장하세요: 33.81 GB, 그래도 33.80 GB에는 너무 많습니다",
  );
  const larger = "rent v6e-8, where a program may use 33.8 GB, or give each replica a smaller part of the model";
  expect(reportOf(larger, "ja")).toContain("プログラムが 33.8 GB まで使える v6e-8 を借りる");
  expect(reportOf(larger, "ko")).toContain("33.8 GB까지 쓸 수 있는 v6e-8 슬라이스를 빌리거나");
  const joined = larger.replace("v6e-8,", "v5p-16 with one replica on each chip (octet check --megacore),");
  expect(reportOf(joined, "ko")).toContain("v5p-16 슬라이스를 칩마다 레플리카 하나로(메가코어) 빌리거나");
  expect(reportOf(joined, "ja")).toContain("v5p-16 をチップごとに 1 つのレプリカ（メガコア）で借りるか");
  const asked = larger.replace(", or give", ", with recomputing asked for, or give");
  expect(reportOf(asked, "ko")).toContain("다시 계산하도록 하고, 프로그램이 33.8 GB까지 쓸 수 있는 v6e-8 슬라이스를");
  expect(reportOf(asked, "ja")).toContain("計算し直すように書き、プログラムが 33.8 GB まで使える v6e-8 を");
  const cores = "run one replica on each chip, whose cores are then one device (octet check --megacore), which fits";
  expect(reportOf(`${cores} with 691 ms of recomputing`, "ko")).toContain("691 ms 동안 다시 계산하면 들어갑니다");
  expect(reportOf(`${cores} with 691 ms of recomputing`, "ja")).toContain("691 ms の計算し直しで収まる");
  for (const language of ["ko", "ja"] as const) {
    expect(
      reportOf(
        "ask for recomputing in the program: checkpoint in Octet, jax.checkpoint in JAX, tf.recompute_grad in TensorFlow; XLA alone may not do it",
        language,
      ),
    ).toContain("tf.recompute_grad");
    expect(
      reportOf("give each replica a smaller part of the model: no chip that is known holds it", language),
    ).toBeDefined();
  }
});

test("what a replica's parts are of is told with the numbers of both", () => {
  const parts = "take at most 3 examples a replica in each part, and add up the gradients of 8 equal parts";
  expect(reportOf(parts, "ko")).toBe(
    "나눈 부분마다 레플리카에 많아야 3개씩 넣고, 똑같이 나눈 8번의 그래디언트를 더하세요",
  );
  expect(reportOf(parts, "ja")).toContain("分けた 1 回ごとに、レプリカあたり多くても 3 個");
  const fits = "the most that fits with nothing recomputed: at least 12 examples a replica, at least 96 in a step";
  expect(reportOf(fits, "ko")).toBe("다시 계산하지 않고 들어가는 최대: 레플리카마다 적어도 12개, 스텝마다 적어도 96개");
  expect(reportOf(fits, "ja")).toBe(
    "計算し直さずに収まる上限：レプリカごとに少なくとも 12 個、1 ステップに少なくとも 96 個",
  );
  expect(reportOf("2 replicas each are given the same share, and compute with their own parts of the rest", "ko")).toBe(
    "레플리카 2개씩 같은 몫을 받아, 나머지는 저마다 자기 몫으로 계산합니다",
  );
  expect(reportOf("Each of 8 replicas has 43 parameters whole, and a part of 84 parameters.", "ja")).toContain(
    "パラメーター 43 個の全体と、パラメーター 84 個の一部を",
  );
});

test("what is of a place is told with it, and without where it is not known", () => {
  const wide = "3 values are of f64, which a TPU has no unit for: it is worked out in software, many times slower.";
  expect(reportOf(wide, "ko")).toMatch(/f64인 값이 3개.*계산합니다\.$/);
  expect(reportOf(`${wide} (step.py:3)`, "ko")).toMatch(/f64인 값이 3개.*계산합니다\. \(step\.py:3\)$/);
  const added = "1.0e-03 is added in bf16, where it vanishes beside anything above 2.6e-01. (model.py:7)";
  expect(reportOf(added, "ja")).toBe(
    "1.0e-03 を bf16 で足しています。2.6e-01 より大きな数に足すと消えます。 (model.py:7)",
  );
});

test("of what replicas disagree about, how many are not named is said too", () => {
  const drifts = "on a replica's own share of the batch, with no all_reduce on the way: replicas drift apart.";
  expect(reportOf(`The next 'w' depends ${drifts}`, "ko")).toMatch(/^‘w’: 다음 값이/);
  expect(reportOf(`The next 'a', 'b', 'c' and 5 more depend ${drifts}`, "ko")).toMatch(/^‘a’, ‘b’, ‘c’ 외 5개: 다음/);
  const grouped = "on a replica's own share of the batch, reduced only within groups of 2: replicas drift apart.";
  expect(reportOf(`The next 'a', 'b', 'c' and 5 more depend ${grouped}`, "ja")).toContain("2 個ずつのグループ");
  expect(reportOf(`The next 'w' depends ${grouped}`, "ko")).toContain("2개씩의 그룹");
});

test("why a program that devices share is not judged is told with what is judged", () => {
  const judged =
    "Of programs that 8 devices share, Octet judges those whose tensors are cut into equal parts along the axes of one mesh, and whose batch is cut along its first dimension.";
  const two = `'x', of 64 examples, and 'y', of 32, are both cut, so one is not the batch. ${judged}`;
  expect(reportOf(two, "ko")).toMatch(/예제 64개인 ‘x’, 32개인 ‘y’.* 장치 8개가/);
  expect(reportOf(`A value within the program is cut, and no parameter. ${judged}`, "ja")).toContain("8 個のデバイス");
});

test("the pipeline is said to call back for each example, as it is in English", () => {
  const sentence =
    "The input pipeline calls back into the program for each example, and on the TPU node v3-32 it runs on the 4 hosts of the chips, where that program is not.";
  expect(reportOf(sentence, "ko")).toContain("예제마다");
  expect(reportOf(sentence, "ja")).toContain("サンプルごとに");
});

test("English stays, and so does what there are no words for", () => {
  expect(reportOf("2 calls need 1 program.", "en")).toBeUndefined();
  expect(reportOf("The moon is full.", "ko")).toBeUndefined();
});

test("what is said of a text's lengths is said in each language", () => {
  const padding = "Of all positions, 58 % are padding.";
  expect(reportOf(`10 calls of 9 shapes need 2 programs, with 28 % padding. ${padding}`, "ko")).toBe(
    "형태가 9가지인 호출 10번에 프로그램 2개가 필요하고, 패딩이 28 %입니다. 모든 위치의 58 %가 패딩입니다.",
  );
  expect(reportOf(`10 calls need 1 program. ${padding}`, "ja")).toBe(
    "呼び出し 10 回に、プログラムが 1 個要ります。すべての位置の 58 % がパディングです。",
  );
  for (const language of ["ko", "ja"] as const)
    for (const each of [
      "The text makes one batch, which does not say what lengths others have.",
      `The text makes one batch, which does not say what lengths others have. ${padding}`,
      "The text is cut into blocks of 128 tokens: one program, and no padding.",
      "1 line in batches of 64: 0 % of all positions are padding, that within batches included",
      "1 line is longer than 128 tokens, and counted as cut off there",
      "lengths are counted in 562 WordPieces learned from my text.txt itself, not the model's own",
      "give a longer text, or a smaller batch",
      "put examples of like length into one batch, or several short ones into one sequence",
    ])
      expect(reportOf(each, language), each).toMatch(/[가-힣ぁ-ん]/);
});
