// Texts to try tokenizers on: prose, code, all white space, long runs, and random characters of all of Unicode.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path) => readFileSync(`${root}/${path}`, "utf8");

const prose = ["en", "ko", "ja"].flatMap((language) => read(`web/public/texts/${language}.txt`).split("\n"));
const code = readdirSync(`${root}/modules/text`)
  .filter((name) => name.startsWith("bpe"))
  .map((name) => read(`modules/text/${name}`));
const odd = [
  "",
  " ",
  "  leading and trailing  ",
  "it's we've I'd you'll they're I'm don't IT'S WE'VE 's'tt",
  "3.14159, 1,000,000; ½ ² Ⅷ ٣ ४ 𝟘",
  "naïve café Ångström cafe\u0301 A\u030a ﬁ ﬀ ǅ İ ı ß ẞ Σίσυφος ΟΔΥΣΣΕΥΣ",
  "한글 한글 ㅎㅏㄴ 각\u11a8 漢字かな交じり文 ｶﾀｶﾅ カタカナ ﾊﾟ",
  "👩‍🔬 👨‍👩‍👧‍👦 🇰🇷🇯🇵 ❤️ 🏽 e\u0301\u0302\u0303 z̸̢̛",
  "العربية עברית हिन्दी ไทย Русский ქართული አማርኛ",
  "[CLS] [MASK] [UNK] [unused1] ##ing un##able",
  "a\u0000b\u0007c\u001fd\u007fe\u0080f",
  "\ufeffmark at the beginning \ufffd\ufffe\uffff",
  "https://example.org/a?b=c&d=%20#e user@example.org C:\\path\\file.txt {}[]()<>!!??...---___",
];
// All that Unicode or a language calls white space, and what is easily taken for it.
const spaces = [
  ..."\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a",
  ..."\u200b\u200c\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff",
];
const spaced = spaces.flatMap((a) => [`a${a}b`, `${a}a${a}${a}b${a}`, ...spaces.map((b) => `x${a}${b}y ${b}${a}z`)]);
const runs = ["a", "ab", "ha", " ", "\n", "\t ", "1", "=", "-", "가", "あ", "漢", "e\u0301", "🙂", "Ġ"].flatMap(
  (part) => [2, 3, 7, 64, 99, 100, 101, 500].map((times) => part.repeat(times)),
);

function random(count) {
  let seed = 20_191_105;
  const below = (limit) => (seed = (seed * 48271) % 2147483647) % limit;
  const blocks = [
    [0x20, 0x7f],
    [0, 0x250],
    [0x300, 0x530],
    [0x600, 0x1000],
    [0x1000, 0x2000],
    [0x2000, 0x2c00],
    [0x3000, 0x3400],
    [0x4e00, 0xa000],
    [0xac00, 0xd800],
    [0xe000, 0x10000],
    [0x10000, 0x20000],
    [0x1f300, 0x1fb00],
    [0x20000, 0x110000],
  ];
  return Array.from({ length: count }, () => {
    const chosen = [blocks[0], blocks[below(blocks.length)], blocks[below(blocks.length)]];
    return Array.from({ length: 1 + below(24) }, () => {
      const [first, end] = chosen[below(chosen.length)];
      return String.fromCodePoint(first + below(end - first));
    }).join("");
  });
}

/** OCTET_TEXTS names more files, one a line of `more`. */
const more = (process.env.OCTET_TEXTS ?? "").split(":").filter(Boolean);

export const samples = [
  ...new Set([
    ...prose,
    ...code,
    ...code.flatMap((text) => text.split("\n")),
    ...odd,
    ...spaced,
    ...runs,
    ...random(6000),
    ...more.flatMap((path) => readFileSync(path, "utf8").split("\n")),
  ]),
];
