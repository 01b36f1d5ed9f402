"""Notebook Modernizer: run old notebooks in today's packages, repair the broken ones and prove the repair."""

__version__ = "0.1.0"
