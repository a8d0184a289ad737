// How a visitor mends a table. Messages tell a program which of the library's options to choose; the page takes the column or
// field "text", and where there is none offers the others (view/table_fields.tsx); it has no other option for tables.
import type { Diagnostic } from "../engine/engine";

/** Cures by an option, and what does the same to the file; nothing where another cure of the message says that. */
const ofFile: readonly (readonly [RegExp, string])[] = [
  [/^choose one of .*, or a number from 1 to \d+$/s, ""],
  [/^name the column by its number: .*$/, 'call only one column "text"'],
  [/^take csv_separator .*$/, "put commas between the fields, or tabulators where the name ends in .tsv"],
  [/^take quotation marks for plain text, .*$/, ""],
  [
    /^choose one that it has: (.*); where other .*$/s,
    'call the one that holds the text "text" in every line; this one has $1',
  ],
  [/^choose a field that holds a text$/, ""],
  [/^correct the line, or choose a field that every line has$/, "correct the line"],
];

export function byFile({ fix, ...said }: Diagnostic): Diagnostic {
  const mended = fix.map((cure) => ofFile.reduce((told, [option, file]) => told.replace(option, file), cure));
  return { ...said, fix: mended.filter((cure) => cure !== "") };
}
