"""Plans and audits: the parameters of a run, and what a coalition could learn from it."""
from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from tacit import _core
from tacit._errors import Error, InputError
from tacit._graphs import Network, network
from tacit._options import arguments
from tacit._progress import shown
from tacit._renamed import takes_old_words
from tacit._result import Reportable, Result, counted, size
from tacit._settings import RandomState, seed_of

if TYPE_CHECKING:
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

    def __init__(self, json: dict[str, Any], joined: Optional[Network] = None) -> None:
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
        return self.findings + ["To do: " + advice for advice in self.advice]


@takes_old_words
def plan(
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
    error: Optional[float] = None,
    rows: Optional[int] = None,
    points: Optional[int] = None,
    outputs: Optional[int] = None,
    kernel: Any = None,
    fusion: Optional[str] = None,
    lengthscale: Optional[float] = None,
    signal: Optional[float] = None,
    noise: Optional[float] = None,
    expert_rows: Optional[int] = None,
    expert_split: Optional[str] = None,
    inputs: Optional[int] = None,
    x_max: Optional[float] = None,
    y_max: Optional[float] = None,
    landmarks: Optional[int] = None,
    value_bound: Optional[float] = None,
    dimension: Optional[int] = None,
    tune_box: Optional[tuple[float, float]] = None,
    random_state: RandomState = 1,
) -> Plan:
    """Choose the parameters of a protocol for a network and an error, like `tacit plan`.

    Parameters
    ----------
    graph : networkx.Graph, list of edges or str, optional
        The network. A str is a topology such as "ring:4".
    agents : int, default=10
        Number of agents, if `graph` does not determine it.
    allow_missing_triangles, helpers, protocol, collusion, masks, acceleration, blinding, random_state
        See `simulate`.
    error : float, optional
        The error that the result should have.
    lz, lw, iterations, modulus_bits, modulus_rule
        Fixed parameters of the protocol. See `simulate`.
    rows : int, default=100
        Maximum number of rows of one agent.
    points, outputs, inputs : int, optional
        Numbers of points predicted at once, targets and input columns.
    x_max, y_max : float, optional
        Public bounds on the absolute values of inputs and targets.
    kernel, fusion, lengthscale, signal, noise, expert_rows, expert_split
        The model. See `simulate`.
    landmarks : int, optional
        Also plan the sum over this number of landmarks.
    value_bound, dimension : float and int, optional
        Instead of a model: a bound on the values to average, and the number of values.
    tune_box : tuple of float, optional
        Also plan the paper's private tuning, in this range.

    Returns
    -------
    Plan
        The parameters and their cost.

    Examples
    --------
    >>> import tacit
    >>> tacit.plan("ring:4", agents=20, value_bound=100).modulus_bits
    46
    """
    options = {name: value for name, value in locals().items() if name not in ("graph", "random_state")}
    with network(graph) as joined:
        asked = arguments(topology=joined.topology, seed=seed_of(random_state), **options)
        found = _core.call(["plan", *asked, "--json"], {}, None)
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
    with network(graph) as joined, shown(progress) as tell:
        members = None if coalition is None else sorted(joined.number(member) for member in coalition)
        asked = arguments(topology=joined.topology, coalition=members, seed=seed_of(random_state), **options)
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
