"""transformers loads the models that Octet wrote, says of sentences what Octet says, and takes the same training step.

    python3 read_by_transformers.py DIRECTORY      (that make.sh filled)

Three engines compute each model: PyTorch by transformers, XLA by the program that Octet wrote, and Octet by its own words.
"""
import json
import os
import re
import sys

import numpy as np
import torch
import transformers

from peer import Report, json_lines, relative, safetensors, xla

CLASSES = {"bert": "BertForMaskedLM", "pairs": "BertForPreTraining", "electra": "ElectraForPreTraining",
           "electra/generator": "ElectraForMaskedLM", "gpt": "GPT2LMHeadModel"}
SENTENCES = ["the small cat sees a bird.", "작은 고양이가 큰 나무를 본다.", "小さな猫が大きな木を見る。", "this old stone"]


def loaded(report, path, name):
    """The model, if all of its weights are there."""
    model, about = getattr(transformers, CLASSES[name]).from_pretrained(path, output_loading_info=True)
    for what in ("missing_keys", "unexpected_keys", "mismatched_keys"):
        report.check(f"{name}: no {what}", not about[what], str(about[what]))
    return model.eval()


def logits_of(model, name, ids, segments, mask):
    with torch.no_grad():
        if name == "gpt":
            return model(input_ids=ids).logits
        output = model(input_ids=ids, token_type_ids=segments, attention_mask=mask)
        return output.prediction_logits if name == "pairs" else output.logits


def same_logits(report, Program, directory, name):
    model = loaded(report, os.path.join(directory, name), name)
    file = name.replace("/", "_")
    with open(os.path.join(directory, file + ".forward.mlir"), encoding="utf-8") as text:
        program = Program(text.read())
    weights, _ = safetensors(os.path.join(directory, file + ".forward.safetensors"))
    shape = next(extents for argument, extents, _ in program.parameters if argument == "ids")
    random = np.random.default_rng(4)
    ids = random.integers(5, model.config.vocab_size, shape, np.int32)
    segments = random.integers(0, 2, shape, np.int32)
    mask = np.array([[1] * length + [0] * (shape[1] - length) for length in (shape[1], 20, 7, 1)], np.int32)
    inputs = {"ids": ids, "segments": segments, "attention_mask": mask}
    arguments = [weights[argument] if argument in weights else inputs[argument] for argument, _, _ in program.parameters]
    by_xla = program.run([arguments])[0][0]
    by_torch = logits_of(model, name, *(torch.from_numpy(each.astype(np.int64)) for each in (ids, segments, mask))).numpy()
    if name != "gpt":  # what is said of padding is nobody's business
        by_xla, by_torch = by_xla[mask == 1], by_torch[mask == 1]
    difference = relative(by_xla, by_torch)
    print(f"  {name}: logits {by_torch.shape}, relative difference of XLA and PyTorch {difference:.1e}", flush=True)
    report.check(f"{name}: XLA's logits of Octet's program are PyTorch's", difference < 1e-5, f"{difference:.2g}")
    # What transformers would write is read by the same names.
    own, _ = safetensors(os.path.join(directory, name, "model.safetensors"))
    theirs = model.state_dict()
    for key, tensor in own.items():
        report.check(f"{name}: {key} is loaded as it was written", key in theirs and np.array_equal(tensor, theirs[key].numpy()))


def same_words(report, directory, name):
    path = os.path.join(directory, "electra/generator" if name == "electra" else name)
    model = loaded(report, path, "electra/generator" if name == "electra" else name)
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    for line in json_lines(os.path.join(directory, name + ".fill.jsonl")):
        given = tokenizer(line["sentence"], return_tensors="pt")
        with torch.no_grad():
            probabilities = model(**given).logits[0].softmax(-1)
        pieces = tokenizer.convert_ids_to_tokens(range(model.config.vocab_size))
        # A guess is a word, or begins one: blanks stand alone in these sentences.
        guesses = [i for i, piece in enumerate(pieces) if piece and piece not in tokenizer.all_special_tokens and not piece.startswith("##")]
        for blank in line["blanks"]:
            best = probabilities[blank["position"]][guesses].topk(len(blank["candidates"]))
            report.check(f"{name}: the likeliest words of {line['sentence']!r}",
                         [each["id"] for each in blank["candidates"]] == [guesses[i] for i in best.indices],
                         str([(guesses[i], float(probability)) for probability, i in zip(*best)]))
            difference = relative(np.array([each["probability"] for each in blank["candidates"]]), best.values.numpy())
            report.check(f"{name}: and how likely they are", difference < 1e-5, f"{difference:.2g}")


