// What would make a step faster: the stalls that the library finds, each with what to change and what that gains.
import { machineWords } from "../../language/machine";
import { useLanguage, useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import "../../style/machine_lanes.css";
import type { Job, MachineCalls } from "../../workshop/machine";
import { useAnswer } from "../../workshop/use_answer";
import { share } from "../format";
import { Broken } from "../broken";
import { keptFeed } from "./choices";
import { remedyOf, sentenceOf } from "./phrases";
import { time } from "./units";

export function Findings({ session, job, calls }: { session: Session; job: Job; calls: MachineCalls }) {
  const words = useSpoken(machineWords).findings;
  const language = useLanguage();
  const feed = keptFeed(session);
  const findings = useAnswer(() => calls.findingsOf({ ...job, ...feed }), [JSON.stringify([job, feed])]);
  // Why an input cannot work is said beside its controls.
  const found = findings.refused.length === 0 ? findings.answer : null;

  return (
    <div class="panel findings" aria-busy={findings.busy}>
      <h3>{words.heading}</h3>
      <p class="hint">{words.hint}</p>
      <Broken of={[findings]} />
      {findings.refused.length > 0 && <p>{words.refused}</p>}
      {found?.length === 0 && <p>{words.none}</p>}
      {found && found.length > 0 && (
        <ul class="found">
          {found.map((finding) => (
            <li key={finding.id} data-finding={finding.id} data-value={finding.seconds}>
              <p>
                <b>{words.names[finding.id] ?? finding.id}</b>{" "}
                <span class="gain">
                  {finding.seconds > 0
                    ? words.gain(time(finding.seconds, language), share(finding.share, language))
                    : words.free}
                </span>
              </p>
              <Said text={sentenceOf(finding, language)} english={finding.sentence} />
              <Said class="hint" text={remedyOf(finding, language)} english={finding.change} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A sentence of the page's language, or the library's own in English. */
function Said({ text, english, ...rest }: { text: string | undefined; english: string; class?: string }) {
  return (
    <p {...rest} lang={text === undefined ? "en" : undefined}>
      {text ?? english}
    </p>
  );
}
