// A visitor's table as the plain text that its column makes (web/bindings/workshop/table.cpp).
import { workshop } from "./workshop";

interface TableCalls {
  readTable(request: { name: string; bytes: Uint8Array; field: string }): Promise<{ text: string }>;
  /** `bytes`: what the file begins with. */
  tableFields(request: { name: string; bytes: Uint8Array }): Promise<{ fields: string[] }>;
}

const calls = workshop<TableCalls>();
const most = 64 << 20; // bytes; of more than that the engine takes nothing
const beginning = 1 << 20;
/** Of a table's columns or fields, how many are found at most (modules/data/text_fields.cpp). */
export const mostFields = 100;

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

/** What the engine is to read in place of `file`; itself where it is refused for its size. */
export async function readTable(file: File, field = "text"): Promise<Blob> {
  if (file.size > most) return file;
  return new Blob([(await calls.readTable({ name: file.name, bytes: await bytesOf(file), field })).text]);
}

/** The columns or fields that hold the text, as far as the table's beginning tells. None of what is no table. */
export async function fieldsOf(file: File): Promise<string[]> {
  const { fields } = await calls.tableFields({ name: file.name, bytes: await bytesOf(file.slice(0, beginning)) });
  return fields;
}

const tables = new WeakMap<File, { file: string; field: string }>();

/** The text of a column as a file of its own, whose name is no table's. */
export async function columnOf(file: File, field: string): Promise<File> {
  const column = new File([await readTable(file, field)], `${file.name} (${field})`, { type: "text/plain" });
  tables.set(column, { file: file.name, field });
  return column;
}

/** The table that `columnOf` took `file` from, and the column; else the file itself. */
export const tableOf = (file: File): { file: string; field?: string } => tables.get(file) ?? { file: file.name };