def same_judgement(report, directory):
    path = os.path.join(directory, "electra")
    model = loaded(report, path, "electra")
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    for line in json_lines(os.path.join(directory, "electra.detect.jsonl")):
        given = tokenizer(line["sentence"], return_tensors="pt")
        with torch.no_grad():
            theirs = model(**given).logits[0].sigmoid().numpy()[1:-1]
        ours = np.array([each["probability"] for each in line["tokens"]])
        difference = relative(ours, theirs) if ours.shape == theirs.shape else np.inf
        report.check(f"electra: the judgement of {line['sentence']!r}", difference < 1e-5, f"{difference:.2g}")


def same_continuation(report, directory):
    path = os.path.join(directory, "gpt")
    model = loaded(report, path, "gpt")
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    for line in json_lines(os.path.join(directory, "gpt.continue.jsonl")):
        given = tokenizer(line["text"], return_tensors="pt")
        output = model.generate(**given, do_sample=False, max_new_tokens=12, pad_token_id=0)[0]
        text = tokenizer.decode(output[given["input_ids"].shape[1]:])
        report.check(f"gpt: goes on with {line['text']!r}", text == line["continuation"], f"{line['continuation']!r}, {text!r}")


def same_ids(report, directory, name):
    tokenizer = transformers.AutoTokenizer.from_pretrained(os.path.join(directory, name))
    with open(os.path.join(directory, "lines.txt"), encoding="utf-8", newline="\n") as file:
        lines = file.read().split("\n")[:-1]
    for line, ours in zip(lines, json_lines(os.path.join(directory, f"{name}.encoded.jsonl"))):
        theirs = tokenizer(line, add_special_tokens=False)["input_ids"]
        report.check(f"{name}: AutoTokenizer's ids of {line[:60]!r}", ours["ids"] == theirs, f"{ours['ids'][:20]}, {theirs[:20]}")
    print(f"  {name}: AutoTokenizer is a {type(tokenizer).__name__}", flush=True)


# Octet's names of parameters, and what transformers calls them.
GPT2_NAMES = {
    "word.table": "wte.weight", "position.table": "wpe.weight", "norm.scale": "ln_f.weight", "norm.bias": "ln_f.bias",
    "attention_norm.scale": "ln_1.weight", "attention_norm.bias": "ln_1.bias", "intermediate_norm.scale": "ln_2.weight",
    "intermediate_norm.bias": "ln_2.bias", "attention.output.weight": "attn.c_proj.weight",
    "attention.output.bias": "attn.c_proj.bias", "intermediate.weight": "mlp.c_fc.weight",
    "intermediate.bias": "mlp.c_fc.bias", "output.weight": "mlp.c_proj.weight", "output.bias": "mlp.c_proj.bias"}
BERT_PARTS = [  # the first that a name begins with
    ("word.table", "bert.embeddings.word_embeddings.weight"), ("position.table", "bert.embeddings.position_embeddings.weight"),
    ("segment.table", "bert.embeddings.token_type_embeddings.weight"), ("embedding_norm.", "bert.embeddings.LayerNorm."),
    ("head.transform.", "cls.predictions.transform.dense."), ("head.norm.", "cls.predictions.transform.LayerNorm."),
    ("head.bias", "cls.predictions.bias"), ("next_sentence.pooler.", "bert.pooler.dense."),
    ("next_sentence.classifier.", "cls.seq_relationship."), ("attention.output.", "attention.output.dense."),
    ("attention_norm.", "attention.output.LayerNorm."), ("attention.", "attention.self."), ("intermediate.", "intermediate.dense."),
    ("output_norm.", "output.LayerNorm."), ("output.", "output.dense.")]


