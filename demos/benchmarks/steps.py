"""What the benchmarks of other tools' training steps share: which steps there are, and how times are told."""
import argparse
import json
import os
import statistics
import subprocess
import sys


def wanted_sizes(lines, options):
    return [line for line in lines if line["bench"] == "size" and (not options.only or line["name"] in options.only)]


def measure(bench, step_times, precisions, lines, options):
    peak = next(line["gigaflops"] for line in lines if line["bench"] == "peak")
    threads = options.threads
    for size in wanted_sizes(lines, options):
        for precision in precisions:
            times = step_times(size, threads, options.repeat, precision)
            median = statistics.median(times)
            low, _, high = statistics.quantiles(times, n=4) if len(times) > 1 else (median,) * 3
            share = size["operations"] / (median * 1e6) / (peak * threads)
            tokens = size["batch"] * size["seq"] / median * 1e3
            if options.json:
                print(json.dumps({"bench": bench, "name": size["name"], "threads": threads, "precision": precision, "ms": median,
                                  "ms_quartile_1": low, "ms_quartile_3": high, "share_of_peak": share,
                                  "tokens_per_second": tokens}), flush=True)
            else:
                print(f"  {size['name']:<14}{precision:<6}{threads} thread{'s' if threads > 1 else ' '}  "
                      f"{f'{median:.1f} ({low:.1f} to {high:.1f})':<26}{f'{share * 100:.0f} % of the roof':<19}"
                      f"{tokens:,.0f} tokens/s", flush=True)


def main(bench, title, step_times, precisions, threads):
    """Reads what `octet bench --sizes --json` prints, and times each of its steps by `step_times(size, threads, repeat,
    precision)`, milliseconds, in a process for each number of threads: a matrix library reads its own when it starts."""
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--threads", type=int, default=threads)
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options, _ = parser.parse_known_args()  # what only octet bench knows is passed over
    given = sys.stdin.read()
    lines = [json.loads(line) for line in given.splitlines()]
    if options.alone:
        return measure(bench, step_times, precisions, lines, options)
    if not wanted_sizes(lines, options):
        return  # only products are asked for, or the like
    if not options.json:
        print(f"\n{title}, ms", flush=True)
    for count in sorted({1, options.threads}):
        text = str(count)
        environment = os.environ | {"OMP_NUM_THREADS": text, "OPENBLAS_NUM_THREADS": text, "MKL_NUM_THREADS": text}
        own = [sys.executable, *sys.argv, "--alone", "--threads", text]
        subprocess.run(own, input=given, text=True, env=environment, check=True)
