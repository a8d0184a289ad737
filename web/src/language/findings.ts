// The words for what stalls a step, in each language.
import { en } from "./findings.en";
import { ja } from "./findings.ja";
import { ko } from "./findings.ko";
import type { Language } from "./language";

export const findingWords: Record<Language, typeof en> = { en, ko, ja };
