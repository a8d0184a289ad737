// What is said in place of the page, in each language, where the browser cannot run it.
import type { Language } from "./language";

export const unableWords: Record<Language, string> = {
  en: "The page cannot run, as this browser lacks WebAssembly or workers, or is not allowed to use them here.",
  ko: "이 브라우저에 WebAssembly나 워커가 없거나 여기서는 쓰도록 허용되지 않아, 페이지를 실행할 수 없습니다.",
  ja: "このブラウザーに WebAssembly またはワーカーがないか、ここでは使用が許可されていないため、ページを動かせません。",
};
