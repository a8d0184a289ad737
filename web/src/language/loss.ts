// The words of the loss's chart in each language.
import type { Language } from "./language";
import { en } from "./loss.en";
import { ja } from "./loss.ja";
import { ko } from "./loss.ko";

export const lossWords: Record<Language, typeof en> = { en, ko, ja };
