// A call to the workshop as a view wants it: asked again when what it depends on changes, the last answer standing meanwhile.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Diagnostic, Refusal } from "../engine/engine";

/** That something did not come, and the way to ask for it again. */
export interface Failed {
  /** Why the program itself broke, or could not be loaded; else empty. */
  broken: string;
  /** It is a file of the visitor's that could not be read. */
  unreadable: boolean;
  again(): void;
}

export interface Answered<T> extends Failed {
  /** The last one; null before the first, and where the last question broke the program: an older answer would pass for it. */
  answer: T | null;
  /** Why there is none to the last question. */
  refused: Diagnostic[];
  busy: boolean;
}

const unasked = { answer: null, refused: [], broken: "", unreadable: false, busy: false };

/** What broke, as it is told. */
export function failure(error: unknown): Pick<Failed, "broken" | "unreadable"> {
  const broken = (error instanceof Error && error.message) || String(error);
  return { broken, unreadable: error instanceof DOMException };
}

/**
 * Asks whenever `key` changes, unless `ask` is null. Of questions that come faster than answers only the last is asked, so that
 * a slider may be dragged.
 */
export function useAnswer<T>(ask: (() => Promise<T>) | null, key: readonly unknown[]): Answered<T> {
  const [answered, setAnswered] = useState<Omit<Answered<T>, "again">>(unasked);
  const state = useRef({ asking: false, next: null as (() => Promise<T>) | null, ask, gone: false }).current;
  state.ask = ask;

  const go = async () => {
    if (state.asking) return;
    state.asking = true;
    setAnswered((last) => ({ ...last, busy: true }));
    while (state.next && !state.gone) {
      const question = state.next;
      state.next = null;
      const result: Partial<Answered<T>> = await question().then(
        (answer) => ({ ...unasked, answer }),
        (error: unknown) =>
          error instanceof Refusal
            ? { refused: error.diagnostics, broken: "", unreadable: false }
            : { ...unasked, ...failure(error) },
      );
      if (!state.gone) setAnswered((last) => ({ ...last, ...result, busy: state.next !== null }));
    }
    state.asking = false;
  };
  const again = () => {
    if (!state.ask) return;
    state.next = state.ask;
    void go();
  };

  useEffect(again, key);
  useEffect(() => {
    state.gone = false;
    return () => {
      state.gone = true;
    };
  }, []);
  return { ...answered, again };
}
