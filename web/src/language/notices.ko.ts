// The notices' words in Korean.
import type { en } from "./notices.en";

export const ko: typeof en = {
  notUsed: (name) => `‘${name}’은(는) 쓰지 않았습니다.`,
  optionsNotUsed: "이 설정은 쓰지 않았습니다.",
  linkNotUsed: "링크에 담긴 설정은 쓰지 않았습니다.",
  earlierRun: "앞서 하던 학습은 그대로 남아 있습니다.",
  unreadable: "읽지 못했습니다. 폴더이거나, 고른 뒤에 옮겨졌거나 바뀌었을 수 있습니다.",
  notLoaded:
    "불러오지 못했습니다. 네트워크가 끊겼을 수 있습니다. 서버의 페이지가 그사이 바뀌었다면 페이지를 다시 불러오세요.",
  oneFile: "한 번에 파일 하나로만 학습합니다.",
  dismiss: "닫기",
};
