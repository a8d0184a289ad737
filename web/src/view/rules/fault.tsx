// A message of the library with its parts: number, line, sentence, how it came about, why, and what to write instead.
import type { Diagnostic } from "../../engine/engine";
import { rulesWords } from "../../language/rules";
import { refusalOf } from "../../language/refusals";
import { useLanguage, useSpoken } from "../../language/words";

/** `line` is that of the visitor's program; 0 where there is none. */
export function Fault({ fault, line = 0 }: { fault: Diagnostic; line?: number }) {
  const words = useSpoken(rulesWords).fault;
  const own = refusalOf(fault, useLanguage());
  return (
    <article class="fault" data-fault={fault.number} data-at={line}>
      <p class="fault-head">
        <b class="code">{fault.number}</b>
        {line > 0 && <span>{words.at(String(line))}</span>}
      </p>
      {own && <p>{own}</p>}
      <dl>
        <div>
          <dt class="unseen">{words.sentence}</dt>
          <dd lang="en" class="sentence-of">
            {fault.sentence}
          </dd>
        </div>
        {fault.because.length > 0 && (
          <div>
            <dt>{words.because}</dt>
            <dd lang="en">{fault.because.join(" → ")}</dd>
          </div>
        )}
        {fault.rule && (
          <div>
            <dt>{words.rule}</dt>
            <dd lang="en">{fault.rule}</dd>
          </div>
        )}
        {fault.fix.length > 0 && (
          <div>
            <dt>{words.fix}</dt>
            <dd lang="en">
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
