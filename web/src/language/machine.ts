// The words of the Machine section in each language.
import type { Language } from "./language";
import { en } from "./machine.en";
import { ja } from "./machine.ja";
import { ko } from "./machine.ko";

export const machineWords: Record<Language, typeof en> = { en, ko, ja };
