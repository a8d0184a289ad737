// The way to a section. What lies above it grows as it is loaded, and would push it away: so the page stays with the section
// until the visitor moves.

const moves = ["wheel", "touchstart", "pointerdown", "keydown"] as const;
let leave = () => {};

/** Brings a section into sight, its heading under the focus; no name means the top. */
export function comeTo(name: string, smoothly: boolean): void {
  leave();
  const target = document.getElementById(name || "page");
  if (!target) return;
  document.getElementById(`${name}-title`)?.focus({ preventScroll: true });
  // A long way would load all that lies on it.
  const near = Math.abs(target.getBoundingClientRect().top) < 2 * innerHeight;
  const smooth = smoothly && near && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  target.scrollIntoView({ behavior: smooth ? "smooth" : "instant" });

  let drawn = false; // the first call tells the present size
  const growing = new ResizeObserver(() => {
    if (drawn) target.scrollIntoView({ behavior: "instant" });
    drawn = true;
  });
  leave = () => {
    growing.disconnect();
    for (const each of moves) removeEventListener(each, leave);
  };
  for (const each of moves) addEventListener(each, leave, { passive: true });
  growing.observe(document.body);
}
