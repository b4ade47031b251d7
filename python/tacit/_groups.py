"""Groups of keywords for `simulate` and `plan`. Each field of a group is also a keyword of these functions."""
from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Optional, TypedDict, TypeVar, Union

from tacit._errors import InputError
from tacit._options import Levels, Words

File = Union[str, os.PathLike[str]]
Range = tuple[float, float]
Function = TypeVar("Function", bound=Callable[..., Any])


class Data(TypedDict, total=False):
    """Which rows and columns the parties have, and how files are read.

    Parameters
    ----------
    inputs : str or sequence of str, optional
        Columns to predict from. The default is all other columns.
    test : table or file, optional
        Points to predict.
    test_fraction : float, default=0.2
        Without `test`: fraction of the rows that is held out at random and predicted.
    agents : int, default=10
        Number of parties that share one table.
    split : {"contiguous", "shuffled", "regions"}, default="contiguous"
        How one table is divided. With "regions", each party has one region of the inputs.
    groups : str or sequence of labels, optional
        Instead of `agents` and `split`: the column with the party of each row, or one label per row.
    columns : sequence of str, optional
        Column names of two-dimensional arrays.
    y_max : float, optional
        Public bound on the absolute value of the target. The default is the bound of the data.
    categorical : str, sequence of str or dict, optional
        Columns that are categories, optionally with their levels: {"stage": ["early", "late"]}. In tables, the default
        is the columns with a categorical, text or boolean type.
    date : str, sequence of str or dict, optional
        Columns of dates, read as days since a start, optionally with the start and with parts of the date:
        {"admitted": ["2020-01-31", "weekday"]}. In tables, the default is the columns with a date type.
    missing : {"error", "drop"}, default="error"
        What to do with rows that have missing cells.
    missing_value : str or dict, optional
        Values that mean missing: {"chol": [0]}.
    delimiter : {"comma", "semicolon", "tab"}, optional
        Separator of the cells in CSV files.
    decimal : {"point", "comma"}, default="point"
        Decimal mark in files.
    slash_dates : {"day-first", "month-first"}, optional
        Order of dates with slashes.
    variables : str or sequence of str, optional
        Matrices to read from MATLAB files.
    sql, password_file : str and str or path-like, optional
        The query for a database, and the file with its password.
    stream : bool, default=False
        Whether to store the rows in a scratch file, for more rows than memory holds.
    scratch : str or path-like, optional
        Folder of the scratch file. The default is TMPDIR.
    standardise : {"private", "none"}, optional
        Whether to standardise all columns by secure sums.
    holdout : float, optional
        Fraction of its rows that each party holds out for a common score.
    holdout_model : {"alone", "fused"}, default="alone"
        The model that predicts the held-out rows.
    """

    inputs: Optional[Words]
    test: Any
    test_fraction: Optional[float]
    agents: Optional[int]
    split: Optional[str]
    groups: Any
    columns: Optional[Sequence[str]]
    y_max: Optional[float]
    delimiter: Optional[Literal["comma", "semicolon", "tab"]]
    decimal: Optional[Literal["point", "comma"]]
    missing: Optional[Literal["error", "drop"]]
    missing_value: Optional[Levels]
    categorical: Optional[Levels]
    date: Optional[Levels]
    slash_dates: Optional[Literal["day-first", "month-first"]]
    variables: Optional[Words]
    sql: Optional[str]
    password_file: Optional[File]
    stream: bool
    scratch: Optional[File]
    standardise: Optional[Literal["private", "none"]]
    holdout: Optional[float]
    holdout_model: Optional[Literal["alone", "fused"]]


class PriorModel(TypedDict, total=False):
    """The fields of Model that `plan` has too."""

    kernel: Any
    fusion: Optional[Literal["poe", "gpoe", "bcm", "rbcm"]]
    lengthscale: Optional[float]
    signal: Optional[float]
    noise: Optional[float]
    expert_rows: Optional[int]
    expert_split: Optional[Literal["random", "clusters"]]


