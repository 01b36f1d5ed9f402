"""networkx 1 and 2 as networkx 3 has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_NAMES = """
    networkx.Graph networkx.DiGraph networkx.MultiGraph networkx.MultiDiGraph networkx.Graph.nodes networkx.Graph.edges
    networkx.from_numpy_array networkx.to_numpy_array networkx.connected_components networkx.add_path networkx.pagerank
    networkx.from_pandas_edgelist networkx.set_node_attributes numpy.asmatrix pickle.loads pickle.dumps pathlib.Path
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("g = nx.from_numpy_matrix(m)", "g = nx.from_numpy_array(m)"),
        ("m = nx.to_numpy_matrix(g)", "m = np.asmatrix(nx.to_numpy_array(g))"),
        ("g = nx.from_pandas_dataframe(df, 'a', 'b')", "g = nx.from_pandas_edgelist(df, 'a', 'b')"),
        ("p = nx.pagerank_numpy(g)", "p = nx.pagerank(g)"),
        ("print(nx.info(g))", "print(str(g))"),
        (
            "for c in nx.connected_component_subgraphs(g): f(c)",
            "for c in (g.subgraph(c).copy() for c in nx.connected_components(g)): f(c)",
        ),
        ("g = nx.Graph()\ng.node[1]['a'] = 2", "g = nx.Graph()\ng.nodes[1]['a'] = 2"),
        ("g = nx.DiGraph()\ng.add_path([1, 2])", "g = nx.DiGraph()\nnx.add_path(g, [1, 2])"),
        ("g = nx.Graph()\nfor n in g.nodes_iter(): f(n)", "g = nx.Graph()\nfor n in iter(g.nodes()): f(n)"),
        ("g = nx.Graph()\ng.add_edge(1, 2, {'w': 3})", "g = nx.Graph()\ng.add_edge(1, 2, **{'w': 3})"),
        ("nx.set_node_attributes(g, 'size', values)", "nx.set_node_attributes(g, values, 'size')"),
        ("nx.set_node_attributes(g, values, 'size')", "nx.set_node_attributes(g, values, 'size')"),
        ("x = tree.node", "x = tree.node"),
        ("tree.add_path([1, 2])", "tree.add_path([1, 2])"),
    ],
)
def test_graphs_are_made_and_read_the_new_way(
    rewrite: Callable[..., Any], surface: Callable[..., Any], failure: Callable[..., Any], before: str, after: str
) -> None:
    imports = "import networkx as nx\nimport numpy as np\n"
    error = failure("AttributeError", "module 'networkx' has no attribute 'from_numpy_matrix'")
    assert rewrite(imports + before, packages=surface(_NAMES, networkx="3.4"), failure=error) == imports + after


def test_pickled_graphs_are_read_by_pickle(rewrite: Callable[..., Any], surface: Callable[..., Any]) -> None:
    before = "import networkx as nx\ng = nx.read_gpickle('g.pickle')"
    after = "import pickle\nimport pathlib\nimport networkx as nx\ng = pickle.loads(pathlib.Path('g.pickle').read_bytes())"
    assert rewrite(before, packages=surface(_NAMES, networkx="3.4")) == after


def test_an_older_networkx_keeps_its_names(rewrite: Callable[..., Any], surface: Callable[..., Any]) -> None:
    before = "import networkx as nx\ng = nx.from_numpy_matrix(m)\nprint(nx.info(g))"
    names = f"{_NAMES} networkx.from_numpy_matrix networkx.info"
    assert rewrite(before, packages=surface(names, networkx="2.8")) == before


def test_an_attribute_of_a_graph_is_known_by_the_error(
    rewrite: Callable[..., Any], surface: Callable[..., Any], failure: Callable[..., Any]
) -> None:
    cells = ["x = g.node[1]", "y = tree.node"]
    error = failure("AttributeError", "'Graph' object has no attribute 'node'")
    assert rewrite(cells, packages=surface(_NAMES, networkx="3.4"), failure=error) == ["x = g.nodes[1]", "y = tree.node"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("r = g.neighbors(1)[0]", "r = list(g.neighbors(1))[0]"),
        ("r = g.edges()[0]", "r = list(g.edges())[0]"),
        ("r = g.nodes(data=True)[0]", "r = list(g.nodes(data=True))[0]"),
        ("r = g.nodes()[-1:]", "r = list(g.nodes())[-1:]"),
        ("r = other.edges()[0]", "r = other.edges()[0]"),
        ("r = g.nodes()['a']", "r = g.nodes()['a']"),
    ],
)
def test_places_are_those_of_lists(rewrite: Callable[..., Any], failure: Callable[..., Any], before: str, after: str) -> None:
    cells = ["import networkx as nx\nimport pandas as pd\ng = nx.Graph()\nother = pd.DataFrame()", before]
    refused = failure("TypeError", "'dict_keyiterator' object is not subscriptable", unit=1)
    assert rewrite(cells, recipe="networkx-lists", failure=refused)[1] == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("n = len(g.successors(1))", "n = len(list(g.successors(1)))"),
        ("n = len(tree.children())", "n = len(tree.children())"),
    ],
)
def test_what_is_counted_is_a_list(
    rewrite: Callable[..., Any], surface: Callable[..., Any], failure: Callable[..., Any], before: str, after: str
) -> None:
    uncounted = failure("TypeError", "object of type 'dict_keyiterator' has no len()")
    assert rewrite(before, recipe="networkx-lists", packages=surface(_NAMES, networkx="3.4"), failure=uncounted) == after


def test_a_name_that_is_taken_for_a_list_gets_one(
    rewrite: Callable[..., Any], surface: Callable[..., Any], failure: Callable[..., Any]
) -> None:
    cells = ["a, b = 1, 2\nnext_ones = g.successors(a)\nothers = g.predecessors(a)", "first = next_ones[0]"]
    refused = failure("TypeError", "'dict_keyiterator' object is not subscriptable", unit=1)
    after = rewrite(cells, recipe="networkx-lists", packages=surface(_NAMES, networkx="3.4"), failure=refused)
    assert after == [cells[0].replace("g.successors(a)", "list(g.successors(a))"), cells[1]]
