"""TensorBoard reads the event files that Octet wrote, and its reader of records the examples.

    python3 read_by_tensorboard.py DIRECTORY      (that make.sh filled)
"""
import glob
import math
import os
import sys

import tensorboard
from tensorboard.backend.event_processing import event_accumulator
from tensorboard.compat.tensorflow_stub import pywrap_tensorflow

from peer import Report

EVENTS = "events.out.tfevents"


def main():
    directory = sys.argv[1]
    report = Report(f"TensorBoard {tensorboard.__version__} reads")
    for run in sorted(os.listdir(os.path.join(directory, "runs"))):
        def read():
            events = event_accumulator.EventAccumulator(os.path.join(directory, "runs", run))
            events.Reload()
            tags = events.Tags()["scalars"]
            report.check(f"{run} has curves", len(tags) >= 2, str(tags))
            for tag in tags:
                points = events.Scalars(tag)
                steps = [point.step for point in points]
                report.check(f"{run}: the steps of {tag} increase", steps == sorted(set(steps)), str(steps[:50]))
                report.check(f"{run}: {tag} is finite", all(math.isfinite(point.value) for point in points))
                print(f"  {run}: {tag}: {len(points)} points, {steps[0]} to {steps[-1]}, last {points[-1].value:.4f}", flush=True)
        report.attempt(f"the events of {run} are read", read)
    records_files = sorted(glob.glob(os.path.join(directory, "examples", "*.tfrecord")))
    report.check("there are files of records", bool(records_files))
    for path in records_files:
        def count():
            reader = pywrap_tensorflow.PyRecordReader_New(path)
            records = 0
            try:
                while True:
                    reader.GetNext()
                    records += 1
            except Exception as end:  # it ends by an exception of TensorFlow's stub
                report.check(f"{os.path.basename(path)} ends where records end", "OutOfRange" in type(end).__name__, repr(end))
            report.check(f"{os.path.basename(path)} holds records", records > 10, str(records))
            print(f"  {os.path.basename(path)}: {records} records", flush=True)
        report.attempt(f"{path} is read", count)
    sys.exit(report.end())


main()
