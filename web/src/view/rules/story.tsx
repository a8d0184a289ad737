// A run that compiled in nearly every step, replayed on the library's cache, until the visitor picks buckets.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { rulesWords } from "../../language/rules";
import { useLanguage, useSpoken } from "../../language/words";
import "../../style/rules_story.css";
import type { Policy } from "../../workshop/lengths";
import type { StoryCalls } from "../../workshop/story";
import { type Failed, failure } from "../../workshop/use_answer";
import { workshop } from "../../workshop/workshop";
import { Broken } from "../broken";
import { Chips, Slider } from "../field";
import { share, whole } from "../format";
import { useInSight } from "../in_sight";
import { Fault } from "./fault";
import { alarmAt, changed, type Moment, moments, paddingUpTo, type Part } from "./replayed";

const calls = workshop<StoryCalls>();
const stepsASecond = 45;

const remedies = {
  none: { kind: "exact" },
  multiple: { kind: "multiple_of", n: 64 },
  doubling: { kind: "doubling_then_linear", n: 64, step: 64 },
  max: { kind: "max_length", n: 512 },
  fitted: { kind: "fitted", max_buckets: 8 },
} as const satisfies Record<string, Policy>;
type Remedy = keyof typeof remedies;
const remedyNames = Object.keys(remedies) as Remedy[];

export function Story() {
  const words = useSpoken(rulesWords).story;
  const language = useLanguage();
  const [parts, setParts] = useState<Part[]>([]);
  const [remedy, setRemedy] = useState<Remedy>("none");
  const [step, setStep] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [failed, setFailed] = useState<Failed[]>([]);
  const [place, seen] = useInSight<HTMLDivElement>();
  const all = moments(parts);
  const end = all.length;
  const alarm = alarmAt(parts, all, step);
  const now = all[step - 1];
  const last = all.slice(0, step).findLast((each) => each.compiled);
  const explanation = parts[now?.part ?? 0]?.replay;

  const choose = (chosen: Remedy, at: number, play: boolean) => {
    setRemedy(chosen);
    // At either end, the run begins anew under it.
    const from = at >= end ? 0 : at;
    calls.replay({ from, policy: remedies[chosen] }).then(
      (replay) => {
        setFailed([]);
        setParts((before) => changed(before, { from, replay }));
        if (at !== from) setStep(from);
        if (play) start(from, from + replay.steps.length);
      },
      (error: unknown) => {
        setRemedy(remedy); // under which what is shown was compiled
        setFailed([{ ...failure(error), again: () => choose(chosen, at, play) }]);
      },
    );
  };
  const start = (from: number, to: number) => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) setStep(to);
    else {
      setStep(from);
      setPlaying(true);
    }
  };

  useEffect(() => {
    if (seen) choose("none", 0, false);
  }, [seen]);
  useTicks(playing, (passed) => setStep((at) => Math.min(end, at + passed)));
  useEffect(() => {
    if (playing && end > 0 && step >= end) setPlaying(false);
  }, [playing, step, end]);

  return (
    <div ref={place} class="panel story">
      <h3>{words.heading}</h3>
      <p class="hint">
        {words.hint}{" "}
        <a href="https://github.com/pytorch/xla/issues/3356" rel="noreferrer" target="_blank">
          pytorch/xla #3356
        </a>
      </p>
      <Broken of={failed} />
      <div class="buttons">
        <button
          type="button"
          class="primary"
          data-action="replay"
          disabled={end === 0}
          onClick={() => {
            if (playing) setPlaying(false);
            else start(step >= end ? 0 : step, end);
          }}
        >
          {playing ? words.pause : step >= end && end > 0 ? words.again : words.play}
        </button>
        <button
          type="button"
          data-action="replay-end"
          disabled={end === 0 || step >= end}
          onClick={() => {
            setPlaying(false);
            setStep(end);
          }}
        >
          {words.toEnd}
        </button>
      </div>
      <p class="label">{words.remedy}</p>
      <Chips<Remedy>
        name="remedy"
        label={words.remedy}
        chosen={remedy}
        choices={remedyNames.map((value) => ({ value, title: words.remedies[value] }))}
        choose={(chosen) => choose(chosen, step, true)}
      />
      <p class="hint">{words.remedyHint}</p>
      <dl class="figures">
        <div>
          <dt>{words.compiles}</dt>
          <dd data-story="compiles">{whole(now?.compiles ?? 0, language)}</dd>
        </div>
        <div>
          <dt>{words.steps}</dt>
          <dd data-story="steps">{whole(step, language)}</dd>
        </div>
        <div>
          <dt>{words.padding}</dt>
          <dd data-story="padding">{share(paddingUpTo(all, step), language)}</dd>
        </div>
      </dl>
      <Curve
        all={all}
        parts={parts}
        step={step}
        label={words.curve(whole(now?.compiles ?? 0, language), whole(step, language))}
      />
      <Slider
        name="story-step"
        label={words.step}
        hint={words.stepHint}
        value={step}
        least={0}
        most={Math.max(1, end)}
        shown={whole(step, language)}
        change={(at) => {
          setPlaying(false);
          setStep(Math.min(end, at));
        }}
      />
      <div aria-live="polite">
        {alarm && (
          <>
            <p class="label" data-story="raised">
              {words.raised(whole(alarm.step, language))}
            </p>
            <Fault fault={alarm.fault} />
          </>
        )}
      </div>
      {last && (
        <p class="event code" lang="en" data-story="event">
          {last.text}
        </p>
      )}
      {explanation && step >= end && end > 0 && (
        <details class="listing" open>
          <summary>{words.explanation}</summary>
          <pre lang="en" tabIndex={0} role="region" aria-label={words.explanation} data-story="explanation">
            {explanation.explanation}
          </pre>
        </details>
      )}
    </div>
  );
}

