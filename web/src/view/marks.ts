// The marks of a slider that does not go in equal steps.

/** `values` with `also` among them, rising. */
export function marksWith(values: readonly number[], ...also: number[]): number[] {
  return [...new Set([...values, ...also])].sort((a, b) => a - b);
}

export type Nearness = "difference" | "ratio";

/** The place of the mark that is nearest to `value`; the first of equals. */
export function placeOf(marks: readonly number[], value: number, by: Nearness = "difference"): number {
  const far = marks.map((mark) => Math.abs(by === "ratio" ? Math.log(mark / value) : mark - value));
  return Math.max(0, far.indexOf(Math.min(...far)));
}
