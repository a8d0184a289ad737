// What would make a step faster: the stalls that the library finds, each with what to change and what that gains.
import { machineWords } from "../../language/machine";
import { useLanguage, useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import "../../style/machine_lanes.css";
import type { Job, MachineCalls } from "../../workshop/machine";
import { useAnswer } from "../../workshop/use_answer";
import { share } from "../format";
import { Broken } from "./broken";
import { keptFeed } from "./choices";
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
      <Broken reason={findings.broken} />
      {findings.refused.length > 0 && <p>{words.refused}</p>}
      {found?.length === 0 && <p>{words.none}</p>}
      {found && found.length > 0 && (
        <ul class="found">
          {found.map(({ id, sentence, change, seconds, share: part }) => (
            <li key={id + sentence} data-finding={id} data-value={seconds}>
              <p>
                <b>{words.names[id] ?? id}</b>{" "}
                <span class="gain">
                  {seconds > 0 ? words.gain(time(seconds, language), share(part, language)) : words.free}
                </span>
              </p>
              <p lang="en">{sentence}</p>
              <p class="hint" lang="en">
                {change}
              </p>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
