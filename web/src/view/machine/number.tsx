// A number taken apart: its bits in f32 and in bf16 to be pressed, what rounding loses, and updates that vanish.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { machineWords } from "../../language/machine";
import { useLanguage, useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import "../../style/machine_bits.css";
import type { Apart, MachineCalls, Written } from "../../workshop/machine";
import { useAnswer } from "../../workshop/use_answer";
import { Broken } from "../broken";
import { Diagnostics } from "../diagnostics";
import { formulaOf, groupOf, lostInF32, pressed, signed } from "./bits";
import { Updates } from "./updates";

const usual = "0.1";
const examples = ["0.1", "1", "3.14159265", "257", "1e-40", "3.4e38", "-0", "inf", "nan"];

export function NumberPanel({ session, calls }: { session: Session; calls: MachineCalls }) {
  const words = useSpoken(machineWords).number;
  const id = useId();
  const [typed, setTyped] = useState(() => session.kept("machine.number") || usual);
  const [asked, setAsked] = useState<{ text: string } | { bits: string }>({ text: typed });
  const empty = "text" in asked && asked.text.trim() === "";
  const apart = useAnswer(
    empty ? null : async () => ({ typed: "text" in asked ? asked.text : "", ...(await calls.takeApart(asked)) }),
    [asked],
  );
  const answer = empty || apart.refused.length > 0 ? null : apart.answer;

  const keep = (text: string) => session.keep("machine.number", text === usual ? "" : text.slice(0, 60));
  const write = (text: string) => {
    setTyped(text);
    setAsked({ text: text.normalize("NFKC") });
    keep(text);
  };
  // Bits that were pressed say what number is typed.
  useEffect(() => {
    if (!("bits" in asked) || !apart.answer) return;
    setTyped(apart.answer.f32.text);
    keep(apart.answer.f32.text);
  }, [apart.answer]);

  return (
    <div class="panel number-panel" aria-busy={apart.busy}>
      <h3>{words.heading}</h3>
      <p class="hint">{words.hint}</p>
      <div class="typed-number">
        <label for={id}>{words.number}</label>
        <input
          id={id}
          name="number"
          type="text"
          lang="en"
          inputMode="text"
          autocomplete="off"
          spellcheck={false}
          maxLength={60}
          value={typed}
          aria-describedby={`${id}-hint`}
          aria-invalid={!empty && apart.refused.length > 0}
          onInput={(event) => write(event.currentTarget.value)}
        />
        <p id={`${id}-hint`} class="hint">
          {words.numberHint}
        </p>
      </div>
      <div class="chips" role="group" aria-label={words.examples}>
        {examples.map((each) => (
          <button
            key={each}
            type="button"
            class="chip small"
            data-choice={`number-${each}`}
            aria-pressed={typed === each}
            onClick={() => write(each)}
          >
            {each}
          </button>
        ))}
      </div>
      <Broken of={[apart]} />
      {empty && <p class="hint">{words.empty}</p>}
      {!empty && apart.refused.length > 0 && (
        <div class="notice mishap" data-notice="number">
          <Diagnostics diagnostics={apart.refused} />
        </div>
      )}
      {answer && (
        <>
          <Bits title={words.inF32} name="f32" written={answer.f32} press={(bits) => setAsked({ bits })} />
          <Bits title={words.inBf16} name="bf16" written={answer.bf16} press={(bits) => setAsked({ bits })} />
          <Lost apart={answer} typed={answer.typed} />
        </>
      )}
      <Updates
        session={session}
        calls={calls}
        text={answer && Number.isFinite(answer.bf16.value) && answer.bf16.value !== 0 ? answer.f32.text : null}
      />
      <p class="unseen" aria-live="polite">
        {answer && `${words.inBf16}: ${signed(answer.bf16.text)}`}
      </p>
    </div>
  );
}

function Bits(props: { title: string; name: string; written: Written; press: (bits: string) => void }) {
  const { name, written, press } = props;
  const words = useSpoken(machineWords).number;
  const language = useLanguage();
  const [at, setAt] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  const formula = formulaOf(written, language);
  const move = (event: KeyboardEvent) => {
    const last = written.bits.length - 1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(last, to));
    setAt(next);
    row.current?.querySelectorAll<HTMLElement>("button")[next]?.focus();
  };
  return (
    <div class="written" data-format={name} data-bits={written.bits} data-kind={written.kind}>
      <p class="label">
        {props.title}: <b class="value">{signed(written.text)}</b>
      </p>
      <div ref={row} class={`bits ${name}`} role="group" aria-label={props.title} onKeyDown={move}>
        {[...written.bits].map((bit, place) => {
          const group = groupOf(place);
          return (
            <button
              key={place}
              type="button"
              class={`bit of-${group}${place >= 16 ? " lower" : ""}`}
              tabIndex={place === at ? 0 : -1}
              aria-pressed={bit === "1"}
              aria-label={words.bit(words[group], String(place + 1), bit)}
              onFocus={() => setAt(place)}
              onClick={() => press(pressed(written.bits, place))}
            >
              {bit}
            </button>
          );
        })}
      </div>
      <p class="hint">
        <span class="bit-key of-sign">{words.sign}</span> <span class="bit-key of-exponent">{words.exponent}</span>{" "}
        <span class="bit-key of-fraction">{words.fraction}</span>
        {" · "}
        {words.kinds[written.kind]}
        {formula && words.formula(formula)}
      </p>
    </div>
  );
}

/** `typed` is empty where bits were pressed: those are what they are. */
function Lost({ apart, typed }: { apart: Apart; typed: string }) {
  const words = useSpoken(machineWords).number;
  const language = useLanguage();
  const before = typed ? lostInF32(typed, apart.f32.kind) : null;
  const overflowed = apart.bf16.kind === "infinity" && apart.f32.kind !== "infinity";
  const part = (value: number) =>
    new Intl.NumberFormat(language, { style: "percent", maximumSignificantDigits: 2 }).format(value);
  return (
    <dl class="figures">
      <div class="figure" data-figure="rounding" data-value={apart.error ?? ""}>
        <dt>{words.error}</dt>
        {apart.error !== null && apart.error !== 0 ? (
          <>
            <dd class="value">{signed(shortest(apart.error))}</dd>
            <dd class="hint">
              {apart.relative_error !== null &&
                apart.relative_error < 1 &&
                words[apart.bf16.kind === "subnormal" ? "errorOfSubnormal" : "errorHint"](part(apart.relative_error))}
            </dd>
          </>
        ) : (
          <dd class="hint">{overflowed ? words.overflow : before ? words[before] : words.exact}</dd>
        )}
      </div>
      {(["below", "above"] as const).map((side) => {
        const written = apart[side];
        return (
          written && (
            <div key={side} class="figure" data-figure={side} data-value={written.text}>
              <dt>{words[side]}</dt>
              <dd class="value">{signed(written.text)}</dd>
            </div>
          )
        );
      })}
    </dl>
  );
}

function shortest(value: number): string {
  return value.toPrecision(3).replace(/\.?0+(?=e|$)/, "");
}
