"""Arguments of pandas' readers: the same table is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import io
from datetime import datetime
import numpy as np
import pandas as pd
text = io.StringIO('d,t,v\\n2016-01-02,09:30,5\\n2016-01-03,10:00,6\\n')
euro = io.StringIO('d,v\\n02.01.2016,5\\n03.02.2016,6\\n')
bad = io.StringIO('a,b\\n1,2\\n3,4,5\\n')
spaces = io.StringIO('a  b\\n1   2\\n')
one = io.StringIO('a\\n1\\n2\\n')
bare = io.StringIO('1,2\\n3,4\\n')
parse = lambda x: datetime.strptime(x, '%d.%m.%Y')
both = lambda d, t: pd.Timestamp(d + ' ' + t)
def day(x):
    return datetime(2016, 1, int(x[8:10]))
def by_hand(x):
    return pd.Timestamp(int(x[6:]), int(x[3:5]), int(x[:2]))"""

_JOINED = """r = pd.read_csv(text, dtype={'d': str, 't': str})  # both
r.insert(0, 'd_t', pd.to_datetime(r.pop('d') + ' ' + r.pop('t')))"""
_JOINED_INDEX = """r = pd.read_csv(text, dtype={'d': str, 't': str})
r.insert(0, 'when', pd.to_datetime(r.pop('d') + ' ' + r.pop('t')))
r = r.set_index('when')"""
_FUNCTION = """def read(text):
    return pd.read_csv(text, parse_dates=[['d', 't']], dayfirst=True)
r = read(text)"""
_FUNCTION_AFTER = """def read(text):
    frame = pd.read_csv(text, dayfirst=True, dtype={'d': str, 't': str})
    frame.insert(0, 'd_t', pd.to_datetime(frame.pop('d') + ' ' + frame.pop('t'), dayfirst=True))
    return frame
r = read(text)"""
_POSITIONS = """r = pd.read_csv(text, dtype={0: str, 1: str})
r.insert(0, '_'.join(map(str, r.columns[[0, 1]])), pd.to_datetime(r.iloc[:, 0] + ' ' + r.iloc[:, 1]))
r = r.drop(columns=r.columns[[1, 2]])
r = r.set_index(r.columns[0])"""
_CHAIN = "# a\nr = pd.read_csv(text, parse_dates=[['d', 't'], 'v'], dtype={'w': float}).set_index('d_t')  # b"
_CHAIN_AFTER = """# a
r = pd.read_csv(text, parse_dates=['v'], dtype={'w': float, 'd': str, 't': str})
r.insert(0, 'd_t', pd.to_datetime(r.pop('d') + ' ' + r.pop('t')))
r = r.set_index('d_t')  # b"""
_KEPT_AFTER = """r = pd.read_csv(text, dtype={'d': str, 't': str})
r.insert(0, 'when', pd.to_datetime(list(map(both, r['d'], r['t']))))"""
_FORMAT = "r = pd.read_csv(text, parse_dates=[['d', 't']], date_parser=lambda x: datetime.strptime(x, '%Y-%m-%d %H:%M'))"
_FORMAT_AFTER = """r = pd.read_csv(text, dtype={'d': str, 't': str})
r.insert(0, 'd_t', pd.to_datetime(r.pop('d') + ' ' + r.pop('t'), format='%Y-%m-%d %H:%M'))"""
_TWO_AFTER = """r = pd.read_csv(text, names=list('dtv'), header=0, dtype={'d': str, 't': str, 'v': str})
r.insert(0, 'a', pd.to_datetime((r['d'] + ' ' + r['t']).map(day)))
r.insert(1, 'b', pd.to_datetime((r['d'] + ' ' + r['v']).map(day)))
r = r.drop(columns=['d', 't', 'v'])"""


