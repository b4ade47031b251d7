"""A figure of a network and what a coalition learns on it."""
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
        raise needs("networkx", "Drawings of networks") from None
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
    raise InputError(f"the program draws '{kind}' networks at random; give the graph itself to have it drawn")


def draw_audit(audit: Audit, joined: Optional[Network]) -> Figure:
    """Members of the coalition as black squares, those it singles out in red, the others in grey."""
    graph = _graph(audit, joined)
    import networkx

    figure, axes = pyplot().subplots(figsize=(6.4, 5.2), constrained_layout=True)
    place = networkx.circular_layout(graph) if len(graph) <= 24 else networkx.spring_layout(graph, seed=1)
    networkx.draw_networkx_edges(graph, place, ax=axes, edge_color=LIGHT)
    kinds = (  # told apart by shape and shade, too
        ("works together", audit.coalition, "s", "black", "white"),
        ("singled out", audit.singled_out, "D", RED, "white"),
        ("hidden in sums", [node for node in graph if node not in (*audit.coalition, *audit.singled_out)], "o", LIGHT, "black"),
    )
    for words, members, shape, colour, ink in kinds:
        if not members:
            continue
        networkx.draw_networkx_nodes(
            graph, place, nodelist=members, node_shape=shape, node_color=colour, edgecolors="black", label=words, ax=axes
        )
        networkx.draw_networkx_labels(
            graph, place, labels={member: str(member) for member in members}, font_size=8, font_color=ink, ax=axes
        )
    axes.set_title("What a coalition could learn", fontweight="bold", fontsize=10)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1), labelspacing=1.2)
    axes.set_axis_off()
    return finished(figure)
