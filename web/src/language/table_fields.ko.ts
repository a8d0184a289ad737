// The words of a table's columns in Korean.
import type { en } from "./table_fields.en";

export const ko: typeof en = {
  takeFrom: "텍스트를 가져올 열이나 필드를 고르세요.",
  firstFields: "처음 100개만 나와 있습니다. 그 뒤의 것은 이름이 text이면 읽습니다.",
};
