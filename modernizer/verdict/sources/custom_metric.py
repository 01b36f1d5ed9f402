"""Metrics of scikit-learn by their name, computed inside the notebook's own environment."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from modernizer.environment.model import Environment
from modernizer.errors import ModernizerError
from modernizer.process import run
from modernizer.sandbox.confinement import Sandbox
from modernizer.verdict.graders.labels import Label
from modernizer.verdict.sources.table import NotGradedError

_CHILD = Path(__file__).with_name("metric_child.py")
_SECONDS = 120.0
# OPENBLAS_*: some processors need the user's setting to import numpy at all.
_PASSED = ("PATH", "LANG", "LC_ALL", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "LD_LIBRARY_PATH")


def scikit_learn_metric(
    name: str, truth: Sequence[Label], predicted: Sequence[Label], environment: Environment, sandbox: Sandbox | None
) -> float:
    """Call ``sklearn.metrics.NAME(truth, predicted)`` in a process of its own. NotGradedError when it gives no number."""
    asked = json.dumps({"name": name, "truth": list(truth), "predicted": list(predicted)})
    with _room(environment, sandbox) as (home, prefix):
        variables = {key: os.environ[key] for key in _PASSED if key in os.environ} | {"HOME": home, "TMPDIR": home}
        args = [*prefix, str(environment.python), "-I", "-B", "-X", "utf8", str(_CHILD)]
        try:
            done = run(args, timeout=_SECONDS, cwd=Path(home), env=variables, input=asked, check=False)
        except ModernizerError as error:
            raise NotGradedError(f"sklearn.metrics.{name} can't be computed: {error}") from None
    try:
        answer = json.loads(done.stdout.strip().rpartition("\n")[2])
        return float(answer["value"])
    except (ValueError, KeyError, TypeError):
        said = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise NotGradedError(f"sklearn.metrics.{name} gives no number: {said[:200]}") from None


@contextmanager
def _room(environment: Environment, sandbox: Sandbox | None) -> Iterator[tuple[str, list[str]]]:
    """Make a home; give it and what goes before the command line to confine the process to it."""
    if sandbox is None:
        with tempfile.TemporaryDirectory(prefix="nm-metric-") as home:
            yield home, []
        return
    with sandbox.room() as room:
        restrictions = sandbox.restrictions(
            python=environment.python, read=(_CHILD,), temporary=room.folder, identity=room.identity, network=False
        )
        yield str(room.folder), sandbox.command(restrictions, [])
