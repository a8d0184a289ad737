#!/usr/bin/env python3
"""Compares `octet estimate` with training steps that were published, none of which its constants are fitted to.

    published_runs.py [build/native/octet]

Prints each run's milliseconds a step, as published and as estimated, then the median error and how many are told more than twice too
long or too short. Where only a run's time and its steps were published, a step is their quotient: it holds evaluation, checkpoints and
rounding too; of MLPerf's logs (result_0.txt of each) it is the time from the first block's start to the last one's end. What is known
to make a run no measure of a step, whatever is estimated, is told beside it, and the figures are given with such runs and without.
"""

import json
import statistics
import subprocess
import sys

DAY, HOUR, MINUTE = 86_400e3, 3_600e3, 60e3  # milliseconds


def tf1(model, slice_, batch, length, predictions, vocabulary=None, optimizer=None, dropout=None):
    command = f"--model {model} --slice {slice_} --batch {batch} --seq {length} --code tf1-f32"
    command += "" if "gpt2" in model else f" --predictions {predictions}"
    for option, value in (("vocab-size", vocabulary), ("optimizer", optimizer), ("dropout", dropout)):
        command += f" --{option} {value}" if value is not None else ""
    return [(1, command)]


def two_lengths(model, slice_, batches, share, vocabulary=None, optimizer=None):
    """A run of which `share` of the steps has 128 tokens, the rest 512."""
    short, long = batches
    return [
        (share, tf1(model, slice_, short, 128, 20, vocabulary, optimizer)[0][1]),
        (1 - share, tf1(model, slice_, long, 512, 76, vocabulary, optimizer)[0][1]),
    ]


def flax(model, batch, length, extra):
    return [(1, f"--model {model} --slice v3-8 --batch {batch} --seq {length} --code flax-bf16 {extra}")]


def mega(slice_, batch, vocabulary):
    """Grover-Mega, whose code drops nothing in attention."""
    return [(1, f"--layers 48 --hidden 1536 --heads 24 --architecture gpt2 --vocab-size {vocabulary} --slice {slice_} --batch {batch} "
                "--seq 1024 --code tf1-f32 --optimizer adafactor --attention-dropout 0")]


def mlperf(slice_, batch):
    return [(1, f"--model bert-large --slice {slice_} --batch {batch} --seq 512 --predictions 76 --code mlperf-bf16")]


XL = "albert-xxlarge"

# Why a published figure is no measure of a step.
BEYOND_PEAK = "its products alone take 976 ms at the peak of its 4 chips"
STREAMED = "its script reads, tokenizes and masks a batch between steps: transformers, run_mlm_flax_stream.py"
OWN_TABLE = ("by its own table it does 78 Tflop/s, and the larger model below, with a quarter of the batch, 119 on the same machine: "
             "its days hold more than steps")
TWO_LENGTHS = ("its paper has 40 epochs of 128,000 tokens a batch, which are taken here, and sequences of 128 tokens in 90 % of the steps, "
               "which would be 13 epochs; days are whole")

