from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from modernizer.repair.catalogue import markdown
from modernizer.repair.recipe import Recipe
from modernizer.repair.recipes import all_recipes

PAGE = Path(__file__).parents[2] / "docs" / "recipes.md"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == markdown(all_recipes()), "run: modernizer recipes --markdown > docs/recipes.md"


def test_names_are_unique() -> None:
    assert [name for name, count in Counter(recipe.name for recipe in all_recipes()).items() if count > 1] == []


@pytest.mark.parametrize("recipe", all_recipes(), ids=lambda recipe: recipe.name)
def test_each_recipe_says_what_it_does_and_where_that_stands(recipe: Recipe) -> None:
    assert recipe.summary.endswith(".")
    assert recipe.source
