"""XLA refuses the programs that Octet refuses, and takes those that Octet takes.

    python3 judged_by_xla.py PROGRAMS      (that tests/peers/programs.cpp filled)

Each is a program with one type or number changed. X407 and X410 are said of what Octet's reader does not know, whatever XLA thinks of it.
"""
import collections
import json
import os
import re
import subprocess
import sys

from peer import Report, safetensors, xla

WORKERS = 8
# What Octet has no use for, and XLA takes: casts between bits of other widths, products of two types, arithmetic on truth values.
NARROWER = re.compile(r"bitcast_convert|dot_general.*(different element types|the text says otherwise)|it takes numbers")


def judge(path, numbers):
    """Prints what XLA says of each, a line of JSON; nothing where it takes it."""
    _, Program = xla(replicas=4)
    _, texts = safetensors(path)
    for number in numbers:
        print(json.dumps({"begun": number}), flush=True)
        try:
            Program(texts[number])
            refused = ""
        except (AttributeError, ImportError, NameError, TypeError):
            raise  # that is no verdict of XLA's
        except Exception as error:  # whatever XLA throws
            refused = str(error) or type(error).__name__
        print(json.dumps({"number": number, "refused": refused}), flush=True)


def verdicts(path, numbers):
    """Of all of them: processes that XLA takes down are begun anew behind the program that did it."""
    found, left = {}, [numbers[i::WORKERS] for i in range(WORKERS)]
    while any(left):
        running = [subprocess.Popen([sys.executable, __file__, path, *own], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                   for own in left if own]
        for process in running:
            begun = None
            for line in process.communicate()[0].splitlines():
                said = json.loads(line)
                begun = said.get("begun")
                if begun is None:
                    found[said["number"]] = said["refused"]
            if begun is not None:
                found[begun] = "XLA went down"
            elif process.returncode:
                raise RuntimeError("judging ended before it began")
        left = [[number for number in own if number not in found] for own in left]
    return found


def main():
    path = os.path.join(sys.argv[1], "changed.st")
    if len(sys.argv) > 2:
        return judge(sys.argv[1], sys.argv[2:])
    _, texts = safetensors(path)
    numbers = [key for key in texts if key.isdigit()]
    report = Report("XLA judges Octet's programs, changed")
    by_xla = verdicts(path, numbers)
    counts, shown = collections.Counter(), collections.Counter()
    for number in numbers:
        ours, theirs = texts.get(number + ".refused", ""), by_xla[number]
        verdict = f"Octet {ours[:4] if ours else 'takes'}, XLA {'refuses' if theirs else 'takes'}"
        counts[verdict] += 1
        if bool(ours) == bool(theirs) or ours.startswith(("X407", "X410")) or NARROWER.search(ours):
            report.held += 1
            continue
        shown[verdict] += 1
        if shown[verdict] <= 12:
            line = next((line for line in texts[number].splitlines() if "stablehlo." in line and "constant" not in line), "")
            report.check(verdict, False, f"{ours.splitlines()[0][:160] if ours else ''} | {theirs.splitlines()[0][:200] if theirs else ''} | {line.strip()[:240]}")
        else:
            report.failed += 1
    for verdict, count in counts.most_common():
        print(f"  {verdict}: {count}", flush=True)
    sys.exit(report.end())


main()
