// Rule 3: a real text's lengths, the policies side by side, and what compiling and padding come to.
import { useEffect, useState } from "preact/hooks";
import { isLanguage } from "../../language/language";
import { rulesWords } from "../../language/rules";
import { useLanguage, useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import type { LengthCalls, Outcome, PolicyKind } from "../../workshop/lengths";
import { useAnswer } from "../../workshop/use_answer";
import { workshop } from "../../workshop/workshop";
import { Awaited } from "../awaited";
import { Broken } from "../broken";
import { MarkSlider, Slider } from "../field";
import { share, whole } from "../format";
import { useInSight } from "../in_sight";
import { marksWith } from "../marks";
import { NotUsed } from "../not_used";
import { blobOf, nameOf, noteOwnText, type Source } from "../page_text";
import { span } from "../span";
import { TextChips } from "../text_chips";
import { Fault } from "./fault";
import { Histogram } from "./histogram";
import {
  compileChoices,
  keep,
  kept,
  kinds,
  listed,
  policyOf,
  readList,
  rowChoices,
  stepChoices,
  type Turned,
} from "./policy";

const calls = workshop<LengthCalls>();

const longestLine = 512; // tokens
/** Of a longer text the workshop measures the beginning. */
const mostBytes = 2 << 20;
const mostLines = 20_000;

export function Lengths({ session }: { session: Session }) {
  const words = useSpoken(rulesWords).lengths;
  const language = useLanguage();
  const [asked, setSource] = useSource(session);
  const keptKind = session.kept("rules.policy");
  const kind = kinds.find((each) => each === keptKind) ?? "multiple_of";
  const [turned, setTurned] = useState(() => kept(session));
  const { rows, steps, compiling, ...parameters } = turned;
  const [listWritten, setListWritten] = useState(() => turned.list.join(", "));
  const listWrong = readList(listWritten) === null;

  const [place, seen] = useInSight<HTMLDivElement>();
  const costs = useAnswer(seen ? () => calls.measureCosts({}) : null, [seen]);
  const lengths = useAnswer(
    seen
      ? async (signal) => {
          const text = new Uint8Array(await (await blobOf(asked, signal)).arrayBuffer());
          const request = { text, name: nameOf(asked), longest: longestLine };
          const measured = await calls.measureLengths(request);
          noteOwnText(asked);
          return { source: asked, ...measured };
        }
      : null,
    [seen, asked],
  );
  const compileSeconds = compiling ?? costs.answer?.compile_seconds ?? null;
  const perPosition = costs.answer?.seconds_per_position ?? null;
  const last = lengths.answer;
  const refused = lengths.busy ? [] : lengths.refused;
  // A text that is refused leaves the one before it in its place; of one that is on its way there are no figures yet.
  const source = refused.length > 0 && last ? last.source : asked;
  const known = last?.source === source ? last : null;
  const longest = known ? known.lengths.reduce((most, each) => Math.max(most, each), 0) : 0;
  const weighed = useAnswer(
    known && compileSeconds !== null && perPosition !== null
      ? async () => ({
          text: known,
          ...(await calls.weighPolicies({
            lengths: known.lengths,
            rows,
            steps,
            compile_seconds: compileSeconds,
            seconds_per_position: perPosition,
            policies: kinds.map((each) => policyOf(each, parameters, longest)),
          })),
        })
      : null,
    [known, compileSeconds, perPosition, turned],
  );
  // Until a text's own are there, those of the one before it are nobody's; a slider's stay while it moves.
  const weight = weighed.answer?.text === known ? weighed.answer : null;
  const outcomes = weight?.outcomes ?? [];
  const chosen = outcomes.find((each) => each.kind === kind);
  const dearest = Math.max(...outcomes.filter(worked).map(seconds), 0);
  // A line by itself is no batch: what it saves in padding a TPU loses by rows that it has room for.
  const ofBatches = outcomes.filter((each) => worked(each) && each.kind !== "exact").map(seconds);
  const cheapest = Math.min(...ofBatches);
  const differ = Math.max(...ofBatches) > cheapest;
  const own = costs.answer?.compile_seconds;
  const compileMarks = marksWith(compileChoices, ...(own === undefined ? [] : [own]));
  const measured = compileSeconds !== null && compileSeconds === costs.answer?.compile_seconds;

  const choose = (next: PolicyKind) => session.keep("rules.policy", next);
  const turn = (change: Partial<Turned>) => {
    const next = { ...turned, ...change };
    setTurned(next);
    keep(session, next);
  };

  return (
    <div ref={place} class="panel lengths" aria-busy={lengths.busy || weighed.busy}>
      <h3>{words.heading}</h3>
      <p class="hint">{words.hint}</p>
      <TextChips name="lengths-text" label={words.text} picker="lengths" source={source} choose={setSource} />
      <NotUsed name={nameOf(asked)} diagnostics={refused} text={asked} take={setSource} />
      <Broken of={[lengths, costs, weighed]} />
      <Awaited wanted={lengths.busy && known === null} />
      {known && (
        <p class="hint">
          {words.measured(
            whole(known.lengths.length, language),
            whole(
              known.lengths.reduce((sum, each) => sum + each, 0),
              language,
            ),
            whole(longest, language),
          )}{" "}
          {longest === longestLine && words.cut(whole(longestLine, language))}
        </p>
      )}

      {known && typeof source !== "string" && (source.size > mostBytes || known.lengths.length >= mostLines) && (
        <p class="hint">{words.beginning}</p>
      )}

      <div class="sliders">
        <MarkSlider
          name="rows"
          label={words.rows}
          hint={words.rowsHint}
          marks={rowChoices}
          value={rows}
          shown={whole(rows, language)}
          change={(rows) => turn({ rows })}
        />
        <MarkSlider
          name="compiling"
          label={words.compiling}
          hint={words.compilingHint}
          marks={compileMarks}
          value={compileSeconds ?? 0}
          by="ratio"
          shown={`${span(compileSeconds, language)}${measured ? ` (${words.measuredHere})` : ""}`}
          change={(compiling) => turn({ compiling })}
        />
        <MarkSlider
          name="steps"
          label={words.steps}
          hint={words.stepsHint}
          marks={stepChoices}
          value={steps}
          shown={whole(steps, language)}
          change={(steps) => turn({ steps })}
        />
      </div>

      <div class="table-room">
        <table class="policies">
          <caption class="unseen">{words.table}</caption>
          <thead>
            <tr>
              <th scope="col">{words.policy}</th>
              <th scope="col" class="number">
                {words.programs}
              </th>
              <th scope="col" class="number">
                {words.padding}
              </th>
              <th scope="col" class="number">
                {words.time}
              </th>
              <th scope="col" class="bar" aria-hidden="true">
                <span class="key compiling">{words.ofCompiling}</span>{" "}
                <span class="key running">{words.ofRunning}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {kinds.map((each) => {
              const outcome = outcomes.find((other) => other.kind === each);
              const good = outcome !== undefined && worked(outcome);
              return (
                <tr key={each} data-policy={each} class={each === kind ? "chosen" : ""}>
                  <th scope="row">
                    <label>
                      <input
                        type="radio"
                        name="policy"
                        value={each}
                        checked={each === kind}
                        onChange={() => choose(each)}
                      />
                      <span>
                        {words.policies[each]}
                        {good && each !== "exact" && differ && seconds(outcome) <= cheapest && (
                          <>
                            {" "}
                            <em class="best">{words.best}</em>
                          </>
                        )}
                        {good && each === "exact" && seconds(outcome) < cheapest && (
                          <>
                            {" "}
                            <small class="apart">{words.noBatch}</small>
                          </>
                        )}
                      </span>
                    </label>
                  </th>
                  <td class="number" data-programs={good ? outcome.programs : ""}>
                    {good ? whole(outcome.programs, language) : "–"}
                  </td>
                  <td class="number" data-padding={good ? outcome.padding_share : ""}>
                    {good ? share(outcome.padding_share, language) : "–"}
                  </td>
                  <td class="number">
                    {good ? span(seconds(outcome), language) : outcome?.refused[0]?.number}
                    {good && (
                      <small class="of-it">{words.compilingTime(span(outcome.compile_seconds, language))}</small>
                    )}
                  </td>
                  <td class="bar" aria-hidden="true">
                    {good && (
                      <span
                        style={{
                          "--compiling": outcome.compile_seconds / dearest,
                          "--running": outcome.run_seconds / dearest,
                        }}
                      >
                        <i class="compiling" />
                        <i class="running" />
                      </span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>

      <div class="policy">
        <p class="hint">{words.policyHints[kind]}</p>
        {kind === "multiple_of" && (
          <Slider
            name="multiple"
            label={words.multiple}
            hint={words.multipleHint}
            value={parameters.multiple}
            least={8}
            most={256}
            step={8}
            shown={whole(parameters.multiple, language)}
            change={(multiple) => turn({ multiple })}
          />
        )}
        {kind === "doubling_then_linear" && (
          <Slider
            name="bound"
            label={words.bound}
            hint={words.boundHint}
            value={Math.log2(parameters.bound)}
            least={3}
            most={8}
            shown={whole(parameters.bound, language)}
            change={(power) => turn({ bound: 2 ** power })}
          />
        )}
        {kind === "fitted" && (
          <Slider
            name="most"
            label={words.most}
            hint={words.mostHint}
            value={parameters.most}
            least={0}
            most={12}
            shown={parameters.most === 0 ? words.asPay : whole(parameters.most, language)}
            change={(most) => turn({ most })}
          />
        )}
        {kind === "one_of" && (
          <div class="slider">
            <label for="bucket-list">{words.list}</label>
            <input
              id="bucket-list"
              type="text"
              inputMode="numeric"
              autocomplete="off"
              value={listWritten}
              aria-describedby="bucket-list-hint"
              aria-invalid={listWrong}
              onInput={(event) => {
                setListWritten(event.currentTarget.value);
                const list = readList(event.currentTarget.value);
                if (list) turn({ list });
              }}
            />
            <p id="bucket-list-hint" class="hint">
              {words.listHint}
            </p>
            <p class="wrong" role="alert">
              {listWrong &&
                words.listWrong(
                  whole(listed.most, language),
                  whole(listed.count, language),
                  parameters.list.join(", "),
                )}
            </p>
          </div>
        )}
        {chosen?.refused.map((fault) => (
          <Fault key={fault.number} fault={fault} />
        ))}
        {chosen && worked(chosen) && (
          <p class="code" lang="en" role="status" data-shown="policy">
            {chosen.name}
          </p>
        )}
      </div>
      {known && weight && (
        <figure>
          <Histogram
            longest={weight.longest}
            up={words.upAxis}
            across={words.acrossAxis}
            buckets={chosen && worked(chosen) ? chosen.buckets : []}
            label={words.histogram(
              whole(weight.batches, language),
              whole(chosen && worked(chosen) ? chosen.buckets.length : 0, language),
            )}
          />
          <figcaption class="hint">{words.histogramHint}</figcaption>
        </figure>
      )}
    </div>
  );
}

function worked(outcome: Outcome): boolean {
  return outcome.refused.length === 0;
}

function seconds(outcome: Outcome): number {
  return outcome.compile_seconds + outcome.run_seconds;
}

/** A text of the page's own, or a file: the one that is trained on, when it becomes another. */
function useSource(session: Session): [Source, (source: Source) => void] {
  const kept = session.kept("rules.text");
  const [file, setFile] = useState<File | null>(session.file);
  const own = session.file;
  useEffect(() => {
    if (own) setFile(own);
  }, [own]);
  const choose = (source: Source) => {
    if (typeof source !== "string" && session.takesProgram(source)) return;
    setFile(typeof source === "string" ? null : source);
    session.keep("rules.text", typeof source === "string" ? source : "");
  };
  return [file ?? (isLanguage(kept) ? kept : session.settings.language), choose];
}
