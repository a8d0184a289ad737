// The words of the option form in each language.
import type { Language } from "./language";
import { en } from "./options.en";
import { ja } from "./options.ja";
import { ko } from "./options.ko";

export const optionsWords: Record<Language, typeof en> = { en, ko, ja };
