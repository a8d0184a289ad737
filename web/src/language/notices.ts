// The words of the notices in each language.
import type { Language } from "./language";
import { en } from "./notices.en";
import { ja } from "./notices.ja";
import { ko } from "./notices.ko";

export const noticesWords: Record<Language, typeof en> = { en, ko, ja };
