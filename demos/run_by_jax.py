#!/usr/bin/env python3
"""Runs a program that `octet export --format stablehlo` wrote on what JAX finds: a TPU, a GPU, or the processor.

    octet export --model model --format stablehlo --batch 1 --replicas 1 --out bert.mlir --weights bert.safetensors
    octet tokenizer encode --model model --add-special "In the beginning God [MASK] the heaven"    # ids
    python3 demos/run_by_jax.py bert.mlir bert.safetensors "2 64 73 ... 3"

Prints, for each sequence of ids, the likeliest id at each position (of an ELECTRA, which tokens were replaced). Shorter
sequences are padded with 0 and masked. `Program` below runs any text, on as many replicas as it was written for: a training
step takes its state and a batch for each, and XLA's all_reduce does what Octet's did.
"""
import re
import sys

import jax
import numpy as np
from jax._src.lib import xla_client


class Program:
    """A program in StableHLO text, compiled for the first devices there are: one for each replica that it names."""

    def __init__(self, text):
        self.replicas = int(re.search(r"mhlo\.num_replicas = (\d+)", text).group(1))
        self.devices = jax.devices()[:self.replicas]
        if len(self.devices) < self.replicas:
            raise ValueError(f"the program is written for {self.replicas} replicas, and there are {len(self.devices)} devices")
        # Name, extents and element type of each parameter, in their order.
        self.parameters = [(name, [int(extent) for extent in kind.split("x")[:-1]], kind.split("x")[-1]) for kind, name in
                           re.findall(r'%arg\d+: tensor<([^>]*)> \{jax\.arg_info = "([^"]*)"', text)]
        options = xla_client.CompileOptions()
        options.num_replicas, options.num_partitions = self.replicas, 1
        options.device_assignment = xla_client.DeviceAssignment.create(np.array([[device.id] for device in self.devices]))
        devices = xla_client.DeviceList(tuple(self.devices))
        self.executable = self.devices[0].client.compile_and_load(text, devices, options)

    def run(self, arguments):
        """`arguments[replica][i]`, the values of the parameters, to results[replica][i]."""
        mesh = jax.sharding.Mesh(np.array(self.devices), ("replica",))
        everywhere = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
        arrays = []
        for each in zip(*arguments):
            parts = [jax.device_put(own, device) for own, device in zip(each, self.devices)]
            arrays.append(jax.make_array_from_single_device_arrays(parts[0].shape, everywhere, parts))
        outputs = self.executable.execute_sharded(arrays).disassemble_into_single_device_arrays()
        return [[np.asarray(output[replica]) for output in outputs] for replica in range(self.replicas)]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    from safetensors.numpy import load_file

    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    if "mhlo.num_replicas = 1 " not in text or 'jax.arg_info = "ids"' not in text:
        sys.exit(f"{sys.argv[1]} is no forward program of one replica: export it with --program forward --replicas 1")
    program = Program(text)
    values = load_file(sys.argv[2])
    sequences = [[int(word) for word in given.split()] for given in sys.argv[3:]]
    rows, length = next(extents for name, extents, _ in program.parameters if name == "ids")
    if len(sequences) > rows or max(map(len, sequences)) > length:
        sys.exit(f"the program takes {rows} sequences of {length} ids: export it with another --batch or --seq")
    for name in ("ids", "segments", "attention_mask"):
        values[name] = np.zeros((rows, length), np.int32)
    values["attention_mask"][:, 0] = 1  # no row is of padding alone
    for row, ids in enumerate(sequences):
        values["ids"][row, :len(ids)], values["attention_mask"][row, :len(ids)] = ids, 1
    logits = program.run([[values[name] for name, _, _ in program.parameters]])[0][0]
    best = logits.argmax(-1) if logits.ndim == 3 else (logits > 0).astype(int)
    for ids, row in zip(sequences, best):
        print(*row[:len(ids)])


if __name__ == "__main__":
    main()
