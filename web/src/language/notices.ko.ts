// The notices' words in Korean.
import type { en } from "./notices.en";

export const ko: typeof en = {
  notUsed: (name) => `‘${name}’은(는) 쓰지 않았습니다.`,
  optionsNotUsed: "이 설정은 쓰지 않았습니다.",
  linkNotUsed: (options) => `링크에 담긴 다음 설정은 쓰지 않았습니다: ${options}`,
  ownText: "직접 고른 파일로 만든 링크입니다. 파일은 링크에 담기지 않으니 다시 골라 주세요.",
  earlierRun: "앞서 하던 학습은 그대로 남아 있습니다.",
  unreadable: "읽지 못했습니다. 폴더이거나, 고른 뒤에 옮겨졌거나 바뀌었을 수 있습니다.",
  notLoaded:
    "불러오지 못했습니다. 네트워크가 끊겼을 수 있습니다. 서버의 페이지가 그사이 바뀌었다면 페이지를 다시 불러오세요.",
  oneFile: "한 번에 파일 하나로만 학습합니다.",
  dismiss: "닫기",
};
