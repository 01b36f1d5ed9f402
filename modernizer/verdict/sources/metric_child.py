"""Computes one metric; runs by itself in the interpreter of an environment that has scikit-learn.

In: {"name": ..., "truth": [...], "predicted": [...]}; out, as the last line: {"value": ...}.
"""

from __future__ import annotations

import importlib
import json
import sys


def main() -> None:
    """Answer one question; an exception's last line says why there is no answer."""
    metrics = importlib.import_module("sklearn.metrics")  # only this environment has it

    asked = json.load(sys.stdin)
    if asked["name"] not in metrics.__all__:
        raise SystemExit(f"scikit-learn has no metric {asked['name']!r}")
    value = getattr(metrics, asked["name"])(asked["truth"], asked["predicted"])
    sys.stdout.write("\n" + json.dumps({"value": float(value)}) + "\n")


if __name__ == "__main__":
    main()
