// How many batches have which length, and the buckets that a policy puts over them.
import { useLanguage } from "../../language/words";
import type { Calls } from "../../workshop/lengths";
import { whole } from "../format";

const width = 640;
const height = 186;
const top = 24; // for the number of the tallest bar
const bottom = 46; // for the numbers below, and what they count
const most = 80; // bars

export function Histogram(props: {
  longest: Calls[];
  buckets: Calls[];
  label: string;
  /** Of the tallest bar, so many of what is counted. */
  up: (count: string) => string;
  /** What the lengths are in. */
  across: string;
}) {
  const { longest, buckets, label } = props;
  const language = useLanguage();
  const end = Math.max(1, ...longest.map((each) => each.extent), ...buckets.map((each) => each.extent));
  const stride = Math.ceil(end / most);
  const bars = new Array<number>(Math.ceil((end + 1) / stride)).fill(0);
  for (const { extent, calls } of longest) {
    const bar = Math.floor(extent / stride);
    bars[bar] = (bars[bar] ?? 0) + calls;
  }
  const tallest = Math.max(1, ...bars);
  /** The right edge of an extent's bar. */
  const across = (extent: number) => ((extent + 0.5) / (end + stride)) * width;
  const up = (calls: number) => (calls / tallest) * (height - bottom - top);
  const edges = named(buckets, across);

  return (
    <svg class="histogram" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {buckets.length <= 120 &&
        buckets.map(({ extent }, at) => {
          const from = at === 0 ? 0 : across(buckets[at - 1]?.extent ?? 0);
          return (
            <rect
              key={extent}
              class={at % 2 === 0 ? "bucket" : "bucket other"}
              x={from}
              y={top}
              width={Math.max(0, across(extent) - from)}
              height={height - bottom - top}
            />
          );
        })}
      {bars.map((calls, at) => (
        <rect
          key={at}
          class="bar"
          x={across((at - 1) * stride + stride / 2 - 0.5) + 0.5}
          y={height - bottom - up(calls)}
          width={Math.max(1, (stride * width) / (end + stride) - 1)}
          height={up(calls)}
        />
      ))}
      {edges.map(({ extent, shown }) => (
        <g key={extent} transform={`translate(${across(extent)} 0)`}>
          <line class="edge" y1={top} y2={height - bottom} />
          {shown && (
            <text class="extent" y={height - bottom + 18} text-anchor={across(extent) > width - 30 ? "end" : "middle"}>
              {extent}
            </text>
          )}
        </g>
      ))}
      <text x={0} y={top - 7}>
        {props.up(whole(tallest, language))}
      </text>
      <text class="across" x={width} y={height - 5} text-anchor="end">
        {props.across}
      </text>
      <line class="ground" x1={0} x2={width} y1={height - bottom} y2={height - bottom} />
    </svg>
  );
}

/** The buckets, of which those have their number shown that leave room for it, the largest always. */
function named(buckets: Calls[], across: (extent: number) => number): { extent: number; shown: boolean }[] {
  if (buckets.length > 120) buckets = buckets.slice(-1);
  let room = Infinity;
  return buckets
    .toReversed()
    .map(({ extent }) => {
      const shown = room - across(extent) >= 48;
      if (shown) room = across(extent);
      return { extent, shown };
    })
    .toReversed();
}