def gpt2_parameters(tensors):
    """Under transformers' names: query, key and value are one tensor there."""
    result = {}
    for key, tensor in tensors.items():
        layer, part = re.fullmatch(r"(?:layers\.(\d+)\.)?(.*)", key).groups()
        where = "transformer." + (f"h.{layer}." if layer else "")
        own = re.fullmatch(r"attention\.(query|key|value)\.(weight|bias)", part)
        if own:
            together = result.setdefault(f"{where}attn.c_attn.{own.group(2)}", [None] * 3)
            together[["query", "key", "value"].index(own.group(1))] = tensor
        else:
            result[where + GPT2_NAMES[part]] = tensor
    return {key: np.concatenate(value, -1) if isinstance(value, list) else value for key, value in result.items()}


def bert_parameters(tensors):
    """Under transformers' names and in its layout: linear weights are [out, in] there."""
    result = {}
    for key, tensor in tensors.items():
        layer, part = re.fullmatch(r"(?:layers\.(\d+)\.)?(.*)", key).groups()
        ours, theirs = next(pair for pair in BERT_PARTS if part.startswith(pair[0]))
        name = (f"bert.encoder.layer.{layer}." if layer else "") + theirs + part[len(ours):].replace("scale", "weight")
        linear = name.endswith(".weight") and "embeddings" not in name and "LayerNorm" not in name
        result[name] = tensor.T if linear else tensor
    return result


def hugging_face(name, tensors, prefix):
    """The tensors whose names begin with `prefix`, as transformers names and shapes them."""
    own = {key[len(prefix):]: tensor for key, tensor in tensors.items() if key.startswith(prefix)}
    return gpt2_parameters(own) if name == "gpt" else bert_parameters(own)


def loss_of(model, name, batch):
    """The loss that Octet's step has, over the whole batch."""
    whole = {key: torch.from_numpy(np.concatenate([each[key] for each in batch]).astype(np.int64)) for key in batch[0]}
    if name == "gpt":
        logits = model(input_ids=whole["batch.ids"]).logits[:, :-1]
        labels = torch.where(whole["batch.attention_mask"][:, 1:] == 1, whole["batch.ids"][:, 1:], -100)
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)
    output = model(input_ids=whole["batch.ids"], token_type_ids=whole["batch.segments"], attention_mask=whole["batch.attention_mask"])
    logits = output.prediction_logits if name == "pairs" else output.logits
    guessed = torch.gather(logits, 1, whole["batch.masked_positions"][:, :, None].expand(-1, -1, logits.shape[2]))
    loss = torch.nn.functional.cross_entropy(guessed.flatten(0, 1), whole["batch.masked_labels"].flatten(), ignore_index=-100)
    if name == "pairs":
        loss = loss + torch.nn.functional.cross_entropy(output.seq_relationship_logits, whole["batch.next_sentence_labels"])
    return loss


