"""The catalogue of recipes, for ``modernizer recipes`` and docs/recipes.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from modernizer.repair.recipe import Recipe
from modernizer.repair.recipes.arguments import Change, changes
from modernizer.repair.recipes.gone_functions import gone_functions
from modernizer.repair.recipes.moves import moves, sources
from modernizer.repair.recipes.removed_methods import removed

_HEAD = """# The recipes

This page is made from the code by `modernizer recipes --markdown`; a test keeps it up to date.

A recipe is a deterministic change for a known change of an API. It fires only when the installed packages need it, and all
that apply run over every cell and every repo-local module at once. How to add one stands in CONTRIBUTING.md.
"""


def listing(recipes: Iterable[Recipe]) -> list[dict[str, str]]:
    """Return name, summary, first release and source of each recipe, in the order in which they run."""
    return [
        {"name": recipe.name, "summary": recipe.summary, "since": recipe.since, "source": recipe.source} for recipe in recipes
    ]


def markdown(recipes: Iterable[Recipe]) -> str:
    """Render the catalogue as one markdown page."""
    parts = [_HEAD, "| recipe | what it does | since | source |\n|---|---|---|---|"]
    rows = (_row(f"`{item['name']}`", item["summary"], item["since"], item["source"]) for item in listing(recipes))
    parts[-1] += "".join(f"\n{row}" for row in rows)
    parts.append("## Moved and renamed symbols (`moved-symbol`)\n\n| old | new | source |\n|---|---|---|")
    parts[-1] += "".join(f"\n{_row(f'`{old}`', f'`{new}`', sources()[old])}" for old, new in sorted(moves().items()))
    parts.append("## Changed arguments (`changed-argument`)\n\n| package | since | of | change |\n|---|---|---|---|")
    parts[-1] += "".join(f"\n{_change_row(change)}" for change in changes())
    parts.append("## Removed methods and attributes (`removed-method`)\n\n| of | name | source |\n|---|---|---|")
    gone = sorted((row for rows in removed().values() for row in rows), key=lambda row: (min(row.of), row.name))
    parts[-1] += "".join(f"\n{_row(_joined(sorted(row.of)), f'`{row.name}`', row.source)}" for row in gone)
    parts.append("## Functions that an expression replaces (`gone-function`)\n\n| function | source |\n|---|---|")
    parts[-1] += "".join(f"\n{_row(f'`{row.name}`', row.source)}" for row in gone_functions().values())
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _change_row(change: Change) -> str:
    names = [*sorted(change.of), *(f".{method}()" for method in sorted(change.methods))]
    what = [f"`{old}=` → `{new}=`" for old, new in change.rename.items()]
    what += [f"`{name}=` dropped" for name in sorted(change.drop)]
    what += [f"`{name}={value}` dropped" for name, values in change.drop_values.items() for value in values]
    what += [f"`{name}={value}` added" for name, value in (*change.add.items(), *change.defaults.items())]
    what += [f"`{name}={old}` → `{new}`" for name, values in change.values.items() for old, new in values.items()]
    return _row(change.package, change.version, _joined(names), _joined(what))


def _joined(texts: Sequence[str]) -> str:
    return ", ".join(text if text.startswith("`") else f"`{text}`" for text in texts)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
