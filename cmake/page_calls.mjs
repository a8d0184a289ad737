// Makes small what ties a program's two files together, as wasm-split --no-placeholders --export-prefix=rest. leaves them:
//
//   node page_calls.mjs WASM_DIS WASM_AS FIRST.wasm REST.wasm -- FEATURES...
//
// The first file calls the second by the places of its functions in a table that is empty until it comes: here each such call
// goes through a function that has the file loaded where the place is empty still (web/bindings/rest.js). The second file calls
// the first by its exports, a name and a number for each: here they become elements of the first one's own table, a number
// alone, which the loader finds there.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";

const [disassemble, assemble, firstFile, restFile, , ...features] = process.argv.slice(2);

function textOf(file) {
  return execFileSync(disassemble, [...features, file, "-o", "-"], { encoding: "utf8", maxBuffer: 2 ** 28 });
}

function write(file, text) {
  writeFileSync(`${file}.wat`, text);
  execFileSync(assemble, [...features, `${file}.wat`, "-o", file]);
  rmSync(`${file}.wat`);
}

/** The only match of a pattern. */
function only(text, pattern) {
  const found = [...text.matchAll(pattern)];
  if (found.length !== 1) throw new Error(`${found.length} of ${pattern}, where one was expected`);
  return found[0];
}

let first = textOf(firstFile);
let rest = textOf(restFile);

// Calls of the second file ---------------------------------------------------------------------------------

const [, places] = only(first, /^ \(export "rest\.[^"]+" \(table (\S+)\)\)$/gm);
const call = `(call_indirect ${places} `;
const lines = [];
const open = []; // how far the calls are indented that have not ended yet
for (const line of first.split("\n")) {
  const text = line.trimStart();
  const indent = line.length - text.length;
  if (text.startsWith(call)) open.push(indent);
  if (text === ")" && open.at(-1) === indent) {
    open.pop();
    const place = lines.pop();
    if (!/^ *\(i32\.const \d+\)$/.test(place)) throw new Error(`${firstFile} calls its rest by ${place}`);
    lines.push(`(call $loaded ${place})`);
  }
  if (!text.startsWith(`(elem `) || !text.includes(` (table ${places}) `)) lines.push(line); // nothing is in it
}
if (open.length > 0) throw new Error(`${firstFile} has calls without an end.`);
const afterImports = lines.findLastIndex((line) => line.startsWith(" (import ")) + 1;
lines.splice(afterImports, 0, ' (import "rest" "load" (func $load))');
lines.splice(
  lines.findIndex((line) => line.startsWith(" (func ")),
  0,
  " (func $loaded (param $place i32) (result i32)",
  `  (if (ref.is_null (table.get ${places} (local.get $place))) (then (call $load)))`,
  "  (local.get $place)",
  " )",
);
first = lines.join("\n");

// Calls of the first file ----------------------------------------------------------------------------------

const [, table] = only(rest, /^ \(import "primary" "(?!rest\.)[^"]+" \(table \S+ (\d+ \d+) funcref\)\)$/gm);
const [, name, size] = only(first, new RegExp(`^ \\(table (\\S+) (\\d+) ${table.split(" ")[1]} funcref\\)$`, "gm"));
const [elements] = only(first, /^ \(elem [^\n]* \(i32\.const 1\) func [^\n]*\)$/gm);
if (elements.includes(" (table ") && !elements.includes(` (table ${name}) `))
  throw new Error(`${firstFile} has its elements elsewhere.`);
const functions = ["", ...elements.replace(/^.*? func /, "").slice(0, -1).split(" ")];
if (functions.length !== Number(size)) throw new Error(`${firstFile} has a table that is not full.`);
const added = [];
const placeOf = new Map();
first = first.replace(/^ \(export "(rest\.[^"]+)" \(func (\S+)\)\)\n/gm, (_, exported, each) => {
  const place = functions.indexOf(each);
  placeOf.set(exported, place > 0 ? place : functions.length + added.push(each) - 1);
  return "";
});
rest = rest.replace(/(?<=^ \(import "primary" ")(rest\.[^"]+)(?=" \(func )/gm, (_, imported) => {
  if (!placeOf.has(imported)) throw new Error(`${firstFile} has no ${imported}.`);
  return placeOf.get(imported);
});
const grown = `${functions.length + added.length} ${functions.length + added.length}`;
first = first.replace(` (table ${name} ${table} `, ` (table ${name} ${grown} `);
first = first.replace(elements, `${elements.slice(0, -1)} ${added.join(" ")})`);
rest = rest.replace(new RegExp(`(?<=^ \\(import "primary" .*\\(table \\S+ )${table}(?= funcref)`, "m"), grown);

// What the second file does not ask for, the first need not offer.
first = first.replace(/^ \(export "(rest\.[^"]+)" .*\)\n/gm, (line, exported) =>
  rest.includes(` (import "primary" "${exported}" `) ? line : "",
);

write(firstFile, first);
write(restFile, rest);
