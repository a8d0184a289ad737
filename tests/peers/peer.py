"""What the other files of this folder share: reading what Octet wrote, comparing, and JAX."""
import json
import os
import struct
import sys
import traceback

import ml_dtypes
import numpy as np

TYPES = {"BOOL": np.bool_, "I32": np.int32, "I64": np.int64, "U32": np.uint32, "BF16": ml_dtypes.bfloat16,
         "F32": np.float32, "F64": np.float64}


def safetensors(path):
    """Tensors by name and metadata of a file of safetensors."""
    with open(path, "rb") as file:
        content = file.read()
    start = 8 + struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8:start])
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, about in header.items():
        begin, end = (start + offset for offset in about["data_offsets"])
        tensors[name] = np.frombuffer(content[begin:end], TYPES[about["dtype"]]).reshape(about["shape"])
    return tensors, metadata


def json_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def ulps(ours, theirs):
    """By how many representable numbers each element is off; numbers below the smallest normal one count as zero, NaNs as
    equal. Whole numbers and truth values are off by 0 or by 2^31."""
    if not np.issubdtype(ours.dtype, np.floating) and ours.dtype != ml_dtypes.bfloat16:
        return np.where(ours == theirs, 0, 2**31)
    bits = {2: np.int16, 4: np.int32, 8: np.int64}[ours.dtype.itemsize]
    tiny = ml_dtypes.finfo(ours.dtype).smallest_normal

    def place(numbers):
        numbers = np.where(np.abs(numbers.astype(np.float64)) < float(tiny), 0, numbers).astype(ours.dtype)
        whole = numbers.view(bits).astype(np.int64)
        return np.where(whole < 0, np.int64(np.iinfo(bits).min) - whole, whole)

    with np.errstate(all="ignore"):
        off = np.abs((place(ours) - place(theirs)).astype(np.float64))
    both_nan = np.isnan(ours.astype(np.float64)) & np.isnan(theirs.astype(np.float64))
    return np.where(both_nan, 0, off)


def differing(ours, theirs):
    """Which elements of two arrays of one type and shape are not the same, the sign of a zero included; NaNs are equal."""
    differ = ours.reshape(-1).view(np.uint8) != theirs.reshape(-1).view(np.uint8)
    differ = differ.reshape(-1, ours.dtype.itemsize).any(1)
    if np.issubdtype(ours.dtype, np.floating) or ours.dtype == ml_dtypes.bfloat16:
        differ &= ~(np.isnan(ours.astype(np.float64)) & np.isnan(theirs.astype(np.float64))).reshape(-1)
    return differ


def same_bits(ours, theirs):
    return ours.dtype == theirs.dtype and ours.shape == theirs.shape and not differing(ours, theirs).any()


def relative(ours, theirs):
    """The largest difference over the largest finite magnitude; infinite where a NaN or an infinity has no partner."""
    ours, theirs = (np.asarray(each).astype(np.float64) for each in (ours, theirs))
    if ours.size == 0:
        return 0.0
    finite = np.isfinite(theirs)
    same = np.array_equal(ours[~finite], theirs[~finite], equal_nan=True) and np.isfinite(ours[finite]).all()
    if not same:
        return np.inf
    if not finite.any():
        return 0.0
    return np.abs(ours[finite] - theirs[finite]).max() / max(np.abs(theirs[finite]).max(), 1e-30)


class Report:
    """Counts what holds and what does not, and says so."""

    def __init__(self, title):
        self.title, self.held, self.failed = title, 0, 0
        print(f"== {title}", flush=True)

    def check(self, sentence, holds, detail=""):
        if holds:
            self.held += 1
        else:
            self.failed += 1
            print(f"NOT TRUE: {sentence} {detail}", flush=True)
        return holds

    def attempt(self, sentence, work):
        """`work()`, where an exception is a failure that the others do not wait for."""
        try:
            return work()
        except Exception:  # what a peer throws is for it to say
            lines = traceback.format_exc().strip().splitlines()
            self.check(sentence, False, " | ".join(lines[-3:])[:600])
            return None

    def end(self):
        print(f"{self.title}: {self.held} hold, {self.failed} do not", flush=True)
        return 1 if self.failed or self.held == 0 else 0


def xla(platform="cpu", replicas=8):
    """JAX on so many devices of a platform, and the class of programs that Octet's own demo runs."""
    # Without fused multiply-adds, so that what is added and multiplied has one right answer.
    flags = f"--xla_force_host_platform_device_count={replicas} --xla_cpu_max_isa=AVX"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flags}".strip()
    os.environ.setdefault("JAX_PLATFORMS", platform)
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "demos"))
    import jax

    jax.config.update("jax_enable_x64", True)
    from run_by_jax import Program

    return jax, Program
