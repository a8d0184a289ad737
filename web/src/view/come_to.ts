// The way to a section. What lies above it grows as it is loaded, and would push it away: so the page stays with the section
// until the visitor moves.

const moves = ["wheel", "touchstart", "pointerdown", "keydown"] as const;
let leave = () => {};

/** Brings a section into sight, its heading under the focus; no name means the top. */
export function comeTo(name: string, smoothly: boolean): void {
  leave();
  const target = document.getElementById(name || "page");
  if (!target) return;
  document.getElementById(`${name || "page"}-title`)?.focus({ preventScroll: true });
  // A long way would load all that lies on it.
  const near = Math.abs(target.getBoundingClientRect().top) < 2 * innerHeight;
  const smooth = smoothly && near && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  let place: number | null = null; // of the target in the window, once it is there
  const top = () => target.getBoundingClientRect().top;
  const arrived = () => (place = top());
  const jump = () => {
    target.scrollIntoView({ behavior: "instant" });
    arrived();
  };
  if (smooth) {
    target.scrollIntoView({ behavior: "smooth" });
    addEventListener("scrollend", arrived, { once: true });
  } else {
    jump();
  }

  let drawn = false; // the first call tells the present size
  const growing = new ResizeObserver(() => {
    if (drawn) jump();
    drawn = true;
  });
  const scrolled = () => {
    if (place !== null && Math.abs(top() - place) > 2) leave();
  };
  leave = () => {
    growing.disconnect();
    removeEventListener("scroll", scrolled);
    for (const each of moves) removeEventListener(each, leave);
  };
  addEventListener("scroll", scrolled, { passive: true });
  for (const each of moves) addEventListener(each, leave, { passive: true });
  growing.observe(document.body);
}