# what, commands with their shares of the steps, milliseconds a step, source, why it is no measure (or nothing)
RUNS = [
    ("German BERT, v2-8", tf1("bert-base", "v2-8", 1024, 128, 20, 30000), 9 * DAY / 840e3, "its model card: 840k steps, about 9 days", ""),
    ("BERTurk, v3-8", tf1("bert-base", "v3-8", 128, 512, 75, 32000), 7 * DAY / 2e6, "turkish-bert, issue 4: 2M steps, 7 days", ""),
    ("Cantonese ELECTRA small, v3-8", tf1("electra-small", "v3-8", 128, 384, 57, 32056), 1000 / 19, "cantoformer's notes", ""),
    ("Cantonese ELECTRA base, v3-8", tf1("electra-base", "v3-8", 256, 384, 57, 32056), 1000 / 1.754, "cantoformer's notes", ""),
    ("AraELECTRA, v3-8", tf1("electra-base", "v3-8", 256, 512, 76, 64000), 24 * DAY / 2e6, "its paper: 2M steps, 24 days", ""),
    ("ALBERT xxlarge, v3-1024", tf1(XL, "v3-1024", 4096, 512, 20, None, "lamb"), 32 * HOUR / 125e3, "Lan et al. 2019: 125k steps, 32 h", ""),
    ("the same without dropout", tf1(XL, "v3-1024", 4096, 512, 20, None, "lamb", 0), 1000 / 1.197, "albert, issue 198", ""),
    ("ALBERT xxlarge, v3-512", tf1(XL, "v3-512", 4096, 512, 20, 34, "lamb", 0), 1000 / 0.522713, "albert, issue 198", ""),
    ("the same, batch 10,240", tf1(XL, "v3-512", 10240, 512, 20, 34, "lamb", 0), 7 * DAY / 130e3, "albert, issue 198", ""),
    ("ALBERT xlarge, v3-8", tf1("albert-xlarge", "v3-8", 512, 128, 20), 1.15 * HOUR / 10e3, "google-research, issue 146",
     BEYOND_PEAK),
    ("AraGPT2 base, v3-128", tf1("gpt2", "v3-128", 1792, 1024, 1, 64000, "lamb", 0), 1.5 * DAY / 125e3, "its notes", ""),
    ("AraGPT2 medium, v3-128", tf1("gpt2-medium", "v3-128", 1152, 1024, 1, 64000, "lamb", 0), 1.5 * DAY / 85e3, "its notes", ""),
    ("AraGPT2 mega, v3-128", mega("v3-128", 256, 64000), 9 * DAY / 780e3, "its notes", ""),
    ("Grover mega, v3-256", mega("v3-256", 512, 50270), 14 * DAY / 800e3, "Zellers et al. 2019: 800k steps, two weeks", ""),
    ("Japanese BERT base, v3-8", tf1("bert-base", "v3-8", 256, 512, 80, 32000), 7 * DAY / 1e6, "bert-japanese, issue 16: 7 days", ""),
    ("KoELECTRA base, v3-8", tf1("electra-base", "v3-8", 256, 512, 79, 32200), 7 * DAY / 700e3, "its notes: 700k steps, 7 days", ""),
    ("Turkish ELECTRA base, v3-8", tf1("electra-base", "v3-8", 256, 512, 79, 32000), 8 * DAY / 1e6, "its notes: 1M steps, 8 days", ""),
    ("Turkish ELECTRA small, v3-8", tf1("electra-small", "v3-8", 128, 128, 19, 32000), 9 * HOUR / 1e6, "its notes: 1M steps, 9 hours", ""),
    ("DistilGPT-2, v3-8", flax("gpt2", 128, 512, "--layers 6"), 1000 / 7, "huggingface/notebooks, issue 206: 7 steps a second", ""),
    ("BERTIN 512, v3-8", flax("bert-base", 384, 512, "--vocab-size 50265 --predictions 512"), 1500, "its model card", STREAMED),
    ("BERTIN 128, v3-8", flax("bert-base", 2048, 128, "--vocab-size 50265 --predictions 128"), 1250, "its model card", STREAMED),
    ("GPT-2 medium, Dutch, v3-8", flax("gpt2-medium", 128, 512, "--activations f32"), 170 * HOUR / 320e3,
     "its model card", OWN_TABLE),
    ("GPT-2 large, Dutch, v3-8", flax("gpt2-large", 32, 512, "--activations f32 --optimizer adafactor"), 207 * HOUR / 1.1e6,
     "its model card", ""),
    ("BERT base, v2-32", tf1("bert-base", "v2-32", 256, 512, 76), 4 * DAY / 1e6, "Devlin et al. 2018", TWO_LENGTHS),
    ("BERT large, v2-128", tf1("bert-large", "v2-128", 256, 512, 76), 4 * DAY / 1e6, "Devlin et al. 2018", TWO_LENGTHS),
    ("BERT large in 76 minutes, v3-2048",
     [(7038 / 8599, tf1("bert-large", "v3-2048", 65536, 128, 20, None, "lamb")[0][1]),
      (1561 / 8599, tf1("bert-large", "v3-2048", 32768, 512, 76, None, "lamb")[0][1])],
     76.19 * MINUTE / 8599, "You et al. 2019", ""),
    ("AraBERT v1, v2-8", two_lengths("bert-base", "v2-8", (512, 128), 900 / 1250, 64000), 4 * DAY / 1.25e6, "its paper", ""),
    ("AraBERT v2 large, v3-128", two_lengths("bert-large", "v3-128", (13440, 2048), 250 / 550, 64000, "lamb"), 7 * DAY / 550e3,
     "its notes", ""),
    ("GPT-2 by PyTorch/XLA, v3-8", [(1, "--model gpt2 --vocab-size 50304 --slice v3-8 --batch 512 --seq 1024 --accumulate 8 --dropout 0 --code tf2")],
     524288 / 243, "ducto489: 243,000 tokens a second", ""),
    ("BERT large, tuned, v3-8192", mlperf("v3-8192", 8192), 23501 / 496, "MLPerf training v0.7, TensorFlow", ""),
    ("the same by JAX", mlperf("v3-8192", 8192), 23514 / 558, "MLPerf training v0.7, JAX", ""),
    ("BERT large, tuned, v4-512", mlperf("v4-512", 3072), 109496 / 978, "MLPerf training v0.7", ""),
    ("BERT large, tuned, v4-128", mlperf("v4-128", 3072), 238153 / 952, "MLPerf training v1.0", ""),
    ("BERT large, tuned, v4-6912", mlperf("v4-6912", 6912), 15980 / 528, "MLPerf training v1.0", ""),
    ("the same a year later", mlperf("v4-6912", 6912), 13270 / 495, "MLPerf training v2.0", ""),
] + [
    (f"BERT large by LAMB, v3-{2 * chips}", two_lengths("bert-large", f"v3-{2 * chips}", (batch, batch), 0.9, None, "lamb"),
     minutes * MINUTE / (512e6 / batch), "You et al. 2019, table 1", "")
    for batch, chips, minutes in (
        (512, 16, 4968), (1024, 32, 2592), (2048, 64, 1284), (4096, 128, 693.6), (8192, 256, 390.5), (16384, 512, 200), (32768, 1024, 101.2))
]


