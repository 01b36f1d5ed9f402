from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from modernizer.environment.model import Environment
from modernizer.execution.child_environment import child_environment
from modernizer.execution.outcome import Execution
from modernizer.execution.session import Session


def text(outputs: Iterable[Mapping[str, Any]]) -> str:
    return "".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in outputs)


@pytest.mark.parametrize(
    "source",
    [
        "!pip install left-pad",
        "!pip3 install -q 'numpy<1.0'",
        "! python -m pip install --upgrade left-pad",
        "import sys\n!{sys.executable} -m pip install left-pad",
        "import sys\n!$sys.executable -m pip uninstall -y numpy",
        "!conda install -y -c conda-forge left-pad",
        "!sudo -H pip install left-pad",
        "!PIP_NO_INPUT=1 pip install left-pad",
        "!uv pip install left-pad",
        "x = !pip install left-pad\nprint(x)",
        "%pip install left-pad",
        "pip install left-pad",
        "%conda install left-pad",
        "%mamba install left-pad",
        "get_ipython().system('pip install left-pad')",
        "print(get_ipython().getoutput('pip install left-pad'))",
        "import os\nassert os.system('pip install left-pad') == 0",
        "%%bash\npip install left-pad",
        "%%sh\nconda install left-pad",
        "import subprocess\nsubprocess.check_call(['pip', 'install', 'left-pad'])",
    ],
)
def test_installing_does_nothing_and_says_so(reused: Callable[..., Execution], source: str) -> None:
    execution = reused(source)
    assert execution.end == "finished"
    assert "not run, the environment is already built" in text(execution.outputs[0])


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("word = 'hello'\n!echo {word} $word", "hello hello"),
        ("command = 'c'\n!echo {command}", "c"),
        ("def f(local):\n    !echo {local}\nf('inner')", "inner"),
        ("def f(local):\n    return get_ipython().getoutput('echo {local}')\nprint(f('inner'))", "['inner']"),
        ("x = !echo a; echo b\nprint(x)", "['a', 'b']"),
        ("!echo pip install is a phrase", "pip install is a phrase"),
        ("!pip install x && echo went on", "went on"),
        ("!echo $$HOME {{literal}}", "{literal}"),
        ("%%bash\necho from bash", "from bash"),
        ("%sx echo sx", "sx"),
    ],
)
def test_other_shell_commands_run_as_they_are(reused: Callable[..., Execution], source: str, printed: str) -> None:
    assert printed in text(reused(source).outputs[0])


@pytest.mark.parametrize(
    "backend", ["", "qt", "qt5", "tk", "notebook", "widget", "ipympl", "nbagg", "gtk3", "osx", "inline", "auto"]
)
def test_every_matplotlib_magic_gives_inline_figures(reused: Callable[..., Execution], backend: str) -> None:
    execution = reused(f"%matplotlib {backend}\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")
    assert execution.end == "finished", execution.error
    assert any("image/png" in output.get("data", {}) for output in execution.outputs[0])


@pytest.mark.parametrize(
    "source",
    [
        "import matplotlib\nmatplotlib.use('TkAgg')\nimport matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()",
        "import matplotlib.pyplot as plt\nplt.switch_backend('Qt5Agg')\nplt.plot([1])\nplt.show()",
        "import matplotlib as mpl\nmpl.use('WebAgg', force=True)\nimport matplotlib.pyplot as plt\nplt.figure()\nplt.show()",
        "%pylab\nplot([1, 2])",
    ],
)
def test_interactive_backends_become_inline_figures(open_session: Callable[..., Session], source: str) -> None:
    execution = open_session(source).run()
    assert execution.end == "finished", execution.error
    assert any("image/png" in output.get("data", {}) or "Figure" in str(output) for output in execution.outputs[0])


def test_a_file_backend_stays_as_asked(open_session: Callable[..., Session]) -> None:
    execution = open_session("import matplotlib\nmatplotlib.use('agg')\nprint(matplotlib.get_backend().lower())").run()
    assert text(execution.outputs[0]) == "agg\n"


@pytest.mark.parametrize(
    "source",
    ["input('name? ')", "import getpass\ngetpass.getpass()", "import sys\nassert sys.stdin.readline(), 'nothing to read'"],
)
def test_asking_the_user_fails_at_once(reused: Callable[..., Execution], source: str) -> None:
    execution = reused(source)
    assert execution.end == "error"
    assert execution.cells[0].seconds < 5


