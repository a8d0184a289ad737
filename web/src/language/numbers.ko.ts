// The run's numbers, and what they mean, in Korean.
import type { en } from "./numbers.en";

export const ko: typeof en = {
  tokensPerSecond: "초당 토큰",
  tokensPerSecondHint: (tokens) => `토큰은 단어 또는 단어의 조각입니다. 마지막 스텝에서는 ${tokens}개를 처리했습니다.`,
  compiles: "컴파일한 프로그램",
  compilesHint:
    "TPU는 컴파일된 프로그램을 실행하며, 입력의 형태가 새로우면 프로그램도 새로 필요합니다. 컴파일은 느리므로 형태의 가짓수가 적을수록 좋습니다.",
  cacheHits: "캐시 적중",
  cacheHitsHint: "이미 컴파일해 둔 프로그램을 추가 비용 없이 다시 쓴 횟수입니다.",
  padding: "패딩",
  paddingHint:
    "프로그램 하나로 모두 처리할 수 있도록 짧은 행을 같은 길이까지 채웁니다. 계산 가운데 이만큼이 채운 부분에 쓰입니다.",
  learningRate: "학습률",
  learningRateHint: "한 번에 갱신하는 크기입니다. 워밍업 동안 올라가고, 그 뒤에 남은 스텝에서는 0까지 내려갑니다.",
  vocabulary: "단어 조각",
  vocabularyHint: (lines, heldOut) =>
    `이 글에서 만든 어휘의 크기입니다. 학습용이 ${lines}줄, 검증용이 ${heldOut}줄입니다.`,
  parameters: "가중치",
  parametersHint: (layers, hidden) =>
    `모델이 배우는 숫자의 개수입니다. 너비 ${hidden}인 층이 ${layers}개 있습니다. 곱셈은 TPU처럼 bf16으로 합니다.`,
  threads: "스레드",
  threadsHint: "레플리카들이 나누어 쓰는 스레드의 수입니다. 늘리거나 줄여도 결과는 모두 똑같습니다.",
};
