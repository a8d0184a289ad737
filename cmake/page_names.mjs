// Blanks names in a program of the page that nobody reads: those of types, which only type_info::name() returns, and those of
// the functions and files that messages give as their place, of which this program shows the line alone (web/bindings).
// Where they were, zeros stay, which hardly count in a compressed file; types are told apart by where their names lie.
//
//   node page_names.mjs PROGRAM.wasm
import { readFileSync, writeFileSync } from "node:fs";

const [file] = process.argv.slice(2);
const program = readFileSync(file);

/** Where the program's data lies: the section numbered 11. */
function dataSection() {
  let at = 8; // after the magic number and the version
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = program[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < program.length) {
    const section = program[at++];
    const size = number();
    if (section === 11) return [at, at + size];
    at += size;
  }
  throw new Error(`${file} has no data.`);
}

const named = [
  // a type, as the linker spells it
  /(?<=\0)[NZ]+K?(?:St\d|\d+[A-Za-z_])[\w.$]*(?=\0)/g,
  // a function
  /(?<=\0)(?!std::string_view octet::reflection)[\w:<>*&, ]+[ *&]octet::[^\0]*\([^\0]*\)[^\0]*(?=\0)/g,
  // what comes before the name of a member, which is read, in the spelling of it (modules/trace/members.cppm)
  /(?<=\0)std::string_view octet::reflection::signature\(\)[^\0]*\.(?=\w+\}\]\0)/g,
  // a file
  /(?<=\0)(?:modules|web)\/[\w/]+\.c\w*(?=\0)/g,
];
const [begin, end] = dataSection();
const data = program.toString("latin1", begin, end);
for (const pattern of named) {
  const found = [...data.matchAll(pattern)];
  if (found.length === 0) throw new Error(`${file} has no name like ${pattern}.`);
  for (const { index, 0: name } of found) program.fill(0, begin + index, begin + index + name.length);
}
writeFileSync(file, program);
