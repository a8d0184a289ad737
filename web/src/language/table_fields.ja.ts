// The words of a table's columns in Japanese.
import type { en } from "./table_fields.en";

export const ja: typeof en = {
  takeFrom: "テキストを取り出す列またはフィールドを選んでください。",
  firstFields: "最初の 100 個だけを示しています。それより後のものは、名前が text であれば読み取ります。",
};
