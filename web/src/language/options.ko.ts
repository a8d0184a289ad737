// The option form's words in Korean.
import type { en } from "./options.en";

export const ko: typeof en = {
  optionsHint: "설정을 바꾸면 학습을 새로 시작합니다. 주소창의 링크에 선택한 내용이 담깁니다.",
  optionSteps: "스텝 수",
  optionSeed: "시드",
  optionLearningRate: "학습률(최댓값)",
  optionVocabulary: "단어 조각 수(최대)",
  optionLayers: "층 수",
  optionHidden: "너비",
  apply: "이 설정으로 학습",
};
