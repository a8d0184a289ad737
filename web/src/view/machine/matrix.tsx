// A product on the matrix unit: its tiles, used and filled up, and what another extent would cost.
import { useId, useState } from "preact/hooks";
import { machineWords } from "../../language/machine";
import { useLanguage, useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import "../../style/machine_tiles.css";
import type { Dimension, MachineCalls, MatrixUnit, Product } from "../../workshop/machine";
import { useAnswer } from "../../workshop/use_answer";
import { Broken } from "../broken";
import { share, whole } from "../format";
import { Diagnostics } from "../diagnostics";
import { extentOf, keptProduct } from "./choices";
import { placed, segmentsOf } from "./tiles";
import { time } from "./units";

type Extents = { m: number; k: number; n: number };
const usual: Extents = { m: 10, k: 1024, n: 200 };
const examples: readonly Extents[] = [
  usual,
  { m: 512, k: 64, n: 512 },
  { m: 1024, k: 768, n: 30522 },
  { m: 1024, k: 1024, n: 1024 },
];

export function MatrixUnitPanel(props: {
  session: Session;
  chip: string;
  products: readonly Product[];
  calls: MachineCalls;
}) {
  const { session, chip, calls } = props;
  const words = useSpoken(machineWords).matrix;
  const language = useLanguage();
  const extents = keptProduct(session.kept("machine.product")) ?? usual;
  const key = text(extents);
  const [round, setRound] = useState(0); // of products that were chosen: what was typed before is gone
  const unit = useAnswer(() => calls.matrixUnit({ chip, ...extents }), [chip, key]);
  const take = (next: Extents) => {
    session.keep("machine.product", text(next) === text(usual) ? "" : text(next));
  };
  const choose = (next: Extents) => {
    setRound(round + 1);
    take(next);
  };
  const products = props.products.filter(
    (each, at) => props.products.findIndex((other) => text(other) === text(each)) === at,
  );

  return (
    <div class="panel matrix" aria-busy={unit.busy}>
      <h3>{words.heading}</h3>
      <p class="hint">{words.hint}</p>
      <div class="sliders">
        {(["m", "k", "n"] as const).map((name) => (
          <Extent
            key={`${name} ${round}`}
            name={name}
            value={extents[name]}
            change={(value) => take({ ...extents, [name]: value })}
          />
        ))}
      </div>
      <ProductList label={words.presets} name="example" products={examples} now={key} choose={choose} />
      {products.length > 0 && (
        <ProductList
          label={words.ofStep}
          hint={words.ofStepHint}
          name="product"
          products={products}
          now={key}
          choose={choose}
        />
      )}
      <Broken of={[unit]} />
      {unit.refused.length > 0 && (
        <div class="notice mishap">
          <Diagnostics diagnostics={unit.refused} />
        </div>
      )}
      {unit.answer && unit.refused.length === 0 && (
        <>
          <Picture unit={unit.answer} key={`${key} ${unit.answer.size}`} />
          <p class="said" data-figure="matrix-use" data-value={unit.answer.use}>
            {words.use}
            <b class={unit.answer.use < 0.9 ? "over" : ""}>{share(unit.answer.use, language)}</b>
            {" · "}
            <span data-figure="product-seconds" data-value={unit.answer.seconds}>
              <Cost unit={unit.answer} />
            </span>
          </p>
          <ul class="dimensions">
            {(["m", "k", "n"] as const).map((name) => (
              <li key={name} data-dimension={name} data-padded={unit.answer?.[name].padded}>
                {unit.answer && <DimensionCost of={unit.answer[name]} seconds={unit.answer.seconds} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function text({ m, k, n }: Extents): string {
  return `${m}x${k}x${n}`;
}

function Extent(props: { name: "m" | "k" | "n"; value: number; change: (value: number) => void }) {
  const words = useSpoken(machineWords).matrix;
  const language = useLanguage();
  const id = useId();
  // What is typed stands, also where it is no number, until another is chosen.
  const [typed, setTyped] = useState(String(props.value));
  const wrong = extentOf(typed) === null;
  return (
    <div class="slider">
      <label for={id}>{words[props.name]}</label>
      <input
        id={id}
        name={`extent-${props.name}`}
        type="text"
        inputMode="numeric"
        autocomplete="off"
        maxLength={7}
        value={typed}
        aria-invalid={wrong}
        aria-describedby={`${id}-hint`}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          const value = extentOf(event.currentTarget.value);
          if (value !== null) props.change(value);
        }}
      />
      <p id={`${id}-hint`} class="hint">
        {words[`${props.name}Hint`]}
      </p>
      <p class="wrong" role="alert">
        {wrong && words.whole(whole(props.value, language))}
      </p>
    </div>
  );
}

function ProductList<Each extends Extents>(props: {
  label: string;
  hint?: string;
  name: string;
  products: readonly (Each & { seconds?: number; use?: number })[];
  now: string;
  choose: (extents: Extents) => void;
}) {
  const language = useLanguage();
  return (
    <div class="choice">
      <p class="label">{props.label}</p>
      <div class="chips" role="group" aria-label={props.label}>
        {props.products.map(({ m, k, n, use }) => (
          <button
            key={text({ m, k, n })}
            type="button"
            class="chip small"
            data-choice={`${props.name}-${text({ m, k, n })}`}
            aria-pressed={text({ m, k, n }) === props.now}
            onClick={() => props.choose({ m, k, n })}
          >
            <span>{`${m} × ${k} × ${n}`}</span>
            {use !== undefined && use < 0.995 && <em>{share(use, language)}</em>}
          </button>
        ))}
      </div>
      {props.hint && <p class="hint">{props.hint}</p>}
    </div>
  );
}

function useBoundName(bound: string): string {
  const { bounds } = useSpoken(machineWords).job;
  return bounds[bound.replace(" ", "_") as keyof typeof bounds] ?? bound;
}

function Cost({ unit }: { unit: MatrixUnit }) {
  const words = useSpoken(machineWords).matrix;
  return <>{words.cost(time(unit.seconds, useLanguage()), useBoundName(unit.bound))}</>;
}

function DimensionCost({ of, seconds }: { of: Dimension; seconds: number }) {
  const words = useSpoken(machineWords).matrix;
  const language = useLanguage();
  const extent = whole(of.extent, language);
  if (of.padded === of.extent) return <>{words.exact(of.name, extent)}</>;
  const below = whole(of.below, language);
  const same = Math.abs(of.padded_seconds / seconds - 1) < 0.005;
  const saves = of.below_seconds !== null && of.below_seconds < seconds * 0.995;
  return (
    <>
      <b>{(same ? words.costs : words.filled)(of.name, extent, whole(of.padded, language))}</b>{" "}
      {of.below_seconds !== null &&
        (saves
          ? words.below(below, time(of.below_seconds, language), share(1 - of.below_seconds / seconds, language))
          : words.belowSame(below, time(of.below_seconds, language)))}
    </>
  );
}

const square = 60; // pixels of a side of the unit
const streamed = 30; // of the eight rows that stream through it
const gap = 14;

/** The two operands and the result in their tiles. */
function Picture({ unit }: { unit: MatrixUnit }) {
  const words = useSpoken(machineWords).matrix;
  const language = useLanguage();
  const extents = `${unit.m.extent} × ${unit.k.extent} × ${unit.n.extent}`;
  const filled = `${unit.m.padded} × ${unit.k.padded} × ${unit.n.padded}`;
  const shown = { m: unit.streams === "m" ? streamed : square, k: square, n: unit.streams === "n" ? streamed : square };
  const grid = (rows: Dimension, columns: Dimension) => ({
    rows: placed(segmentsOf(rows.extent, rows.tile), shown[rows.name], gap),
    columns: placed(segmentsOf(columns.extent, columns.tile), shown[columns.name], gap),
    of: `${whole(rows.extent, language)} × ${whole(columns.extent, language)}`,
    tile: words.tiles(whole(rows.tile, language), whole(columns.tile, language)),
  });
  const left = grid(unit.m, unit.k);
  const right = grid(unit.k, unit.n);
  const result = grid(unit.m, unit.n);
  const elided = [left, right].some(({ rows, columns }) => rows.gaps.length + columns.gaps.length > 0);
  return (
    <figure>
      <div class="operands" role="img" aria-label={words.picture(share(unit.use, language), extents, filled)}>
        <Operand {...left} caption={words.left(left.of)} turn={0} />
        <span class="sign-between" aria-hidden="true">
          ×
        </span>
        <Operand {...right} caption={words.right(right.of)} turn={2} />
        <span class="sign-between" aria-hidden="true">
          =
        </span>
        <Operand {...result} caption={words.result(result.of)} turn={5} />
      </div>
      <figcaption class="hint keys">
        <span>
          <i class="swatch used" aria-hidden="true" /> {words.used}
        </span>
        <span>
          <i class="swatch padding" aria-hidden="true" /> {words.padding}
        </span>
        {elided && <span>{words.elided}</span>}
      </figcaption>
    </figure>
  );
}

type Axis = ReturnType<typeof placed>;

function Operand(props: { rows: Axis; columns: Axis; caption: string; tile: string; turn: number }) {
  const { rows, columns } = props;
  return (
    <div class="operand">
      <svg
        viewBox={`-1 -1 ${columns.end + 2} ${rows.end + 2}`}
        style={{ "--wide": columns.end + 2 }}
        aria-hidden="true"
      >
        {rows.tiles.map((row, r) =>
          columns.tiles.map((column, c) => (
            <g key={`${r} ${c}`} class="tile-of" style={{ "--turn": props.turn + r + c }}>
              <rect class="padding" x={column.at} y={row.at} width={column.size} height={row.size} />
              <rect
                class="used"
                x={column.at}
                y={row.at}
                width={column.size * column.used}
                height={row.size * row.used}
              />
              {row.size === streamed &&
                Array.from({ length: 7 }, (_, line) => (
                  <line
                    key={line}
                    class="row"
                    x1={column.at}
                    x2={column.at + column.size}
                    y1={row.at + ((line + 1) * row.size) / 8}
                    y2={row.at + ((line + 1) * row.size) / 8}
                  />
                ))}
              <rect class="edge" x={column.at} y={row.at} width={column.size} height={row.size} />
            </g>
          )),
        )}
        {rows.gaps.flatMap((y) =>
          columns.tiles.map(({ at, size }) => <Dots key={`r${at}`} x={at + size / 2} y={y} across={false} />),
        )}
        {columns.gaps.flatMap((x) =>
          rows.tiles.map(({ at, size }) => <Dots key={`c${at}`} x={x} y={at + size / 2} across />),
        )}
      </svg>
      <p class="hint">
        {props.caption}
        <br />
        {props.tile}
      </p>
    </div>
  );
}

function Dots({ x, y, across }: { x: number; y: number; across: boolean }) {
  return (
    <g class="dots">
      {[-4, 0, 4].map((by) => (
        <circle key={by} cx={across ? x + by : x} cy={across ? y : y + by} r={1.1} />
      ))}
    </g>
  );
}
