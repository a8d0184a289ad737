// The words of the Checklist section in each language.
import { en } from "./checklist.en";
import { ja } from "./checklist.ja";
import { ko } from "./checklist.ko";
import type { Language } from "./language";

export const checklistWords: Record<Language, typeof en> = { en, ko, ja };
