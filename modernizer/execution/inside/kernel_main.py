"""The kernel's main program: ipykernel with the shell made safe to run unattended and a side channel for questions.

Nothing here enters the notebook's namespace, ``sys.modules`` or ``sys.path``.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib costs start-up time
REQUEST = "modernizer_request"


def main() -> None:
    """Start the kernel described by the JSON file named on the command line."""
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123 - as above
        spec = json.load(file)
    # This folder is on the path only because the interpreter put the script's folder there.
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != FOLDER]  # noqa: PTH100
    sys.argv[1:] = []
    outputs = _load("outputs")
    outputs.use_private_pipe(spec["pipe"])
    # ipykernel offers a debugger where there is debugpy, which nobody asks for here; to import it takes a third of the start.
    sys.modules["debugpy"] = None  # type: ignore[assignment]
    app = importlib.import_module("ipykernel.kernelapp").IPKernelApp.instance()
    outputs.drop_nothing(app)
    app.initialize(["-f", spec["connection_file"], "--HistoryManager.hist_file=:memory:"])
    del sys.modules["debugpy"]
    sys.path += [entry for entry in spec["import_folders"] if os.path.isdir(entry)]  # noqa: PTH112
    prepare(app, spec)
    app.start()


def prepare(app: Any, spec: dict[str, Any]) -> None:
    """Install everything in a kernel application that is initialised but not started."""
    failures = _load("failures").Failures(app.shell)
    questions = _load("questions")
    divisions = _load("divisions").Divisions(app.shell)
    _load("shell").tame(app.shell)
    _load("figures").use_inline_figures(app.shell)
    outputs = _load("outputs")
    outputs.limit_outputs(app, spec["output_bytes"])
    outputs.wait_for_raw_output(app.shell)

    answers = {
        "failure": failures.take,
        "ask": lambda expression: questions.ask(app.shell.user_ns, expression),
        "describe": lambda expression: questions.describe(app.shell.user_ns, expression),
        "describe_local": lambda function, expression: questions.describe_local(failures.error, function, expression),
        "forget": questions.forget_modules,
        "observe_divisions": divisions.observe,
        "divisions": divisions.take,
    }

    def answer(stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        content = parent["content"]
        try:
            value = answers[content["question"]](*content["arguments"])
        except Exception as error:  # noqa: BLE001 - whatever the notebook's objects raise is the answer
            reply = {"error": f"{type(error).__name__}: {error}"[:2000]}
        else:
            # As text, because the message packer refuses NaN.
            reply = {"answer": json.dumps(value)}
        app.kernel.session.send(stream, "modernizer_reply", reply, parent, ident)

    app.kernel.shell_handlers[REQUEST] = answer


def _load(name: str) -> Any:
    """Load a sibling file without leaving it in ``sys.modules``."""
    spec = importlib.util.spec_from_file_location(f"_modernizer_{name}", os.path.join(FOLDER, f"{name}.py"))  # noqa: PTH118
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
