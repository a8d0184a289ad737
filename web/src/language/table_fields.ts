// The words of a table's columns in each language.
import type { Language } from "./language";
import { en } from "./table_fields.en";
import { ja } from "./table_fields.ja";
import { ko } from "./table_fields.ko";

export const tableFieldsWords: Record<Language, typeof en> = { en, ko, ja };
