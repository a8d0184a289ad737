// What the visitor should know before all else: one thread only, a text refused, the program stopped.
import { useWords } from "../language/words";
import type { Session } from "../state/session";
import { late } from "./late";

const OneThread = late(() => import("./one_thread").then(({ OneThread }) => OneThread));
const Mishap = late(() => import("./mishap").then(({ Mishap }) => Mishap));

export function Notices({ session }: { session: Session }) {
  const words = useWords();
  const { run } = session;
  return (
    <div class="notices">
      {!session.threaded && <OneThread wanted />}
      <div aria-live="polite">
        {/* Refused options are told beside their form. */}
        {run.mishap && run.mishap.what !== "options" && <Mishap wanted mishap={run.mishap} session={session} />}
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
