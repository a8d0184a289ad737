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
    "레플리카는 TPU 코어 하나에 올라간 모델의 복사본입니다. 저마다 배치의 8분의 1을 맡아 자기 몫의 손실(아래 숫자)과 기울기를 계산합니다.",
  replica: (number) => `레플리카 ${number}`,
  allReduce: "올리듀스(all-reduce)",
  allReduceHint:
    "스텝마다 기울기 여덟 개의 평균을 냅니다. 모든 복사본이 똑같이 갱신되므로 여덟 개가 마지막 비트까지 같습니다. 해시는 그 가중치의 지문입니다.",
  hashAt: (step) => `${step}스텝 뒤 가중치의 해시`,

  loss: "손실",
  lossHint: (vocabulary, nats) =>
    `가려진 단어를 얼마나 못 맞히는지를 내트(nat)로 나타낸 값으로, 낮을수록 좋습니다. 단어 조각 ${vocabulary}개 가운데서 무작정 찍으면 ${nats}입니다. 검증 손실은 학습에 쓰지 않고 떼어 둔 줄에서 잽니다. 두 선이 벌어지기 시작하면 모델이 글을 외우고 있다는 뜻입니다.`,
  trainingLoss: "학습",
  heldOutLoss: "검증",
  stepAxis: "스텝",
  lossAxis: "손실 (nat)",
  atStep: (step) => `${step}스텝`,
  chartSummary: (step, loss, heldOut) =>
    `손실 꺾은선 그래프. ${step}스텝에서 학습 손실 ${loss}, 검증 손실 ${heldOut}. 왼쪽·오른쪽 화살표 키로 읽는 위치를 옮깁니다.`,

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
  tokensPerSecond: "초당 토큰",
  tokensPerSecondHint: (tokens) => `토큰은 단어 또는 단어의 조각입니다. 한 스텝에 ${tokens}개를 처리합니다.`,
  compiles: "컴파일한 프로그램",
  compilesHint:
    "TPU는 컴파일된 프로그램을 실행하며, 입력의 모양이 새로우면 프로그램도 새로 필요합니다. 컴파일은 느리므로 모양의 가짓수가 적을수록 좋습니다.",
  cacheHits: "캐시 적중",
  cacheHitsHint: "이미 컴파일해 둔 프로그램을 추가 비용 없이 다시 쓴 횟수입니다.",
  padding: "패딩",
  paddingHint:
    "프로그램 하나로 모두 처리할 수 있도록 짧은 행을 같은 길이까지 채웁니다. 계산 가운데 이만큼이 그 채움에 쓰입니다.",
  learningRate: "학습률",
  learningRateHint: "한 번에 갱신하는 크기입니다. 워밍업 동안 올라갔다가 마지막 스텝에서 0이 되도록 내려갑니다.",
  vocabulary: "단어 조각",
  vocabularyHint: (lines, heldOut) =>
    `이 글에서 만든 어휘의 크기입니다. 학습용이 ${lines}줄, 검증용이 ${heldOut}줄입니다.`,
  parameters: "가중치",
  parametersHint: (layers, hidden) =>
    `모델이 배우는 숫자의 개수입니다. 너비 ${hidden}인 층이 ${layers}개 있습니다. 곱셈은 TPU처럼 bf16으로 합니다.`,
  threads: "스레드",
  threadsHint: "레플리카들이 나누어 쓰는 스레드의 수입니다. 늘리거나 줄여도 결과는 모두 똑같습니다.",

  options: "설정",
  optionsHint: "설정을 바꾸면 학습을 새로 시작합니다. 주소창의 링크에 선택한 내용이 담깁니다.",
  optionSteps: "스텝 수",
  optionSeed: "시드",
  optionLearningRate: "학습률(최댓값)",
  optionVocabulary: "단어 조각 수(최대)",
  optionLayers: "층 수",
  optionHidden: "너비",
  apply: "이 설정으로 학습",

  oneThread:
    "지금은 스레드 하나로 실행 중입니다. 스레드끼리 메모리를 공유하게 해 주는 헤더(교차 출처 격리)를 서버가 보내지 않았기 때문입니다. 결과는 비트까지 같고, 시간만 더 걸립니다.",
  turnOnThreads: "스레드 켜기",
  turnOnThreadsHint: "서비스 워커가 헤더를 붙이고 페이지를 다시 불러옵니다.",
  threadsFailed: "이 브라우저에서는 스레드를 켤 수 없었습니다.",
  notUsed: (name) => `‘${name}’ 파일은 쓰지 않았습니다.`,
  earlierRun: "앞서 하던 학습은 그대로 남아 있습니다.",
  unreadable: "파일을 읽을 수 없습니다.",
  refusals: {
    X701: "파일을 읽을 수 없습니다.",
    X702: "글이 비어 있습니다. 단어가 들어 있는 파일을 골라 주세요.",
    X703: "텍스트 파일이 아닙니다. 일반 텍스트(UTF-8)로 바꾼 파일을 골라 주세요.",
    X704: "UTF-8이 아닙니다. 편집기에서 인코딩을 UTF-8로 바꾸어 다시 저장해 주세요.",
    X705: "글이 글자 중간에서 끊겼습니다. 파일을 다시 내려받거나 복사해 주세요.",
    X706: "학습하기에는 글이 너무 짧습니다. 몇백 줄쯤이면 시작하기에 알맞습니다.",
    X709: "설정값이 허용 범위를 벗어났습니다.",
    X716: "글이 너무 큽니다. 일부만 잘라 쓰거나 터미널에서 학습해 주세요.",
  },
  broken: "프로그램이 멈추었습니다. 글은 컴퓨터에 그대로 있습니다. 페이지를 다시 불러와 새로 시작하세요.",
  reload: "페이지 다시 불러오기",
  dismiss: "닫기",

  footer:
    "Octet은 C++20 라이브러리이며, 여기서는 WebAssembly로 컴파일되어 있습니다. 터미널에서 같은 학습을 실행하면 비트까지 같은 결과가 나옵니다.",
};
