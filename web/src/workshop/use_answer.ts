// A call to the workshop as a view wants it: asked again when what it depends on changes, the last answer standing meanwhile.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Diagnostic, Refusal } from "../engine/engine";

export interface Answered<T> {
  /** The last one; null before the first. */
  answer: T | null;
  /** Why there is none to the last question. */
  refused: Diagnostic[];
  /** The program itself broke, or could not be loaded. */
  broken: string;
  busy: boolean;
}

/**
 * Asks whenever `key` changes, unless `ask` is null. Of questions that come faster than answers only the last is asked, so that
 * a slider may be dragged.
 */
export function useAnswer<T>(ask: (() => Promise<T>) | null, key: readonly unknown[]): Answered<T> {
  const [answered, setAnswered] = useState<Answered<T>>({ answer: null, refused: [], broken: "", busy: false });
  const state = useRef({ asking: false, next: null as (() => Promise<T>) | null, gone: false }).current;

  const go = async () => {
    if (state.asking) return;
    state.asking = true;
    setAnswered((last) => ({ ...last, busy: true }));
    while (state.next && !state.gone) {
      const question = state.next;
      state.next = null;
      const result: Partial<Answered<T>> = await question().then(
        (answer) => ({ answer, refused: [], broken: "" }),
        (error: unknown) =>
          error instanceof Refusal
            ? { refused: error.diagnostics, broken: "" }
            : { refused: [], broken: error instanceof Error ? error.message : String(error) },
      );
      if (!state.gone) setAnswered((last) => ({ ...last, ...result, busy: state.next !== null }));
    }
    state.asking = false;
  };

  useEffect(() => {
    if (!ask) return;
    state.next = ask;
    void go();
  }, key);
  useEffect(() => {
    state.gone = false;
    return () => {
      state.gone = true;
    };
  }, []);
  return answered;
}
