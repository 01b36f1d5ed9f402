"""Answers kept on disk by everything that was sent for them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class AnswerCache:
    """A folder of answers. Without one nothing is kept."""

    folder: Path | None = None

    def key(self, sent: Mapping[str, object]) -> str:
        """Return the name of what was sent: address, model, messages and every parameter."""
        text = json.dumps(sent, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def get(self, key: str) -> str | None:
        """Return the body of a kept answer; one that can't be read is none."""
        if self.folder is None:
            return None
        try:
            return (self.folder / key[:2] / f"{key}.json").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def put(self, key: str, body: str) -> None:
        """Keep an answer, whole or not at all; a disk that refuses only costs the next run a call."""
        if self.folder is None:
            return
        with contextlib.suppress(OSError):
            folder = self.folder / key[:2]
            folder.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=folder)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(body)
            Path(name).replace(folder / f"{key}.json")
