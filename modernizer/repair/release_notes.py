"""What the release notes of the projects are called that recipes are written from."""

from __future__ import annotations

from typing import Final

_NOTES: Final = {
    "PIL": "Pillow release notes",
    "albumentations": "albumentations release notes",
    "matplotlib": "Matplotlib API changes",
    "mpl_toolkits": "Matplotlib API changes",
    "networkx": "NetworkX release notes",
    "numpy": "NumPy release notes",
    "pandas": "pandas What's New",
    "pkg_resources": "setuptools history",
    "scipy": "SciPy release notes",
    "seaborn": "seaborn What's New",
    "sklearn": "scikit-learn What's New",
    "tensorflow": "TensorFlow release notes",
}


def release_notes(dotted: str, since: str) -> str:
    """Name the notes of the project that has a dotted name, with the release when it is known; else those of Python."""
    notes = _NOTES.get(dotted.partition(".")[0], "What's New In Python")
    return f"{notes} {since}".rstrip()
