"""Plans, audits and the reproduction of the paper's evaluation."""
from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

import tacit
from tacit._errors import Error, InputError
from tacit._graphs import network
from tacit._plans import audit, plan
from tacit._reproduce import reproduce
from tacit.kernels import SE, Linear

TOWNS = ["Ulm", "Bonn", "Jena", "Kiel", "Trier", "Hof"]


def ring_of_towns() -> "nx.Graph":
    return nx.relabel_nodes(nx.cycle_graph(6), dict(enumerate(TOWNS)))


def test_a_plan() -> None:
    found = plan("ring:4", agents=20, rows=200, points=200, signal=10, noise=1, y_max=110, protocol="consensus")
    assert found.agents == 20 and found.protocol == "consensus" and found.json["edges"] == 40
    assert found.iterations and found.error > 0 and "found" not in dir(found) and "lambda" in dir(found)
    assert "20 agents on ring:4, protocol consensus" in repr(found)
    assert plan(agents=5, landmarks=20, inputs=3).landmark_sum["opened"] == 230
    assert plan(nx.complete_graph(7)).agents == 7
    values = tacit.Values(agents=20, rows=200, points=200, y_max=110)
    grouped = plan("ring:4", values=values, model=tacit.Model(signal=10, noise=1), protocol=tacit.Protocol(protocol="consensus"))
    assert grouped.json == found.json == plan(
        network=tacit.Network(topology="ring:4"), values=values, signal=10, noise=1, protocol="consensus"
    ).json
    values = tacit.Values(agents=20, rows=200, points=200, y_max=110, inputs=2)
    by_text = plan("ring:4", values=values, kernel="se-ard + linear(signal=2)")
    assert plan("ring:4", values=values, kernel=SE(ard=True) + Linear(signal=2)).json == by_text.json
    with pytest.raises(InputError, match="graph and topology are the same setting"):
        plan("ring:4", topology="complete")
    with pytest.raises(InputError, match="error.*lz|lz.*error"):
        plan(error=1e-3, lz=1e-3)
    with pytest.raises(InputError, match="rows is 0, but must be a whole number from 1"):
        plan(rows=0)
    with pytest.raises(AttributeError, match="Plan has no attribute 'nothing'; its fields are agents, "):
        found.nothing
    with pytest.raises(InputError, match="not a topology"):
        plan("star")


def test_an_audit_speaks_of_the_graphs_own_members() -> None:
    found = audit(ring_of_towns(), protocol="consensus", coalition=["Jena"])
    assert found.coalition == ["Jena"] and set(found.singled_out) == set(TOWNS) - {"Jena"}
    assert found.agents == 6 and found.topology == "the given graph"
    assert found.findings[0].startswith("Agent Ulm alone can split the sum that it receives in one round into 2 parts: ")
    assert any("Agent Jena alone can estimate the values of agents Ulm, Bonn" in one for one in found.findings)
    assert found.findings[0] in repr(found) and "Advice: " in repr(found)
    with pytest.raises(InputError, match="'Rom' is not in the network; its members are Ulm, Bonn"):
        audit(ring_of_towns(), coalition=["Rom"])


def test_numbers_stay_numbers() -> None:
    by_edges = audit([(2, 1), (0, 1), (2, 0), (2, 3), (3, 0)], protocol="consensus")
    assert by_edges.coalition == audit([(0, 1), (0, 2), (1, 2), (2, 3), (0, 3)], protocol="consensus").coalition
    assert all(isinstance(member, int) for member in by_edges.coalition)
    with network([(2, 1), (0, 1), (2, 0)]) as joined:
        assert joined.names is None and joined.setting == joined.edges == [(2, 1), (0, 1), (2, 0)]


def test_an_unmet_requirement_is_an_error_with_the_audit() -> None:
    assert audit(agents=6, require=4).json["requirement_met"]
    with pytest.raises(Error, match="is not met: agent Ulm alone can compute the value of agent Bonn") as caught:
        audit(ring_of_towns(), protocol="consensus", require=1)
    assert caught.value.result.json["requirement_met"] is False
    assert caught.value.result.edges_to_add[0] == ["Bonn", "Hof"]


def test_helpers_have_names_too() -> None:
    found = audit(ring_of_towns(), protocol="consensus", helpers=1, size=3)
    everybody = {*TOWNS, "helper 1"}
    assert set(found.coalition) <= everybody and set(found.singled_out) <= everybody
    assert found.plot().axes
    with pytest.raises(InputError, match="agent Ulm has 2 neighbours"):
        audit(ring_of_towns(), protocol="consensus", helpers=2)
    with network([("a", "b")]) as joined:
        assert joined.named({"coalition": [1, 2]}) == {"coalition": ["b", "helper 1"]}
        assert joined.in_words("Agents 0 and 3 together") == "Agents a and helper 2 together"


def test_landmarks() -> None:
    found = audit(landmarks=3, rows=12, inputs=2, agents=2)
    assert found.opened == 9 and found.coalition == [] and found.findings
    with pytest.raises(InputError, match="no network to draw"):
        found.plot()


def test_an_audit_is_drawn() -> None:
    found = audit(ring_of_towns(), protocol="consensus")
    axes = found.plot().axes[0]
    assert {text.get_text() for text in axes.texts} == set(TOWNS)
    assert [words.get_text() for words in axes.get_legend().get_texts()] == ["coalition", "singled out"]
    assert audit("ring:4", agents=8).plot().axes
    with pytest.raises(InputError, match="pass the graph itself"):
        audit("regular:4", agents=8).plot()


def test_sentences_with_names() -> None:
    with network([("a", "b"), ("b", "c"), ("a", "c")]) as joined:
        for numbered, named in (
            ("of agent 0, that of agents 1 and 2 and 3 more", "of agent a, that of agents b and c and 3 more"),
            ("into 2 parts: agent 0; agents 1 and 2; 3 more", "into 2 parts: agent a; agents b and c; 3 more"),
            ("Up to 2 agents (0, 1, 2, ...) and agent 1's value", "Up to 2 agents (a, b, c, ...) and agent b's value"),
            ("Add the edges 0-1 and 1-2. A coalition of 1.", "Add the edges a-b and b-c. A coalition of 1."),
        ):
            assert joined.in_words(numbered) == named


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        (nx.DiGraph([(0, 1)]), "is directed"),
        ([(0, 1, 2)], "is not an edge"),
        ([], "the given graph has no edges"),
        ([("a", "a")], "joins 'a' to itself"),
        (nx.empty_graph(3), "0 has no edge"),
        (7, "int is not a network"),
    ],
)
def test_what_is_no_network(graph: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        plan(graph)


def test_reproduce(tmp_path: Path) -> None:
    found = reproduce("tuning", data_dir=tmp_path, out=tmp_path / "results", n_jobs=1)
    assert found.tuning["runs"][0]["data"] == "Diabetes"
    assert found.out is not None and (found.out / "report.md").exists()
    with pytest.raises(InputError, match="is not a folder"):
        reproduce("tuning", data_dir=tmp_path / "nowhere")
