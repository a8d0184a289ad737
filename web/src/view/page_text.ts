// The texts that the page has, and files in their place: as they lie, of which parts can be read.
import { type Language, textTitles } from "../language/language";

export type Source = Language | File;

export function nameOf(source: Source): string {
  return typeof source === "string" ? textTitles[source] : source.name;
}

const come: Partial<Record<Language, Blob>> = {};

/** A text of the page is loaded once; `signal` ends waiting for it. */
export async function blobOf(source: Source, signal: AbortSignal): Promise<Blob> {
  if (typeof source !== "string") return source;
  const known = come[source];
  if (known) return known;
  const response = await fetch(new URL(`./texts/${source}.txt`, document.baseURI), { signal });
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return (come[source] = await response.blob());
}
