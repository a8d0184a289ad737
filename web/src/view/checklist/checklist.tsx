// The Checklist section: whether a training step is ready for a TPU, line by line: that of a published model, or a program
// of the visitor's.
import { useMemo, useState } from "preact/hooks";
import { checklistWords } from "../../language/checklist";
import { machineWords } from "../../language/machine";
import { useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import "../../style/field.css";
import "../../style/checklist.css";
import type { Candidate, CheckLine, ChecklistCalls, OwnLengths } from "../../workshop/checklist";
import type { LengthCalls } from "../../workshop/lengths";
import { useAnswer } from "../../workshop/use_answer";
import { workshop } from "../../workshop/workshop";
import { Broken } from "../broken";
import { Diagnostics } from "../diagnostics";
import { useOwnText } from "../page_text";
import { choices, fromKept, isOfText, named, toKept, withLengths } from "./candidate";
import { Choice, Names, Whole } from "./fields";
import { Line } from "./line";
import { askOf, OwnProgram, Subject, useOwn } from "./own_program";

const calls = workshop<ChecklistCalls & LengthCalls>();

const most = { tokens: 1024, batch: 65_536 };

const measured = new WeakMap<File, OwnLengths>();

/** A text is measured once. */
async function lengthsOf(file: File): Promise<OwnLengths> {
  const known = measured.get(file);
  if (known) return known;
  const { name } = file;
  const text = new Uint8Array(await file.arrayBuffer());
  const { lengths, vocabulary } = await calls.measureLengths({ text, name, longest: most.tokens + 1 });
  const own = { name, vocabulary, line_lengths: lengths };
  measured.set(file, own);
  return own;
}

export default function Checklist({ session }: { session: Session }) {
  const words = useSpoken(checklistWords);
  const { codeHints } = useSpoken(machineWords).job;
  const [chosen, setChosen] = useState(() => fromKept(session.kept("checklist.candidate")));
  const known = useAnswer(() => calls.checkChoices({}), []);
  const text = useOwnText(session);
  const asked = useMemo(() => named(chosen, known.answer), [chosen, known.answer]);
  const candidate = useMemo(() => withLengths(asked, text), [asked, text]);
  const measures = isOfText(candidate) ? text : null;
  const subject = useOwn(session);
  const { own, setOwn } = subject;
  const checked = useAnswer(
    known.answer &&
      (async () =>
        own
          ? calls.checkProgram(await askOf(own, candidate))
          : calls.checkReadiness({ ...candidate, ...(measures && (await lengthsOf(measures))) })),
    [candidate, own, known.answer, own ? null : measures],
  );
  const report = checked.answer;
  const busy = known.busy || checked.busy;
  const models = known.answer?.models ?? [candidate.model];
  const codes = known.answer?.codes ?? [{ name: candidate.code, summary: "" }];

  const change = (to: Partial<Candidate>) => {
    const next = { ...candidate, ...to };
    setChosen(next);
    session.keep("checklist.candidate", toKept(next));
  };
  const count = (verdict: CheckLine["verdict"]) => report?.lines.filter((line) => line.verdict === verdict).length ?? 0;

  return (
    <>
      <div class="lead">
        <p>{words.lead}</p>
      </div>
      <div class={subject.over ? "panel candidate over" : "panel candidate"}>
        <h3>{words.heading}</h3>
        <p class="hint">{words.hint}</p>
        <Subject of={subject} />
        {own && <OwnProgram />}
        <form onSubmit={(event) => event.preventDefault()}>
          {!own && (
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
          )}
          {own && (
            <Names
              label={words.batchArguments}
              hint={words.batchArgumentsHint}
              value={own.batch}
              change={(batch) => setOwn((last) => last && { ...last, batch })}
              name="batch_arguments"
            />
          )}
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
          {!own && (
            <>
              <Whole
                label={words.batch}
                hint={words.batchHint}
                value={candidate.batch}
                most={most.batch}
                change={(batch) => change({ batch })}
                name="batch"
              />
              <Whole
                label={words.seq}
                hint={words.seqHint}
                value={candidate.seq}
                most={most.tokens}
                change={(seq) => change({ seq })}
                name="seq"
              />
              <Choice
                label={words.lengths}
                hint={words.lengthsHints[candidate.lengths]}
                value={candidate.lengths}
                change={(lengths) => change({ lengths: lengths as Candidate["lengths"] })}
                name="lengths"
              >
                {choices.lengths
                  .filter((lengths) => text || !isOfText({ lengths }))
                  .map((name) => (
                    <option key={name} value={name}>
                      {words.lengthsNames[name](text?.name ?? "")}
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
                  <option key={name} value={name} title={codeHints[name] ?? summary}>
                    {name}
                  </option>
                ))}
              </Choice>
            </>
          )}
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
      <div class="panel report" aria-busy={busy}>
        <div class="report-head">
          <h3>{words.report}</h3>
          {busy && <p class={report || checked.refused.length > 0 ? "hint awaited" : "hint"}>{words.checking}</p>}
        </div>
        {checked.refused.length > 0 && (
          <div class="notice mishap">
            <Diagnostics diagnostics={checked.refused} />
          </div>
        )}
        <Broken of={[checked, known]} />
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
