"""The standard library: moved names, argument specifications, versions, modes and gone modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modernizer.environment.installed import Installed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import collections\nf(collections.Mapping)", "import collections\nf(collections.abc.Mapping)"),
        ("from collections import Mapping\nf(Mapping)", "from collections.abc import Mapping\nf(Mapping)"),
        (
            "from collections import Iterable, OrderedDict",
            "from collections.abc import Iterable\nfrom collections import OrderedDict",
        ),
        ("import time\nt = time.clock()", "import time\nt = time.process_time()"),
        ("from time import clock, time\nt = clock()", "from time import process_time, time\nt = process_time()"),
        ("from fractions import gcd\nn = gcd(4, 6)", "from math import gcd\nn = gcd(4, 6)"),
        ("import inspect\nf(inspect.getargspec(g).args)", "import inspect\nf(inspect.getfullargspec(g).args)"),
        ("import base64\nbase64.encodestring(b)", "import base64\nbase64.encodebytes(b)"),
        ("import os\nos.getcwdu()", "import os\nos.getcwd()"),
        ("import collections\nd = collections.OrderedDict()", "import collections\nd = collections.OrderedDict()"),
        ("try:\n    from collections.abc import Mapping\nexcept ImportError:\n    from collections import Mapping", None),
        ("import time\nt = time.time()", None),
        ("import imp\nx = imp.find_module('lab')", None),
    ],
)
def test_a_moved_name_is_found_at_its_new_place(rewrite: Callable[..., Any], before: str, after: str | None) -> None:
    assert rewrite(before) == (before if after is None else after)


@pytest.mark.parametrize(
    ("cells", "expression", "value"),
    [
        (
            ["import inspect\ndef g(a, b=2, *c, **d): pass", "args, more, kw, given = inspect.getargspec(g)"],
            "[args, kw]",
            [["a", "b"], "d"],
        ),
        (["import inspect\ndef g(a, **d): pass", "kw = inspect.getargspec(g).keywords"], "kw", "d"),
        (["from distutils.version import LooseVersion", "new = LooseVersion('1.10') > '1.9'"], "new", True),
        (["from distutils.version import LooseVersion", "n = LooseVersion('1.10.2').version[1]"], "n", 10),
        (["import json", "d = json.loads('{\"a\": 1}', encoding='utf-8')"], "d", {"a": 1}),
        (
            ["import tempfile, os\nname = tempfile.mkstemp()[1]", "f = open(name, 'rU'); f.close(); os.remove(name)"],
            "f.mode[0]",
            "r",
        ),
        (["import threading", "t = threading.Thread(target=int)\nalive = t.isAlive()"], "alive", False),
        (["import xml.etree.ElementTree as ET", "n = len(ET.fromstring('<a><b/><c/></a>').getchildren())"], "n", 2),
        (["import array", "b = array.array('b', [1, 2]).tostring()"], "len(b)", 2),
        (["from fractions import gcd", "n = gcd(12, 18)"], "n", 6),
        (["import collections", "t = isinstance({}, collections.Mapping)"], "t", True),
        (["import time", "t = time.clock() >= 0"], "t", True),
    ],
)
def test_the_repaired_code_gives_what_it_gave(
    repair: Callable[..., Any], cells: list[str], expression: str, value: object
) -> None:
    assert repair(cells).value(expression) == value


# Modules that Python 3.12 or 3.13 removed: with an older one they resolve, and what resolves is left alone.
@pytest.mark.parametrize(
    ("module", "before", "after"),
    [
        ("imp", "import imp\nimp.reload(lab)", "import importlib\nimportlib.reload(lab)"),
        ("imp", "from imp import reload\nreload(lab)", "from importlib import reload\nreload(lab)"),
        ("pipes", "import pipes\npipes.quote(x)", "import shlex\nshlex.quote(x)"),
        ("cgi", "import cgi\nx = 1", "x = 1"),
        ("cgi", "import cgi, os\nx = os.sep", "import os\nx = os.sep"),
        ("imp", "import imp\nx = imp.load_dynamic('a', 'b')", "import imp\nx = imp.load_dynamic('a', 'b')"),
        ("numpy", "import numpy\nx = 1", "import numpy\nx = 1"),
    ],
)
def test_a_gone_module_is_replaced_or_its_unused_import_dropped(
    rewrite: Callable[..., Any], installed: Installed, module: str, before: str, after: str
) -> None:
    assert rewrite(before) == (before if installed.resolves(module) else after)
