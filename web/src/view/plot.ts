// Draws curves of the loss over the steps on a canvas: axes with round numbers, and a rule where a visitor points.
import type { HeldOut } from "../state/run";

export interface Curves {
  /** How many steps the run is to have: the width of the plot. */
  steps: number;
  /** Of step 1, 2, ... */
  training: readonly number[];
  heldOut: readonly HeldOut[];
}

export interface Look {
  /** CSS pixels. */
  width: number;
  height: number;
  ink: string;
  softInk: string;
  line: string;
  strongLine: string;
  accent: string;
  fontFamily: string;
  stepAxis: string;
  lossAxis: string;
}

const edge = { left: 66, right: 12, top: 8, bottom: 54 }; // CSS pixels around the curves, for the axes

/** The step that lies under `x`, counted from the canvas's left edge. */
export function stepAt(x: number, width: number, steps: number): number {
  const share = (x - edge.left) / Math.max(1, width - edge.left - edge.right);
  return Math.round(Math.min(1, Math.max(0, share)) * steps);
}

/** Round numbers from `least` to `most`, as many as fit; whole ones where there are no others. */
export function roundNumbers(least: number, most: number, fit: number, whole: boolean): number[] {
  const wanted = (most - least) / Math.max(1, fit);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const stride = [1, 2, 5, 10].map((digit) => digit * power).find((each) => each >= wanted * (1 - 1e-9)) ?? wanted;
  const apart = whole ? Math.max(1, stride) : stride;
  const first = Math.ceil(least / apart - 1e-9);
  const last = Math.floor(most / apart + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * apart);
}

/** The losses' range with a little air, so that a level line is not drawn on the edge. */
export function rangeOf({ training, heldOut }: Curves): { least: number; most: number } {
  let least = Infinity;
  let most = -Infinity;
  const take = (value: number) => {
    if (!Number.isFinite(value)) return;
    least = Math.min(least, value);
    most = Math.max(most, value);
  };
  training.forEach(take);
  for (const { loss } of heldOut) take(loss);
  if (least > most) return { least: 0, most: 8 };
  const air = Math.max(0.05 * (most - least), 0.1);
  return { least: Math.max(0, least - air), most: most + air };
}

/**
 * The points of a line over `steps` steps that is drawn in so many columns of pixels: of each column no more than the least and
 * the most, between which the line goes up and down. A long run has many more, and each takes time whenever it is drawn.
 */
export function perColumn(losses: readonly number[], steps: number, columns: number): [number, number][] {
  const extremes: { least: [number, number]; most: [number, number] }[] = [];
  losses.forEach((loss, at) => {
    if (!Number.isFinite(loss)) return;
    const point: [number, number] = [at + 1, loss];
    const column = (extremes[Math.floor((at * columns) / steps)] ??= { least: point, most: point });
    if (loss < column.least[1]) column.least = point;
    if (loss > column.most[1]) column.most = point;
  });
  return extremes.flatMap(({ least, most }) => {
    if (least === most) return [least];
    return least[0] < most[0] ? [least, most] : [most, least];
  });
}

/** Draws it all anew; `pointed` is the step pointed at, null for none. */
export function drawPlot(canvas: HTMLCanvasElement, curves: Curves, look: Look, pointed: number | null): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const density = devicePixelRatio || 1;
  canvas.width = Math.round(look.width * density);
  canvas.height = Math.round(look.height * density);
  context.scale(density, density);

  const right = look.width - edge.right;
  const bottom = look.height - edge.bottom;
  const { least, most } = rangeOf(curves);
  const x = (step: number) => edge.left + ((right - edge.left) * step) / Math.max(1, curves.steps);
  const y = (loss: number) => bottom - ((bottom - edge.top) * (loss - least)) / (most - least);

  context.font = `12px ${look.fontFamily}`;
  context.lineWidth = 1;
  const rule = (colour: string, fromX: number, fromY: number, toX: number, toY: number) => {
    context.strokeStyle = colour;
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
    context.stroke();
  };
  const half = (at: number) => Math.round(at) + 0.5; // a line one pixel wide covers one row of pixels

  context.fillStyle = look.softInk;
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const step of roundNumbers(0, curves.steps, (right - edge.left) / 60, true)) {
    rule(look.line, half(x(step)), edge.top, half(x(step)), bottom + 4);
    context.fillText(String(step), x(step), bottom + 8);
  }
  context.fillText(look.stepAxis, (edge.left + right) / 2, bottom + 34);
  context.textAlign = "right";
  context.textBaseline = "middle";
  const levels = roundNumbers(least, most, (bottom - edge.top) / 30, false);
  const digits = Math.max(0, Math.ceil(-Math.log10((levels[1] ?? 1) - (levels[0] ?? 0)) - 1e-9));
  for (const loss of levels) {
    rule(look.line, edge.left - 4, half(y(loss)), right, half(y(loss)));
    context.fillText(loss.toFixed(digits), edge.left - 8, y(loss));
  }
  context.save();
  context.translate(12, (edge.top + bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.fillText(look.lossAxis, 0, 0);
  context.restore();

  const line = (points: readonly (readonly [number, number])[], colour: string, width: number, dashes: number[]) => {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineJoin = "round";
    context.setLineDash(dashes);
    context.beginPath();
    for (const [step, loss] of points) if (Number.isFinite(loss)) context.lineTo(x(step), y(loss));
    context.stroke();
    context.setLineDash([]);
  };
  const dot = (step: number, loss: number | undefined, colour: string, radius: number) => {
    if (loss === undefined || !Number.isFinite(loss)) return;
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x(step), y(loss), radius, 0, 2 * Math.PI);
    context.fill();
  };
  if (pointed !== null) {
    context.lineWidth = 1;
    rule(look.strongLine, half(x(pointed)), edge.top, half(x(pointed)), bottom);
  }
  line(perColumn(curves.training, curves.steps, right - edge.left), look.accent, 2, []);
  line(
    curves.heldOut.map(({ step, loss }) => [step, loss]),
    look.ink,
    1.5,
    [4, 4],
  );
  for (const { step, loss } of curves.heldOut) dot(step, loss, look.ink, 2.5);
  if (pointed !== null) dot(pointed, curves.training[pointed - 1], look.accent, 4);
}
