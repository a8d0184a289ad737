// What the visitor should know before all else: one thread only, a text refused, the program stopped.
import { useState } from "preact/hooks";
import type { Diagnostic } from "../engine/engine";
import { useLanguage, useWords } from "../language/words";
import { canTurnOnThreads, turnOnThreads } from "../state/isolation";
import type { Session } from "../state/session";

export function Notices({ session }: { session: Session }) {
  const words = useWords();
  const { run } = session;
  return (
    <div class="notices">
      {!session.threaded && <OneThread />}
      <div aria-live="polite">
        {run.mishap && (
          <div class="notice mishap" data-notice="mishap">
            <p>
              <strong>{words.notUsed(run.mishap.name)}</strong> {run.mishap.kept && words.earlierRun}
            </p>
            {run.mishap.reason && <p>{words.unreadable}</p>}
            <Diagnostics diagnostics={run.mishap.diagnostics} />
            <button type="button" onClick={() => session.dismissMishap()}>
              {words.dismiss}
            </button>
          </div>
        )}
        {run.stage === "broken" && (
          <div class="notice mishap" data-notice="broken">
            <p>
              <strong>{words.broken}</strong>
            </p>
            {run.reason && <p lang="en">{run.reason}</p>}
            <button type="button" onClick={() => location.reload()}>
              {words.reload}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

/** The engine's own words, which are English, after ours where we have them for that number. */
export function Diagnostics({ diagnostics }: { diagnostics: readonly Diagnostic[] }) {
  const words = useWords();
  const language = useLanguage();
  return (
    <>
      {diagnostics.map(({ number, sentence, fix }) => (
        <div key={number + sentence} class="diagnostic">
          {language !== "en" && words.refusals[number] && <p>{words.refusals[number]}</p>}
          <p lang="en">
            <b class="code">{number}</b> {sentence}
          </p>
          {fix.length > 0 && (
            <ul lang="en">
              {fix.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </>
  );
}

function OneThread() {
  const words = useWords();
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
