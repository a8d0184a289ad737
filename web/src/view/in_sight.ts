// Whether a part of the page has come into sight: what is costly waits for that.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** A place to watch, and whether it has ever been in sight or just below it. */
export function useInSight<E extends Element>(): [RefObject<E | null>, boolean] {
  const place = useRef<E>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!place.current || seen) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), {
      rootMargin: "0px 0px 200px 0px",
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [seen]);
  return [place, seen];
}
