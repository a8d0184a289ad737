"""Times the training steps that `octet bench` times, compiled by XLA for this machine's processor.

    octet bench --sizes --programs --json | python3 xla_steps.py [--json] [--threads N] [--repeat N] [--only NAME...]

The programs are Octet's own, as StableHLO text: the same operations on the same shapes, in f32, and the state is written over.
`./run bench` runs it after octet's own benchmark where python3 has JAX. With --json, one JSON object a line.
"""
import os
import sys
import time

import steps


def step_times(size, threads, repeat, _):
    # XLA starts a thread for each processor that it may run on.
    processors = sorted(os.sched_getaffinity(0))
    if threads > len(processors):
        sys.exit(f"xla_steps.py: --threads is {threads}, and this machine has {len(processors)} processors for it")
    os.sched_setaffinity(0, processors[:threads])
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    import jax
    import numpy as np
    from run_by_jax import Program

    program = Program(size["program"])
    random = np.random.default_rng(0)

    def value(name, extents, kind):
        if kind == "f32":
            return np.abs(random.standard_normal(extents, np.float32)) * np.float32(0.02)
        if name.endswith("masked_labels"):
            return np.where(random.random(extents) < 0.15, random.integers(0, size["vocabulary"], extents), -100).astype(np.int32)
        if name.endswith("masked_positions"):
            return np.broadcast_to(np.arange(extents[1], dtype=np.int32), extents).copy()
        if name.endswith("attention_mask"):
            return np.ones(extents, np.int32)
        return random.integers(0, size["vocabulary"] if name.endswith("ids") else 1, extents or None, np.int32) * np.ones(extents, np.int32)

    arguments = [jax.device_put(value(*parameter), program.devices[0]) for parameter in program.parameters]
    count = sum(name.startswith("state.") for name, _, _ in program.parameters)
    times = []
    for i in range(-2, repeat):
        start = time.perf_counter()
        outputs = [output[0] for output in program.executable.execute_sharded(arguments).disassemble_into_single_device_arrays()]
        jax.block_until_ready(outputs)
        if i >= 0:
            times.append((time.perf_counter() - start) * 1e3)
        arguments[:count] = outputs[:count]
    return times


def main():
    import jaxlib

    steps.main("xla", f"The same steps, Octet's programs compiled by XLA (jaxlib {jaxlib.__version__})", step_times, ["f32"],
               len(os.sched_getaffinity(0)))


main()
