"""What a repair costs in our loop and in the study's, on one notebook with a chain of five breakages that no recipe repairs.

Both ask the same scripted server, which always repairs the first breakage it is shown, and start from the notebook as it is.
Ours goes on in the live kernel and shows the model what the error depends on; the study's sends and gets the whole notebook
and runs all of it each round. The notebook's first cell waits for two seconds, as one that loads data does.

Bounds: ours takes at most a fifth of the tokens and a third of the cell-seconds. Without the run that finds the notebook broken
the repair itself is far below that third. With it, two notebook-lengths against six are a third exactly, so that 3 % are left
for the clock. Tokens are characters / 4, as the server counts them; dollars are at the shipped prices of gpt-5.2. The notebook
has about 2,700 of them. What the study's loop pays grows with the notebook, ours with the error's surroundings and some 340
of instructions a call: with this chain on a notebook of less than about 2,400 the tokens are more than a fifth.

Usage: python benchmarks/repair_cost.py
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from loops import Side, Workplace, ours, table, theirs
from platformdirs import user_cache_path

from modernizer.config import Model
from modernizer.discovery import TOOL_NAME
from modernizer.environment.build import BuildSettings, build
from modernizer.environment.installed import Installed
from modernizer.environment.interpreters import find_python
from modernizer.environment.model import Environment, Requirements
from modernizer.repair.model.assistant import open_assistant

_THIRD, _FIFTH = 1 / 3, 1 / 5
_NOISE = 1.03
_MODEL = "gpt-5.2"
_BREAKS = {
    "by_price = sorted(houses, price_of)": "by_price = sorted(houses, key=price_of)",
    "report = json.dumps(summary, True)": "report = json.dumps(summary, skipkeys=True)",
    "ranking.sort(strength)": "ranking.sort(key=strength)",
    "caption = textwrap.fill(note, 40, '  ')": "caption = textwrap.fill(note, 40, initial_indent='  ')",
    "close = math.isclose(slope, 3.0, 0.1)": "close = math.isclose(slope, 3.0, rel_tol=0.1)",
}
"""Arguments that became keyword-only, and the repair of each."""
_LINES = tuple(_BREAKS)
_NAMES = ("size", "rooms", "age", "garden", "floor", "distance", "noise", "light", "schools", "parking", "heating", "lift")
_SUMMARY = """# {name}: how it is spread and what it has to do with the price
{name} = column('{name}')
{name}_low, {name}_middle, {name}_high = [quantile({name}, share) for share in (0.25, 0.5, 0.75)]
print('{name}: mean %.3f, deviation %.3f' % (mean({name}), deviation({name})))
print('{name}: quartiles %.3f %.3f %.3f' % ({name}_low, {name}_middle, {name}_high))
print('{name}: correlation with the price %.3f' % correlation({name}, prices))
{name}_far = [one for one in {name} if abs(one - {name}_middle) > 3 * ({name}_high - {name}_low)]
print('{name}: %d of %d values are far out' % (len({name}_far), len({name})))"""
_LOADING = """import json
import math
import random
import textwrap
import time

time.sleep(2)  # stands for reading the data
NAMES = 'size rooms age garden floor distance noise light schools parking heating lift'.split()
TRUE = [3.0, 1.5, -0.8, 0.6, 0.2, -1.2, 0.0, 0.4, 0.3, 0.1, 0.0, -0.2]
chance = random.Random(7)
houses = []
for number in range(400):
    house = [chance.gauss(0, 1) for name in NAMES]
    houses.append((house, 20 + sum(part * true for part, true in zip(house, TRUE)) + chance.gauss(0, 0.5)))"""
_STATISTICS = """def column(name):
    place = NAMES.index(name)
    return [house[place] for house, price in houses]


def mean(values):
    return sum(values) / len(values)


def deviation(values):
    middle = mean(values)
    return math.sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))


def quantile(values, share):
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def correlation(one, two):
    first, second = mean(one), mean(two)
    product = sum((a - first) * (b - second) for a, b in zip(one, two))
    return product / (len(one) - 1) / deviation(one) / deviation(two)


prices = [price for house, price in houses]"""
_BARS = """def bars(values, count=10, width=40):
    low, high = min(values), max(values)
    step = (high - low) / count
    counts = [0] * count
    for value in values:
        counts[min(count - 1, int((value - low) / step))] += 1
    for number, amount in enumerate(counts):
        print('%8.2f %s' % (low + number * step, '#' * int(width * amount / max(counts))))


bars(prices)"""
_FITTING = """def solve(matrix, right):
    count = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for place in range(count):
        best = max(range(place, count), key=lambda row: abs(rows[row][place]))
        rows[place], rows[best] = rows[best], rows[place]
        for row in range(place + 1, count):
            factor = rows[row][place] / rows[place][place]
            rows[row] = [a - factor * b for a, b in zip(rows[row], rows[place])]
    result = [0.0] * count
    for place in reversed(range(count)):
        known = sum(rows[place][later] * result[later] for later in range(place + 1, count))
        result[place] = (rows[place][count] - known) / rows[place][place]
    return result


