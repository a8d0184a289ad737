// Rules 1 and 2: a program of a few lines, traced by the library as it is written.
import { useRef, useState } from "preact/hooks";
import type { Diagnostic } from "../../engine/engine";
import { rulesWords } from "../../language/rules";
import { useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import "../../style/rules_programs.css";
import type { ScriptCalls, ScriptLine, Tried } from "../../workshop/script";
import { useAnswer } from "../../workshop/use_answer";
import { workshop } from "../../workshop/workshop";
import { Awaited } from "../awaited";
import { Broken } from "../broken";
import { Chips } from "../field";
import { Fault } from "./fault";
import { type ExampleName, exampleNames, examples, known } from "./programs";

const calls = workshop<ScriptCalls>();

const mostLines = 100; // that a program may have (ScriptLimits); the one after them is refused

/** As the workshop says; a mending that would be refused itself is none. */
async function tryWithMending(text: string): Promise<Tried> {
  const report = await calls.tryProgram({ text });
  if (!report.mended) return report;
  const mended = await calls.tryProgram({ text: report.mended });
  return mended.faults.length === 0 ? report : { ...report, mended: "" };
}

export function Playground({ session }: { session: Session }) {
  const words = useSpoken(rulesWords).programs;
  const [text, setText] = useState(() => session.kept("rules.program") || examples.branch.wrong);
  const tried = useAnswer(() => tryWithMending(text), [text]);
  const example = known(text);
  const report = tried.answer;
  const twin = example?.side === "wrong" ? examples[example.name].right : (report?.mended ?? "");

  // What was written here, once something else stands in its place.
  const [own, setOwn] = useState("");

  const write = (next: string) => {
    setText(next);
    session.keep("rules.program", next === examples.branch.wrong ? "" : next);
  };
  /** Puts a program in the place of the one that is there, which stays at hand. */
  const put = (next: string) => {
    if (!known(text)) setOwn(text);
    write(next);
  };

  return (
    <div class="panel playground">
      <h3>{words.heading}</h3>
      <p class="hint">{words.hint}</p>
      <Chips<ExampleName | "">
        name="example"
        label={words.examples}
        chosen={example?.name ?? ""}
        choices={exampleNames.map((value) => ({ value, title: words.titles[value] }))}
        choose={(name) => name && put(examples[name].wrong)}
      >
        {own !== "" && own !== text && (
          <button type="button" class="chip" data-action="own" onClick={() => put(own)}>
            {words.own}
          </button>
        )}
      </Chips>
      <p class="hint">{words.examplesHint}</p>
      <div class="bench">
        <Editor
          text={text}
          write={write}
          label={words.editor}
          hint={words.editorHint}
          marked={report?.faults.map((fault) => fault.line) ?? []}
        />
        <div class="outcome" aria-busy={tried.busy}>
          <Broken of={[tried]} />
          <Awaited wanted={tried.busy && report === null} />
          {tried.refused.map((fault) => (
            <Fault key={fault.number} fault={fault} />
          ))}
          {report && report.faults.length > 0 && (
            <>
              <p class="verdict refused" role="status">
                {words.refused}
              </p>
              <p class="hint">{words.plain}</p>
              {report.faults.map((fault: Diagnostic) => (
                <Fault key={`${fault.number}:${fault.line}`} fault={fault} line={fault.line} />
              ))}
              {twin && (
                <button type="button" class="primary" data-action="mend" onClick={() => put(twin)}>
                  {words.mend}
                </button>
              )}
            </>
          )}
          {report && report.faults.length === 0 && <Result report={report} />}
          {example?.side === "right" && (
            <button type="button" data-action="break" onClick={() => put(examples[example.name].wrong)}>
              {words.again}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

/** A text box with numbered lines, of which some are marked. */
function Editor(props: { text: string; write: (text: string) => void; label: string; hint: string; marked: number[] }) {
  const numbered = Math.min(props.text.split("\n").length, mostLines + 1); // no more are read
  const numbers = useRef<HTMLOListElement>(null);
  return (
    <div class="editor">
      <label for="program">{props.label}</label>
      <div class="sheet">
        <ol ref={numbers} aria-hidden="true">
          {Array.from({ length: numbered }, (_, at) => (
            <li key={at} class={props.marked.includes(at + 1) ? "marked" : ""} data-line={at + 1}>
              {at + 1}
            </li>
          ))}
        </ol>
        <textarea
          id="program"
          lang="en"
          rows={Math.max(6, numbered + 1)}
          value={props.text}
          maxLength={
            45_000 /* more than any program of so many lines, so long, that is taken: the rest is refused, not cut */
          }
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          aria-describedby="program-hint"
          aria-invalid={props.marked.length > 0}
          onInput={(event) => props.write(event.currentTarget.value)}
          onScroll={({ currentTarget }) => {
            if (numbers.current) numbers.current.style.marginTop = `${-currentTarget.scrollTop}px`;
          }}
        />
      </div>
      <p id="program-hint" class="hint">
        {props.hint}
      </p>
    </div>
  );
}

function Result({ report }: { report: Tried }) {
  const words = useSpoken(rulesWords).programs;
  return (
    <>
      <p class="verdict" role="status">
        {words.accepted}
      </p>
      <table class="lines" lang="en">
        <caption class="unseen">{words.table}</caption>
        <thead class="unseen">
          <tr>
            <th scope="col">{words.line}</th>
            <th scope="col">{words.type}</th>
            <th scope="col">{words.values}</th>
          </tr>
        </thead>
        <tbody>
          {report.lines.map((line, at) => (
            <tr key={at} data-type={line.type}>
              <th scope="row">
                <span class="at">{line.line}</span> {line.name || words.result}
              </th>
              <td class="type">{line.type}</td>
              <td class="values">{valuesOf(line)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <details class="listing">
        <summary>{words.listing}</summary>
        <pre lang="en" tabIndex={0} role="region" aria-label={words.listing}>
          {report.program}
        </pre>
      </details>
    </>
  );
}

const mostShown = 8;

/** "1.5, -2, 0, … " with as many as a line holds. */
export function valuesOf({ values, kind, shape }: ScriptLine): string {
  const count = shape.reduce((product, extent) => product * extent, 1);
  const shown = values.slice(0, mostShown).map((value) => {
    if (kind === "truth") return value ? "true" : "false";
    return kind === "whole" ? String(value) : Number(value.toPrecision(4)).toString();
  });
  return shown.join(", ") + (count > shown.length ? ", …" : "");
}
