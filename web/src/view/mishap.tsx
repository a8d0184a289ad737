// What became of a text or of options that could not be used.
import { useEffect, useRef } from "preact/hooks";
import { noticesWords } from "../language/notices";
import { useSpoken, useWords } from "../language/words";
import type { Mishap as Told } from "../state/run";
import type { Session } from "../state/session";
import { late } from "./late";

// With all that messages are translated to; that nothing could be loaded is said without them.
const Diagnostics = late(() => import("./diagnostics"), "Diagnostics");
const TableFields = late(() => import("./table_fields"), "TableFields");

/** As browsers say that they do not get at a file; else something of the page's own did not come. */
const notRead = /^Not\w+Error/;

export function Mishap({ mishap, session }: { mishap: Told | null; session: Session }) {
  return mishap && <There mishap={mishap} session={session} />;
}

function There({ mishap, session }: { mishap: Told; session: Session }) {
  const words = useSpoken(noticesWords);
  const page = useWords();
  const what = {
    text: words.notUsed(mishap.name),
    options: words.optionsNotUsed,
    link: words.linkNotUsed(mishap.name),
  };
  const told = useRef<HTMLDivElement>(null);
  const intoSight = () => {
    if (mishap.what === "options") told.current?.scrollIntoView({ block: "nearest" }); // it stands beside the form
  };
  useEffect(intoSight, [mishap]);
  return (
    <div ref={told} class="notice mishap" data-notice="mishap">
      <p>
        <strong>{what[mishap.what]}</strong> {mishap.kept && words.earlierRun}
      </p>
      {mishap.what === "link" && session.settings.unused.includes("text=own") && <p>{words.ownText}</p>}
      {mishap.reason && <p>{notRead.test(mishap.reason) ? words.unreadable : words.notLoaded}</p>}
      {mishap.what === "text" && !mishap.reason && mishap.diagnostics.length === 0 && <p>{words.oneFile}</p>}
      <Diagnostics wanted={mishap.diagnostics.length > 0} diagnostics={mishap.diagnostics} onDrawn={intoSight} />
      {mishap.table && (
        <TableFields wanted file={mishap.table} take={(column) => session.chooseFile(column)} onDrawn={intoSight} />
      )}
      <div class="buttons">
        {mishap.reason && (
          <button type="button" data-action="again" onClick={() => session.tryAgain()}>
            {page.tryAgain}
          </button>
        )}
        <button type="button" onClick={() => session.dismissMishap()}>
          {words.dismiss}
        </button>
      </div>
    </div>
  );
}

/** Said in the place of what could not be loaded. */
export function NotLoaded({ reason, again }: { reason: string; again: () => void }) {
  const words = useSpoken(noticesWords);
  const page = useWords();
  return (
    <div class="notice mishap quiet" data-notice="not-loaded" role="alert">
      <p>{words.notLoaded}</p>
      <p lang="en">{reason}</p>
      <button type="button" data-action="again" onClick={again}>
        {page.tryAgain}
      </button>
    </div>
  );
}
