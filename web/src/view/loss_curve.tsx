// The loss over the steps, training and held out; with a readout for pointer and arrow keys.
import { useEffect, useRef, useState } from "preact/hooks";
import { lossWords } from "../language/loss";
import { useLanguage, useSpoken } from "../language/words";
import type { HeldOut, Run } from "../state/run";
import { loss, whole } from "./format";
import { drawPlot, stepAt } from "./plot";

const height = 280;

export function LossCurve({ run }: { run: Run }) {
  const words = useSpoken(lossWords);
  const language = useLanguage();
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState<number | null>(null);
  const scheme = useColourScheme();
  const steps = run.summary?.steps ?? 1;
  const done = run.reports.length;
  const at = Math.min(pointed ?? done, done);

  useEffect(() => {
    if (!place.current) return;
    const fit = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    fit.observe(place.current);
    return () => fit.disconnect();
  }, []);

  const draw = () => {
    if (!canvas.current || width === 0) return;
    const style = getComputedStyle(canvas.current);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    drawPlot(
      canvas.current,
      { steps, training: run.reports.map((report) => report.loss), heldOut: run.heldOut },
      {
        width,
        height,
        ink: colour("--ink"),
        softInk: colour("--ink-soft"),
        line: colour("--line"),
        strongLine: colour("--line-strong"),
        accent: colour("--accent"),
        fontFamily: style.fontFamily,
        stepAxis: words.stepAxis,
        lossAxis: words.lossAxis,
      },
      pointed === null ? null : at,
    );
  };
  useEffect(draw, [run.reports, run.heldOut, steps, language, scheme, width, pointed]);
  useOnPaper(draw);

  const training = run.reports[at - 1]?.loss;
  const heldOut = heldOutAt(run.heldOut, at)?.loss;

  const point = (event: PointerEvent) => {
    const left = canvas.current?.getBoundingClientRect().left ?? 0;
    setPointed(stepAt(event.clientX - left, width, steps));
  };

  const move = (event: KeyboardEvent) => {
    const stride = Math.max(1, Math.round(done / 50));
    const to = { ArrowLeft: at - stride, ArrowRight: at + stride, Home: 0, End: done }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setPointed(to < done ? Math.max(0, to) : null); // at its end, the run is followed
  };

  return (
    <>
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
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={({ pointerType }: PointerEvent) => pointerType === "mouse" && setPointed(null)}
        onPointerCancel={() => setPointed(null)}
        onBlur={() => setPointed(null)}
      >
        <canvas ref={canvas} />
      </div>
    </>
  );
}

/** The last measurement at or before a step. */
function heldOutAt(measured: readonly HeldOut[], step: number): HeldOut | undefined {
  return measured.findLast((each) => each.step <= step);
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

/** Draws anew for paper, which is light, and then for the screen again: a canvas does not follow by itself here either. */
function useOnPaper(draw: () => void): void {
  const latest = useRef(draw);
  latest.current = draw;
  useEffect(() => {
    const turn = ({ type }: Event) => {
      document.documentElement.toggleAttribute("data-paper", type === "beforeprint");
      latest.current();
    };
    addEventListener("beforeprint", turn);
    addEventListener("afterprint", turn);
    return () => {
      removeEventListener("beforeprint", turn);
      removeEventListener("afterprint", turn);
    };
  }, []);
}
