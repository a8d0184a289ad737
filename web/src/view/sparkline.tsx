// A small line of numbers without axes; all sparklines of a group share one scale, so that they can be compared.

const width = 100;
const height = 40;

export interface Scale {
  least: number;
  most: number;
}

/** The scale that holds all `values`; never of no height. */
export function scaleOf(values: readonly number[]): Scale {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (least > most) return { least: 0, most: 1 };
  return most - least < 1e-6 ? { least: least - 0.5, most: most + 0.5 } : { least, most };
}

/** `share` is how much of the width the values take: the rest is for those to come. */
export function Sparkline({ values, scale, share }: { values: readonly number[]; scale: Scale; share: number }) {
  if (values.length < 2) return <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" />;
  const across = (share * width) / (values.length - 1);
  const points = values.map((value, at) => {
    const x = at * across;
    const y = 2 + (height - 4) * (1 - (value - scale.least) / (scale.most - scale.least));
    return `${x.toFixed(2)},${(Number.isFinite(y) ? y : height).toFixed(2)}`;
  });
  const end = ((values.length - 1) * across).toFixed(2);
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="under" d={`M0,${height} L${points.join(" L")} L${end},${height} Z`} />
      <path class="line" d={`M${points.join(" L")}`} />
    </svg>
  );
}
