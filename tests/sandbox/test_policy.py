from __future__ import annotations

import sys
from pathlib import Path

from modernizer.sandbox.policy import covered, interpreter_paths, system_paths


def test_homes_and_service_sockets_are_covered_and_no_system_folder_is() -> None:
    folders = covered({"HOME": "/somewhere/me", "XDG_RUNTIME_DIR": "/run/user/1", "RUNNER_TEMP": "/usr", "TMPDIR": "/"})
    assert {"/home", "/root", "/run", "/tmp", "/somewhere/me"} <= set(folders)  # noqa: S108 - not ours
    assert not {"/", "/usr", "/etc", "/proc", "/dev"} & set(folders)


def test_of_the_settings_no_secret_is_readable() -> None:
    paths = system_paths({"SSL_CERT_FILE": "/etc/hosts", "LD_LIBRARY_PATH": "relative::/usr/lib"})
    assert not {"/etc", "/etc/shadow", "/etc/ssh", "/etc/ssl/private", "/etc/ssl", "relative", "", "/"} & set(paths)
    assert "/usr" in paths
    assert "/etc/passwd" in paths


def test_an_interpreter_is_its_own_folder_and_those_its_links_lead_over(tmp_path: Path) -> None:
    python = tmp_path / "environment" / "bin" / "python"
    python.parent.mkdir(parents=True)
    between = tmp_path / "between" / "bin" / "python3"
    between.parent.mkdir(parents=True)
    between.symlink_to(sys.executable)
    python.symlink_to("../../between/bin/python3")
    paths = interpreter_paths(python)
    assert {str(tmp_path / "environment"), str(tmp_path / "between"), str(Path(sys.executable).resolve().parents[1])} <= set(
        paths
    )
