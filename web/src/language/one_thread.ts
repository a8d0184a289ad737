// The words of the notice about one thread in each language.
import type { Language } from "./language";
import { en } from "./one_thread.en";
import { ja } from "./one_thread.ja";
import { ko } from "./one_thread.ko";

export const oneThreadWords: Record<Language, typeof en> = { en, ko, ja };