def test_a_breakpoint_does_not_wait(reused: Callable[..., Execution]) -> None:
    assert reused("breakpoint()\nx = 1").seconds < 20


def test_output_written_to_the_descriptor_belongs_to_its_cell(reused: Callable[..., Execution]) -> None:
    # ipykernel reads the descriptor in a thread of its own, which a busy machine may hold up for once.
    seen = [text(reused("import os\n_ = os.write(1, b'raw')").outputs[0]) for _ in range(8)]
    assert seen.count("raw") >= 6, seen


def test_output_of_forked_children_arrives(open_session: Callable[..., Session]) -> None:
    source = "import os\nif os.fork() == 0:\n    print('from the child', flush=True)\n    os._exit(0)\n_ = os.wait()"
    session = open_session(source, "import time\ntime.sleep(0.3)")
    assert text(session.run().outputs[0]).startswith("from the child\n")


def test_nothing_secret_reaches_the_kernel(open_session: Callable[..., Session], monkeypatch: pytest.MonkeyPatch) -> None:
    planted = {
        "GITHUB_TOKEN": "t",
        "GITHUB_ENV": "f",
        "INPUT_KEY": "k",
        "ACTIONS_RUNTIME_TOKEN": "r",
        "OPENAI_API_KEY": "o",
        "HTTPS_PROXY": "http://user:pass@proxy:1",
        "MY_PASSWORD": "p",
        "SSH_AUTH_SOCK": "s",
        "DISPLAY": ":0",
    }
    for name in planted:
        monkeypatch.setenv(name, f"planted-{name}")
    monkeypatch.setenv("HTTPS_PROXY", planted["HTTPS_PROXY"])
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    source = (
        "import os, json\nseen = dict(os.environ)\n"
        "parent = open(f'/proc/{os.getppid()}/environ').read()\nleaks = 'planted-' in parent or 'user:pass' in parent"
    )
    session = open_session(source)
    assert session.run().end == "finished"
    seen = session.ask("seen")
    assert not planted.keys() & seen.keys()
    assert session.ask("leaks") is False
    assert seen["OMP_NUM_THREADS"] == "2"
    assert seen["VIRTUAL_ENV"] in seen["PATH"].split(":")[1]
    for name in ("HOME", "IPYTHONDIR", "MPLCONFIGDIR", "TMPDIR", "XDG_CACHE_HOME"):
        assert seen["MODERNIZER_KERNEL"]
        assert "nm-" in seen[name]


def test_the_child_environment_takes_only_the_allow_list(kernel_environment: Environment, tmp_path: Path) -> None:
    source = {
        "PATH": "/usr/bin",
        "LC_ALL": "de_DE.UTF-8",
        "TZ": "UTC",
        "NO_PROXY": "x",
        "X_TOKEN": "1",
        "PYTHONPATH": "/x",
        "LD_PRELOAD": "y",
    }
    child = child_environment(kernel_environment, tmp_path, marker="m", source=source)
    assert {"LC_ALL", "TZ", "NO_PROXY"} <= child.keys()
    assert not {"X_TOKEN", "PYTHONPATH", "LD_PRELOAD"} & child.keys()
    assert child["PATH"].endswith(":/usr/bin")


def test_no_port_is_open_and_the_sockets_are_private(open_session: Callable[..., Session]) -> None:
    source = (
        "import glob, os, stat, psutil\nme = psutil.Process()\n"
        "ports = [c.laddr for p in [me, me.parent()] for c in p.net_connections('inet') if c.status == 'LISTEN']\n"
        "folder = os.path.dirname(os.environ['HOME'])\nmode = oct(stat.S_IMODE(os.stat(folder).st_mode))\n"
        "sockets = len(glob.glob(folder + '/ipc/k-*'))"
    )
    session = open_session(source)
    assert session.run().end == "finished"
    assert session.ask("ports") == []
    assert session.ask("mode") == "0o700"
    assert session.ask("sockets") == 5


def test_the_private_folder_is_removed(open_session: Callable[..., Session]) -> None:
    session = open_session(
        "import os\nfolder = os.path.dirname(os.environ['HOME'])\nopen(os.environ['HOME'] + '/x', 'w').close()"
    )
    session.run()
    folder = session.ask("folder")
    session.close()
    assert not Path(folder).exists()
