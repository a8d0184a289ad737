// The words of the Rules section in each language.
import type { Language } from "./language";
import { en } from "./rules.en";
import { ja } from "./rules.ja";
import { ko } from "./rules.ko";

export const rulesWords: Record<Language, typeof en> = { en, ko, ja };
