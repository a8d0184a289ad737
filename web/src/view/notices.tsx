// What the visitor should know before all else: one thread only, a text refused, the program stopped.
import { useWords } from "../language/words";
import type { Session } from "../state/session";
import { late } from "./late";

export const OneThread = late(() => import("./one_thread"), "OneThread");
const Mishap = late(() => import("./mishap"), "Mishap");

export function Notices({ session }: { session: Session }) {
  const words = useWords();
  const { run } = session;
  const mishap = run.mishap?.what === "options" ? null : run.mishap;
  return (
    <div class="notices">
      {!session.threaded && <OneThread wanted />}
      <div aria-live="polite">
        {/* Refused options are told beside their form. */}
        {/* Loaded before it is needed: what is to be told may be that the network is gone. */}
        <Mishap wanted={session.underWay || mishap !== null} mishap={mishap} session={session} />
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
