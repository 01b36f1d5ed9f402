"""junit.xml: one test case for each notebook, for the many programs that read this format."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from xml.etree import ElementTree as ET

from modernizer.report.results import NotebookResult, RunResult, headline, totals
from modernizer.report.text import one_line, plain
from modernizer.report.view import arrow, trouble

_FAILED = frozenset({"drifted", "broken", "timed-out", "crashed"})
# The characters XML 1.0 can't hold even as references.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_junit(run: RunResult) -> str:
    """Render the results: notebooks that ended badly fail, blocked ones are skipped."""
    counted = totals(run.notebooks)
    counts = {
        "tests": str(counted.notebooks),
        "failures": str(sum(counted.after[verdict] for verdict in _FAILED)),
        "errors": "0",
        "skipped": str(counted.after["blocked"]),
        "time": f"{sum(result.final.seconds for result in run.notebooks):.3f}",
    }
    suites = ET.Element("testsuites", {"name": run.tool.name} | counts)
    suite = ET.SubElement(suites, "testsuite", {"name": "notebooks", "timestamp": run.started[:19]} | counts)
    for result in run.notebooks:
        _add_case(suite, result)
    ET.SubElement(suite, "system-out").text = _legal(headline(run))
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _add_case(suite: ET.Element, result: NotebookResult) -> None:
    path = PurePosixPath(result.path)
    final = result.final
    folder = "." if path.parent == PurePosixPath() else path.parent.as_posix()
    attributes = {"classname": folder, "name": path.name, "file": result.path, "time": f"{final.seconds:.3f}"}
    case = ET.SubElement(suite, "testcase", {key: _legal(value) for key, value in attributes.items()})
    if final.verdict == "blocked":
        ET.SubElement(case, "skipped", {"message": _legal(one_line(f"{final.reason}: {trouble(result)}".strip(": ")))})
    elif final.verdict in _FAILED:
        failure = ET.SubElement(case, "failure", {"type": final.verdict, "message": _legal(one_line(trouble(result)))})
        failure.text = _legal(plain(final.error.traceback)) if final.error else None
    ET.SubElement(case, "system-out").text = _legal(arrow(result))


def _legal(text: str) -> str:
    return _ILLEGAL.sub("�", text)
