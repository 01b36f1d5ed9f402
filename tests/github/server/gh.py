"""The parts of GitHub's command line that the release uses, on the GitHub of the environment; ``--jq`` is jq's own work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path


def call(method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
    _, _, host, base = os.environ["GH_ADDRESS"].split("/", 3)
    connection = HTTPConnection(host)
    connection.request(method, f"/{base}/{path}", body, {"Authorization": f"token {os.environ['GH_TOKEN']}"})
    answer = connection.getresponse()
    return answer.status, answer.read()


def api(args: list[str]) -> int:
    path, method, fields, text, jq, silent = args.pop(0), "", {}, None, "", False
    if path == "-X":
        method, path = args.pop(0), args.pop(0)
    while args:
        match args.pop(0):
            case "-f":
                name, _, value = args.pop(0).partition("=")
                fields[name] = value
            case "-F":
                name, _, value = args.pop(0).partition("=")
                fields[name] = json.loads(value)
            case "--input":
                text = sys.stdin.buffer.read() if args.pop(0) == "-" else None
            case "--jq":
                jq = args.pop(0)
            case "--silent":
                silent = True
            case other:
                raise SystemExit(f"unknown flag: {other}")
    body = text if text is not None else json.dumps(fields).encode() if fields else None
    status, answer = call(method or ("POST" if body else "GET"), path, body)
    if status >= 300:
        sys.stderr.write(f"gh: {answer.decode()} (HTTP {status})\n")
        return 1
    if not silent:
        shown = subprocess.run(["jq", "-r", jq or "."], input=answer, check=True, capture_output=True).stdout
        sys.stdout.buffer.write(shown)
    return 0


def release(args: list[str]) -> int:
    place = Path(os.environ["GH_RELEASES"])
    made = place.read_text(encoding="utf-8").splitlines() if place.exists() else []
    if args[0] == "view":
        return 0 if args[1] in made else 1
    if os.environ.get("GH_NO_RELEASE"):
        return 1
    place.write_text("\n".join([*made, args[1]]), encoding="utf-8")
    return 0


sys.exit({"api": api, "release": release}[sys.argv[1]](sys.argv[2:]))
