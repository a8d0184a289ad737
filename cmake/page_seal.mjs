// Writes the checksum of a program's second file into the script of the first, which will load no other:
//
//   node page_seal.mjs PROGRAM.mjs PROGRAM.rest.wasm OUTPUT.mjs
import { readFileSync, writeFileSync } from "node:fs";

const [program, rest, output] = process.argv.slice(2);
const mark = "SEAL_OF_THE_REST";
let checksum = 0x811c9dc5; // FNV-1a, as in web/bindings/rest.js
for (const byte of readFileSync(rest)) checksum = Math.imul(checksum ^ byte, 0x01000193) >>> 0;
const script = readFileSync(program, "utf8");
if (script.split(mark).length !== 2)
  throw new Error(`${program} has not one place for the checksum of its second file.`);
writeFileSync(output, script.replace(mark, checksum.toString(16)));
