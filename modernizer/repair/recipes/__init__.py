"""Deterministic, tested code changes for known API changes."""
