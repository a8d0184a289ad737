// Messages of the engine, in its own words, which are English, after ours where we have them for that number.
import type { Diagnostic } from "../engine/engine";
import { lineWords, refusalOf } from "../language/refusals";
import { useLanguage } from "../language/words";

export function Diagnostics({ diagnostics }: { diagnostics: readonly Diagnostic[] }) {
  const language = useLanguage();
  return (
    <>
      {diagnostics.map(({ number, sentence, line, because, rule, fix }) => (
        <div key={number + sentence} class="diagnostic">
          {refusalOf({ number, sentence, fix }, language) && <p>{refusalOf({ number, sentence, fix }, language)}</p>}
          <p lang="en">
            <b class="code">{number}</b>{" "}
            {line > 0 && !/\bline \d/i.test(sentence) && <span lang={language}>{lineWords[language](line)} </span>}
            {sentence}
          </p>
          {because.length > 0 && (
            <p lang="en" class="hint">
              because: {because.join(" → ")}
            </p>
          )}
          {rule && (
            <p lang="en" class="hint">
              rule: {rule}
            </p>
          )}
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
