"""Figure of a network with a coalition and the members that it singles out."""
from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Optional

from tacit._errors import InputError, needs
from tacit._figures import LIGHT, RED, finished, pyplot
from tacit._graphs import Network

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tacit._plans import Audit


def _graph(audit: Audit, joined: Optional[Network]) -> Any:
    try:
        import networkx
    except ImportError:
        raise needs("networkx", "Network figures") from None
    if joined is not None and joined.edges is not None:
        graph = networkx.Graph()
        names: list[Hashable] = joined.names if joined.names is not None else list(range(audit.agents))
        graph.add_nodes_from(names)
        graph.add_edges_from((names[one], names[other]) for one, other in joined.edges)
        return graph
    kind, _, degree = audit.json["topology"].partition(":")
    if kind == "complete":
        return networkx.complete_graph(audit.agents)
    if kind == "ring":
        return networkx.circulant_graph(audit.agents, range(1, int(degree) // 2 + 1))
    raise InputError(f"'{kind}' networks are generated at random; pass the graph itself to draw it")


def draw_audit(audit: Audit, joined: Optional[Network]) -> Figure:
    """Draw the coalition as black squares, members that it singles out as red diamonds, and the others in grey."""
    graph = _graph(audit, joined)
    import networkx

    figure, axes = pyplot().subplots(figsize=(6.4, 5.2), constrained_layout=True)
    place = networkx.circular_layout(graph) if len(graph) <= 24 else networkx.spring_layout(graph, seed=1)
    networkx.draw_networkx_edges(graph, place, ax=axes, edge_color=LIGHT)
    hidden = [node for node in graph if node not in (*audit.coalition, *audit.singled_out)]
    for words, members, shape, colour in (  # shape and shade also differ, for print without colour
        ("coalition", audit.coalition, "s", "black"),
        ("singled out", audit.singled_out, "D", RED),
        ("hidden in sums", hidden, "o", LIGHT),
    ):
        members = [member for member in members if member in graph]  # helpers are not drawn
        if members:
            networkx.draw_networkx_nodes(
                graph, place, members, 160, colour, shape, edgecolors="black", label=words, ax=axes
            )
    for node, (x, y) in place.items():
        axes.annotate(str(node), (x, y), (0, -17), textcoords="offset points", ha="center", fontsize=9)
    axes.margins(0.15)
    axes.set_title("What a coalition could learn", fontweight="bold", fontsize=10)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1), labelspacing=1.2)
    axes.set_axis_off()
    return finished(figure)
