// The Rules section's words in Korean.
import type { en } from "./rules.en";

export const ko: typeof en = {
  lead: "TPU는 XLA가 미리 컴파일한 프로그램을, 모양이 정해진 텐서로 실행합니다. 세 가지 규칙이 여기서 나옵니다. 컴파일러를 설치하지 않고도 이곳에서 규칙을 하나씩 어겨 보고, 라이브러리가 하는 말을 읽고, 고쳐 볼 수 있습니다.",

  lengths: {
    heading: "규칙 3: 새로운 모양마다 프로그램이 하나 더",
    hint: "문장은 길이가 제각각이고, 길이가 다르면 모양도 다릅니다. 몇 가지 길이(버킷)로 맞추어 패딩하면 컴파일이 줄지만 패딩을 계산하는 데 시간이 듭니다. 실제 글을 토큰과 배치로 나누어 라이브러리의 모든 방식으로 견주어 봅니다.",
    text: "길이를 잴 글",
    measured: (lines, tokens, longest) =>
      `${lines}줄, 토큰 ${tokens}개, 가장 긴 줄은 ${longest}개입니다. 페이지에 끌어다 놓은 파일도 잽니다.`,
    rows: "배치 하나의 줄 수",
    rowsHint: "배치의 길이는 그 안에서 가장 긴 줄이 정합니다. 배치가 클수록 길이는 덜 들쭉날쭉하고 패딩은 늘어납니다.",
    compiling: "프로그램 하나의 컴파일 시간",
    measuredHere: "이 탭에서 잰 값",
    compilingHint: "작은 모델은 이 탭에서 몇 밀리초면 되지만, TPU에서 큰 모델은 30초를 넘기도 합니다.",
    steps: "전체 스텝 수",
    stepsHint: "오래 학습할수록 컴파일의 비중은 줄고, 스텝마다 내는 패딩 값의 비중이 커집니다.",
    table: "버킷 방식별 컴파일한 프로그램 수, 패딩 비율, 전체 시간",
    policy: "방식",
    programs: "프로그램",
    padding: "패딩",
    time: "전체 시간",
    ofCompiling: "컴파일",
    ofRunning: "계산",
    best: "최소",
    policies: {
      exact: "한 줄씩 그대로",
      longest: "배치의 가장 긴 줄",
      multiple_of: "어떤 수의 배수",
      doubling_then_linear: "두 배씩, 그다음 일정하게",
      one_of: "정해 둔 길이들",
      max_length: "모두 한 길이로",
      fitted: "글에 맞추어 찾기",
    },
    policyHints: {
      exact: "패딩이 전혀 없습니다. 한 줄이 한 번의 호출이고, 길이마다 프로그램이 하나씩 필요합니다.",
      longest:
        '배치 안의 줄을 가장 긴 줄에 맞춥니다(padding="longest"). 가장 긴 길이가 달라질 때마다 프로그램이 늘어납니다.',
      multiple_of: "다음 배수까지 늘립니다(pad_to_multiple_of). 가장 흔히 쓰는 방식입니다.",
      doubling_then_linear:
        "짧은 배치는 2의 거듭제곱으로, 긴 배치는 배수로 맞춥니다. 프로그램은 적고, 긴 쪽의 패딩도 적습니다.",
      one_of: "적어 둔 길이만 씁니다. 마지막 길이보다 긴 배치는 거부됩니다.",
      max_length: '모든 줄을 가장 긴 줄에 맞춥니다(padding="max_length"). 프로그램은 하나뿐이고 패딩은 가장 많습니다.',
      fitted: "라이브러리가 길이의 분포와 컴파일 시간, 학습의 길이를 보고 전체 시간이 가장 적게 드는 버킷을 찾습니다.",
    },
    multiple: "배수의 기준",
    multipleHint: "작으면 패딩이 적고 컴파일이 잦으며, 크면 그 반대입니다.",
    bound: "두 배씩 늘리는 한계",
    boundHint: "여기까지는 길이를 두 배씩, 넘어서면 이만큼씩 늘립니다.",
    most: "버킷 수의 상한",
    mostHint: "프로그램 수를 제한합니다. 맨 왼쪽이면 이득이 되는 만큼 둡니다.",
    asPay: "이득이 되는 만큼",
    list: "길이(쉼표로 구분)",
    listHint: "토큰 수를 자연수로 적습니다. 순서는 상관없습니다.",
    histogram: (batches, buckets) =>
      `배치 ${batches}개의 가장 긴 길이를 나타낸 막대그래프. 고른 방식의 버킷 ${buckets}개가 겹쳐 있습니다.`,
    histogramHint:
      "가장 긴 줄이 몇 토큰인 배치가 몇 개인지 보여 줍니다. 띠는 고른 방식의 버킷이고, 막대에서 띠의 끝까지가 패딩입니다.",
  },
};
