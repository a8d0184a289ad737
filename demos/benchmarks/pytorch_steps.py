"""Times the training steps that `octet bench` times, in PyTorch, on this machine.

    octet bench --sizes --json | python3 pytorch_steps.py [--json] [--threads N] [--repeat N] [--only NAME...]

The same model (post-norm BERT, tied decoder over all positions), the same work (forward, backward, clipping by the global norm,
AdamW), f32. `./run bench` runs it after octet's own benchmark where python3 has PyTorch. With --json, one JSON object a line.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time

import torch
import torch.nn.functional as F


class Layer(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        hidden = size["hidden"]
        self.heads = size["heads"]
        self.query, self.key, self.value, self.mixed = (torch.nn.Linear(hidden, hidden) for _ in range(4))
        self.up = torch.nn.Linear(hidden, size["intermediate"])
        self.down = torch.nn.Linear(size["intermediate"], hidden)
        self.attention_norm, self.output_norm = (torch.nn.LayerNorm(hidden, eps=1e-12) for _ in range(2))

    def forward(self, x, bias):
        rows, length, hidden = x.shape
        split = lambda y: y.view(rows, length, self.heads, hidden // self.heads).transpose(1, 2)
        query, key, value = split(self.query(x)), split(self.key(x)), split(self.value(x))
        scores = query @ key.transpose(2, 3) / math.sqrt(hidden // self.heads) + bias
        attended = (scores.softmax(-1) @ value).transpose(1, 2).reshape(rows, length, hidden)
        x = self.attention_norm(x + self.mixed(attended))
        return self.output_norm(x + self.down(F.gelu(self.up(x))))


class Bert(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        hidden = size["hidden"]
        self.word = torch.nn.Embedding(size["vocabulary"], hidden)
        self.position = torch.nn.Embedding(size["seq"], hidden)
        self.segment = torch.nn.Embedding(2, hidden)
        self.norm, self.head_norm = (torch.nn.LayerNorm(hidden, eps=1e-12) for _ in range(2))
        self.layers = torch.nn.ModuleList(Layer(size) for _ in range(size["layers"]))
        self.transform = torch.nn.Linear(hidden, hidden)
        self.decoder_bias = torch.nn.Parameter(torch.zeros(size["vocabulary"]))

    def forward(self, ids, labels):
        x = self.norm(self.word(ids) + self.position.weight + self.segment.weight[0])
        bias = torch.zeros(ids.shape[0], 1, 1, ids.shape[1])
        for layer in self.layers:
            x = layer(x, bias)
        logits = self.head_norm(F.gelu(self.transform(x))) @ self.word.weight.T + self.decoder_bias
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)


def step_times(size, threads, repeat):
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    model = Bert(size)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, eps=1e-6, weight_decay=0.01)
    shape = (size["batch"], size["seq"])
    ids = torch.randint(size["vocabulary"], shape)
    labels = torch.where(torch.rand(shape) < 0.15, ids, torch.full(shape, -100))
    times = []
    for i in range(-2, repeat):
        start = time.perf_counter()
        optimizer.zero_grad()
        model(ids, labels).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if i >= 0:
            times.append((time.perf_counter() - start) * 1e3)
    return times


def wanted_sizes(lines, options):
    return [line for line in lines if line["bench"] == "size" and (not options.only or line["name"] in options.only)]


def measure(lines, options):
    peak = next(line["gigaflops"] for line in lines if line["bench"] == "peak")
    for size in wanted_sizes(lines, options):
        threads = options.threads
        times = step_times(size, threads, options.repeat)
        median = statistics.median(times)
        low, _, high = statistics.quantiles(times, n=4) if len(times) > 1 else (median,) * 3
        share = size["operations"] / (median * 1e6) / (peak * threads)
        tokens = size["batch"] * size["seq"] / median * 1e3
        if options.json:
            print(json.dumps({"bench": "pytorch", "name": size["name"], "threads": threads, "precision": "f32", "ms": median,
                              "ms_quartile_1": low, "ms_quartile_3": high, "share_of_peak": share,
                              "tokens_per_second": tokens}), flush=True)
        else:
            print(f"  {size['name']:<14}f32   {threads} thread{'s' if threads > 1 else ' '}  "
                  f"{f'{median:.1f} ({low:.1f} to {high:.1f})':<26}{f'{share * 100:.0f} % of the roof':<19}"
                  f"{tokens:,.0f} tokens/s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options, _ = parser.parse_known_args()  # what only octet bench knows is passed over
    given = sys.stdin.read()
    lines = [json.loads(line) for line in given.splitlines()]
    if options.alone:
        return measure(lines, options)
    if not wanted_sizes(lines, options):
        return  # only products are asked for, or the like

    if not options.json:
        print(f"\nThe same steps in PyTorch {torch.__version__}, f32, ms", flush=True)
    for threads in sorted({1, options.threads}):
        # A matrix library may have threads of its own, whose number it reads when it starts: a process for each.
        count = str(threads)
        environment = os.environ | {"OMP_NUM_THREADS": count, "OPENBLAS_NUM_THREADS": count, "MKL_NUM_THREADS": count}
        own = [sys.executable, __file__, *sys.argv[1:], "--alone", "--threads", count]
        subprocess.run(own, input=given, text=True, env=environment, check=True)


main()