def same_step(report, Program, directory, name):
    """One update on eight replicas by XLA, and on the whole batch by PyTorch, from one state."""
    with open(os.path.join(directory, name + ".step.mlir"), encoding="utf-8") as text:
        program = Program(text.read())
    state, _ = safetensors(os.path.join(directory, name + ".state.safetensors"))
    path = os.path.join(directory, name, "checkpoint-20")  # whose state make.sh exported
    with open(os.path.join(path, "training.json"), encoding="utf-8") as file:
        options = json.load(file)
    model = loaded(report, path, name)
    random = np.random.default_rng(9)
    batch = []
    for _ in range(8):
        own = {}
        for argument, extents, _ in program.parameters:
            if argument in ("batch.ids", "batch.masked_labels"):
                own[argument] = random.integers(5, model.config.vocab_size, extents, np.int32)
            elif argument in ("batch.segments", "batch.next_sentence_labels"):
                own[argument] = random.integers(0, 2, extents, np.int32)
            elif argument == "batch.masked_positions":
                own[argument] = random.integers(1, 15, extents, np.int32)
            elif argument == "batch.attention_mask":
                lengths = random.integers(16, extents[1] + 1, extents[0])
                own[argument] = (np.arange(extents[1]) < lengths[:, None]).astype(np.int32)
        if "batch.masked_labels" in own:
            own["batch.masked_labels"][random.random(own["batch.masked_labels"].shape) < 0.3] = -100
        batch.append(own)
    names = [argument for argument, _, _ in program.parameters]
    arguments = [[state[argument] if argument in state else own[argument] for argument in names] for own in batch]
    results = program.run(arguments)
    tensors = sum(argument.startswith("state.") for argument in names)
    for replica in range(1, 8):
        report.check(f"{name}: replica {replica} has the bits of replica 0 after the step",
                     all(a.tobytes() == b.tobytes() for a, b in zip(results[0][:tensors], results[replica][:tensors])))
    after = dict(zip([argument for argument in names if argument.startswith("state.")], results[0]))

    done = int(state["state.step"])
    falling = min(max((options["steps"] - done) / max(1, options["steps"] - options["warmup_steps"]), 0), 1)
    rate = min((done + 1) / options["warmup_steps"], falling) * options["learning_rate"]
    moments = [hugging_face(name, state, f"state.{which}_moment.") for which in ("first", "second")]
    kept = dict(model.named_parameters())
    plain = [key for key in kept if key.endswith("bias") or "LayerNorm" in key or re.search(r"\.ln_", key)]
    optimizer = torch.optim.AdamW([{"params": [kept[key] for key in kept if key not in plain], "weight_decay": options["weight_decay"]},
                                   {"params": [kept[key] for key in plain], "weight_decay": 0.0}],
                                  lr=rate, betas=(0.9, 0.999), eps=options["epsilon"])
    for key, parameter in kept.items():
        if key in moments[0]:
            first, second = (torch.from_numpy(each[key].copy()) for each in moments)
            optimizer.state[parameter] = {"step": torch.tensor(float(done)), "exp_avg": first, "exp_avg_sq": second}
    before = {key: parameter.detach().clone() for key, parameter in kept.items()}
    loss = loss_of(model, name, batch)
    loss.backward()
    loss = loss.detach()
    norm = torch.nn.utils.clip_grad_norm_(kept.values(), options["clip_norm"])
    optimizer.step()
    by_xla = float(results[0][tensors]) + (float(results[0][tensors + 2]) if name == "pairs" else 0)
    report.check(f"{name}: XLA's loss is PyTorch's", abs(by_xla - float(loss)) < 1e-5 * float(loss), f"{by_xla} and {float(loss)}")
    ours, worst = hugging_face(name, after, "state.model."), 0.0
    for key, tensor in ours.items():
        moved = tensor - before[key].numpy()
        difference = relative(moved, (kept[key].detach() - before[key]).numpy())
        worst = max(worst, difference)
        # The slope of a key's bias is 0, as softmax does not ask for what all scores share: rounding alone is left of it.
        most = 2e-2 if key.endswith("key.bias") else 1e-3
        report.check(f"{name}: the update of {key} is PyTorch's", difference < most, f"{difference:.2g}")
    print(f"  {name}: step {done + 1}, loss {by_xla:.6f} and {float(loss):.6f}, gradient's norm {float(norm):.3f}, "
          f"updates differ by {worst:.1e} of the largest in a tensor", flush=True)


def main():
    directory = sys.argv[1]
    _, Program = xla()
    transformers.utils.logging.disable_progress_bar()
    report = Report(f"transformers {transformers.__version__} (torch {torch.__version__}) reads Octet's models")
    torch.manual_seed(0)
    for name in CLASSES:
        report.attempt(f"{name}: logits", lambda: same_logits(report, Program, directory, name))
    for name in ("bert", "electra"):
        report.attempt(f"{name}: words", lambda: same_words(report, directory, name))
    report.attempt("electra: judgement", lambda: same_judgement(report, directory))
    report.attempt("gpt: continuation", lambda: same_continuation(report, directory))
    for name in ("bert", "gpt"):
        report.attempt(f"{name}: tokenizer", lambda: same_ids(report, directory, name))
    for name in ("bert", "pairs", "gpt"):
        report.attempt(f"{name}: a training step", lambda: same_step(report, Program, directory, name))
    sys.exit(report.end())


main()
