"""Record the example notebooks: run each source in the environment of its time and store what it really printed.

Usage: python build.py ERA_PYTHON ERA_PYTHON2 [NAME ...]     (this script itself needs nbclient and nbformat)
ERA_PYTHON is a Python 3.6 with requirements-2018.txt installed, ERA_PYTHON2 a Python 2.7 with requirements-2018-python2.txt.
A source is Python in percent format: '# %%' opens a code cell, '# %% [markdown]' a text cell.
"""

import pathlib
import re
import shutil
import subprocess
import sys

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpec
from nbclient import NotebookClient

SOURCES = pathlib.Path(__file__).resolve().parent
EXAMPLES = SOURCES.parent
KAGGLE = pathlib.Path("/kaggle/input")
PYTHON2 = {"gradebook_python2"}


def cells(text):
    for part in re.split(r"(?m)^# %%", text)[1:]:
        head, _, body = part.partition("\n")
        body = body.strip("\n")
        if "[markdown]" in head:
            cell = nbformat.v4.new_markdown_cell("\n".join(line.lstrip("#").removeprefix(" ") for line in body.split("\n")))
        else:
            cell = nbformat.v4.new_code_cell(body)
        cell.pop("id", None)  # nbformat 4.2, the version of the time, has no cell ids
        yield cell


def record(source, python, major):
    class EraKernel(AsyncKernelManager):
        @property
        def kernel_spec(self):
            argv = [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            return KernelSpec(argv=argv, display_name=f"Python {major}", language="python")

    notebook = nbformat.v4.new_notebook(nbformat_minor=2)
    notebook.cells = list(cells(source.read_text()))
    notebook.metadata["kernelspec"] = {"display_name": f"Python {major}", "language": "python", "name": f"python{major}"}
    client = NotebookClient(notebook, timeout=120, kernel_manager_class=EraKernel, resources={"metadata": {"path": str(EXAMPLES)}})
    client.record_timing = False
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    (EXAMPLES / f"{source.stem}.ipynb").write_text(nbformat.writes(notebook, version=4) + "\n", encoding="utf-8")


def main(python, python2, *names):
    if KAGGLE.exists():
        sys.exit(f"{KAGGLE} exists; it would be written and removed by this script")
    subprocess.run([python, SOURCES / "make_data.py", EXAMPLES / "data", KAGGLE], check=True)
    try:
        for source in sorted(SOURCES.glob("*.py")):
            if source.stem in {"build", "make_data"} or (names and source.stem not in names):
                continue
            record(source, *((python2, 2) if source.stem in PYTHON2 else (python, 3)))
            print(source.stem)
    finally:
        shutil.rmtree(KAGGLE)
        shutil.rmtree(EXAMPLES / "__pycache__", ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
