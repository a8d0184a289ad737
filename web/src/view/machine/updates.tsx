// The update that vanished: a weight kept in bf16 beside one with a master in f32.
import { machineWords } from "../../language/machine";
import { useLanguage, useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import type { MachineCalls, Updated } from "../../workshop/machine";
import { useAnswer } from "../../workshop/use_answer";
import { Broken } from "../broken";
import { Slider } from "../field";
import { whole } from "../format";
import { signed } from "./bits";
import { keptNumber } from "./choices";

const usualPower = 10;
const updates = 128;

/** `text` is the weight; null where the number above is none. */
export function Updates({ session, calls, text }: { session: Session; calls: MachineCalls; text: string | null }) {
  const words = useSpoken(machineWords).number;
  const language = useLanguage();
  const power = keptNumber(session.kept("machine.power"), usualPower, 2, 16);
  const updated = useAnswer(text === null ? null : () => calls.updateAgain({ text, power, updates }), [text, power]);
  const answer = text === null || updated.refused.length > 0 ? null : updated.answer;
  return (
    <div class="updates">
      <h4>{words.updates}</h4>
      <p class="hint">{words.updatesHint}</p>
      <div class="sliders">
        <Slider
          name="power"
          label={words.power}
          hint={words.powerHint}
          value={power}
          least={2}
          most={16}
          shown={words.part(whole(2 ** power, language))}
          change={(value) => session.keep("machine.power", value === usualPower ? "" : String(value))}
        />
      </div>
      <Broken of={[updated]} />
      {text === null && <p class="hint">{words.noWeight}</p>}
      {answer && (
        <>
          <p class="said" data-vanished={answer.vanished} role="status">
            {words.equation(signed(answer.weight), signed(answer.change), signed(answer.after_one))}{" "}
            <b class={answer.vanished ? "over" : ""}>
              {answer.vanished ? words.vanishes(signed(answer.half_gap)) : words.counts}
            </b>
          </p>
          <Drift answer={answer} />
        </>
      )}
    </div>
  );
}

const width = 640;
const height = 216;
const pad = 10;
const top = 28; // for the largest weight
const bottom = 34; // for the smallest, and the number of updates

/** The weights after each update. */
function Drift({ answer }: { answer: Updated }) {
  const words = useSpoken(machineWords).number;
  const language = useLanguage();
  const all = [...answer.kept, ...answer.masters, ...answer.copies].filter(Number.isFinite);
  const low = Math.min(...all);
  const high = Math.max(...all);
  const count = answer.kept.length - 1;
  const x = (at: number) => pad + (at / count) * (width - 2 * pad);
  /** Infinity is where the picture ends. */
  const y = (value: number) =>
    value === Infinity
      ? 0
      : height - bottom - (high > low ? (value - low) / (high - low) : 0.5) * (height - bottom - top);
  const line = (values: number[]) => values.map((value, at) => `${x(at)},${y(value)}`).join(" ");
  const shown = (value: number) => signed(String(Number(value.toPrecision(6))));
  /** Rounded numbers stay until they change. */
  const stairs = (values: number[]) =>
    values
      .map((value, at) => `${at > 0 ? `${x(at)},${y(values[at - 1] ?? value)} ` : ""}${x(at)},${y(value)}`)
      .join(" ");
  return (
    <figure>
      <svg
        class="drift"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={words.chart(whole(count, language), signed(answer.kept_text), signed(answer.master_text))}
      >
        <line class="ground" x1={pad} x2={width - pad} y1={height - bottom} y2={height - bottom} />
        <text x={pad} y={18}>
          {words.weight} {shown(high)}
        </text>
        <text x={pad} y={height - 8}>
          {shown(low)}
        </text>
        <text x={width - pad} y={height - 8} text-anchor="end">
          {words.afterUpdates(whole(count, language))}
        </text>
        <polyline class="copy" points={stairs(answer.copies)} />
        <polyline class="master" points={line(answer.masters)} />
        <polyline class="kept" points={stairs(answer.kept)} />
      </svg>
      <figcaption class="hint keys">
        <span class="key kept">
          {words.kept} <b data-updated="kept">{signed(answer.kept_text)}</b>
        </span>
        <span class="key master">
          {words.master} <b data-updated="master">{signed(answer.master_text)}</b>
        </span>
        <span class="key copy">{words.copy}</span>
      </figcaption>
    </figure>
  );
}
