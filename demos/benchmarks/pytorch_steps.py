"""Times the training steps that `octet bench` times, in PyTorch, on this machine.

    octet bench --sizes --json | python3 pytorch_steps.py [--json] [--threads N] [--repeat N] [--only NAME...]

The same model (post-norm BERT, tied decoder over all positions), the same work (forward, backward, clipping by the global norm,
AdamW), in f32 and with autocast to bf16. `./run bench` runs it after octet's own benchmark where python3 has PyTorch. With
--json, one JSON object a line.
"""
import math
import time

import steps
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


def step_times(size, threads, repeat, precision):
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
        with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bf16"):
            loss = model(ids, labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if i >= 0:
            times.append((time.perf_counter() - start) * 1e3)
    return times


steps.main("pytorch", f"The same steps in PyTorch {torch.__version__}", step_times, ["f32", "bf16"], torch.get_num_threads())