@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        ("r = pd.read_csv(bad, error_bad_lines=False)", "r = pd.read_csv(bad, on_bad_lines='skip')", "r.b.tolist()", [2]),
        (
            "r = pd.read_csv(bad, error_bad_lines=False, warn_bad_lines=False)",
            "r = pd.read_csv(bad, on_bad_lines='skip')",
            "r.b.tolist()",
            [2],
        ),
        ("r = pd.read_csv(spaces, delim_whitespace=True)", "r = pd.read_csv(spaces, sep=r'\\s+')", "r.b.tolist()", [2]),
        ("r = pd.read_csv(one, squeeze=True)", "r = pd.read_csv(one).squeeze('columns')", "r.tolist()", [1, 2]),
        ("r = pd.read_csv(one, squeeze=False)", "r = pd.read_csv(one)", "r.shape", [2, 1]),
        (
            "r = pd.read_csv(bare, header=None, prefix='X')",
            "r = pd.read_csv(bare, header=None).add_prefix('X')",
            "r.X1.tolist()",
            [2, 4],
        ),
        (
            "r = pd.read_csv(text, parse_dates=['d'], infer_datetime_format=True)",
            "r = pd.read_csv(text, parse_dates=['d'])",
            "r.d.dt.day.tolist()",
            [2, 3],
        ),
        (
            "r = pd.read_csv(text, parse_dates=['d'], date_parser=pd.to_datetime)",
            "r = pd.read_csv(text, parse_dates=['d'])",
            "r.d.dt.day.tolist()",
            [2, 3],
        ),
        (
            "r = pd.read_csv(euro, parse_dates=['d'], date_parser=lambda x: datetime.strptime(x, '%d.%m.%Y'))",
            "r = pd.read_csv(euro, parse_dates=['d'], date_format='%d.%m.%Y')",
            "r.d.dt.month.tolist()",
            [1, 2],
        ),
        (
            "r = pd.read_csv(euro, parse_dates=['d'], date_parser=parse)",
            "r = pd.read_csv(euro, parse_dates=['d'], date_format='%d.%m.%Y')",
            "r.d.dt.month.tolist()",
            [1, 2],
        ),
        (
            "r = pd.read_csv(euro, parse_dates=['d'], date_parser=by_hand)",
            "r = pd.read_csv(euro, parse_dates=['d'], converters={'d': by_hand})",
            "r.d.dt.month.tolist()",
            [1, 2],
        ),
        (
            "r = pd.read_csv(text, parse_dates=[['d', 't']])  # both",
            _JOINED,
            "(r.columns.tolist(), r.d_t.dt.hour.tolist())",
            [["d_t", "v"], [9, 10]],
        ),
        (
            "r = pd.read_csv(text, parse_dates={'when': ['d', 't']}, index_col='when')",
            _JOINED_INDEX,
            "r.index.hour.tolist()",
            [9, 10],
        ),
        (_FUNCTION, _FUNCTION_AFTER, "[*r, r.d_t.dt.hour.tolist()]", ["d_t", "v", [9, 10]]),
        (
            "r = pd.read_csv(text, parse_dates=[[0, 1]], index_col=0)",
            _POSITIONS,
            "[*r, r.index.name, *r.index.hour]",
            ["v", "d_t", 9, 10],
        ),
        (_CHAIN, _CHAIN_AFTER, "[*r, *r.index.hour]", ["v", 9, 10]),
        (
            "r = pd.read_csv(text, parse_dates={'when': ['d', 't']}, keep_date_col=True, date_parser=both)",
            _KEPT_AFTER,
            "[*r, r.t.tolist(), r.when.dt.hour.tolist()]",
            ["when", "d", "t", "v", ["09:30", "10:00"], [9, 10]],
        ),
        (_FORMAT, _FORMAT_AFTER, "[*r, r.d_t.dt.hour.tolist()]", ["d_t", "v", [9, 10]]),
        (
            "r = pd.read_csv(text, names=list('dtv'), header=0, parse_dates={'a': ['d', 't'], 'b': ['d', 'v']}, date_parser=day)",
            _TWO_AFTER,
            "[*r, r.b.dt.day.tolist()]",
            ["a", "b", [2, 3]],
        ),
        (
            "r = pd.to_datetime(['2016-01-02'], infer_datetime_format=True)",
            "r = pd.to_datetime(['2016-01-02'])",
            "r.day.tolist()",
            [2],
        ),
        ("r = pd.to_datetime(['x'], coerce=True)", "r = pd.to_datetime(['x'], errors='coerce')", "r.isna().tolist()", [True]),
        (
            "r = pd.Series([1, 2, 3]).between(1, 3, inclusive=False)",
            "r = pd.Series([1, 2, 3]).between(1, 3, inclusive='neither')",
            "r.tolist()",
            [False, True, False],
        ),
        (
            "r = pd.DataFrame({'a': [1]}).to_csv(line_terminator='|')",
            "r = pd.DataFrame({'a': [1]}).to_csv(lineterminator='|')",
            "r",
            ",a|0,1|",
        ),
        (
            "r = np.array([1, 2], dtype=float, copy=False)",
            "r = np.array([1, 2], dtype=float, copy=None)",
            "r.tolist()",
            [1.0, 2.0],
        ),
    ],
)
def test_the_same_table_is_read(repair: Callable[..., Any], before: str, after: str, expression: str, value: object) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value(expression) == value


@pytest.mark.parametrize(
    "cell",
    [
        "r = pd.read_csv(text, parse_dates=['d'], index_col=0)",
        "r = pd.read_csv(text, parse_dates=[['d', 't']], chunksize=1)",
        "r = pd.read_csv(text, parse_dates=[['d', 't']], dtype=str)",
        "r = pd.read_csv(text, parse_dates=[['d', 't']], date_parser=somewhere.parser)",
        "r = pd.read_csv(text, parse_dates=[[0, 2]], usecols=[0, 2, 3])",
        "r = [pd.read_csv(text, parse_dates=[['d', 't']]) for text in texts]",
    ],
)
def test_what_is_present_or_not_known_is_left_alone(rewrite: Callable[..., Any], cell: str) -> None:
    assert rewrite([_START, cell])[1] == cell


@pytest.mark.parametrize(
    "dates", ["parse_dates=[0], index_col=0", "parse_dates=True, index_col=0", "parse_dates=['Month'], index_col='Month'"]
)
def test_a_parser_that_is_a_function_reads_the_dates_of_an_index(repair: Callable[..., Any], dates: str) -> None:
    """pandas 0.23 gave an index of dates."""
    cells = [
        "import io\nimport pandas as pd\nfrom datetime import datetime",
        "def parser(x):\n    return datetime.strptime('190' + x, '%Y-%m')",
        f"s = pd.read_csv(io.StringIO(u'Month,v\\n1-01,266\\n1-02,145'), header=0, {dates}, squeeze=True, date_parser=parser)",
    ]
    assert repair(cells).value("[s.index[1].month, type(s.index).__name__, s.sum()]") == [2, "DatetimeIndex", 411]
