"""Simulation of all parties in one process."""
from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any, Optional, Union

from tacit import _core
from tacit._errors import TacitWarning
from tacit._graphs import network
from tacit._options import Levels, Words, arguments, declared, words_of
from tacit._parties import Parties
from tacit._progress import shown
from tacit._renamed import takes_old_words
from tacit._settings import RandomState, seed_of, threads_of
from tacit._simulation import Simulation

Range = tuple[float, float]


@takes_old_words
def simulate(
    data: Any,
    target: Words,
    *,
    inputs: Optional[Words] = None,
    test: Any = None,
    test_fraction: Optional[float] = None,
    agents: Optional[int] = None,
    split: Optional[str] = None,
    groups: Any = None,
    columns: Optional[Sequence[str]] = None,
    y_max: Optional[float] = None,
    delimiter: Optional[str] = None,
    decimal: Optional[str] = None,
    missing: Optional[str] = None,
    missing_value: Optional[Levels] = None,
    categorical: Optional[Levels] = None,
    date: Optional[Levels] = None,
    slash_dates: Optional[str] = None,
    variables: Optional[Words] = None,
    sql: Optional[str] = None,
    password_file: Union[str, os.PathLike[str], None] = None,
    stream: bool = False,
    scratch: Union[str, os.PathLike[str], None] = None,
    standardise: Optional[str] = None,
    holdout: Optional[float] = None,
    holdout_model: Optional[str] = None,
    paper: bool = False,
    kernel: Any = None,
    fusion: Optional[str] = None,
    lengthscale: Optional[float] = None,
    signal: Optional[float] = None,
    noise: Optional[float] = None,
    expert_rows: Optional[int] = None,
    expert_split: Optional[str] = None,
    landmarks: Union[int, str, None] = None,
    landmark_points: Any = None,
    variance: Optional[str] = None,
    topology: Any = None,
    allow_missing_triangles: bool = False,
    helpers: Optional[int] = None,
    latency: Union[float, str, None] = None,
    bandwidth: Optional[float] = None,
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
    tune: Optional[str] = None,
    tune_iterations: Optional[int] = None,
    tune_step: Optional[float] = None,
    tune_decay: Optional[float] = None,
    tune_gradient: Optional[str] = None,
    tune_lz: Optional[float] = None,
    tune_box: Optional[Range] = None,
    tune_start: Optional[Range] = None,
    noise_floor: Optional[float] = None,
    lengthscale_floor: Optional[float] = None,
    n_restarts_optimizer: Optional[int] = None,
    tune_shared: bool = False,
    tune_landmarks: bool = False,
    tune_evaluations: Optional[int] = None,
    random_state: RandomState = 1,
    n_jobs: Optional[int] = -1,
    all_agents: bool = False,
    progress: Optional[bool] = None,
) -> Simulation:
    """Simulate parties that train one model together without showing each other their rows.

    By default, ten parties share the rows, with the settings recommended for real parties. They bring all columns to
    one scale and tune the hyperparameters by private sums, and learn one model through landmarks. Other defaults are
    those of `tacit simulate`.

    Parameters
    ----------
    data : table, file, or a list or dict of these
        One table or file, which is divided among `agents`, or one for each party. A table is a DataFrame, a dictionary
        of columns, a structured array, or an array with `columns`. Files are read as `tacit simulate` reads them.
    target : str or sequence of str
        Columns to predict.
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
    paper : bool, default=False
        Use the settings of the paper, unless other keywords set them.
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
    landmarks : int or "auto", optional
        Number of public points through which the parties learn the pooled part of the model. 0 means experts only.
    landmark_points : table or file, optional
        Instead of `landmarks`: these points.
    variance : {"latent", "observed"}, default="latent"
        The variance in `json`. `predictions` has both.
    topology : str, networkx.Graph or list of edges, optional
        The network: "ring:4", "complete", "regular:4", "tree:8", "geometric:0.5", or a graph.
    allow_missing_triangles : bool, default=False
        With the consensus: accept edges that lie in no triangle.
    helpers : int, optional
        With the consensus: number of additional agents without data that help to mask.
    latency : float or str, optional
        Virtual time of a message, in seconds or with a unit such as "0.2ms".
    bandwidth : float, optional
        Virtual bytes per second of a link.
    protocol : {"exact", "tree", "consensus"}, optional
        How sums are formed.
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
    tune : {"exact", "paper", "none"}, optional
        How the hyperparameters are tuned.
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
    random_state : int, RandomState or None, default=1
        Seed of the random splits, starts and simulated masks. None gives a new seed each time.
    n_jobs : int or None, default=-1
        Number of threads. -1 uses all cores. None uses one, or the number that a `joblib.parallel_backend` context
        sets. Results do not depend on it.
    all_agents : bool, default=False
        Whether `json` has the predictions of each agent.
    progress : bool, optional
        Whether to show a progress bar. The default is to show it on terminals and in notebooks only.

    Returns
    -------
    Simulation
        Predictions, their accuracy, and the cost.

    Examples
    --------
    >>> import tacit
    >>> run = tacit.simulate("data/diabetes.csv", "y", agents=4, random_state=3)
    >>> bool(run.scores.loc[("together", "all", "y"), "rmse"] < run.scores.loc[("alone", "all", "y"), "rmse"])
    True
    """
    options = {name: value for name, value in locals().items() if name not in _taken_apart}
    parties = Parties(columns)
    parties.add_data(data)
    asked = None if test is None else parties.add("test", "test rows", test)
    if landmark_points is not None:
        parties.add("landmark-points", "landmarks", landmark_points)
    if groups is None and isinstance(split, str) and split.startswith("by:"):
        groups = split.removeprefix("by:")
    if groups is not None:
        split = f"by:{parties.split_by(groups)}"
    targets = words_of(target)
    used = words_of(inputs) or [
        name
        for table in parties.tables[:1]
        for name in (*table.columns, *table.refused)
        if name not in targets and split != f"by:{name}"
    ]
    for table in (*parties.tables, *([] if asked is None else [asked])):
        table.require([*used, *targets])
    kinds = declared(parties.tables, used, categorical, date)
    parties.as_texts(kinds["categorical"] or ())
    with network(topology, order=parties.names) as joined, shown(progress) as tell:
        found = _core.call(
            [
                "simulate",
                *parties.arguments,
                *arguments(target=target, inputs=inputs, split=split, topology=joined.topology, **options),
                *arguments(seed=seed_of(random_state), threads=threads_of(n_jobs), restarts=n_restarts_optimizer),
                *arguments(**kinds),
                "--json",
            ],
            parties.frames,
            tell,
        )
    for warning in found["warnings"]:
        warnings.warn(warning, TacitWarning, stacklevel=3)  # of the caller of the decorated function
    return Simulation(found, asked, parties.tables)


_taken_apart = {
    "data", "target", "inputs", "test", "split", "groups", "columns", "landmark_points", "topology", "categorical",
    "date", "random_state", "n_jobs", "n_restarts_optimizer", "progress",
}  # fmt: skip
