// The Checklist section's words in Korean.
import type { en } from "./checklist.en";

const madeUp =
  "가장 긴 길이의 8분의 1부터 고르게 지어낸 길이 60개입니다. 내 글로 판단하려면 위에서 학습할 글로 고르거나 ‘세 가지 규칙’에서 고르세요.";
const ofText =
  "글의 줄들을 차례대로 배치로 묶은 길이이고, GPT-2는 글을 나눈 블록의 길이입니다. 큰 글은 처음 2MB나 20,000줄까지만 잽니다.";

export const ko: typeof en = {
  lead: "TPU를 빌리기 전에 학습 스텝을 이 컴퓨터에서 점검할 수 있습니다. octet check가 스텝을 추적하고 목록을 하나씩 확인합니다. TPU에서는 아무것도 실행하지 않으며, 알 수 없는 것은 ‘판단 보류’로 표시합니다.",
  heading: "무엇을, 어디서, 어떻게 학습하나",
  hint: "무엇이든 바꾸면 아래 점검 결과가 따라 바뀝니다. 주소창의 링크에 선택한 내용이 담깁니다.",
  subject: "점검할 것",
  published: "공개된 모델",
  ownProgram: "내 프로그램…",
  ownHint:
    "JAX가 출력하는 그대로의 StableHLO 프로그램입니다. 파일은 이 탭을 벗어나지 않습니다. 다음 한 줄로 파일을 만드세요. 장치는 하나, 배치는 레플리카 하나의 몫으로 둡니다.",
  batchArguments: "배치 파라미터",
  batchArgumentsHint: "배치를 담는 파라미터나 구조체의 이름을 빈칸으로 띄어 적습니다. 예: batch, 또는 arg1 arg2.",
  tooLarge: "파일이 64MB를 넘습니다. 큰 상수는 프로그램에서 빼고 파라미터로 만드세요.",
  leftOut: (name) => `‘${name}’은(는) 쓰지 않았습니다. 프로그램은 한 번에 하나만 점검합니다.`,
  where: "위치: ",
  model: "모델",
  modelHint: "공개된 트랜스포머이며, 크기는 논문을 따릅니다.",
  slice: "슬라이스",
  sliceHint: "빌리는 단위입니다. 세대 뒤의 수는 코어(v2~v4, v5p) 또는 칩(v5e, v6e)의 개수입니다.",
  batch: "배치",
  batchHint: "모든 레플리카를 합쳐 한 스텝에 쓰는 시퀀스 수입니다.",
  seq: "토큰",
  seqHint: "가장 긴 시퀀스의 토큰 수입니다.",
  lengths: "길이",
  lengthsHints: {
    one: "스텝에 들어오는 배치가 모두 그 길이입니다.",
    varied: madeUp,
    multiples: madeUp,
    own: ofText,
    own_multiples: ofText,
  },
  lengthsNames: {
    one: () => "모두 가장 긴 길이",
    varied: () => "지어낸 길이 그대로",
    multiples: () => "지어낸 길이를 64의 배수로 패딩",
    own: (name) => `${name}의 길이 그대로`,
    own_multiples: (name) => `64의 배수로 패딩, ${name}의 길이`,
  },
  code: "코드",
  codeHint:
    "학습 코드의 부류입니다. 무엇을 bf16으로 두는지, 드롭아웃을 어떻게 하는지가 다릅니다. MLPerf의 코드는 옵티마이저 상태를 나누어 갖지만, 여기서는 레플리카마다 전부 갖는 것으로 봅니다.",
  host: "호스트",
  hostHint: "칩에 어떻게 접근하는지입니다.",
  hostNames: {
    vm: "TPU VM: 칩이 달린 컴퓨터에서",
    node: "TPU 노드: 네트워크 너머로",
  },
  data: "데이터",
  dataHint: "스텝 전에 예제가 놓인 곳입니다.",
  dataNames: {
    unknown: "밝히지 않음",
    memory: "메모리",
    disk: "로컬 디스크",
    bucket: "버킷",
  },
  pipeline: "입력 파이프라인",
  pipelineHint: "예제마다 프로그램의 코드를 부르는지입니다.",
  pipelineNames: {
    no: "혼자서 동작",
    yes: "프로그램을 콜백",
  },
  rate: "초당 예제 수",
  rateHint: "파이프라인이 만들어 내는 수를 잰 값입니다. 모르면 0으로 둡니다.",
  wrong: (least, most, used) =>
    `${least}부터 ${most}까지의 정수를 적어 주세요. 아래 점검 결과는 아직 ${used} 기준입니다.`,
  report: "점검 결과",
  checking: "추적하고 점검하는 중…",
  ready: "준비되었습니다.",
  notReady: "아직 준비되지 않았습니다.",
  counts: (pass, warn, fail, unknown) => `통과 ${pass}, 주의 ${warn}, 실패 ${fail}, 판단 보류 ${unknown}.`,
  verdicts: {
    pass: "통과",
    warn: "주의",
    fail: "실패",
    unknown: "판단 보류",
  },
  evidence: "근거",
  cure: "고치는 방법",
  questions: {
    rule_1: "규칙 1: 텐서의 값으로 분기하지 않는다",
    rule_2: "규칙 2: 텐서의 값으로 형태를 정하지 않는다",
    rule_3: "규칙 3: 입력의 형태가 몇 가지뿐이다",
    compiles: "이 컴퓨터에서 프로그램이 컴파일된다",
    data: "TPU의 호스트가 데이터를 읽을 수 있다",
    pipeline: "입력 파이프라인이 혼자서 동작한다",
    scope: "모델과 상태를 모든 레플리카에 만든다",
    inner_jit: "안쪽에서 따로 컴파일되는 것이 없다",
    batch: "레플리카들이 배치를 똑같이 나눈다",
    gradients: "모든 레플리카의 갱신이 같다",
    memory: "레플리카 하나의 메모리에 들어간다",
    matrix_unit: "행렬 유닛이 패딩이 아니라 데이터를 계산한다",
    precision: "수가 bf16에서도 버틴다",
    time: "스텝이 칩을 놀리지 않을 만큼 길다",
    input: "입력이 칩을 따라간다",
  },
};
