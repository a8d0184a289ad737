// Moves texts of messages from a program's first file to its second:
//
//   node page_texts.mjs WASM_DIS PROGRAM.wasm PROGRAM.rest.wasm -- FEATURES...
//
// A visit that breaks no rule reads none of them. They are those of the catalogue (modules/base/catalogue.cpp), which whoever
// asks for one has from octet::catalogue(), in the second file (page_profile.mjs), and those that only the code of the second
// file reads: literals, and no rows of a table of sentences, which the first file may reach from its beginning. When that is
// loaded, its data put the texts where the first file has zeros instead, which hardly count in a
// compressed file. A text that is read elsewhere too, as a whole or its end, which the linker does not keep twice, stays
// where it is.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import v8 from "node:v8";

const [tool, firstFile, restFile, , ...features] = process.argv.slice(2);
const first = readFileSync(firstFile);
const rest = readFileSync(restFile);
const dataSection = 11;
const dataCountSection = 12;

/** A number as WebAssembly writes it; of constants the last byte has the sign. */
function leb(value, constant = false) {
  const bytes = [];
  const last = constant ? 64 : 128;
  for (; value >= last; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

/** Reads numbers one after another. */
class Reader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }
}

/** The sections of a program: number, where each begins and where its content lies. */
function sectionsOf(program) {
  const sections = [];
  const reader = new Reader(program, 8); // after the magic number and the version
  while (reader.at < program.length) {
    const begin = reader.at;
    const number = program[reader.at++];
    const size = reader.number();
    sections.push({ number, begin, content: reader.at, end: reader.at + size });
    reader.at += size;
  }
  return sections;
}

/** Where a segment that no instruction has placed yet is put: by memory.init(address, 0, size), once. */
function placeOf(index, size) {
  const call = Buffer.concat([
    Buffer.from([0x41, 0, 0x41]),
    leb(size, true),
    Buffer.from([0xfc, 8]),
    leb(index),
    Buffer.from([0]),
  ]);
  const at = first.indexOf(call);
  if (at < 0 || first.indexOf(call, at + 1) >= 0)
    throw new Error(`${firstFile} places segment ${index} in another way.`);
  for (let begin = at - 2; begin >= at - 6; --begin) {
    if (first[begin] !== 0x41) continue;
    const reader = new Reader(first, begin + 1);
    const address = reader.number();
    if (reader.at === at) return address;
  }
  throw new Error(`${firstFile} places segment ${index} at no constant.`);
}

/** The pieces of memory that the first file fills: each one's address, and where its bytes lie in the file. */
function segmentsOf({ content }) {
  const segments = [];
  const reader = new Reader(first, content);
  const count = reader.number();
  for (let index = 0; index < count; ++index) {
    const passive = reader.number() === 1;
    let address;
    if (!passive) {
      ++reader.at; // i32.const
      address = reader.number();
      ++reader.at; // end
    }
    const size = reader.number();
    segments.push({ address: passive ? placeOf(index, size) : address, begin: reader.at, size });
    reader.at += size;
  }
  return segments;
}

const segments = segmentsOf(sectionsOf(first).find(({ number }) => number === dataSection));

/** The place in the file of what lies at an address, or -1. */
function fileOf(address, size) {
  const segment = segments.find((each) => each.address <= address && address + size <= each.address + each.size);
  return segment ? segment.begin + address - segment.address : -1;
}

// An entry of the catalogue: its number, and three texts, each an address and a length.
const entrySize = 28;
function entriesAt(begin, end) {
  const entries = [];
  for (let at = begin; at + entrySize <= end; at += entrySize) {
    const number = first.readUInt32LE(at);
    if (number <= (entries.at(-1)?.number ?? 100) || number >= 800) break;
    const texts = [4, 12, 20].map((field) => [first.readUInt32LE(at + field), first.readUInt32LE(at + field + 4)]);
    if (texts.some(([address, length]) => length > 1000 || fileOf(address, length) < 0)) break;
    entries.push({ number, texts });
  }
  return entries;
}
const tables = segments.flatMap(({ address, begin, size }) => {
  const found = [];
  for (let at = begin + ((4 - (address % 4)) % 4); at + entrySize <= begin + size; at += 4) {
    const entries = first.readUInt32LE(at) === 101 ? entriesAt(at, begin + size) : [];
    if (entries.length > 50) found.push({ at, entries });
  }
  return found;
});
if (tables.length !== 1) throw new Error(`${firstFile} has ${tables.length} catalogues of messages.`);
const [{ at: table, entries }] = tables;
const tableEnd = table + entries.length * entrySize;

