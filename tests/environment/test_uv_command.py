from __future__ import annotations

from modernizer.environment.uv_command import run_uv, said, uv_environment
from modernizer.process import Completed


def test_uv_sees_its_settings_and_nothing_secret() -> None:
    passed = {"PATH": "/bin", "HOME": "/home/a", "UV_DEFAULT_INDEX": "x", "https_proxy": "p", "SSL_CERT_FILE": "c"}
    secrets = dict.fromkeys(("GITHUB_TOKEN", "INPUT_TOKEN", "AWS_SECRET", "UV_PUBLISH_TOKEN"), "secret")
    other = {"UV_PROJECT_ENVIRONMENT": "v", "PYTHONPATH": "y"}
    seen = uv_environment(passed | secrets | other)
    assert passed.items() <= seen.items()
    assert "secret" not in seen.values()
    assert not other.keys() & seen.keys()


def test_addresses_do_not_show_in_what_uv_said() -> None:
    done = Completed(1, "", "failed at `https://user:pw@index.invalid/simple/x/`\n  cause: git+ssh://git@host.invalid/a", 0.1)
    assert said(done) == "failed at `(address)` cause: (address)"


def test_uv_is_the_installed_one() -> None:
    assert run_uv(["--version"], timeout=20, env=uv_environment()).stdout.startswith("uv ")
