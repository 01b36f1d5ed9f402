"""Corpora and models of nltk that a notebook reads, found in its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from modernizer.notebook import Cell
from modernizer.verdict.preflight_reads import unconditional
from modernizer.verdict.source import dotted, import_aliases, parse, qualified

# Functions and classes, and the resource that each reads: its place in nltk's data and its name for the downloader.
_FUNCTIONS = {
    "word_tokenize": "tokenizers/punkt_tab",
    "sent_tokenize": "tokenizers/punkt_tab",
    "pos_tag": "taggers/averaged_perceptron_tagger_eng",
    "ne_chunk": "chunkers/maxent_ne_chunker_tab",
    "SentimentIntensityAnalyzer": "sentiment/vader_lexicon",
}
_METHODS = {"lemmatize": ("WordNetLemmatizer", "corpora/wordnet")}
_READERS = frozenset({
    "words", "raw", "sents", "paras", "fileids", "categories", "tagged_words", "tagged_sents", "synsets", "synset", "strings",
})  # fmt: skip
_BROUGHT = re.compile(
    r"\bnltk\.download\b|\bnltk\.downloader\b|\bdownload_shell\b|\bdata\.path\b|from\s+nltk\s+import[^\n]*\bdownload\b"
)


@dataclass(frozen=True)
class Corpus:
    """A resource that a cell certainly reads: its place in nltk's data folder, the line of the call in the cell."""

    place: str
    cell: int
    line: int

    @property
    def name(self) -> str:
        """The name by which ``nltk.download`` knows it."""
        return self.place.rpartition("/")[2]


def certain_corpora(cells: Sequence[Cell]) -> Iterator[Corpus]:
    """Give the resources that the cells are certain to read; none of a notebook that speaks of where they come from."""
    sources = [cell.source for cell in cells]
    if any(_BROUGHT.search(source) for source in sources):
        return
    aliases = import_aliases(sources)
    if not any(target.partition(".")[0] == "nltk" for target in aliases.values()):
        return
    made: set[str] = set()
    for cell in cells:
        tree = parse(cell.source)
        expected_to_fail = "raises-exception" in cell.tags or any(output.get("output_type") == "error" for output in cell.outputs)
        for statement in tree.body if tree and not expected_to_fail else ():
            for node in unconditional(statement):
                place = _read(node, aliases, made) if isinstance(node, ast.Call) else None
                if place:
                    yield Corpus(place, cell.index, getattr(node, "lineno", 1))
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
                kind = qualified(dotted(statement.value.func), aliases).rpartition(".")[2]
                made |= {f"{target.id}:{kind}" for target in statement.targets if isinstance(target, ast.Name)}


def _read(node: ast.Call, aliases: dict[str, str], made: set[str]) -> str | None:
    """Return the place of the resource that a call reads."""
    parts = qualified(dotted(node.func), aliases).split(".")
    if parts[0] == "nltk" and parts[-1] in _FUNCTIONS:
        return _FUNCTIONS[parts[-1]]
    if parts[:2] == ["nltk", "corpus"] and len(parts) == 4 and parts[3] in _READERS:  # noqa: PLR2004 (nltk.corpus.name.method)
        return f"corpora/{parts[2]}"
    if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS and isinstance(node.func.value, ast.Name):
        kind, place = _METHODS[node.func.attr]
        return place if f"{node.func.value.id}:{kind}" in made else None
    return None
