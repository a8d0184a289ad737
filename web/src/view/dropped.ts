// Files that are dropped: on a section, or anywhere that does not take them itself.
import { useEffect, useRef, useState } from "preact/hooks";

const kinds = ["dragover", "dragleave", "drop"] as const;

/** Gives `take` the files that are dropped on the element of this id, or on the page; returns whether some are dragged there. */
export function useDropped(id: string, take: (files: File[]) => void): boolean {
  const [dragged, setDragged] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const place: HTMLElement | Window = document.getElementById(id) ?? window;
    const hear = (event: Event) => {
      const { type, dataTransfer, relatedTarget: to, defaultPrevented: taken } = event as DragEvent;
      if (type === "dragleave") {
        if (!(place instanceof Node ? place.contains(to as Node | null) : to)) setDragged(false);
      } else if (dataTransfer?.types.includes("Files")) {
        event.preventDefault();
        setDragged(type === "dragover" && !taken);
        if (type === "drop" && !taken) latest.current([...dataTransfer.files]);
      }
    };
    for (const kind of kinds) place.addEventListener(kind, hear);
    return () => {
      for (const kind of kinds) place.removeEventListener(kind, hear);
    };
  }, []);
  return dragged;
}
