// A line of the checklist's report.
import { checklistWords } from "../../language/checklist";
import { refusalOf } from "../../language/refusals";
import { reportOf } from "../../language/reports";
import { useLanguage, useSpoken } from "../../language/words";
import type { CheckLine } from "../../workshop/checklist";

/** Sentences of the report, in the visitor's language where it has words for them. */
function Told({ sentences }: { sentences: readonly string[] }) {
  const language = useLanguage();
  return (
    <ul>
      {sentences.map((each) => {
        const own = reportOf(each, language);
        return (
          <li key={each} lang={own === undefined ? "en" : undefined}>
            {own ?? each}
          </li>
        );
      })}
    </ul>
  );
}

export function Line({ line }: { line: CheckLine }) {
  const words = useSpoken(checklistWords);
  const language = useLanguage();
  const title = (words.questions as Record<string, string>)[line.id] ?? line.question;
  const verdict = line.verdict === "not judged" ? "unknown" : line.verdict;
  return (
    <li class={`check ${verdict}`} data-check={line.id} data-verdict={line.verdict}>
      <p class="check-verdict">{words.verdicts[verdict]}</p>
      <div>
        <h4>{title}</h4>
        <p>
          {line.number && <b class="code">{line.number} </b>}
          {reportOf(line.finding, language) ?? (
            <>
              {refusalOf({ number: line.number, sentence: line.finding, fix: line.cure }, language)}{" "}
              <span lang="en">{line.finding}</span>
            </>
          )}
        </p>
        {line.places !== undefined && line.places.length > 0 && (
          <p class="places">
            {words.where}
            {line.places.map((place, at) => (
              <>
                {at > 0 && ", "}
                <code key={place}>{place}</code>
              </>
            ))}
          </p>
        )}
        {line.evidence.length > 0 && (
          <details>
            <summary>{words.evidence}</summary>
            <Told sentences={line.evidence} />
          </details>
        )}
        {line.cure.length > 0 && (
          <div class="cure">
            <p>{words.cure}</p>
            <Told sentences={line.cure} />
          </div>
        )}
      </div>
    </li>
  );
}
