"""Conversion of graphs and lists of edges for the setting `topology`."""
from __future__ import annotations

import re
import tempfile
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union

from tacit._errors import InputError


@dataclass(frozen=True)
class Network:
    """A network with the names of its members. `edges` is None if the program generates the network."""

    topology: Optional[str]
    names: Optional[list[Hashable]] = None
    edges: Optional[list[tuple[int, int]]] = None

    @property
    def setting(self) -> Union[str, list[tuple[int, int]], None]:
        """The value of the setting `topology`."""
        return self.topology if self.edges is None else self.edges

    @contextmanager
    def option(self) -> Iterator[Optional[str]]:
        """Context manager with the value of the option --topology, for commands that take text."""
        if self.edges is None:
            yield self.topology
            return
        with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
            file = Path(folder) / "edges.txt"
            file.write_text("".join(f"{one} {other}\n" for one, other in self.edges))
            try:
                yield f"edges:{file}"
            except InputError as error:  # the temporary file in the message does not exist after this block
                raise InputError(str(error).replace(f"edges:{file}", GIVEN).replace(str(file), GIVEN)) from None

    def number(self, name: Hashable) -> int:
        """Return the program's number of a member."""
        if self.names is None:
            return int(name)  # type: ignore[call-overload, no-any-return]
        if name not in self.names:
            raise InputError(f"{name!r} is not in the network; its members are {', '.join(map(str, self.names))}")
        return self.names.index(name)

    def named(self, found: Any, field: str = "") -> Any:
        """Return a result with names instead of the program's numbers of members."""
        if field == "topology" and self.edges is not None:
            return GIVEN
        if isinstance(found, dict):
            return {
                key: value if key == "agents" and isinstance(value, int) else self.named(value, key)  # a count
                for key, value in found.items()
            }
        if isinstance(found, list):
            return [self.named(one, field) for one in found]
        if isinstance(found, str) and field in ("findings", "advice", "error"):
            return self.in_words(found)
        if self.names is None or not isinstance(found, int) or field not in _of_members:
            return found
        return self._name(found)

    def _name(self, number: int) -> Hashable:
        names = self.names or []
        return names[number] if number < len(names) else f"helper {number - len(names) + 1}"

    def in_words(self, sentence: str) -> str:
        """Return a sentence with names instead of the program's numbers of members."""
        if self.names is None:
            return sentence

        def renamed(match: re.Match[str]) -> str:
            return match[1] + re.sub(r"\d+", lambda number: str(self._name(int(number[0]))), match[2])

        return _edges_in_words.sub(renamed, _members_in_words.sub(renamed, sentence))


GIVEN = "the given graph"
_of_members = {"coalition", "singled_out", "parts", "agent", "agents", "learns", "edges_to_add"}
_members_in_words = re.compile(r"(\b[Aa]gents? \(?)(\d+\b(?:(?:, | and | or )\d+\b(?! more))*)")
_edges_in_words = re.compile(r"(\bedges? )(\d+-\d+(?:(?:, | and )\d+-\d+)*\b)")


@contextmanager
def network(graph: Any, order: Optional[Sequence[Hashable]] = None) -> Iterator[Network]:
    """Context manager with a network as the engine takes it. Errors in it name the network's members.

    Parameters
    ----------
    graph : networkx.Graph, list of edges, str or None
        A NetworkX graph, a list of edges (pairs of names or numbers), or a topology such as "ring:4".
    order : sequence, optional
        The members in the order of their data. The default is the order of the graph, or by number.

    Examples
    --------
    >>> with network([("north", "south"), ("south", "west"), ("north", "west")]) as taken:
    ...     taken.edges, taken.in_words("Agent 0 alone can add the edges 0-1 and 1-2.")
    ([(0, 1), (1, 2), (0, 2)], 'Agent north alone can add the edges north-south and south-west.')
    """
    if graph is None or isinstance(graph, str):
        yield Network(graph)
        return
    nodes, pairs = _nodes_and_edges(graph)
    if order is not None and set(order) == set(nodes):
        nodes = list(order)
    elif all(isinstance(node, int) for node in nodes):
        nodes = sorted(nodes)
    place = {node: number for number, node in enumerate(nodes)}
    edges = [(place[one], place[other]) for one, other in pairs]
    for one, other in edges:
        if one == other:
            raise InputError(f"an edge joins {nodes[one]!r} to itself; remove this edge")
    alone = set(range(len(nodes))) - {end for edge in edges for end in edge}
    if alone:
        raise InputError(f"{nodes[min(alone)]!r} has no edge; add one, or remove this member")
    taken = Network(None, None if nodes == list(range(len(nodes))) else list(nodes), edges)
    try:
        yield taken
    except InputError as error:
        raise InputError(taken.in_words(str(error))) from None


def _nodes_and_edges(graph: Any) -> tuple[list[Any], list[tuple[Any, Any]]]:
    if hasattr(graph, "nodes") and hasattr(graph, "edges"):
        if graph.is_directed():
            raise InputError("the graph is directed, but links are not; pass graph.to_undirected()")
        return list(graph.nodes), [(one, other) for one, other in graph.edges()]
    if not isinstance(graph, Iterable):
        raise InputError(f"{type(graph).__name__} is not a network; pass a NetworkX graph, edges, or 'ring:4'")
    pairs = [tuple(edge) for edge in graph]
    for edge in pairs:
        if len(edge) != 2:
            raise InputError(f"{edge!r} is not an edge; pass two members, such as (0, 1)")
    nodes = list(dict.fromkeys(end for edge in pairs for end in edge))
    return nodes, [(one, other) for one, other in pairs]