def step_ms(octet, command):
    done = subprocess.run([octet, "estimate", "--json", *command.split()], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"octet estimate {command}\n{done.stderr}")
    return json.loads(done.stdout)["step_ms"]


def main():
    octet = sys.argv[1] if len(sys.argv) > 1 else "build/native/octet"
    errors, measures, factors, flawless = [], [], [], []
    print(f"{'':36}{'published':>10}{'estimated':>11}{'error':>9}   source")
    for what, parts, published, source, flaw in RUNS:
        estimated = sum(share * step_ms(octet, command) for share, command in parts)
        error = estimated / published - 1
        factor = max(estimated / published, published / estimated)
        errors.append(abs(error))
        factors.append(factor)
        if not flaw:
            measures.append(abs(error))
            flawless.append(factor)
        print(f"{what:36}{published:10.1f}{estimated:11.1f}{100 * error:+8.1f} %   {source}{'; ' + flaw if flaw else ''}")
    for title, each, ratios in (("all", errors, factors), ("those without a flaw that is known", measures, flawless)):
        far = sum(ratio > 2 for ratio in ratios)
        print(f"{len(each)} runs, {title}: median error {100 * statistics.median(each):.1f} %, {far} off by more than 2x, "
              f"the furthest by {max(ratios):.2f}x")


if __name__ == "__main__":
    main()
