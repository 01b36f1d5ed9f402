"""Repair the notebooks of a folder of checkouts and print what came of it: before, after, recipes fired, seconds.

Usage: python benchmarks/corpus.py FOLDER [--select FILE] [--timeout SECONDS] [--jobs N] [--out FOLDER]

Each folder below FOLDER is one repository. FILE is tab-separated with the columns ``repo`` and ``notebook``, and holds the
notebooks to take (those that need no network, say); without it all of a repository's are. Output folders are kept below
``--out``, and a repository whose results are there already is not run again.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_CLEAN = frozenset({"reproduced", "ran", "drifted"})


def main() -> int:
    """Run the repositories that have no results yet, then print the table and the sums."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--select", type=Path)
    parser.add_argument("--timeout", type=float, default=300.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("corpus-results"))
    options = parser.parse_args()
    selected = _selected(options.select) if options.select else {}
    for repository in sorted(path for path in options.folder.iterdir() if path.is_dir() and not path.name.startswith(".")):
        if (options.select and repository.name not in selected) or (options.out / repository.name / "results.json").exists():
            continue
        command = [sys.executable, "-m", "modernizer", "fix", *selected.get(repository.name, ["."]), "--model", "none"]
        command += ["--timeout", f"{options.timeout:g}", "--jobs", str(options.jobs)]
        command += ["--out", str((options.out / repository.name).resolve())]
        done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
        print(f"{repository.name}: exit {done.returncode} {done.stderr.strip()[-300:]}", file=sys.stderr)
    print(table(dict(_results(options.out))))
    return 0


def _selected(file: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    with file.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            found[row["repo"]].append(row["notebook"])
    return found


def _results(out: Path) -> Iterator[tuple[tuple[str, str], Mapping[str, Any]]]:
    for file in sorted(out.glob("*/results.json")):
        for notebook in json.loads(file.read_text(encoding="utf-8"))["notebooks"]:
            yield (file.parent.name, notebook["path"]), notebook


def table(results: Mapping[tuple[str, str], Mapping[str, Any]]) -> str:
    """Render the table and the sums as markdown."""
    lines = ["| repository | notebook | before | after | recipes | s |", "|---|---|---|---|---|---:|"]
    ends: Counter[str] = Counter()
    fired: Counter[str] = Counter()
    for (repository, path), notebook in results.items():
        before, after, repair = notebook["before"], notebook["after"], notebook["repair"] or {}
        recipes = [fix["origin"].partition(":")[2] for fix in repair.get("fixes", ())]
        fired.update(recipes)
        seconds = before["seconds"] + repair.get("ledger", {}).get("cell_seconds", 0)
        end = after["verdict"] if after else before["verdict"]
        ends[f"{before['verdict']} → {end}"] += 1
        lines.append(f"| {repository} | {path} | {before['verdict']} | {end} | {', '.join(recipes)} | {seconds:.0f} |")
    broken = [notebook for notebook in results.values() if notebook["before"]["verdict"] == "broken"]
    clean = [notebook for notebook in broken if notebook["after"] and notebook["after"]["verdict"] in _CLEAN]
    share = 100 * len(clean) / len(broken) if broken else 0.0
    lines += [
        "",
        f"{len(results)} notebooks; {len(broken)} broken, {len(clean)} of them clean after the proof ({share:.0f} %)",
        "",
    ]
    lines += [f"- {count} {end}" for end, count in ends.most_common()]
    lines += ["", "Recipes by notebooks: " + ", ".join(f"{name} {count}" for name, count in fired.most_common())]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
