// Which tiles of an operand are drawn: few enough to see, those at the ends always.

/** One tile along an axis: how much of it is used, from 0 to 1. A gap stands for the tiles that are left out. */
export type Segment = { used: number } | "gap";

/** The tiles that `extent` takes, `tile` numbers each; of many, the first ones and the last. */
export function segmentsOf(extent: number, tile: number, most = 4): Segment[] {
  const count = Math.ceil(extent / tile);
  const used = (at: number) => Math.min(1, (extent - at * tile) / tile);
  if (count <= most) return Array.from({ length: count }, (_, at) => ({ used: used(at) }));
  return [
    ...Array.from({ length: most - 1 }, (_, at): Segment => ({ used: used(at) })),
    "gap",
    { used: used(count - 1) },
  ];
}

export interface Placed {
  at: number;
  size: number;
  used: number;
}

/** Where segments of `size` lie, with a gap of `gap` for what is left out; and the end of the last. */
export function placed(
  segments: readonly Segment[],
  size: number,
  gap: number,
): { tiles: Placed[]; gaps: number[]; end: number } {
  const tiles: Placed[] = [];
  const gaps: number[] = [];
  let at = 0;
  for (const segment of segments) {
    if (segment === "gap") {
      gaps.push(at + gap / 2);
      at += gap;
    } else {
      tiles.push({ at, size, used: segment.used });
      at += size;
    }
  }
  return { tiles, gaps, end: at };
}
