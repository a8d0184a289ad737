// The Checklist section: whether a training step is ready for a TPU, line by line.
import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { checklistWords } from "../../language/checklist";
import { refusalOf } from "../../language/refusals";
import { reportOf } from "../../language/reports";
import { useLanguage, useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import "../../style/field.css";
import "../../style/checklist.css";
import type { Candidate, CheckLine, ChecklistCalls } from "../../workshop/checklist";
import { useAnswer } from "../../workshop/use_answer";
import { workshop } from "../../workshop/workshop";
import { Broken } from "../broken";
import { Diagnostics } from "../diagnostics";
import { whole } from "../format";
import { choices, fromKept, toKept } from "./candidate";

const calls = workshop<ChecklistCalls>();

export default function Checklist({ session }: { session: Session }) {
  const words = useSpoken(checklistWords);
  const [candidate, setCandidate] = useState(() => fromKept(session.kept("checklist.candidate")));
  const known = useAnswer(() => calls.checkChoices({}), []);
  const checked = useAnswer(() => calls.checkReadiness(candidate), [candidate]);
  const report = checked.answer;
  const models = known.answer?.models ?? [candidate.model];
  const codes = known.answer?.codes ?? [{ name: candidate.code, summary: "" }];

  const change = (to: Partial<Candidate>) => {
    const next = { ...candidate, ...to };
    setCandidate(next);
    session.keep("checklist.candidate", toKept(next));
  };
  const count = (verdict: CheckLine["verdict"]) => report?.lines.filter((line) => line.verdict === verdict).length ?? 0;

  return (
    <>
      <div class="lead">
        <p>{words.lead}</p>
      </div>
      <div class="panel candidate">
        <h3>{words.heading}</h3>
        <p class="hint">{words.hint}</p>
        <form onSubmit={(event) => event.preventDefault()}>
          <Choice
            label={words.model}
            hint={words.modelHint}
            value={candidate.model}
            change={(model) => change({ model })}
            name="model"
          >
            {models.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Choice>
          <Choice
            label={words.slice}
            hint={words.sliceHint}
            value={candidate.slice}
            change={(slice) => change({ slice })}
            name="slice"
          >
            {choices.slices.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Choice>
          <Whole
            label={words.batch}
            hint={words.batchHint}
            value={candidate.batch}
            most={65536}
            change={(batch) => change({ batch })}
            name="batch"
          />
          <Whole
            label={words.seq}
            hint={words.seqHint}
            value={candidate.seq}
            most={1024}
            change={(seq) => change({ seq })}
            name="seq"
          />
          <Choice
            label={words.lengths}
            hint={words.lengthsHint}
            value={candidate.lengths}
            change={(lengths) => change({ lengths: lengths as Candidate["lengths"] })}
            name="lengths"
          >
            {choices.lengths.map((name) => (
              <option key={name} value={name}>
                {words.lengthsNames[name]}
              </option>
            ))}
          </Choice>
          <Choice
            label={words.code}
            hint={words.codeHint}
            value={candidate.code}
            change={(code) => change({ code })}
            name="code"
          >
            {codes.map(({ name, summary }) => (
              <option key={name} value={name} title={summary}>
                {name}
              </option>
            ))}
          </Choice>
          <Choice
            label={words.host}
            hint={words.hostHint}
            value={candidate.host}
            change={(host) => change({ host: host as Candidate["host"] })}
            name="host"
          >
            {choices.hosts.map((name) => (
              <option key={name} value={name}>
                {words.hostNames[name]}
              </option>
            ))}
          </Choice>
          <Choice
            label={words.data}
            hint={words.dataHint}
            value={candidate.data}
            change={(data) => change({ data: data as Candidate["data"] })}
            name="data"
          >
            {choices.places.map((name) => (
              <option key={name} value={name}>
                {words.dataNames[name]}
              </option>
            ))}
          </Choice>
          <Choice
            label={words.pipeline}
            hint={words.pipelineHint}
            value={candidate.calls_back}
            change={(calls_back) => change({ calls_back: calls_back as Candidate["calls_back"] })}
            name="calls_back"
          >
            {choices.pipelines.map((name) => (
              <option key={name} value={name}>
                {words.pipelineNames[name]}
              </option>
            ))}
          </Choice>
          <Whole
            label={words.rate}
            hint={words.rateHint}
            value={candidate.examples_per_second}
            least={0}
            most={1_000_000}
            change={(examples_per_second) => change({ examples_per_second })}
            name="rate"
          />
        </form>
      </div>
      <div class="panel report" aria-busy={checked.busy}>
        <h3>{words.report}</h3>
        {checked.refused.length > 0 && (
          <div class="notice mishap">
            <Diagnostics diagnostics={checked.refused} />
          </div>
        )}
        <Broken of={[checked, known]} />
        {!report && checked.refused.length === 0 && !checked.broken && <p class="hint">{words.checking}</p>}
        {report && checked.refused.length === 0 && (
          <>
            <p class={report.ready ? "summary" : "summary refused"} role="status" data-ready={report.ready}>
              {report.ready ? words.ready : words.notReady}{" "}
              <span class="counts">
                {words.counts(
                  String(count("pass")),
                  String(count("warn")),
                  String(count("fail")),
                  String(count("not judged")),
                )}
              </span>
            </p>
            <ol class="checks">
              {report.lines.map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </ol>
          </>
        )}
      </div>
    </>
  );
}

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

function Line({ line }: { line: CheckLine }) {
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
              {refusalOf(line.number, language)} <span lang="en">{line.finding}</span>
            </>
          )}
        </p>
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

interface FieldProps {
  name: string;
  label: string;
  hint: string;
}

function Choice(props: FieldProps & { value: string; change: (value: string) => void; children: ComponentChildren }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        name={props.name}
        value={props.value}
        aria-describedby={`${id}-hint`}
        onChange={(event) => props.change(event.currentTarget.value)}
      >
        {props.children}
      </select>
      <p id={`${id}-hint`} class="hint">
        {props.hint}
      </p>
    </div>
  );
}

const settled = 200; // milliseconds after which typing rests

/** A whole number; for what is none the last one that was holds, and it is said what may be written. */
function Whole(props: FieldProps & { value: number; least?: number; most: number; change: (value: number) => void }) {
  const words = useSpoken(checklistWords);
  const language = useLanguage();
  const least = props.least ?? 1;
  const id = useId();
  const [written, setWritten] = useState(String(props.value));
  const read = (text: string) => {
    const digits = text.normalize("NFKC").trim();
    const value = /^\d+$/.test(digits) ? Number(digits) : NaN;
    return value >= least && value <= props.most ? value : null;
  };
  const wrong = read(written) === null;
  // A number that was typed is taken once the typing rests, or the field is left.
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(props.change);
  latest.current = props.change;
  const take = (text: string, wait: number) => {
    clearTimeout(waiting.current);
    const value = read(text);
    if (value === null) return;
    if (wait > 0) waiting.current = setTimeout(() => latest.current(value), wait);
    else latest.current(value);
  };
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        name={props.name}
        type="text"
        inputMode="numeric"
        autocomplete="off"
        value={written}
        aria-invalid={wrong}
        aria-describedby={`${id}-hint`}
        onInput={(event) => {
          setWritten(event.currentTarget.value);
          take(event.currentTarget.value, settled);
        }}
        onChange={(event) => take(event.currentTarget.value, 0)}
      />
      <p id={`${id}-hint`} class="hint">
        {props.hint}
      </p>
      <p class="wrong" role="alert">
        {wrong && words.wrong(whole(least, language), whole(props.most, language), whole(props.value, language))}
      </p>
    </div>
  );
}
