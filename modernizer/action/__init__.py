"""The GitHub action: inputs, files and workflow commands of the runner around the same functions as the command line."""

from modernizer.action.job import main

__all__ = ["main"]
