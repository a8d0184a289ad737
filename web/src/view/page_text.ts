// The texts that the page has, and files in their place: as they lie, of which parts can be read.
import { useEffect, useState } from "preact/hooks";
import { type Language, textTitles } from "../language/language";
import type { Session } from "../state/session";

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

let latest: File | null = null;
const noted = new WeakSet<File>(); // a section that comes later reads anew what others have read
const listeners = new Set<(file: File) => void>();

/** Tells all parts of the page of a text of the visitor's that one of them has read. */
export function noteOwnText(source: Source): void {
  if (typeof source === "string" || noted.has(source)) return;
  noted.add(source);
  latest = source;
  for (const listener of listeners) listener(source);
}

/** The visitor's text that was chosen last, be it trained on or measured. */
export function useOwnText({ file }: Session): File | null {
  const [own, setOwn] = useState(latest);
  useEffect(() => {
    listeners.add(setOwn);
    if (latest) setOwn(latest);
    return () => void listeners.delete(setOwn);
  }, []);
  useEffect(() => {
    if (file) noteOwnText(file);
  }, [file]);
  return own;
}
