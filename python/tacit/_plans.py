"""Before a run: the numbers it needs, and what a coalition could learn."""
from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from tacit import _core
from tacit._errors import Error, InputError
from tacit._graphs import Network, network
from tacit._options import arguments
from tacit._progress import shown
from tacit._result import Reportable, Result, counted, size

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Plan(Result):
    """The numbers of a protocol. `json` has them all; some are attributes with names of their own."""

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
            f"{steps}values in units of {self.lz:g}, {self.modulus_bits} bits; off by at most {self.error:.2g}",
            f"{counted(traffic['messages'], 'message')}, {size(traffic['bytes'])} of all agents",
            f"withstands {self.privacy['collusion']} that collude",
        ]


class Audit(Result, Reportable):
    """What a coalition could learn.

    Attributes
    ----------
    findings, advice
        Sentences: what was found, and what to do about it.
    coalition, singled_out
        The worst coalition, or that which was asked about, and whose values it can tell; none for landmarks.
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
        """Draws the network, with the coalition and those whom it singles out. Needs NetworkX and matplotlib.

        Returns
        -------
        matplotlib.figure.Figure
            The drawing.
        """
        from tacit._network_figure import draw_audit

        if "topology" not in self.json:
            raise InputError("an audit of landmarks has no network to draw")
        return draw_audit(self, self._joined)

    def _lines(self) -> list[str]:
        return self.findings + ["To do: " + advice for advice in self.advice]


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
    seed: Optional[int] = None,
) -> Plan:
    """Chooses a protocol's numbers for a network and an error, as `tacit plan` does.

    Parameters
    ----------
    graph, agents
        A graph of NetworkX, a list of edges, or a topology such as "ring:4"; with `agents` where it does not say how
        many they are (10).
    allow_missing_triangles, helpers, protocol, collusion, masks, acceleration, blinding, seed
        As for `simulate`.
    error, lz, lw, iterations, modulus_bits, modulus_rule
        The error that is wanted in the end; or numbers that are fixed.
    rows, points, outputs, inputs, x_max, y_max, kernel, fusion, lengthscale, signal, noise, expert_rows, expert_split
        The model: the most rows of an agent (100), points asked at once, targets, inputs, and public bounds.
    landmarks
        Also plan the one sum over this many landmarks.
    value_bound, dimension
        Instead of a model: a bound on the numbers to average, and how many.
    tune_box
        Also plan the paper's private tuning, in this range.

    Returns
    -------
    Plan
        The numbers, and what they cost.

    Examples
    --------
    >>> import tacit
    >>> tacit.plan("ring:4", agents=20, value_bound=100).modulus_bits
    46
    """
    options = {name: value for name, value in locals().items() if name != "graph"}
    with network(graph) as joined:
        found = _core.call(["plan", *arguments(topology=joined.topology, **options), "--json"], {}, None)
    return Plan(joined.named(found))


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
    seed: Optional[int] = None,
    progress: Optional[bool] = None,
) -> Audit:
    """Shows what a coalition could learn, as `tacit audit` does.

    Parameters
    ----------
    graph, agents
        A graph of NetworkX, a list of edges, or a topology such as "ring:4"; with `agents` where it does not say how
        many they are. Answers have the graph's own names.
    allow_missing_triangles, helpers, protocol, collusion, masks, acceleration, blinding, iterations, lz, lw
        As for `simulate`.
    modulus_bits, modulus_rule, seed, progress
        As for `simulate`.
    value_bound
        A public bound on what an agent contributes.
    coalition, size
        Members that work together; or instead: all coalitions of up to this many.
    require, require_masks
        How many must be able to work together without learning anybody's value; or, by masks alone, more than sums.
    landmarks, rows, inputs, outputs
        Instead of a network: what the one sum over landmarks opens about all agents' rows.

    Returns
    -------
    Audit
        Findings and advice, in sentences and numbers.

    Raises
    ------
    tacit.Error
        When the requirement is not met; the error's `result` is the audit.

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
    options = {name: value for name, value in locals().items() if name not in ("graph", "coalition", "progress")}
    with network(graph) as joined, shown(progress) as tell:
        members = None if coalition is None else sorted(joined.number(member) for member in coalition)
        asked = arguments(topology=joined.topology, coalition=members, **options)
        try:
            found = _core.call(["audit", *asked, "--json"], {}, tell)
        except Error as error:
            if not hasattr(error, "result"):
                raise
            unmet = Error(joined.in_words(str(error)))
            unmet.result = Audit(joined.named(error.result), joined)
            raise unmet from None
    return Audit(joined.named(found), joined)