const width = 640;
const height = 192;
const bottom = 26; // for the number of steps

/** Compiles over steps, up to now; a mark where another policy took over. */
function Curve({ all, parts, step, label }: { all: Moment[]; parts: Part[]; step: number; label: string }) {
  const end = Math.max(1, all.length);
  const top = Math.max(1, end);
  const words = useSpoken(rulesWords).story;
  const language = useLanguage();
  const x = (at: number) => (at / end) * width;
  const y = (compiles: number) => height - bottom - (compiles / top) * (height - bottom - 8);
  const path = all
    .slice(0, step)
    .map((each, at) => `${x(at + 1).toFixed(1)},${y(each.compiles).toFixed(1)}`)
    .join(" ");
  return (
    <figure>
      <svg class="curve" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        <line class="all" x1={0} y1={y(0)} x2={width} y2={y(end)} />
        <line class="ground" x1={0} y1={y(0)} x2={width} y2={y(0)} />
        {all.length > 0 && (
          <>
            <text x={0} y={19}>
              {words.counted(whole(top, language))}
            </text>
            <text x={width} y={height - 6} text-anchor="end">
              {words.ended(whole(end, language))}
            </text>
          </>
        )}
        {parts.slice(1).map((part) => (
          <line key={part.from} class="edge" x1={x(part.from)} x2={x(part.from)} y1={0} y2={y(0)} />
        ))}
        <polyline points={`0,${y(0)} ${path}`} />
        {step > 0 && <circle cx={x(step)} cy={y(all[step - 1]?.compiles ?? 0)} r={5} />}
      </svg>
      <figcaption class="hint">
        <span class="key">{words.compiled}</span> <span class="key every">{words.everyStep}</span>
      </figcaption>
    </figure>
  );
}

/** Calls `tick` with the steps that passed since the last frame, while `running`: never after the page shows that it is not. */
function useTicks(running: boolean, tick: (passed: number) => void): void {
  const latest = useRef(tick);
  latest.current = tick;
  useLayoutEffect(() => {
    if (!running) return;
    let before = performance.now();
    let owed = 0;
    let frame = requestAnimationFrame(function next(now) {
      owed += ((now - before) / 1000) * stepsASecond;
      before = now;
      const passed = Math.floor(owed);
      owed -= passed;
      if (passed > 0) latest.current(passed);
      frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [running]);
}
