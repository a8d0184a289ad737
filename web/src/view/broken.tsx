// Said where the workshop broke, or where it or a text could not be loaded or read; it can be asked for again.
import { noticesWords } from "../language/notices";
import { useSpoken, useWords } from "../language/words";
import type { Failed } from "../workshop/use_answer";

/** As browsers say that nothing came: of fetches, modules, and answers that are no file. */
const notCome = /fetch|network|load|import|: \d{3}$/i;

/** `name` is of what could not be had, where something else is shown in its place. */
export function Broken({ of, name }: { of: readonly Failed[]; name?: string | undefined }) {
  const page = useWords();
  const words = useSpoken(noticesWords);
  const broken = of.filter((each) => each.broken);
  const [first] = broken;
  if (!first) return null;
  return (
    <div class="notice mishap" data-notice="broken" role="alert">
      {name && (
        <p>
          <strong>{words.notUsed(name)}</strong>
        </p>
      )}
      <p>{first.unreadable ? words.unreadable : notCome.test(first.broken) ? words.notLoaded : page.sectionFailed}</p>
      <p lang="en">{first.broken}</p>
      <button type="button" data-action="again" onClick={() => broken.forEach((each) => each.again())}>
        {page.tryAgain}
      </button>
    </div>
  );
}
