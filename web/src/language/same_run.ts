// The words around a run's command in each language.
import type { Language } from "./language";
import { en } from "./same_run.en";
import { ja } from "./same_run.ja";
import { ko } from "./same_run.ko";

export const sameRunWords: Record<Language, typeof en> = { en, ko, ja };
