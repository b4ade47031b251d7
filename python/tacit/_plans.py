"""Plans and audits: the parameters of a run, and what a coalition could learn from it."""
from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from tacit import _core
from tacit._errors import Error, InputError
from tacit._graphs import Network as Joined
from tacit._graphs import network as network_of
from tacit._groups import Links, Model, OfPlan, Protocol, Values, gathered, with_keywords_of
from tacit._options import arguments, typed
from tacit._progress import shown
from tacit._renamed import takes_old_words
from tacit._result import Reportable, Result, counted, size
from tacit._settings import RandomState, seed_of

if TYPE_CHECKING:
    from typing import Unpack

    from matplotlib.figure import Figure


class Plan(Result):
    """The parameters of a protocol. `json` has all of them. The most important ones are attributes."""

    agents: int
    protocol: str
    topology: str
    lz: float
    modulus_bits: int
    iterations: Optional[int]
    error: float
    traffic: dict[str, Any]
    privacy: dict[str, Any]

    def _lines(self) -> list[str]:
        traffic = self.traffic.get("all", self.traffic)
        steps = "" if self.iterations is None else f"{counted(self.iterations, 'iteration')}, "
        return [
            f"{self.agents} agents on {self.topology}, protocol {self.protocol}",
            f"{steps}values in units of {self.lz:g}, {self.modulus_bits} bits; error at most {self.error:.2g}",
            f"{counted(traffic['messages'], 'message')}, {size(traffic['bytes'])} for all agents",
            f"withstands {self.privacy['collusion']} colluding agents",
        ]


