"""How far an execution may go."""

from __future__ import annotations

from dataclasses import dataclass

_GIB = 1 << 30
_MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Limits of one execution: times in seconds, sizes in bytes.

    ``cell`` and ``notebook`` are wall time in cells, ``startup`` the kernel's start; ``deadline`` is an instant of
    ``time.monotonic()`` by which everything must have ended. ``memory`` and ``processes`` count the kernel and all it
    started. ``file`` is the largest file it may write, ``disk`` what it may write in all. Outputs beyond
    ``output_bytes`` are dropped.
    """

    cell: float = 600.0
    notebook: float = 600.0
    memory: int = 8 * _GIB
    output_bytes: int = 64 * _MIB
    startup: float = 60.0
    deadline: float | None = None
    processes: int = 500
    file: int = 32 * _GIB
    disk: int = 16 * _GIB
