"""Reads TFRecord files of tf.train.Example by their specification alone, and prints each record as a line of JSON.

    python3 read_tfrecord.py FILE...

A record is its length (eight bytes, little-endian), the masked CRC-32C of those, the bytes, and theirs. Shares no code with
Octet: what it reads, other tools read.
"""
import json
import struct
import sys

TABLE = []
for value in range(256):
    for _ in range(8):
        value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    TABLE.append(value)


def masked_crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    at = 0
    while at < len(data):
        (size,) = struct.unpack_from("<Q", data, at)
        head, body = data[at : at + 8], data[at + 12 : at + 12 + size]
        assert struct.unpack_from("<I", data, at + 8) == (masked_crc32c(head),), f"length at byte {at}"
        assert struct.unpack_from("<I", data, at + 12 + size) == (masked_crc32c(body),), f"record at byte {at}"
        yield body
        at += size + 16


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    """The fields of a protocol buffer's message: their numbers and contents."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            content, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            content, at = data[at : at + size], at + size
        elif key & 7 == 5:
            content, at = data[at : at + 4], at + 4
        elif key & 7 == 1:
            content, at = data[at : at + 8], at + 8
        else:
            raise AssertionError(f"wire type {key & 7}")
        yield key >> 3, content


def numbers(kind, content):
    if kind == 1:
        return [value.decode("utf-8", "backslashreplace") for number, value in fields(content) if number == 1]
    result = []
    for number, packed in fields(content):
        assert number == 1
        if kind == 2:
            result += struct.unpack(f"<{len(packed) // 4}f", packed)
        elif isinstance(packed, int):
            result.append(packed)
        else:
            at = 0
            while at < len(packed):
                value, at = varint(packed, at)
                result.append(value - (1 << 64) if value >> 63 else value)
    return result


def features(record):
    (example,) = [content for number, content in fields(record) if number == 1]
    result = {}
    for number, entry in fields(example):
        pair = dict(fields(entry))
        ((kind, content),) = fields(pair[2])
        result[pair[1].decode()] = numbers(kind, content)
    return result


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with open(name, "rb") as file:
            for record in records(file.read()):
                print(json.dumps(features(record), sort_keys=True, separators=(",", ":")))
