"""Reads event files as TensorBoard does: the curves that their events leave, a line of JSON for each.

    python3 read_events.py FILE...

An event is a record with a protocol buffer: step (2) and one of file_version (3), summary (5), session_log (7). A session_log
whose status (1) is START (1) makes what came before of its step and later ones void.
"""
import json
import struct
import sys

from read_tfrecord import fields, records

curves = {}
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        events = [dict(fields(record)) for record in records(file.read())]
    assert events[0][3] == b"brain.Event:2", path
    for event in events[1:]:
        step = event.get(2, 0)
        assert struct.unpack("<d", event[1])[0] > 1.7e9, "the wall time is in seconds since 1970"
        if 7 in event and dict(fields(event[7])).get(1) == 1:
            for points in curves.values():
                for void in [each for each in points if each >= step]:
                    del points[void]
        for _, value in fields(event.get(5, b"")):
            value = dict(fields(value))
            curves.setdefault(value[1].decode(), {})[step] = struct.unpack("<f", value[2])[0]
for tag, points in curves.items():
    print(json.dumps({"tag": tag, "steps": list(points), "values": list(points.values())}))