/** The numbers in a program's code that may be addresses. */
function constantsOf(program) {
  const code = execFileSync(tool, [...features, program, "-o", "-"], { encoding: "utf8", maxBuffer: 2 ** 28 });
  return new Set(
    [...code.matchAll(/\bi32\.const (\d+)|\boffset=(\d+)/g)].map(([, constant, offset]) => Number(constant ?? offset)),
  );
}

/** All that may be an address: constants of the first file's code, and words of the data outside the catalogue. */
const addresses = constantsOf(firstFile);
for (const { address, begin, size } of segments)
  for (let at = begin + ((4 - (address % 4)) % 4); at + 4 <= begin + size; at += 4)
    if (at < table || at >= tableEnd) addresses.add(first.readUInt32LE(at));

function isReadElsewhere([address, length]) {
  for (let each = address; each < address + length; ++each) if (addresses.has(each)) return true;
  return false;
}

/**
 * The text that the second file's code reads at an address, if it is words: the literal from its beginning, as other code may
 * read its end alone, to the zero behind it. Tables of characters, which may be read by an address before them, have no spaces.
 */
function literalAt(address) {
  const at = fileOf(address, 1);
  if (at < 0) return [];
  const isText = (byte) => byte >= 0x20 && byte < 0x7f;
  let begin = at;
  let end = at;
  while (isText(first[begin - 1])) --begin;
  while (isText(first[end])) ++end;
  const isWords = /[a-z,.:;] /.test(first.toString("latin1", begin, end));
  const from = address - (at - begin);
  return isWords && first[begin - 1] === 0 && first[end] === 0 && fileOf(from - 1, end - begin + 2) >= 0
    ? [[from, end - begin + 1]]
    : [];
}

// In the order of their places. Of two that the linker has laid over each other one holds the other.
const literals = [...constantsOf(restFile)].flatMap(literalAt);
const texts = [];
for (const text of [...literals, ...entries.flatMap((entry) => entry.texts)]
  .filter((text) => !isReadElsewhere(text))
  .sort(([a, size], [b, other]) => a - b || other - size)) {
  const [before, size] = texts.at(-1) ?? [0, 0];
  if (text[0] + text[1] > before + size) texts.push(text);
}
const moved = [];
const untouched = Buffer.from(first);
for (const [address, length] of texts) {
  const at = fileOf(address, length);
  const text = untouched.subarray(at, at + length);
  first.fill(0, at, at + length);
  moved.push([Buffer.from([0, 0x41]), leb(address, true), Buffer.from([0x0b]), leb(length), text]);
}

const parts = sectionsOf(rest);
if (parts.some(({ number }) => number === dataSection || number === dataCountSection))
  throw new Error(`${restFile} has data already.`);
const data = Buffer.concat([leb(moved.length), ...moved.flat()]);
const section = Buffer.concat([Buffer.from([dataSection]), leb(data.length), data]);
const place = parts.findLast(({ number }) => number !== 0).end; // behind the code
const whole = Buffer.concat([rest.subarray(0, place), section, rest.subarray(place)]);
// Node 20 knows relaxed SIMD, but has to be told to.
if (!WebAssembly.validate(whole)) v8.setFlagsFromString("--experimental-wasm-relaxed-simd");
if (!WebAssembly.validate(whole)) throw new Error(`${restFile} is no program any more.`);
writeFileSync(firstFile, first);
writeFileSync(restFile, whole);
