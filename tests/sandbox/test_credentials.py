from __future__ import annotations

import sys

import pytest

from modernizer.process import run
from modernizer.sandbox.credentials import take_secrets

SCRIPT = """
import os
from modernizer.sandbox.credentials import hide_process, take_secrets
secrets = take_secrets()
block = open('/proc/self/environ', 'rb').read()
assert secrets['GITHUB_TOKEN'] == 'planted-1' and secrets['INPUT_MODEL-API-KEY'] == 'planted-2'
assert b'planted' not in block, block
assert b'HARMLESS=still-here' in block and os.environ['HARMLESS'] == 'still-here'
assert 'GITHUB_TOKEN' not in os.environ
import subprocess
assert b'planted' not in subprocess.run(['env'], capture_output=True).stdout
hide_process()
print(secrets, 'done')
"""


def test_secrets_are_gone_from_the_environment_and_from_proc() -> None:
    env = {"GITHUB_TOKEN": "planted-1", "INPUT_MODEL-API-KEY": "planted-2", "HARMLESS": "still-here", "PATH": "/usr/bin:/bin"}
    done = run([sys.executable, "-c", SCRIPT], env=env, timeout=30)
    assert done.stdout == "Secrets(GITHUB_TOKEN, INPUT_MODEL-API-KEY) done\n"


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("OPENAI_API_KEY", True),
        ("INPUT_TOKEN", True),
        ("INPUT_API-KEY", True),
        ("ACTIONS_RUNTIME_TOKEN", True),
        ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", True),
        ("AWS_SECRET_ACCESS_KEY", True),
        ("DATABASE_PASSWORD", True),
        ("UV_INDEX_PRIVATE_PASSWORD", False),
        ("PATH", False),
        ("INPUT_NOTEBOOKS", False),
        ("MONKEY", False),
    ],
)
def test_what_is_taken(name: str, *, taken: bool) -> None:
    environ = {name: "value"}
    assert (name in take_secrets(environ)) is taken
    assert (name in environ) is not taken


def test_text_of_secrets_shows_no_value() -> None:
    secrets = take_secrets({"API_KEY": "planted"})
    assert "planted" not in f"{secrets} {secrets!r} {[secrets]}"
    assert dict(secrets) == {"API_KEY": "planted"}
    assert len(secrets) == 1
