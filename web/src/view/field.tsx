// Controls of the sections, each with a sentence that says what it does.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "../style/field.css";
import { type Nearness, placeOf } from "./marks";

/** A slider over `least` to `most` in whole steps; `shown` is its value in words. */
export function Slider(props: {
  name: string;
  label: string;
  hint?: ComponentChildren;
  value: number;
  least: number;
  most: number;
  step?: number;
  shown: string;
  change: (value: number) => void;
}) {
  const id = useId();
  return (
    <div class="slider">
      <label for={id}>
        {props.label}{" "}
        <output for={id} aria-live="off">
          {props.shown}
        </output>
      </label>
      <input
        id={id}
        name={props.name}
        type="range"
        min={props.least}
        max={props.most}
        step={props.step ?? 1}
        value={props.value}
        aria-valuetext={props.shown}
        aria-describedby={props.hint ? `${id}-hint` : undefined}
        onInput={(event) => props.change(Number(event.currentTarget.value))}
      />
      {props.hint && (
        <p id={`${id}-hint`} class="hint">
          {props.hint}
        </p>
      )}
    </div>
  );
}

/** A slider over `marks`, rising, on that which is nearest to `value`; `by` says in what nearness is measured. */
export function MarkSlider(props: {
  name: string;
  label: string;
  hint?: ComponentChildren;
  marks: readonly number[];
  value: number;
  by?: Nearness;
  shown: string;
  change: (mark: number) => void;
}) {
  const { marks, value, by, change, ...said } = props;
  return (
    <Slider
      {...said}
      value={placeOf(marks, value, by)}
      least={0}
      most={marks.length - 1}
      change={(at) => change(marks[at] ?? value)}
    />
  );
}

/** One of several, as buttons of which one is pressed. */
export function Chips<Choice extends string>(props: {
  name: string;
  label: string;
  choices: readonly { value: Choice; title: string; lang?: string }[];
  chosen: Choice;
  choose: (value: Choice) => void;
  children?: ComponentChildren;
}) {
  return (
    <div class="chips" role="group" aria-label={props.label}>
      {props.choices.map(({ value, title, lang }) => (
        <button
          key={value}
          type="button"
          class="chip"
          lang={lang}
          data-choice={`${props.name}-${value}`}
          aria-pressed={props.chosen === value}
          onClick={() => props.choose(value)}
        >
          {title}
        </button>
      ))}
      {props.children}
    </div>
  );
}
