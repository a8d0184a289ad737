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
 * a slider may be dragged; what the one before it waits for, other than the workshop, it is told to wait for no longer.
 */
export function useAnswer<T>(ask: ((signal: AbortSignal) => Promise<T>) | null, key: readonly unknown[]): Answered<T> {
  const [answered, setAnswered] = useState<Omit<Answered<T>, "again">>(unasked);
  const state = useRef({
    asking: false,
    stop: new AbortController(),
    next: null as typeof ask,
    ask,
    gone: false,
  }).current;
  state.ask = ask;

  const go = async () => {
    if (state.asking) return;
    state.asking = true;
    setAnswered((last) => ({ ...last, busy: true }));
    while (state.next && !state.gone) {
      const question = state.next;
      state.next = null;
      const { signal } = (state.stop = new AbortController());
      const result: Partial<Answered<T>> = await question(signal).then(
        (answer) => ({ ...unasked, answer }),
        (error: unknown) => {
          if (error instanceof Refusal) return { refused: error.diagnostics, broken: "", unreadable: false };
          return signal.aborted ? {} : { ...unasked, ...failure(error) };
        },
      );
      if (!state.gone) setAnswered((last) => ({ ...last, ...result, busy: state.next !== null }));
    }
    state.asking = false;
  };
  const again = () => {
    state.stop.abort();
    state.next = state.ask;
    if (state.next) void go();
  };

  useEffect(again, key);
  useEffect(() => {
    state.gone = false;
    return () => {
      state.gone = true;
      state.stop.abort();
    };
  }, []);
  return { ...answered, again };
}
