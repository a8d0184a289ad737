// The Checklist section's fields: a choice, a whole number, names.
import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { checklistWords } from "../../language/checklist";
import { useLanguage, useSpoken } from "../../language/words";
import { whole } from "../format";

interface FieldProps {
  name: string;
  label: string;
  hint: string;
}

export function Choice(
  props: FieldProps & { value: string; change: (value: string) => void; children: ComponentChildren },
) {
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

/** A field that is typed into: what `read` makes of it is taken once the typing rests, or the field is left. */
function Typed<Value>(
  props: FieldProps & {
    written: string;
    /** Null for what is none. */
    read: (written: string) => Value | null;
    change: (value: Value) => void;
    numeric?: boolean;
    /** What is said of what is none. */
    wrong?: string;
  },
) {
  const id = useId();
  const [written, setWritten] = useState(props.written);
  const wrong = props.read(written) === null;
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(props.change);
  latest.current = props.change;
  const take = (text: string, wait: number) => {
    clearTimeout(waiting.current);
    const value = props.read(text);
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
        inputMode={props.numeric ? "numeric" : "text"}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
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
        {wrong && props.wrong}
      </p>
    </div>
  );
}

/** A whole number; for what is none the last one that was holds, and it is said what may be written. */
export function Whole(
  props: FieldProps & { value: number; least?: number; most: number; change: (value: number) => void },
) {
  const words = useSpoken(checklistWords);
  const language = useLanguage();
  const least = props.least ?? 1;
  const read = (text: string) => {
    const digits = text.normalize("NFKC").trim();
    const value = /^\d+$/.test(digits) ? Number(digits) : NaN;
    return value >= least && value <= props.most ? value : null;
  };
  return (
    <Typed
      {...props}
      written={String(props.value)}
      read={read}
      numeric
      wrong={words.wrong(whole(least, language), whole(props.most, language), whole(props.value, language))}
    />
  );
}

/** Names with blanks between. */
export function Names(props: FieldProps & { value: readonly string[]; change: (names: string[]) => void }) {
  const read = (text: string) => text.split(/[\s,]+/).filter((name) => name !== "");
  const held = props.value.join(" ");
  const change = (names: string[]) => {
    if (names.join(" ") !== held) props.change(names);
  };
  return <Typed {...props} written={held} read={read} change={change} />;
}