class Audit(Result, Reportable):
    """What a coalition could learn.

    Attributes
    ----------
    findings, advice : list of str
        The findings and the recommended actions, in sentences.
    coalition, singled_out : list
        The worst coalition, or the one in the request, and the members whose values it can compute. Both are empty
        for landmarks.
    """

    agents: int
    findings: list[str]
    advice: list[str]

    def __init__(self, json: dict[str, Any], joined: Optional[Joined] = None) -> None:
        super().__init__(json)
        self._joined = joined
        self.coalition: list[Hashable] = json.get("coalition", [])
        self.singled_out: list[Hashable] = json.get("trajectory", {}).get("singled_out", [])

    def plot(self) -> Figure:
        """Draw the network with the coalition and the members that it singles out.

        This needs NetworkX and matplotlib.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        from tacit._network_figure import draw_audit

        if "topology" not in self.json:
            raise InputError("an audit of landmarks has no network to draw")
        return draw_audit(self, self._joined)

    def _lines(self) -> list[str]:
        return self.findings + ["Advice: " + advice for advice in self.advice]


@takes_old_words
@with_keywords_of(OfPlan)
def plan(
    graph: Any = None,
    *,
    values: Optional[Values] = None,
    model: Optional[Model] = None,
    network: Optional[Links] = None,
    protocol: Union[str, Protocol, None] = None,
    random_state: RandomState = 1,
    **keywords: Unpack[OfPlan],
) -> Plan:
    """Choose the parameters of a protocol for a network and an error, like `tacit plan`.

    Settings are keywords, such as ``agents=20``, or groups of keywords, such as ``protocol=Protocol(collusion=3)``.

    Parameters
    ----------
    graph : networkx.Graph, list of edges or str, optional
        The network. A str is a topology such as "ring:4".
    values : Values, optional
        What the agents sum: a group of these keywords.
    agents, rows, points, outputs, inputs, x_max, y_max, landmarks, value_bound, dimension, tune_box, error
        See `Values`.
    model : Model, optional
        The model: a group of these keywords.
    kernel, fusion, lengthscale, signal, noise, expert_rows, expert_split
        See `Model`. The defaults are "se" with the rule "poe", length-scale 1, signal 1 and noise 0.1.
    network : Network, optional
        Further settings of the network: a group of these keywords.
    topology, allow_missing_triangles, helpers
        See `Network`. `topology` is another name of `graph`.
    protocol : {"exact", "tree", "consensus"} or Protocol, optional
        How sums are formed, or a group of `protocol` and these keywords.
    collusion, masks, acceleration, blinding, iterations, lz, lw, modulus_bits, modulus_rule
        See `Protocol`.
    random_state : int, RandomState or None, default=1
        Seed of random topologies. None gives a new seed each time.

    Returns
    -------
    Plan
        The parameters and their cost.

    Examples
    --------
    >>> import tacit
    >>> tacit.plan("ring:4", agents=20, value_bound=100).modulus_bits
    46
    >>> tacit.plan("ring:4", values=tacit.Values(agents=20, value_bound=100)).modulus_bits
    46
    """
    said = gathered("plan", OfPlan, keywords, values=values, model=model, network=network, protocol=protocol)
    topology = said.pop("topology", None)
    if graph is not None and topology is not None:
        raise InputError("graph and topology are the same setting; pass one of them")
    settings: dict[str, Any] = {**typed(said, names=()), "seed": seed_of(random_state)}
    with network_of(topology if graph is None else graph) as joined:
        if joined.setting is not None:
            settings["topology"] = joined.setting
        found = _core.plan(settings)
    return Plan(joined.named(found))


@takes_old_words
def audit(
    graph: Any = None,
    *,
    agents: Optional[int] = None,
    allow_missing_triangles: bool = False,
    helpers: Optional[int] = None,
    protocol: Optional[str] = None,
    collusion: Optional[int] = None,
    masks: Optional[str] = None,
    acceleration: Optional[str] = None,
    blinding: Union[int, bool, None] = None,
    iterations: Optional[int] = None,
    lz: Optional[float] = None,
    lw: Optional[float] = None,
    modulus_bits: Optional[int] = None,
    modulus_rule: Optional[str] = None,
    value_bound: Optional[float] = None,
    dimension: Optional[int] = None,
    coalition: Optional[Sequence[Hashable]] = None,
    size: Optional[int] = None,
    require: Optional[int] = None,
    require_masks: Optional[int] = None,
    landmarks: Optional[int] = None,
    rows: Optional[int] = None,
    inputs: Optional[int] = None,
    outputs: Optional[int] = None,
    random_state: RandomState = 1,
    progress: Optional[bool] = None,
) -> Audit:
    """Report what a coalition could learn, like `tacit audit`.

    Parameters
    ----------
    graph : networkx.Graph, list of edges or str, optional
        The network. A str is a topology such as "ring:4". The result uses the names of the graph.
    agents : int, default=10
        Number of agents, if `graph` does not determine it.
    allow_missing_triangles, helpers, protocol, collusion, masks, acceleration, blinding, iterations, lz, lw
        See `simulate`.
    modulus_bits, modulus_rule, random_state, progress
        See `simulate`.
    value_bound : float, optional
        Public bound on the contribution of an agent.
    dimension : int, default=1
        Number of values that an agent contributes to a run. Blinding is weaker for more values.
    coalition : sequence of members, optional
        Members that collude.
    size : int, optional
        Instead of `coalition`: all coalitions of up to this size.
    require : int, optional
        Raise an error unless no coalition of this size can compute the value of another agent, and messages add nothing
        to the sums that its members receive.
    require_masks : int, optional
        Raise an error unless the masks withstand coalitions of this size. This checks only that messages add nothing to
        the sums that the members receive.
    landmarks, rows, inputs, outputs : int, optional
        Instead of a network: what the sum over landmarks opens about the rows of all agents.

    Returns
    -------
    Audit
        Findings and advice, in sentences and numbers.

    Raises
    ------
    tacit.Error
        If the requirement is not met. The attribute `result` of the error is the audit.

    Examples
    --------
    >>> import tacit
    >>> wards = [("north", "south"), ("south", "west"), ("north", "west")]
    >>> found = tacit.audit(wards, protocol="consensus")
    >>> found.coalition
    ['north']
    >>> try:
    ...     tacit.audit("ring:2", protocol="consensus", agents=6, require=1)
    ... except tacit.Error as error:
    ...     print(error.result.requirement_met)
    False
    """
    options = {name: value for name, value in locals().items() if name not in _taken_apart}
    with network_of(graph) as joined, joined.option() as topology, shown(progress) as tell:
        members = None if coalition is None else sorted(joined.number(member) for member in coalition)
        asked = arguments(topology=topology, coalition=members, seed=seed_of(random_state), **options)
        try:
            found = _core.call(["audit", *asked, "--json"], {}, tell)
        except Error as error:
            if not hasattr(error, "result"):
                raise
            unmet = Error(joined.in_words(str(error)))
            unmet.result = Audit(joined.named(error.result), joined)
            raise unmet from None
    return Audit(joined.named(found), joined)


_taken_apart = {"graph", "coalition", "random_state", "progress"}
