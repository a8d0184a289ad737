// The words of the notice about one thread, in Korean.
import type { en } from "./one_thread.en";

export const ko: typeof en = {
  oneThread:
    "지금은 스레드 하나로 실행 중입니다. 스레드끼리 메모리를 공유하게 해 주는 헤더(교차 출처 격리)를 서버가 보내지 않았기 때문입니다. 결과는 비트까지 같고, 시간만 더 걸립니다.",
  turnOnThreads: "스레드 켜기",
  turnOnThreadsHint: "서비스 워커가 헤더를 붙이고 페이지를 다시 불러옵니다.",
  threadsFailed: "이 브라우저에서는 스레드를 켤 수 없었습니다.",
};