class Model(PriorModel, total=False):
    """The model that the parties learn.

    Parameters
    ----------
    kernel : str or tacit.kernels.Kernel, optional
        A kernel such as "se-ard + linear".
    fusion : {"poe", "gpoe", "bcm", "rbcm"}, optional
        Rule that combines the experts' predictions.
    lengthscale, signal, noise : float, optional
        Fixed hyperparameters, in the data's units. They are not tuned.
    expert_rows : int, default=500
        Maximum number of rows of one expert.
    expert_split : {"random", "clusters"}, default="random"
        How a party's rows are assigned to its experts.
    paper : bool, default=False
        Use the settings of the paper, unless other keywords set them. Only for `simulate`.
    landmarks : int or "auto", optional
        Number of public points through which the parties learn the pooled part of the model. 0 means experts only.
        Only for `simulate`; for `plan`, see `Values`.
    landmark_points : table or file, optional
        Instead of `landmarks`: these points. Only for `simulate`.
    variance : {"latent", "observed"}, default="latent"
        The variance in `json`. `predictions` has both. Only for `simulate`.
    protect : {"sums", "both"}, default="sums"
        "both" also fits with noise that protects each row; see `json["rows_protected"]`. Only for `simulate`.
    rho : float, default=4
        With protect="both": what the fit may cost each row, in zero-concentrated differential privacy.
    colluding : int, optional
        With protect="both": number of parties that may pool what they know. The default is a third of them.
    """

    paper: bool
    landmarks: Union[int, str, None]
    landmark_points: Any
    variance: Optional[Literal["latent", "observed"]]
    protect: Optional[Literal["sums", "both"]]
    rho: Optional[float]
    colluding: Optional[int]


class Links(TypedDict, total=False):
    """The fields of Network that `plan` has too."""

    allow_missing_triangles: bool
    helpers: Optional[int]


class Network(Links, total=False):
    """The network of the parties.

    Parameters
    ----------
    topology : str, networkx.Graph or list of edges, optional
        The network: "ring:4", "complete", "regular:4", "tree:8", "geometric:0.5", or a graph. `plan` takes it as its
        first argument.
    allow_missing_triangles : bool, default=False
        With the consensus: accept edges that lie in no triangle.
    helpers : int, optional
        With the consensus: number of additional agents without data that help to mask.
    latency : float or str, optional
        Virtual time of a message, in seconds or with a unit such as "0.2ms". Only for `simulate`.
    bandwidth : float, optional
        Virtual bytes per second of a link. Only for `simulate`.
    """

    topology: Any
    latency: Union[float, str, None]
    bandwidth: Optional[float]


class Sums(TypedDict, total=False):
    """The fields of Protocol besides `protocol`, which is an explicit parameter of the functions."""

    collusion: Optional[int]
    masks: Optional[Literal["shares", "seeded"]]
    acceleration: Optional[Literal["none", "chebyshev"]]
    blinding: Union[int, bool, None]
    iterations: Optional[int]
    lz: Optional[float]
    lw: Optional[float]
    modulus_bits: Optional[int]
    modulus_rule: Optional[Literal["paper", "range"]]


class Protocol(Sums, total=False):
    """How sums are formed.

    Parameters
    ----------
    protocol : {"exact", "tree", "consensus"}, optional
        The protocol. The default is "exact", or "consensus" if one of its parameters is given.
    collusion : int, optional
        Number of parties that may collude without learning more than the sums.
    masks : {"shares", "seeded"}, optional
        Source of the masks of the consensus.
    acceleration : {"none", "chebyshev"}, optional
        Acceleration of the consensus.
    blinding : int or bool, optional
        Blinding of the consensus: the bits of noise, or True for the default.
    iterations, lz, lw, modulus_bits, modulus_rule
        Parameters of the protocol. The default is to plan them (see `plan`).
    """

    protocol: Optional[Literal["exact", "tree", "consensus"]]


