"""Asks each peer that this python has the packages of.

    python3 check.py PROGRAMS DIRECTORY      (which programs.cpp and make.sh filled)
"""
import importlib.util
import os
import subprocess
import sys

PEERS = {
    "run_by_xla.py": ("jax", "numpy", "ml_dtypes"),
    "judged_by_xla.py": ("jax", "numpy", "ml_dtypes"),
    "read_by_transformers.py": ("transformers", "torch", "jax", "numpy", "ml_dtypes"),
    "cut_by_tokenizers.py": ("tokenizers", "numpy", "ml_dtypes"),
    "read_by_tensorboard.py": ("tensorboard", "numpy", "ml_dtypes"),
}


def main():
    programs, directory = sys.argv[1:]
    asked, failed = 0, []
    for peer, packages in PEERS.items():
        missing = [package for package in packages if importlib.util.find_spec(package) is None]
        if missing:
            print(f"{peer}: not asked, there is no {', '.join(missing)}", flush=True)
            continue
        asked += 1
        here = os.path.dirname(os.path.abspath(__file__))
        given = programs if peer.endswith("_by_xla.py") else directory
        if subprocess.run([sys.executable, os.path.join(here, peer), given]).returncode:
            failed.append(peer)
    if asked == 0:
        sys.exit("This python has none of them: pip install jax transformers torch tokenizers tensorboard")
    print(f"{asked} peers asked" + (f", {', '.join(failed)} failed" if failed else ""))
    sys.exit(1 if failed else 0)


main()
