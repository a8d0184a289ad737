// The words of the Text section in each language.
import type { Language } from "./language";
import { en } from "./text.en";
import { ja } from "./text.ja";
import { ko } from "./text.ko";

export const textWords: Record<Language, typeof en> = { en, ko, ja };
