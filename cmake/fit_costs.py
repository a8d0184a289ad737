#!/usr/bin/env python3
"""Fits the constants of the cost model and writes modules/tpu/constants.cpp.

    python3 cmake/fit_costs.py [--octet build/native/octet] [--write]

It asks `octet estimate --json --constant NAME=VALUE...` for the training steps below, whose times were published, and
moves the constants in FREE until the sum of squares is least: of the logarithms of predicted over published, divided
by SPREAD, and of the logarithms of each constant over what it is expected to be, divided by how sure that is. So a
constant that no step speaks about stays where it was expected. It prints the constants, the error of each step, and
the error of each step when the others alone are fitted on; --write writes the file. Rebuild octet afterwards.

Only Python's standard library is needed.
"""

import argparse
import json
import math
import pathlib
import subprocess

# Published steps: arguments of octet estimate, milliseconds of a step, source. Evaluation inside two of the times is
# taken off (0.7 and 0.8 %).
STEPS = [
    ("bert-large v3-32", "--model bert-large --slice v3-32 --batch 448 --seq 512 --predictions 76 --code mlperf-bf16",
     460.5, "MLPerf training v0.7 log"),
    ("bert-large v4-16", "--model bert-large --slice v4-16 --batch 256 --seq 512 --predictions 76 --code mlperf-bf16",
     233.3 * (1 - 0.007), "MLPerf training v0.7 log"),
    ("bert-large v4-128", "--model bert-large --slice v4-128 --batch 3072 --seq 512 --predictions 76 --code mlperf-bf16",
     331.1 * (1 - 0.008), "MLPerf training v0.7 log"),
    ("gpt2 v2-8", "--model gpt2 --slice v2-8 --batch 512 --seq 1024 --accumulate 64 --vocab-size 51200 --code flax-bf16",
     4495.0, "a public model card: 43,247 steps in 2 days and 6 hours"),
]
SPREAD = 0.03  # of the logarithm of a published time

# name: (expected, how sure, as the spread of its logarithm; 0: fixed, why)
CONSTANTS = {
    "matrix_efficiency": (0.85, 0.10, "large products of tuned code reach 80 to 95 % of peak"),
    "hbm_efficiency": (0.85, 0.10, "streams reach 80 to 95 % of the bandwidth"),
    "scratch_turns": (1.00, 0.50, "it is filled anew while an operation goes on, and holds fetched weights as well"),
    "link_efficiency": (0.82, 0.0, "measured for large all-gathers: the scaling book"),
    "hop_seconds": (1e-6, 0.0, "the scaling book"),
    "operation_seconds": (2e-6, 0.0, "to fill and drain the pipelines of an operation"),
    "flax_slowdown": (1.00, 0.15, "nothing else is known of it"),
}
FREE = [name for name, (_, sure, _) in CONSTANTS.items() if sure > 0]

FILE = """// Written by cmake/fit_costs.py; do not edit.
module octet.tpu;
import octet.standard;
import :constants;

namespace octet::tpu {{

CostConstants fitted_constants() {{
  return {{
{lines}
  }};
}}

}}  // namespace octet::tpu
"""


def step_ms(octet, arguments, constants):
    command = [octet, "estimate", "--json", *arguments.split()]
    for name, value in constants.items():
        command += ["--constant", f"{name}={value!r}"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["step_ms"]


def constants_of(logs):
    values = {name: expected for name, (expected, _, _) in CONSTANTS.items()}
    for name, offset in zip(FREE, logs):
        values[name] *= math.exp(offset)
    return values


def residuals(octet, logs, steps):
    constants = constants_of(logs)
    of_steps = [math.log(step_ms(octet, arguments, constants) / published) / SPREAD for _, arguments, published, _ in steps]
    return of_steps + [offset / CONSTANTS[name][1] for name, offset in zip(FREE, logs)]


def solved(matrix, vector):
    """The solution of a small linear system, by elimination with pivots."""
    n = len(vector)
    rows = [list(row) + [value] for row, value in zip(matrix, vector)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    result = [0.0] * n
    for i in reversed(range(n)):
        result[i] = (rows[i][n] - sum(rows[i][j] * result[j] for j in range(i + 1, n))) / rows[i][i]
    return result


def fit(octet, steps):
    """Gauss and Newton's method, with steps halved while they do not help."""
    logs = [0.0] * len(FREE)
    now = residuals(octet, logs, steps)
    for _ in range(12):
        slopes = []
        for j in range(len(FREE)):
            moved = list(logs)
            moved[j] += 1e-3
            slopes.append([(b - a) / 1e-3 for a, b in zip(now, residuals(octet, moved, steps))])
        normal = [[sum(a * b for a, b in zip(p, q)) for q in slopes] for p in slopes]
        change = solved(normal, [-sum(a * r for a, r in zip(p, now)) for p in slopes])
        share = 1.0
        while share > 1e-3:
            tried = [a + share * b for a, b in zip(logs, change)]
            then = residuals(octet, tried, steps)
            if sum(r * r for r in then) < sum(r * r for r in now):
                break
            share /= 2
        else:
            break
        done = sum(r * r for r in now) - sum(r * r for r in then) < 1e-6
        logs, now = tried, then
        if done:
            break
    return constants_of(refined(octet, logs, steps))


def refined(octet, logs, steps):
    """What bounds an operation, or has to be recomputed, turns with the constants, and slopes mislead beside such a turn:
    each constant is moved alone while that helps, by less and less."""
    def cost(at):
        return sum(r * r for r in residuals(octet, at, steps))

    now, move = cost(logs), 0.016
    while move >= 0.0005:
        helped = False
        for j in range(len(logs)):
            for sign in (1, -1):
                tried = list(logs)
                tried[j] += sign * move
                then = cost(tried)
                if then < now - 1e-9:
                    logs, now, helped = tried, then, True
                    break
        if not helped:
            move /= 2
    return logs


def main():
    parser = argparse.ArgumentParser(description="Fits the constants of the cost model.")
    parser.add_argument("--octet", default="build/native/octet", help="the program that estimates")
    parser.add_argument("--write", action="store_true", help="write modules/tpu/constants.cpp")
    options = parser.parse_args()

    constants = fit(options.octet, STEPS)
    for name, value in constants.items():
        print(f"{name:20} {value:.4g}   expected {CONSTANTS[name][0]:g}: {CONSTANTS[name][2]}")
    print(f"\n{'step':20} {'published':>10} {'predicted':>10} {'error':>7} {'fitted on the others':>21}")
    for i, (name, arguments, published, _) in enumerate(STEPS):
        predicted = step_ms(options.octet, arguments, constants)
        others = fit(options.octet, STEPS[:i] + STEPS[i + 1:])
        alone = step_ms(options.octet, arguments, others)
        print(f"{name:20} {published:10.1f} {predicted:10.1f} {predicted / published - 1:7.1%} {alone / published - 1:21.1%}")

    if options.write:
        lines = "\n".join(f"      .{name} = {float(f'{value:.4g}')!r}," for name, value in constants.items())
        path = pathlib.Path(__file__).resolve().parent.parent / "modules/tpu/constants.cpp"
        path.write_text(FILE.format(lines=lines))


if __name__ == "__main__":
    main()
