// The notices' words in Korean.
import type { en } from "./notices.en";

export const ko: typeof en = {
  oneThread:
    "지금은 스레드 하나로 실행 중입니다. 스레드끼리 메모리를 공유하게 해 주는 헤더(교차 출처 격리)를 서버가 보내지 않았기 때문입니다. 결과는 비트까지 같고, 시간만 더 걸립니다.",
  turnOnThreads: "스레드 켜기",
  turnOnThreadsHint: "서비스 워커가 헤더를 붙이고 페이지를 다시 불러옵니다.",
  threadsFailed: "이 브라우저에서는 스레드를 켤 수 없었습니다.",
  notUsed: (name) => `‘${name}’은(는) 쓰지 않았습니다.`,
  optionsNotUsed: "이 설정은 쓰지 않았습니다.",
  linkNotUsed: "링크에 담긴 설정은 쓰지 않았습니다.",
  earlierRun: "앞서 하던 학습은 그대로 남아 있습니다.",
  unreadable: "파일을 읽지 못했습니다. 고른 뒤에 옮겨졌거나 바뀌었을 수 있습니다.",
  notLoaded:
    "불러오지 못했습니다. 네트워크가 끊겼을 수 있습니다. 서버의 페이지가 그사이 바뀌었다면 페이지를 다시 불러오세요.",
  oneFile: "한 번에 파일 하나로만 학습합니다.",
  dismiss: "닫기",
};
