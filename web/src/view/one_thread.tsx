// Why the page runs on one thread, and how it may get more.
import { useState } from "preact/hooks";
import { oneThreadWords } from "../language/one_thread";
import { useSpoken } from "../language/words";
import { canTurnOnThreads, turnOnThreads } from "../state/isolation";

export function OneThread() {
  const words = useSpoken(oneThreadWords);
  const [failed, setFailed] = useState(false);
  return (
    <div class="notice" data-notice="one-thread">
      <p>{words.oneThread}</p>
      {failed && <p>{words.threadsFailed}</p>}
      {!failed && canTurnOnThreads() && (
        <p>
          <button type="button" onClick={() => turnOnThreads().catch(() => setFailed(true))}>
            {words.turnOnThreads}
          </button>{" "}
          <span class="hint">{words.turnOnThreadsHint}</span>
        </p>
      )}
    </div>
  );
}
