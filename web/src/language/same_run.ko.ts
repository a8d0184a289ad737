// The words around a run's command in Korean.
import type { en } from "./same_run.en";

export const ko: typeof en = {
  heading: "터미널에서 이 명령을 실행하면 같은 해시가 나옵니다",
  hint: "글이 있는 폴더에서 실행하세요. octet은 ./run train이 빌드하는 프로그램입니다(build/native/octet).",
  copy: "복사",
  copied: "복사했습니다.",
  selected: "여기서는 브라우저가 복사를 막습니다. 명령을 선택해 두었으니 키보드로 복사하세요.",
  save: (name) => `글 저장: ${name}`,
};
