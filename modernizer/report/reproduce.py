"""The commands with which a person repeats what a run did."""

from __future__ import annotations

import shlex

from modernizer.report.paths import lock_path, patch_path
from modernizer.report.results import RunResult
from modernizer.report.text import plain

_MOST = 10


def steps(run: RunResult) -> str:
    """Return shell lines: rebuild each environment from its lock, apply the patches, run the same command again."""
    lines = ["OUT=.modernizer  # the output folder", "# the packages of each environment, exactly"]
    for item in run.environments:
        if item.failure:
            continue
        folder = f".venv-{item.id}"
        lines.append(f"uv venv --python {shlex.quote(plain(item.python))} {folder}")
        lines.append(f'uv pip install --python {folder} -r "$OUT"/{shlex.quote(lock_path(item.id))}')
    patched = [result.path for result in run.notebooks if result.repair and result.repair.patch]
    if patched and not run.applied:
        lines.append("# the repairs, one by one")
        lines += [f'git apply "$OUT"/{shlex.quote(plain(patch_path(path)))}' for path in patched[:_MOST]]
        if len(patched) > _MOST:
            lines.append(f"# and {len(patched) - _MOST} more in $OUT/patches")
    lines.append("# the same run")
    lines.append(plain(run.command).replace("\n", " ") or "modernizer check")
    return "\n".join(lines)
