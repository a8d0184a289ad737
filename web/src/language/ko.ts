// The page's words in Korean.
import type { Words } from "./words";

export const ko: Words = {
  title: "Octet: 이 탭에서 레플리카 여덟 개로 학습하는 작은 BERT",
  description:
    "브라우저 안에서, 고른 글로, bf16 TPU 레플리카 여덟 개를 시뮬레이션해 작은 BERT를 학습합니다. 설치할 것이 없고 데이터는 컴퓨터 밖으로 나가지 않습니다.",
  skip: "조작 단추로 건너뛰기",
  language: "언어",
  heading: "작은 BERT가 이 탭에서, 레플리카 여덟 개로 배웁니다",
  lead: "군데군데 단어를 가린 글을 읽고 가려진 단어를 맞히는 법을 배웁니다. 실제 TPU처럼 시뮬레이션한 TPU 코어 여덟 개가 일을 나누어 맡고, 모든 계산은 이 컴퓨터에서 이루어집니다. 고른 글은 어디로도 전송되지 않습니다.",

  sections: "이 페이지의 구성",
  trainingPart: "학습",
  rules: "세 가지 규칙",
  textSection: "글과 토큰",
  machine: "TPU 들여다보기",
  checklist: "TPU에 올릴 준비가 되었나요?",
  sectionFailed: "페이지의 이 부분을 불러오지 못했습니다.",
  coming: "불러오는 중…",
  tryAgain: "다시 시도",

  text: "글",
  textHint: "텍스트 파일을 페이지 아무 곳에나 끌어다 놓아도 됩니다. UTF-8 일반 텍스트, 한 줄에 한두 문장이면 좋습니다.",
  ownFile: "내 파일…",
  dropHere: "여기에 놓으면 이 파일로 학습합니다",

  controls: "학습",
  start: "시작",
  pause: "일시정지",
  step: "한 스텝",
  reset: "처음으로",
  again: "다시 학습",
  stepOf: (step, steps) => `${steps}스텝 중 ${step}스텝`,
  timeLeft: (time) => `${time} 남음`,
  seconds: (count) => `${count}초`,
  minutes: (count) => `${count}분`,
  loading: "프로그램을 불러오는 중",
  opening: "어휘를 만들고 컴파일하는 중",
  training: "학습 중",
  paused: "일시정지됨",
  ready: "준비됨",
  finished: "학습 완료",
  announceLoss: (step, loss) => `${step}스텝, 손실 ${loss}`,

  replicas: "레플리카 여덟 개",
  replicasHint:
    "레플리카는 TPU 코어 하나에 올라간 모델의 복사본입니다. 저마다 배치의 8분의 1을 맡아 자기 몫의 손실(아래 숫자)과 그래디언트를 계산합니다.",
  replica: (number) => `레플리카 ${number}`,
  allReduce: "올리듀스(all-reduce)",
  allReduceHint:
    "스텝마다 레플리카 여덟 개의 손실과 그래디언트를 가려진 토큰 수로 가중 평균합니다. 모든 복사본이 똑같이 갱신되므로 여덟 개가 마지막 비트까지 같습니다. 해시는 그 가중치의 지문입니다.",
  hashAt: (step) => `${step}스텝 뒤 가중치의 해시`,

  loss: "손실",

  fill: "빈칸 채우기",
  fillLabel: "빈칸을 ___로 적은 문장",
  fillHint: "학습하는 동안에도 물어볼 수 있습니다. 답이 달라지는 것을 지켜보세요.",
  insertBlank: "빈칸 넣기",
  fillAfter: (step) => `${step}스텝 뒤의 추측`,
  blankNumber: (number) => `${number}번째 빈칸`,
  noBlank: "단어가 빠진 자리에 ___를 적어 주세요.",
  wordRest: "##은 앞 단어에 이어지는 조각이라는 표시입니다.",
  waiting: "모델이 준비되면 여기에 추측이 나타납니다.",

  numbers: "숫자로 보기",

  options: "설정",

  broken: "프로그램이 멈추었습니다. 글은 컴퓨터에 그대로 있습니다. 페이지를 다시 불러와 새로 시작하세요.",
  reload: "페이지 다시 불러오기",

  footer:
    "Octet은 C++20 라이브러리이며, 여기서는 WebAssembly로 컴파일되어 있습니다. 터미널에서 같은 학습을 실행하면 비트까지 같은 결과가 나옵니다.",
};
