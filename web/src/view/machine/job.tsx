// The chooser of model, slice and batch, and how long a step takes with its parts.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { machineWords } from "../../language/machine";
import { useLanguage, useSpoken } from "../../language/words";
import type { Bound, Choices, Estimate, Job, Slice } from "../../workshop/machine";
import type { Answered } from "../../workshop/use_answer";
import { Chips, MarkSlider } from "../field";
import { share, whole } from "../format";
import { marksWith } from "../marks";
import { Diagnostics } from "../diagnostics";
import { accumulateMarks, lengthMarks, sequenceMarks, usualJob, withModel } from "./choices";
import { digits, time } from "./units";

export function JobPanel(props: {
  job: Job;
  turn: (change: Partial<Job>) => void;
  choices: Choices | null;
  estimate: Answered<Estimate>;
  /** The most sequences that fit, once that is known. */
  largest: number | null;
}) {
  const { job, turn, choices, estimate } = props;
  const words = useSpoken(machineWords).job;
  const language = useLanguage();
  const [typed, setTyped] = useState(""); // a slice's name
  const known = choices?.chips.some(({ slices }) => slices.some(({ name }) => name === job.slice)) ?? true;
  const beside = typed !== "" && !known;
  const refused = estimate.refused.length > 0 && (
    <div class="notice mishap" data-notice="refused">
      <Diagnostics diagnostics={estimate.refused} />
    </div>
  );
  const model = choices?.models.find(({ name }) => name === job.model);
  const sliders = [
    { name: "sequences", hint: words.sequencesHint, marks: sequenceMarks(props.largest, job.sequences) },
    { name: "length", hint: words.lengthHint, marks: lengthMarks(model?.positions ?? usualJob.length, job.length) },
    { name: "accumulate", hint: words.accumulateHint, marks: marksWith(accumulateMarks, job.accumulate) },
  ] as const;

  return (
    <div class="panel job" aria-busy={estimate.busy}>
      <h3>{words.heading}</h3>
      <p class="hint">{words.hint}</p>

      <div class="choice">
        <p class="label">{words.model}</p>
        <Chips
          name="model"
          label={words.model}
          chosen={job.model}
          choices={(choices?.models ?? []).map(({ name }) => ({ value: name, title: name, lang: "en" }))}
          choose={(name: string) => turn(withModel(job, choices?.models ?? [], name))}
        />
        {model && <p class="hint">{words.modelHint(millions(model.parameters, language))}</p>}
      </div>
      <SliceChooser
        job={job}
        turn={turn}
        choices={choices}
        slice={estimate.answer?.slice ?? null}
        typed={typed}
        setTyped={setTyped}
      >
        {beside && refused}
      </SliceChooser>
      <div class="choice">
        <p class="label">{words.code}</p>
        <Chips
          name="code"
          label={words.code}
          chosen={job.code}
          choices={(choices?.codes ?? []).map((name) => ({ value: name, title: name, lang: "en" }))}
          choose={(code: string) => turn({ code })}
        />
        <p class="hint">{words.codeHints[job.code]}</p>
      </div>

      <div class="sliders">
        {sliders.map(({ name, hint, marks }) => (
          <MarkSlider
            key={name}
            name={name}
            label={words[name]}
            hint={hint}
            marks={marks}
            value={job[name]}
            shown={whole(job[name], language)}
            change={(mark) => turn({ [name]: mark })}
          />
        ))}
      </div>

      <div aria-live="polite">{!beside && refused}</div>
      {estimate.answer && estimate.refused.length === 0 && <Result estimate={estimate.answer} />}
    </div>
  );
}

/** Generation and slice, from the list or typed. */
function SliceChooser(props: {
  job: Job;
  turn: (change: Partial<Job>) => void;
  choices: Choices | null;
  slice: Slice | null;
  typed: string;
  setTyped: (typed: string) => void;
  /** What is wrong with the name that was typed. */
  children: ComponentChildren;
}) {
  const { job, turn, choices, slice, typed, setTyped } = props;
  const words = useSpoken(machineWords).job;
  const language = useLanguage();
  const id = useId();
  const chip = choices?.chips.find(({ name }) => name === job.slice.split("-")[0]);
  const known = chip?.slices.some(({ name }) => name === job.slice) ?? false;
  /** Beside those of the list, one that was typed. */
  const there = slice?.name === job.slice;
  const sliceOption = ({ name, chips }: Pick<Slice, "name" | "chips">) =>
    `${name} · ${chips === 1 ? words.chipsOfOne : words.chipsOf(whole(chips, language))}`;
  /** The slice of another generation that has as many chips, or the next larger one. */
  const alike = (name: string) => {
    const of = choices?.chips.find((each) => each.name === name)?.slices ?? [];
    const chips = slice?.chips ?? 16;
    return (of.find((each) => each.chips >= chips) ?? of.at(-1))?.name ?? `${name}-8`;
  };
  const take = (name: string) => {
    setTyped("");
    turn({ slice: name });
  };
  // Chosen elsewhere, a slice takes the place of the one that was typed.
  useEffect(() => {
    if (sliceName(typed) !== job.slice) setTyped("");
  }, [job.slice]);

  return (
    <>
      <div class="choice">
        <p class="label">{words.chip}</p>
        <Chips
          name="chip"
          label={words.chip}
          chosen={chip?.name ?? ""}
          choices={(choices?.chips ?? []).map(({ name }) => ({ value: name, title: name, lang: "en" }))}
          choose={(name: string) => take(alike(name))}
        />
        {chip && (
          <p class="hint">
            {words.chipHint(digits(chip.peak / 1e12, 3, language), digits(chip.hbm_bytes / 2 ** 30, 3, language))}
          </p>
        )}
      </div>
      <div class="sliders">
        <div class="slider">
          <label for={`${id}-slice`}>{words.slice}</label>
          <select
            id={`${id}-slice`}
            name="slice"
            value={known || there ? job.slice : ""}
            aria-describedby={`${id}-slice-hint`}
            onChange={(event) => event.currentTarget.value && take(event.currentTarget.value)}
          >
            {!known && <option value={there ? job.slice : ""}>{there ? sliceOption(slice) : "–"}</option>}
            {chip?.slices.map(({ name, chips }) => (
              <option key={name} value={name}>
                {sliceOption({ name, chips })}
              </option>
            ))}
          </select>
          <p id={`${id}-slice-hint`} class="hint">
            {chip && (chip.counts_cores ? words.countsCores : words.countsChips)}{" "}
            {slice &&
              slice.name === job.slice &&
              words.sliceFacts(whole(slice.chips, language), shapeOf(slice, words), whole(slice.hosts, language))}
          </p>
        </div>
        <form
          class="slider typed"
          onSubmit={(event) => {
            event.preventDefault();
            const name = sliceName(typed);
            if (name) turn({ slice: name });
          }}
        >
          <label for={`${id}-typed`}>{words.typed}</label>
          <input
            id={`${id}-typed`}
            name="typed-slice"
            type="text"
            lang="en"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder="v4-128"
            maxLength={40}
            value={typed}
            aria-invalid={Boolean(props.children)}
            aria-describedby={`${id}-typed-hint`}
            onInput={(event) => {
              setTyped(event.currentTarget.value);
              // Emptied, it leaves the slice that was there before.
              if (!sliceName(event.currentTarget.value) && slice) turn({ slice: slice.name });
            }}
            onBlur={() => typed.trim() && turn({ slice: sliceName(typed) })}
          />
          <p id={`${id}-typed-hint`} class="hint">
            {words.typedHint}
          </p>
          <div aria-live="polite">{props.children}</div>
        </form>
      </div>
    </>
  );
}

