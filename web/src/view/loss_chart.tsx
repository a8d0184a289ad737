// The loss over the steps, training and held out, drawn by uPlot; with a readout for pointer and arrow keys.
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useLanguage, useWords, type Words } from "../language/words";
import type { HeldOut, Run } from "../state/run";
import { loss, whole } from "./format";

const height = 280;

export function LossChart({ run }: { run: Run }) {
  const words = useWords();
  const language = useLanguage();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const scheme = useColourScheme();
  const steps = run.summary?.steps ?? 1;
  const data = columns(run);

  useEffect(() => {
    if (!place.current) return;
    const drawn = new uPlot(settings(place.current, words, setPointed), data, place.current);
    plot.current = drawn;
    const fit = new ResizeObserver(([entry]) => entry && drawn.setSize({ width: entry.contentRect.width, height }));
    fit.observe(place.current);
    return () => {
      fit.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [language, scheme]);

  useEffect(() => {
    plot.current?.setData(data, false);
    plot.current?.setScale("x", { min: 0, max: steps });
    plot.current?.setScale("y", rangeOf(data));
  }, [run.reports, run.heldOut, steps, language, scheme]);

  const at = Math.min(pointed ?? run.reports.length, run.reports.length);
  const training = run.reports[at - 1]?.loss;
  const heldOut = heldOutAt(run.heldOut, at)?.loss;

  const move = (event: KeyboardEvent) => {
    const stride = Math.max(1, Math.round(run.reports.length / 50));
    const to = { ArrowLeft: at - stride, ArrowRight: at + stride, Home: 0, End: run.reports.length }[event.key];
    if (to === undefined || !plot.current) return;
    event.preventDefault();
    const step = Math.max(0, Math.min(run.reports.length, to));
    plot.current.setCursor({ left: plot.current.valToPos(step, "x"), top: 0 });
  };

  return (
    <section class="panel chart" aria-labelledby="loss-heading">
      <h2 id="loss-heading">{words.loss}</h2>
      <p class="hint">
        {words.lossHint(
          whole(run.summary?.vocabulary, language),
          run.summary ? Math.log(run.summary.vocabulary).toFixed(2) : "–",
        )}
      </p>
      <p class="readout">
        <span class="key training">
          {words.trainingLoss} <b data-loss="training">{loss(training)}</b>
        </span>
        <span class="key held-out">
          {words.heldOutLoss} <b data-loss="held-out">{loss(heldOut)}</b>
        </span>
        <span class="at">{words.atStep(whole(at, language))}</span>
      </p>
      <div
        ref={place}
        class="plot"
        role="img"
        tabIndex={0}
        aria-label={words.chartSummary(whole(at, language), loss(training), loss(heldOut))}
        onKeyDown={move}
      />
    </section>
  );
}

/** The two losses side by side, with the steps they belong to; a gap where one was not measured. */
function columns(run: Run): uPlot.AlignedData {
  const length = run.reports.length + 1;
  const training: (number | null)[] = [null, ...run.reports.map((report) => report.loss)];
  const heldOut: (number | null)[] = new Array<number | null>(length).fill(null);
  for (const { step, loss: value } of run.heldOut) if (step < length) heldOut[step] = value;
  return [training.map((_, step) => step), training, heldOut];
}

/** The losses' range with a little air, so that a level line is not drawn on the edge. */
function rangeOf([, ...losses]: uPlot.AlignedData): { min: number; max: number } {
  const known = losses.flatMap((column) => Array.from(column)).filter((value) => typeof value === "number");
  if (known.length === 0) return { min: 0, max: 8 };
  const min = known.reduce((a, b) => Math.min(a, b));
  const max = known.reduce((a, b) => Math.max(a, b));
  const air = Math.max(0.05 * (max - min), 0.1);
  return { min: Math.max(0, min - air), max: max + air };
}

/** The last measurement at or before a step. */
function heldOutAt(measured: readonly HeldOut[], step: number): HeldOut | undefined {
  return measured.findLast((each) => each.step <= step);
}

function settings(place: HTMLElement, words: Words, point: (step: number | null) => void): uPlot.Options {
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour("--ink-soft"),
    font: `12px ${style.fontFamily}`,
    labelFont: `12px ${style.fontFamily}`,
    labelSize: 22,
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1, size: 4 },
  };
  return {
    width: place.clientWidth,
    height,
    legend: { show: false },
    padding: [8, 12, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    scales: { x: { time: false }, y: { auto: false } },
    axes: [
      { ...axis, label: words.stepAxis, size: 32, space: 60 },
      { ...axis, label: words.lossAxis, size: 44 },
    ],
    series: [
      {},
      { stroke: colour("--accent"), width: 2, points: { show: false } },
      {
        stroke: colour("--ink"),
        width: 1.5,
        dash: [4, 4],
        spanGaps: true,
        points: { show: true, size: 5, fill: colour("--ink"), stroke: colour("--ink"), width: 0 },
      },
    ],
    hooks: { setCursor: [(plot) => point(plot.cursor.idx ?? null)] },
  };
}

/** Changes when the system goes from light to dark or back: a canvas does not follow by itself. */
function useColourScheme(): boolean {
  const [dark, setDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const change = () => setDark(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return dark;
}
