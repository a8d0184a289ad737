// The words of the loss's chart in Korean.
import type { en } from "./loss.en";

export const ko: typeof en = {
  lossHint: (vocabulary, nats) =>
    `가려진 단어를 얼마나 못 맞히는지를 내트(nat)로 나타낸 값으로, 낮을수록 좋습니다. 단어 조각 ${vocabulary}개 가운데서 무작정 찍으면 ${nats}입니다. 검증 손실은 학습에 쓰지 않고 떼어 둔 줄에서 잽니다. 두 선이 벌어지기 시작하면 모델이 글을 외우고 있다는 뜻입니다.`,
  trainingLoss: "학습",
  heldOutLoss: "검증",
  stepAxis: "스텝",
  lossAxis: "손실 (nat)",
  atStep: (step) => `${step}스텝`,
  chartSummary: (step, loss, heldOut) =>
    `손실 꺾은선 그래프. ${step}스텝에서 학습 손실 ${loss}, 검증 손실 ${heldOut}. 왼쪽·오른쪽 화살표 키로 읽는 위치를 옮깁니다.`,
};
