"""XLA runs the programs that Octet wrote, unchanged, and JAX's own functions are asked the same.

    python3 run_by_xla.py PROGRAMS [--platform cpu|cuda]

PROGRAMS is the directory that tests/peers/programs.cpp filled. Random programs, made of what has one right answer, must give
the same bits, and so must any other that neither adds many numbers nor has elementary functions; those may be off by a few
representable numbers, sums and products by the order of additions.
"""
import argparse
import collections
import glob
import os
import re
import sys

import numpy as np

from peer import Report, differing, relative, safetensors, same_bits, ulps, xla

# What has more than one right answer: the order of additions is an implementation's own.
ADDS = re.compile(r"dot_general|stablehlo\.reduce|all_reduce|reduce_scatter|scatter|while")
# What has no one right answer in any library, and quotients by roots, which XLA makes products with rsqrt.
ELEMENTARY = re.compile(
    r'"(?:stablehlo|chlo)\.(?:cbrt|cosine|erf|erf_inv|exponential|exponential_minus_one|log|log_plus_one|logistic|power|rsqrt|sine|tan|tanh)"'
    r'|(?s:"stablehlo\.sqrt".*"stablehlo\.divide")')
MOST_ULPS = 8
MOST_RELATIVE = {"operation": 1e-6, "function": 2e-6, "model": 2e-5}


def exact(kind, text, platform):
    """Whether a program has one right answer to the last bit, as the CPU gives it."""
    return platform == "cpu" and (kind == "random" or not (ADDS.search(text) or ELEMENTARY.search(text)))


def close(kind, text, ours, theirs, slack=0.0):
    """Whether they agree but for roundings, by how many representable numbers they are off at most, and by what share of the
    largest. What is subnormal may be 0."""
    off = ulps(ours, theirs)
    most, share = off.max(initial=0), relative(ours, theirs)
    if most == 0:
        return True, most, share
    if ADDS.search(text):
        return share <= (8e-3 if ours.dtype.itemsize == 2 else MOST_RELATIVE[kind]), most, share
    with np.errstate(invalid="ignore"):
        far = np.abs(ours.astype(np.float64) - theirs.astype(np.float64)) > slack
    return not ((off > MOST_ULPS) & far).any(), most, share


def name_of(path, about):
    first = re.search(r'"((?:stablehlo|chlo)\.\w+)"', about["module"])
    return f'{os.path.basename(path)[:4]} {about["name"]} {about.get("jax", "")} {first.group(1) if first else ""}'.strip()


def shown(ours, theirs):
    """The worst element of two results, or the first that differs by the sign of a zero or below the normal numbers."""
    off = ulps(ours, theirs).ravel()
    differ = np.flatnonzero(differing(ours, theirs)) if ours.dtype == theirs.dtype and ours.shape == theirs.shape else []
    at = int(off.argmax()) if off.max(initial=0) > 0 else int(differ[0]) if len(differ) else 0
    return f"{ours.dtype}{list(ours.shape)} element {at}: octet {ours.ravel()[at]!r}, other {theirs.ravel()[at]!r}, {off[at]:.0f} apart"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs")
    parser.add_argument("--platform", default="cpu")
    options = parser.parse_args()
    jax, Program = xla(options.platform)
    jnp = jax.numpy
    report = Report(f"XLA ({options.platform}, jax {jax.__version__}) runs Octet's programs")
    worst = collections.defaultdict(float)
    failures, skipped = collections.Counter(), 0
    for path in sorted(glob.glob(os.path.join(options.programs, "*.safetensors"))):
        tensors, about = safetensors(path)
        kind, text, replicas = about["kind"], about["module"], int(about["replicas"])
        if replicas > len(jax.devices()):
            skipped += 1
            continue
        name, slack = name_of(path, about), float(about.get("slack", 0))

        def of(what, replica):
            count = sum(key.startswith(f"{what}.{replica}.") for key in tensors)
            return [tensors[f"{what}.{replica}.{i}"] for i in range(count)]

        arguments = [of("argument", replica) for replica in range(replicas)]
        expected = [of("result", replica) for replica in range(replicas)]
        program = report.attempt(f"XLA compiles {name}", lambda: Program(text))
        if program is None:
            failures["compile " + about["name"]] += 1
            continue
        results = report.attempt(f"XLA runs {name}", lambda: program.run(arguments))
        if results is None:
            failures["run " + about["name"]] += 1
            continue
        for replica in range(replicas):
            report.check(f"{name} has as many results", len(results[replica]) == len(expected[replica]))
            for i, (ours, theirs) in enumerate(zip(expected[replica], results[replica])):
                agree, off, share = close(kind, text, ours, theirs, slack)
                agree = same_bits(ours, theirs) if exact(kind, text, options.platform) else agree
                worst[kind + (" " + about["name"] if kind == "model" else "")] = max(
                    worst[kind + (" " + about["name"] if kind == "model" else "")], share if np.isfinite(share) else 9)
                failures["result " + about["name"]] += not agree
                if agree or failures["result " + about["name"]] <= 3:
                    report.check(f"XLA gets result {i} of {name}", agree, shown(ours, theirs) + f", relative {share:.2g}")
                else:
                    report.failed += 1
        if "jax" in about:
            names = {f"x{i}": jnp.asarray(argument) for i, argument in enumerate(arguments[0])}
            value = report.attempt(f"JAX evaluates {about['jax']}", lambda: eval(f"({about['jax']})", {"jax": jax, "jnp": jnp} | names))
            leaves = jax.tree.leaves(value)
            report.check(f"{name} has as many values in JAX", len(leaves) == len(expected[0]), f"{len(leaves)}")
            summary = []
            for i, (ours, leaf) in enumerate(zip(expected[0], leaves)):
                theirs = np.asarray(leaf)
                if theirs.dtype != ours.dtype:  # JAX counts in 64 bits here
                    theirs = theirs.astype(ours.dtype)
                agree, off, share = close(kind, text, ours, theirs, slack)
                summary.append(f"{off:.0f}")
                report.check(f"JAX's {about['jax']} is value {i} of {name}", ours.shape == theirs.shape and agree,
                             shown(ours, theirs) + f", relative {share:.2g}" if ours.shape == theirs.shape else str(theirs.shape))
            print(f"  {about['jax'][:90]}: {' '.join(summary)} apart", flush=True)
        if kind == "model":
            statistics = report.attempt("XLA tells its memory", program.executable.get_compiled_memory_stats)
            if statistics is not None:
                print(f"  {about['name']}: {statistics.temp_size_in_bytes + statistics.output_size_in_bytes} bytes of results and temporaries by XLA, {about['bytes']} by Octet", flush=True)
    for what, share in sorted(worst.items()):
        print(f"  largest relative difference, {what}: {share:.2g}", flush=True)
    print(f"  programs of more replicas than there are devices, not run: {skipped}", flush=True)
    report.check("the CPU has devices for all replicas", options.platform != "cpu" or skipped == 0)
    print("  faults:", dict(failure for failure in failures.items() if failure[1]), flush=True)
    sys.exit(report.end())


main()
