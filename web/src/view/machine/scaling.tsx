// What other slices of the generation would give: sequences a second over chips, beside the line of ideal scaling.
import { machineWords } from "../../language/machine";
import { useLanguage, useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import type { Job, MachineCalls, Scaled } from "../../workshop/machine";
import { useAnswer } from "../../workshop/use_answer";
import { Broken } from "../broken";
import { Chips } from "../field";
import { share, whole } from "../format";
import { digits, time } from "./units";

const width = 640;
const height = 300;
const left = 92; // 300万, as large as a narrow phone has it
const right = 16;
const top = 26;
const bottom = 48;

export function Scaling(props: {
  session: Session;
  job: Job;
  turn: (change: Partial<Job>) => void;
  calls: MachineCalls;
}) {
  const { session, job, turn, calls } = props;
  const words = useSpoken(machineWords).scaling;
  const language = useLanguage();
  const keeps = session.kept("machine.keeps") === "batch" ? "batch" : "share";
  const scaled = useAnswer(() => calls.scalingOf({ ...job, keeps }), [JSON.stringify(job), keeps]);
  const points = scaled.refused.length === 0 ? (scaled.answer ?? []) : [];
  const here = points.find(({ name }) => name === job.slice);

  return (
    <div class="panel scaling" aria-busy={scaled.busy}>
      <h3>{words.heading}</h3>
      <p class="hint">{words.hint}</p>
      <p class="label">{words.keeps}</p>
      <Chips
        name="keeps"
        label={words.keeps}
        chosen={keeps}
        choices={[
          { value: "share", title: words.share },
          { value: "batch", title: words.batch },
        ]}
        choose={(value) => session.keep("machine.keeps", value === "share" ? "" : value)}
      />
      <p class="hint">{keeps === "batch" ? words.batchHint : words.shareHint}</p>
      <Broken of={[scaled]} />
      {points.length > 0 && (
        <>
          <figure>
            <Curve points={points} here={job.slice} choose={(slice) => turn({ slice })} />
            <figcaption class="hint keys">
              <span class="key estimated">{words.estimated}</span>
              <span class="key ideal">{words.ideal}</span>
              {points.some(({ fits }) => !fits) && <span class="key misfit">{words.tooLarge}</span>}
              <span>{words.go}</span>
            </figcaption>
          </figure>
          {points.some((point) => point.fits && idealShare(point, points) >= 1.005) && (
            <p class="hint">{words.above}</p>
          )}
          <details>
            <summary>{words.table}</summary>
            <div class="wide" tabIndex={0} role="region" aria-label={words.table}>
              <div class="table-room">
                <table class="numbers-table">
                  <thead>
                    <tr>
                      <th scope="col">{words.slice}</th>
                      <th scope="col" class="number spare">
                        {words.batchColumn}
                      </th>
                      <th scope="col" class="number">
                        {words.step}
                      </th>
                      <th scope="col" class="number spare">
                        {words.allReduce}
                      </th>
                      <th scope="col" class="number">
                        {words.rate}
                      </th>
                      <th scope="col" class="number">
                        {words.efficiency}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {points.map((point) => (
                      <tr
                        key={point.name}
                        class={point.name === job.slice ? "chosen" : ""}
                        data-scaled={point.name}
                        data-value={point.step}
                      >
                        <th scope="row">{point.name}</th>
                        <td class="number spare">{whole(point.batch, language)}</td>
                        <td class="number">{time(point.step, language)}</td>
                        <td class="number spare">{time(point.all_reduce, language)}</td>
                        <td class="number">{digits(point.sequences_per_second, 4, language)}</td>
                        <td class="number">
                          {point.fits ? share(idealShare(point, points), language) : words.tooLarge}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </div>
          </details>
          <p class="unseen">
            {here &&
              words.chart(whole(points.length, language), here.name, digits(here.sequences_per_second, 4, language))}
          </p>
        </>
      )}
    </div>
  );
}

/** A slice's sequences a second over those of the smallest slice for each chip. */
function idealShare(point: Scaled, points: readonly Scaled[]): number {
  const first = points[0] ?? point;
  return point.sequences_per_second / point.chips / (first.sequences_per_second / first.chips);
}

/** Both axes in powers, so that ideal scaling is a straight line. */
function Curve({ points, here, choose }: { points: Scaled[]; here: string; choose: (slice: string) => void }) {
  const words = useSpoken(machineWords).scaling;
  const language = useLanguage();
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return null;
  const ideal = (chips: number) => (first.sequences_per_second / first.chips) * chips;
  const lowest = Math.min(...points.map((each) => each.sequences_per_second));
  const highest = Math.max(ideal(last.chips), ...points.map((each) => each.sequences_per_second));
  const along = (value: number, from: number, to: number) =>
    to > from ? Math.log(value / from) / Math.log(to / from) : 0.5;
  const x = (chips: number) => left + along(chips, first.chips, last.chips) * (width - left - right);
  const y = (rate: number) => height - bottom - along(rate, lowest * 0.8, highest * 1.1) * (height - top - bottom);
  const rates = powersOfTen(lowest * 0.8, highest * 1.1);
  const marked = ticks(points, x);

  return (
    <svg class="curve" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={words.heading}>
      {rates.map((rate) => (
        <g key={rate} class="grid">
          <line x1={left} x2={width - right} y1={y(rate)} y2={y(rate)} />
          <text x={left - 8} y={y(rate) + 4} text-anchor="end">
            {short(rate, language)}
          </text>
        </g>
      ))}
      {marked.map((chips) => (
        <g key={chips} class="grid">
          <line x1={x(chips)} x2={x(chips)} y1={top} y2={height - bottom} />
          <text
            x={chips === last.chips ? width : x(chips)}
            y={height - bottom + 18}
            text-anchor={chips === last.chips ? "end" : "middle"}
          >
            {whole(chips, language)}
          </text>
        </g>
      ))}
      <text class="axis" x={width - right} y={height - 4} text-anchor="end">
        {words.chips}
      </text>
      <text class="axis" x={left + 6} y={top + 8}>
        {words.rate}
      </text>
      <line class="ideal" x1={x(first.chips)} y1={y(ideal(first.chips))} x2={x(last.chips)} y2={y(ideal(last.chips))} />
      <polyline
        class="line"
        points={points.map((each) => `${x(each.chips)},${y(each.sequences_per_second)}`).join(" ")}
      />
      {points.map((each) => {
        const label = words.point(
          each.name,
          digits(each.sequences_per_second, 4, language),
          share(idealShare(each, points), language),
        );
        return (
          <a
            key={each.name}
            role="button"
            tabindex={0} // of SVG, as it is spelt
            class={`point${each.name === here ? " here" : ""}${each.fits ? "" : " misfit"}`}
            aria-label={label}
            aria-pressed={each.name === here}
            data-point={each.name}
            onClick={() => choose(each.name)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              choose(each.name);
            }}
          >
            <title>{label}</title>
            <circle class="touch" cx={x(each.chips)} cy={y(each.sequences_per_second)} r={14} />
            <circle class="dot" cx={x(each.chips)} cy={y(each.sequences_per_second)} r={each.name === here ? 7 : 4.5} />
            {each.name === here && (
              <text
                x={x(each.chips) + (x(each.chips) > width / 2 ? -12 : 12)}
                y={y(each.sequences_per_second) + (x(each.chips) > width / 2 ? -10 : 20)}
                text-anchor={x(each.chips) > width / 2 ? "end" : "start"}
              >
                {each.name}
              </text>
            )}
          </a>
        );
      })}
    </svg>
  );
}

function powersOfTen(from: number, to: number): number[] {
  const result: number[] = [];
  const steps = Math.log10(to / from) > 2.5 ? [1] : Math.log10(to / from) > 1.2 ? [1, 3] : [1, 2, 5];
  for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power++)
    for (const step of steps) {
      const value = step * 10 ** power;
      if (value >= from && value <= to) result.push(value);
    }
  return result;
}

/** The numbers of chips that leave room for each other, the first and the last always. */
function ticks(points: readonly Scaled[], x: (chips: number) => number): number[] {
  const all = [...new Set(points.map(({ chips }) => chips))];
  const shown: number[] = [];
  const end = all.at(-1) ?? 0;
  for (const chips of all)
    if (chips === end || ((shown.length === 0 || x(chips) - x(shown.at(-1) ?? 0) > 64) && x(end) - x(chips) > 84))
      shown.push(chips);
  return shown;
}

function short(value: number, language: ReturnType<typeof useLanguage>): string {
  return new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 2 }).format(value);
}