class Tuning(TypedDict, total=False):
    """How the hyperparameters are tuned.

    Parameters
    ----------
    tune : {"exact", "paper", "none"}, optional
        The method of tuning.
    tune_box : tuple of float, optional
        Range of the hyperparameters in tuning.
    noise_floor, lengthscale_floor : float, optional
        The smallest values that tuning may find.
    n_restarts_optimizer : int, optional
        Number of additional searches.
    tune_shared : bool, default=False
        Whether all targets share one kernel and noise.
    tune_landmarks : bool, default=False
        Tune on all rows through landmarks. This opens more.
    tune_evaluations : int, optional
        Maximum number of evaluations of one search.
    tune_iterations, tune_step, tune_decay, tune_lz : int or float, optional
        With tune="paper": number of steps, their size, its decay, and the precision.
    tune_gradient : {"likelihood", "per-row"}, optional
        With tune="paper": the gradient of the steps.
    tune_start : tuple of float, optional
        With tune="paper": range of the starts.
    """

    tune: Optional[Literal["exact", "paper", "none"]]
    tune_iterations: Optional[int]
    tune_step: Optional[float]
    tune_decay: Optional[float]
    tune_gradient: Optional[Literal["likelihood", "per-row"]]
    tune_lz: Optional[float]
    tune_box: Optional[Range]
    tune_start: Optional[Range]
    noise_floor: Optional[float]
    lengthscale_floor: Optional[float]
    n_restarts_optimizer: Optional[int]
    tune_shared: bool
    tune_landmarks: bool
    tune_evaluations: Optional[int]


class Values(TypedDict, total=False):
    """What the agents sum, for `plan`.

    Parameters
    ----------
    agents : int, default=10
        Number of agents, if the network does not determine it.
    rows : int, default=100
        Maximum number of rows of one agent.
    points, outputs, inputs : int, optional
        Numbers of points predicted at once, targets and input columns.
    x_max, y_max : float, optional
        Public bounds on the absolute values of inputs and targets.
    landmarks : int, optional
        Also plan the sum over this number of landmarks.
    value_bound, dimension : float and int, optional
        Instead of a model: a bound on the values to average, and the number of values.
    tune_box : tuple of float, optional
        Also plan the paper's private tuning, in this range.
    error : float, optional
        The error that the result should have.
    """

    agents: Optional[int]
    rows: Optional[int]
    points: Optional[int]
    outputs: Optional[int]
    inputs: Optional[int]
    x_max: Optional[float]
    y_max: Optional[float]
    landmarks: Optional[int]
    value_bound: Optional[float]
    dimension: Optional[int]
    tune_box: Optional[Range]
    error: Optional[float]


class OfSimulate(Data, Model, Network, Sums, Tuning, total=False):
    """The keywords of `simulate` that groups have too."""


class OfPlan(Values, PriorModel, Links, Sums, total=False):
    """The keywords of `plan` that groups have too."""

    topology: Any


def with_keywords_of(known: type) -> Callable[[Function], Function]:
    """Show these keywords in the signature of a function, for help and completion, instead of its `**keywords`."""

    def shown(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
        more = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=getattr(kind, "__forward_arg__", kind)
            )
            for name, kind in known.__annotations__.items()
        ]
        setattr(function, "__signature__", signature.replace(parameters=[*own, *more]))
        return function

    return shown


def gathered(function: str, known: type, keywords: Mapping[str, Any], **groups: Any) -> dict[str, Any]:
    """Return all keywords that are given, one by one or in a group. None is the same as omitted.

    >>> gathered("simulate", OfSimulate, {"agents": 5}, model=Model(kernel="se"), protocol="exact", tuning=None)
    {'agents': 5, 'kernel': 'se', 'protocol': 'exact'}
    >>> gathered("simulate", OfSimulate, {"kernel": "se"}, model=Model(kernel="se-ard"))
    Traceback (most recent call last):
    tacit.InputError: kernel is given twice, also in model=; keep one of the two
    """
    fields = {*known.__annotations__, "protocol"}
    out = {name: value for name, value in keywords.items() if value is not None}
    for name in keywords:
        if name not in fields:
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}'")
    for group, members in groups.items():
        if group == "protocol" and not isinstance(members, Mapping):
            members = {"protocol": members}
        if not isinstance(members, Mapping):
            if members is not None:
                raise InputError(f"{group} is {members!r}, but must be a group of settings, such as {_EXAMPLES[group]}")
            continue
        for name, value in members.items():
            if name not in fields:
                raise InputError(f"{group}: {function} has no setting '{name}'")
            if value is None:
                continue
            if name in out:
                raise InputError(f"{name} is given twice, also in {group}=; keep one of the two")
            out[name] = value
    return out


_EXAMPLES = {
    "reading": 'tacit.Data(missing="drop")',
    "model": 'tacit.Model(kernel="se-ard")',
    "network": 'tacit.Network(topology="ring:4")',
    "tuning": 'tacit.Tuning(tune="none")',
    "values": "tacit.Values(rows=200)",
}
