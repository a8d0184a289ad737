// Programs to begin with: each breaks a rule, and has a right twin that computes the same.

export const exampleNames = ["branch", "loss", "classes", "both", "number", "extent", "rows", "branches"] as const;
export type ExampleName = (typeof exampleNames)[number];

export interface Example {
  rule: 1 | 2;
  wrong: string;
  right: string;
}

const lines = (...all: string[]) => all.join("\n");

export const examples: Record<ExampleName, Example> = {
  branch: {
    rule: 1,
    wrong: lines("x = input(f32, [4, 8])", "if (sum(x) > 1) y = x * 2 else y = x", "sum(y)"),
    right: lines("x = input(f32, [4, 8])", "y = where(sum(x) > 1, x * 2, x)", "sum(y)"),
  },
  loss: {
    rule: 2,
    wrong: lines(
      "loss = input(f32, [6], values=[1, 2, 3, 4, 5, 6])",
      "label = input(i32, [6], values=[7, -100, 8, 9, -100, 2])",
      "keep = label != -100",
      "mean(loss[keep])",
    ),
    right: lines(
      "loss = input(f32, [6], values=[1, 2, 3, 4, 5, 6])",
      "label = input(i32, [6], values=[7, -100, 8, 9, -100, 2])",
      "keep = label != -100",
      "sum(where(keep, loss, 0)) / sum(cast(keep, f32))",
    ),
  },
  classes: {
    rule: 2,
    wrong: lines("label = input(i32, [8])", "unique(label)"),
    right: lines("label = input(i32, [8])", "unique(label, size=8, fill=-1)"),
  },
  both: {
    rule: 1,
    wrong: lines("x = input(f32, [8])", "keep = (x > -1) && !(x > 1)", "sum(where(keep, x, 0))"),
    right: lines("x = input(f32, [8])", "keep = (x > -1) & ~(x > 1)", "sum(where(keep, x, 0))"),
  },
  number: {
    rule: 1,
    wrong: lines("x = input(f32, [4, 8])", "float total = sum(x)", "x / total"),
    right: lines("x = input(f32, [4, 8])", "total = sum(x)", "x / total"),
  },
  extent: {
    rule: 2,
    wrong: lines("x = input(f32, [8])", "n = sum(cast(x > 0, i32))", "y = x[0:n]", "sum(y)"),
    right: lines("x = input(f32, [8])", "n = sum(cast(x > 0, i32))", "y = where(arange(8) < n, x, 0)", "sum(y)"),
  },
  rows: {
    rule: 1,
    wrong: lines("x = input(f32, [4, 8])", "total = zeros([8])", "for (row : x) total = total * 0.5 + row", "total"),
    right: lines(
      "x = input(f32, [4, 8])",
      "total = zeros([8])",
      "for (i : range(x.shape[0])) total = total * 0.5 + x[i]",
      "total",
    ),
  },
  branches: {
    rule: 1,
    wrong: lines("x = input(f32, [4, 8])", "y = cond(sum(x) > 1, x, x[0])", "sum(y)"),
    right: lines("x = input(f32, [4, 8])", "y = cond(sum(x) > 1, x, broadcast_to(x[0], [4, 8]))", "sum(y)"),
  },
};

/** The example that this text is one side of, and which. */
export function known(text: string): { name: ExampleName; side: "wrong" | "right" } | null {
  for (const name of exampleNames) {
    if (examples[name].wrong === text) return { name, side: "wrong" };
    if (examples[name].right === text) return { name, side: "right" };
  }
  return null;
}
