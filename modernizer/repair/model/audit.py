"""What was said to a model and what it said, one JSON line a call, without keys and secrets."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from modernizer.repair.model.redact import without_keys


@dataclass
class AuditLog:
    """A file of calls below the output folder, begun anew for each run. Safe to use from several threads."""

    path: Path | None = None
    secrets: Iterable[str] = ()
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _begun: bool = False

    def write(self, record: Mapping[str, object]) -> None:
        """Append one call."""
        if self.path is None:
            return
        said = without_keys({"at": datetime.now(UTC).isoformat(timespec="seconds"), **record}, self.secrets)
        line = json.dumps(said, ensure_ascii=True) + "\n"
        with self._guard:
            flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | (os.O_APPEND if self._begun else os.O_TRUNC)
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(self.path, flags, 0o644), "a", encoding="utf-8") as file:
                file.write(line)
            self._begun = True