/** As slices are named, whatever a phone's keyboard makes of it. */
function sliceName(typed: string): string {
  return typed.normalize("NFKC").trim().toLowerCase();
}

type JobWords = (typeof machineWords)["en"]["job"];

function shapeOf(slice: Slice, words: JobWords): string {
  const extents = slice.torus.join(" × ");
  return slice.wraps ? words.torus(extents) : words.mesh(extents);
}

function millions(count: number, language: ReturnType<typeof useLanguage>): string {
  return new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 3 }).format(count);
}

type PartName = keyof JobWords["partNames"];

/** The parts that take time, in the order of the step. */
export function partsOf(estimate: Estimate): { name: PartName; seconds: number }[] {
  const bounds: Bound[] = ["matrix_unit", "vector_unit", "memory", "interconnect", "start"];
  return [
    ...bounds.map((name) => ({ name: name as PartName, seconds: estimate.bound[name] })),
    ...(["recompute", "accumulate", "all_reduce", "update"] as const).map((name) => ({
      name: name as PartName,
      seconds: estimate[name],
    })),
  ].filter(({ seconds }) => seconds > 0);
}

/** What bounds the largest part of a step: the all-reduce counts to the links, all that is not forward and backward else to memory. */
export function boundOf(estimate: Estimate): Bound {
  const seconds = { ...estimate.bound };
  seconds.interconnect += estimate.all_reduce;
  seconds.memory += estimate.accumulate + estimate.update;
  return (Object.keys(seconds) as Bound[]).reduce((most, each) => (seconds[each] > seconds[most] ? each : most));
}

function Result({ estimate }: { estimate: Estimate }) {
  const words = useSpoken(machineWords).job;
  const language = useLanguage();
  const parts = partsOf(estimate);
  const { step, sequences_per_second: rate, batch, replicas, peak_share: peak, matrix_use: use } = estimate;
  const figures = [
    { name: "step", raw: step, value: time(step, language), hint: words.stepHint(words.bounds[boundOf(estimate)]) },
    { name: "rate", raw: rate, value: digits(rate, 4, language), hint: words.rateHint },
    {
      name: "batch",
      raw: batch,
      value: whole(batch, language),
      hint: words.batchHint(whole(replicas, language), whole(batch / replicas, language)),
    },
    { name: "peak", raw: peak, value: share(peak, language), hint: words.peakHint },
    { name: "use", raw: use, value: share(use, language), hint: words.useHint },
  ] as const;
  return (
    <div class="result">
      <dl class="figures">
        {figures.map(({ name, raw, value, hint }) => (
          <div key={name} class="figure" data-figure={name} data-value={raw}>
            <dt>{words[name]}</dt>
            <dd class="value">{value}</dd>
            <dd class="hint">{hint}</dd>
          </div>
        ))}
      </dl>
      <div class="parts" aria-hidden="true">
        {parts.map(({ name, seconds }) => (
          <i
            key={name}
            class={`part ${name}`}
            style={{ "--share": seconds / estimate.step }}
            title={words.partNames[name]}
          />
        ))}
      </div>
      <div class="table-room">
        <table class="numbers-table">
          <caption class="unseen">{words.parts}</caption>
          <thead class="unseen">
            <tr>
              <th scope="col">{words.part}</th>
              <th scope="col">{words.time}</th>
              <th scope="col">{words.share}</th>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ name, seconds }) => (
              <tr key={name} data-part={name} data-value={seconds}>
                <th scope="row">
                  <i class={`swatch part ${name}`} aria-hidden="true" />
                  {words.partNames[name]}
                </th>
                <td class="number">{time(seconds, language)}</td>
                <td class="number">{share(seconds / estimate.step, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
