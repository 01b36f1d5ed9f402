"""Turns what a run found into files and text for people and machines."""