def fit(sample):
    table = [[1.0] + house for house, price in sample]
    count = len(table[0])
    matrix = [[sum(row[i] * row[j] for row in table) for j in range(count)] for i in range(count)]
    right = [sum(row[i] * price for row, (house, price) in zip(table, sample)) for i in range(count)]
    return solve(matrix, right)


def predict(weights, house):
    return weights[0] + sum(weight * part for weight, part in zip(weights[1:], house))


weights = fit(houses[:300])"""
_CELLS = (
    _LOADING,
    _STATISTICS,
    *(_SUMMARY.format(name=name) for name in _NAMES),
    _BARS,
    f"""# the cheapest and the dearest
def price_of(pair):
    return pair[1]


{_LINES[0]}
print('prices from %.2f to %.2f' % (by_price[0][1], by_price[-1][1]))""",
    f"""# what a neighbour would want to know
summary = {{'cheapest': by_price[0][1], 'dearest': by_price[-1][1]}}
{_LINES[1]}
print(report)""",
    _FITTING,
    f"""# what counts most
def strength(pair):
    return -abs(pair[0])


ranking = list(zip(weights[1:], NAMES))
{_LINES[2]}
print(ranking)""",
    f"""note = 'The price depends most on %s, then on %s.' % (ranking[0][1], ranking[1][1])
{_LINES[3]}
print(caption)""",
    f"""slope = ranking[0][0]
{_LINES[4]}
print(caption, 'as expected' if close else 'and that is strange')""",
    """test = houses[300:]
errors = [price - predict(weights, house) for house, price in test]
bars(errors)""",
    """middle = mean([price for house, price in test])
total = sum((price - middle) ** 2 for house, price in test)
print('r2: %.4f' % (1 - sum(error ** 2 for error in errors) / total))""",
)
_RECORDED = "r2: 0.9816\n"


def main() -> int:
    """Repair the notebook both ways and print the costs side by side; exit 1 when a bound is missed."""
    environment = build(Requirements(("ipykernel",)), BuildSettings(user_cache_path(TOOL_NAME), find_python(None)))
    if not isinstance(environment, Environment):
        print(f"no environment: {environment.message}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, _server() as url, Installed(environment.python) as installed:
        base = Path(folder)
        (base / "repository").mkdir()
        _write(base / "repository" / "n.ipynb")
        assistant = open_assistant(Model(name=_MODEL, base_url=url), {}, out=base / "out", cache=base / "cache")
        try:
            mine = ours(Workplace(base / "repository", "n.ipynb", environment, installed), assistant)
            other = theirs(Workplace(base / "repository", "n.ipynb", environment, installed), assistant)
        finally:
            assistant.close()
    return _compared(mine, other)


def _compared(mine: Side, other: Side) -> int:
    print(f"a notebook of {len(_CELLS)} cells and {sum(map(len, _CELLS)) // 4} tokens")
    missed = table(mine, other, seconds=_THIRD * _NOISE, repair_seconds=_THIRD, tokens=_FIFTH)
    missed += [name for name, side in (("ours", mine), ("study", other)) if side.verdict != "reproduced"]
    print(f"missed: {', '.join(missed)}" if missed else "all bounds are kept")
    return 1 if missed else 0


def _write(path: Path) -> None:
    output = {"output_type": "stream", "name": "stdout", "text": _RECORDED}
    cells = [
        {
            "cell_type": "code",
            "execution_count": number + 1,
            "metadata": {},
            "outputs": [output] if number == len(_CELLS) - 1 else [],
            "source": source,
        }
        for number, source in enumerate(_CELLS)
    ]
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}), encoding="utf-8")


@contextmanager
def _server() -> Iterator[str]:
    """Serve chat completions of the scripted model on loopback; gives the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            content = json.dumps(_completion(request)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}/v1"
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def _completion(request: dict[str, Any]) -> dict[str, Any]:
    prompt = "\n".join(message["content"] for message in request["messages"])
    text = _answer(prompt)
    limit = request.get("max_completion_tokens", request.get("max_tokens", 4_000))
    cut = len(text) // 4 >= limit
    text = text[: limit * 4] if cut else text
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": request["model"],
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "length" if cut else "stop"}
        ],
        "usage": {"prompt_tokens": len(prompt) // 4, "completion_tokens": len(text) // 4 + 1},
    }


def _answer(prompt: str) -> str:
    """Repair the first breakage in the code that the prompt shows, in the form that it asks for."""
    found = re.search(r"^(data-\w+) code\n(.*?)\n\1 end$", prompt, re.MULTILINE | re.DOTALL)
    code = found[2] if found else ""
    old = next((line for line in _BREAKS if line in code), None)
    if old is None:
        return "NO EDIT: nothing is broken"
    why = "The argument is keyword-only now."
    if "Answer with the whole notebook" in prompt:
        return f"{why}\n\n```python\n{code.replace(old, _BREAKS[old])}\n```"
    cell = next(number for number, source in enumerate(_CELLS) if old in source)
    return f"{why}\n\n```diff\n@@ # %% [cell {cell}] code\n-{old}\n+{_BREAKS[old]}\n```"


if __name__ == "__main__":
    sys.exit(main())
