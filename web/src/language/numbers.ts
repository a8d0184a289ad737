// The words of the run's numbers in each language.
import type { Language } from "./language";
import { en } from "./numbers.en";
import { ja } from "./numbers.ja";
import { ko } from "./numbers.ko";

export const numbersWords: Record<Language, typeof en> = { en, ko, ja };
