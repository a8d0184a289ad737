"""Hugging Face's tokenizers cut lines as Octet does, with the files that Octet wrote, and learn what Octet learns.

    python3 cut_by_tokenizers.py DIRECTORY      (that make.sh filled)
"""
import json
import os
import sys

import tokenizers

from peer import Report, json_lines


def same_cuts(report, directory, name):
    tokenizer = tokenizers.Tokenizer.from_file(os.path.join(directory, name, "tokenizer.json"))
    with open(os.path.join(directory, "lines.txt"), encoding="utf-8", newline="\n") as file:
        lines = file.read().split("\n")[:-1]
    ours = json_lines(os.path.join(directory, f"{name}.encoded.jsonl"))
    report.check(f"{name}: a line of JSON for each line", len(ours) == len(lines), f"{len(ours)} for {len(lines)}")
    for line, cut in zip(lines, ours):
        theirs = tokenizer.encode(line, add_special_tokens=False)
        same = cut["ids"] == theirs.ids and cut["tokens"] == theirs.tokens
        report.check(f"{name}: the pieces of {line[:60]!r}", same, f"octet {cut['tokens'][:20]}, other {theirs.tokens[:20]}")
        if same:
            offsets = [tuple(each) for each in cut["offsets"]]
            report.check(f"{name}: the offsets in {line[:60]!r}", offsets == theirs.offsets,
                         f"octet {offsets[:20]}, other {theirs.offsets[:20]}")


def learned(report, directory, name, trained, exactly, again=None):
    """`again`: what the other learns in another run, where its runs differ from each other."""
    with open(os.path.join(directory, name, "tokenizer.json"), encoding="utf-8") as file:
        ours = json.load(file)["model"]
    theirs = json.loads(trained.to_str())["model"]
    if exactly:
        pairs = [[merge.split(" ") if isinstance(merge, str) else list(merge) for merge in each["merges"]]
                 for each in (ours, theirs)]
        first = next((i for i, (a, b) in enumerate(zip(*pairs)) if a != b), min(map(len, pairs)))
        report.check(f"{name}: all merges are the same", pairs[0] == pairs[1],
                     f"{len(pairs[0])} and {len(pairs[1])}, the first that differs is {first}: "
                     f"{pairs[0][first:first + 1]}, {pairs[1][first:first + 1]}")
        report.check(f"{name}: the vocabulary is the same", ours["vocab"] == theirs["vocab"])
    shared = len(set(ours["vocab"]) & set(theirs["vocab"])) / len(theirs["vocab"])
    print(f"  {name}: {len(ours['vocab'])} pieces, {shared:.2%} of the other's {len(theirs['vocab'])}", flush=True)
    least = 0.98
    if again is not None:  # ties fall as a hash table lies: of few words there are many
        own = set(json.loads(again.to_str())["model"]["vocab"])
        itself = len(own & set(theirs["vocab"])) / len(theirs["vocab"])
        print(f"  {name}: the other shares {itself:.2%} with itself", flush=True)
        least = min(least, itself)
    report.check(f"{name}: at least {least:.1%} of the pieces are shared", shared >= least, f"{shared:.2%}")
    if exactly:
        return
    with open(os.path.join(directory, "lines.txt"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    own = tokenizers.Tokenizer.from_file(os.path.join(directory, name, "tokenizer.json"))
    counts = [sum(len(each.encode(line, add_special_tokens=False).ids) for line in lines) for each in (own, trained)]
    report.check(f"{name}: no more tokens than the other's needs (+0.5 %)", counts[0] <= counts[1] * 1.005, str(counts))


def main():
    directory = sys.argv[1]
    report = Report(f"tokenizers {tokenizers.__version__} cuts and learns")
    names = ["bert", "gpt", "bpe", "bpe_prefix", "wordpiece", "wordpiece_cased", "wordpiece_stripped"]
    for name in names:
        report.attempt(f"{name} is read", lambda: same_cuts(report, directory, name))
    texts = [os.path.join(directory, "texts", each) for each in sorted(os.listdir(os.path.join(directory, "texts")))]

    def byte_pairs(name, size, prefix, frequency):
        tokenizer = tokenizers.ByteLevelBPETokenizer(add_prefix_space=prefix)
        tokenizer.train(texts, vocab_size=size, min_frequency=frequency, special_tokens=["<|endoftext|>"],
                                      show_progress=False)
        learned(report, directory, name, tokenizer._tokenizer, True)

    def pieces(name, size, limit=1000, **options):
        special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        runs = []
        for _ in range(2):
            tokenizer = tokenizers.BertWordPieceTokenizer(**options)
            tokenizer.train(texts, vocab_size=size, limit_alphabet=limit, special_tokens=special, show_progress=False)
            runs.append(tokenizer._tokenizer)
        learned(report, directory, name, runs[0], False, runs[1])

    report.attempt("bpe is learned", lambda: byte_pairs("bpe", 3000, False, 2))
    report.attempt("bpe_prefix is learned", lambda: byte_pairs("bpe_prefix", 700, True, 3))
    report.attempt("wordpiece is learned", lambda: pieces("wordpiece", 3000, strip_accents=False))
    report.attempt("wordpiece_cased is learned", lambda: pieces("wordpiece_cased", 700, 60, lowercase=False, strip_accents=False,
                                                                handle_chinese_chars=False, clean_text=False))
    report.attempt("wordpiece_stripped is learned", lambda: pieces("wordpiece_stripped", 2500, strip_accents=True))
    sys.exit(report.end())


main()
