// A visitor's table as the plain text that its column makes (web/bindings/workshop/table.cpp).
import { workshop } from "./workshop";

interface TableCalls {
  readTable(request: { name: string; bytes: Uint8Array }): Promise<{ text: string }>;
}

const calls = workshop<TableCalls>();
const most = 64 << 20; // bytes; of more than that the engine takes nothing

/** What the engine is to read in place of `file`; itself where it is refused for its size. */
export async function readTable(file: File): Promise<Blob> {
  if (file.size > most) return file;
  const bytes = new Uint8Array(await file.arrayBuffer());
  return new Blob([(await calls.readTable({ name: file.name, bytes })).text]);
}
