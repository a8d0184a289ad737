// Korean particles whose form the word before them decides.

/** "4로", "256으로": 으로 where the last digit, as it is read, ends in a consonant other than ㄹ (영, 삼, 육). */
export const toNumber = (number: string) => `${number}${/[036]$/.test(number) ? "으로" : "로"}`;
