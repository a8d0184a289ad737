// The colours of a timeline's events, and the way through them by keys.
import type { TimelineEvent } from "../../workshop/machine";

export type Category = "compute" | "collective" | "infeed" | "host" | "idle";

const categories: Record<string, Category> = {
  collective: "collective",
  transfer: "infeed",
  read: "host",
  prepare: "host",
  wait: "idle",
};

export function categoryOf(category: string): Category {
  return categories[category] ?? "compute";
}

/**
 * The event that an arrow key leads to: left and right along a lane, up and down to what another lane does at the same time.
 * Without one before, the first. Null for other keys.
 */
export function stepFrom(events: readonly TimelineEvent[], from: number | null, key: string): number | null {
  if (events.length === 0 || !["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(key))
    return null;
  const now = from === null ? undefined : events[from];
  if (!now || from === null || key === "Home") return 0;
  if (key === "End") return events.length - 1;
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const next = events[from + (key === "ArrowLeft" ? -1 : 1)];
    return next?.lane === now.lane ? events.indexOf(next) : from;
  }
  const lanes = [...new Set(events.map(({ lane }) => lane))].sort((a, b) => a - b);
  const lane = lanes[lanes.indexOf(now.lane) + (key === "ArrowUp" ? -1 : 1)];
  const middle = now.begin + now.seconds / 2;
  const far = (event: TimelineEvent) => Math.max(event.begin - middle, middle - event.begin - event.seconds, 0);
  let best: number | null = null;
  events.forEach((event, at) => {
    const held = best === null ? undefined : events[best];
    if (event.lane === lane && (!held || far(event) < far(held))) best = at;
  });
  return best ?? from;
}
