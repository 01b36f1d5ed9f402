"""Names of the files that the model's stage leaves in the output folder."""

from __future__ import annotations

AUDIT = "model-calls.jsonl"
MEMORY = "memory.json"
