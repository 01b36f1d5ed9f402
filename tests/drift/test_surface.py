from __future__ import annotations

from collections.abc import Callable

import pytest

from modernizer.drift.surface import Surface

Release = Callable[..., Surface]

FILES = {
    "pkg/__init__.py": "from .shapes import *\n"
    "from ._parts import Wheel as Round, spin\nfrom . import gone_at_build\nold = spin\n",
    "pkg/shapes.py": "from ._parts import Wheel\nclass Cart(Wheel):\n    def push(self, far, *, fast=True): ...\nLIMIT = 3\n",
    "pkg/_parts.py": (
        "from .six import with_metaclass\n"
        "class Part:\n    def __init__(self, size=1, spokes='auto'): ...\n    def turn(self, by=2): ...\n"
        "class Wheel(with_metaclass(type, Part)):\n    pass\n"
        "def spin(wheel, times=10, **more): ...\n"
    ),
    "pkg/six.py": "def with_metaclass(meta, *bases): ...\n",
    "pkg/made_up.py": "def __getattr__(name): ...\n",
    "pkg/stubbed.py": "from ._compiled import *\n",
    "pkg/stubbed.pyi": "def quick(x, y=...): ...\n",
    "pkg/python2.py": "print 'hello'\n",
}


@pytest.fixture
def surface(release: Release) -> Surface:
    return release(FILES, compiled=("pkg/_compiled.cpython-36m-x86_64-linux-gnu.so",))


@pytest.mark.parametrize(
    ("dotted", "kind", "home"),
    [
        ("pkg", "module", "pkg"),
        ("pkg.shapes", "module", "pkg.shapes"),
        ("pkg.Cart", "class", "pkg.shapes.Cart"),
        ("pkg.Round", "class", "pkg._parts.Wheel"),
        ("pkg.spin", "function", "pkg._parts.spin"),
        ("pkg.old", "function", "pkg._parts.spin"),
        ("pkg.LIMIT", "name", "pkg.shapes.LIMIT"),
        ("pkg.Cart.push", "function", "pkg.shapes.Cart.push"),
        ("pkg.Cart.turn", "function", "pkg._parts.Part.turn"),
        ("pkg.stubbed.quick", "function", "pkg.stubbed.quick"),
        ("pkg.stubbed.slow", "unknown", ""),
        ("pkg.made_up.anything", "unknown", ""),
        ("pkg.python2.hello", "unknown", ""),
        ("pkg._compiled.fast", "unknown", ""),
        ("pkg.shapes.nothing", "gone", ""),
        ("pkg.Cart.nothing", "gone", ""),
        ("other.thing", "outside", "other.thing"),
    ],
)
def test_a_name_is_followed_to_its_definition(surface: Surface, dotted: str, kind: str, home: str) -> None:
    found = surface.find(dotted)
    assert (found.kind, found.home) == (kind, home)


def test_a_class_takes_what_its_inherited_constructor_takes(surface: Surface) -> None:
    signature = surface.find("pkg.Cart").signature
    assert signature is not None
    assert [(one.name, one.kind, one.default) for one in signature] == [
        ("size", "POSITIONAL_OR_KEYWORD", "1"),
        ("spokes", "POSITIONAL_OR_KEYWORD", "'auto'"),
    ]


def test_only_one_thing_of_a_name_counts_as_moved(surface: Surface) -> None:
    assert surface.moved("pkg.carts.Cart") == "pkg.Cart"
    assert surface.moved("pkg.other.__init__") is None


def test_two_things_of_one_name_are_no_move(release: Release) -> None:
    surface = release({"pkg/__init__.py": "", "pkg/a.py": "def twin(): ...\n", "pkg/b.py": "def twin(): ...\n"})
    assert surface.moved("pkg.old.twin") is None


def test_a_private_thing_without_a_public_name_is_no_move(release: Release) -> None:
    assert release({"pkg/__init__.py": "", "pkg/_a.py": "def hidden(): ...\n"}).moved("pkg.old.hidden") is None


def test_what_was_read_is_kept_and_a_broken_store_is_read_anew(release: Release) -> None:
    first = release(FILES)
    found = first.find("pkg.Cart")
    first.save()
    store = first._store
    assert store.is_file()
    again = Surface(first.package, first.version, first._archive)
    assert again._read
    assert again.find("pkg.Cart") == found
    store.write_bytes(store.read_bytes()[:-20])
    assert Surface(first.package, first.version, first._archive).find("pkg.Cart") == found


def test_names_that_import_each_other_in_a_circle_are_unknown(release: Release) -> None:
    surface = release({"pkg/__init__.py": "", "pkg/a.py": "from .b import x\n", "pkg/b.py": "from .a import x\n"})
    assert surface.find("pkg.a.x").kind == "unknown"
