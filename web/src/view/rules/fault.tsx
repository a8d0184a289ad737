// A message of the library with its parts: number, line, sentence, how it came about, why, and what to write instead.
import type { Diagnostic } from "../../engine/engine";
import { rulesWords } from "../../language/rules";
import { useSpoken } from "../../language/words";

/** `line` is that of the visitor's program; 0 where there is none. */
export function Fault({ fault, line = 0 }: { fault: Diagnostic; line?: number }) {
  const words = useSpoken(rulesWords).fault;
  const own = (words.refusals as Record<string, string>)[fault.number];
  return (
    <article class="fault" data-fault={fault.number} data-at={line}>
      <p class="fault-head">
        <b class="code">{fault.number}</b>
        {line > 0 && <span>{words.at(String(line))}</span>}
      </p>
      {own && <p>{own}</p>}
      <dl lang="en">
        <div>
          <dt class="unseen">{words.sentence}</dt>
          <dd class="sentence-of">{fault.sentence}</dd>
        </div>
        {fault.because.length > 0 && (
          <div>
            <dt>because</dt>
            <dd>{fault.because.join(" → ")}</dd>
          </div>
        )}
        {fault.rule && (
          <div>
            <dt>rule</dt>
            <dd>{fault.rule}</dd>
          </div>
        )}
        {fault.fix.length > 0 && (
          <div>
            <dt>fix</dt>
            <dd>
              {fault.fix.map((each) => (
                <p key={each}>{each}</p>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </article>
  );
}
