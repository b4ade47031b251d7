"""All parties in one process."""
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
from tacit._simulation import Simulation

Range = tuple[float, float]


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
    restarts: Optional[int] = None,
    tune_shared: bool = False,
    tune_landmarks: bool = False,
    tune_evaluations: Optional[int] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    all_agents: bool = False,
    progress: Optional[bool] = None,
) -> Simulation:
    """Simulates parties that learn one model together without showing each other their rows.

    Without further options it does what is advised for real parties: ten of them share the rows, bring all columns to
    one scale and find the model's numbers in private, and learn one model through landmarks. What is left out is as
    `tacit simulate` has it.

    Parameters
    ----------
    data
        A table (DataFrame, dictionary of columns, structured array, or array with `columns`), which is divided among
        `agents`; a list or dictionary of tables, one for each party; or files as `tacit simulate` reads them.
    target, inputs
        Column or columns to predict, and those to predict from; all others when left out.
    test, test_fraction
        A table or file of points to predict; or the share of rows to hold out at random for that (0.2).
    agents, split, groups
        How many parties share one table (10), and how: "contiguous", "shuffled", "regions" (each sees one region of
        the inputs). `groups` instead names the column that says whose row it is, or gives such labels.
    columns
        Names of the columns, for arrays with two dimensions.
    y_max
        A public bound on the target's size; that of the data when left out.
    categorical, date
        Columns that are categories or dates, in tables those that pandas takes for such when left out. With levels
        ({"stage": ["early", "late"]}) or with the day from which days are counted and parts ({"admitted":
        ["2020-01-31", "weekday"]}).
    missing, missing_value
        "error" or "drop" rows with missing cells; values that mean missing ({"chol": [0]}).
    delimiter, decimal, slash_dates, variables, sql, password_file
        How files are read: "comma", "semicolon" or "tab"; "point" or "comma"; "day-first" or "month-first"; matrices
        of MATLAB files; the query for a database, and the file with its password.
    stream, scratch
        Whether rows go to a scratch file, for more of them than memory holds, and the folder for it (TMPDIR).
    standardise
        "private" or "none".
    holdout, holdout_model
        Share of its rows that every party keeps for a common score, by "alone" or "fused" models.
    paper
        What the paper does, where no other keyword says otherwise.
    kernel, fusion, lengthscale, signal, noise
        The model: a kernel such as "se-ard + linear"; how experts combine ("poe", "gpoe", "bcm", "rbcm"); numbers in
        the data's units, which are then not tuned.
    expert_rows, expert_split
        The most rows of one expert (500), and how rows go to experts: "random" or "clusters".
    landmarks, landmark_points
        How many public points the pooled part of the model is learnt through: "auto", a number, or 0 for none; or a
        table or file of such points.
    variance
        What `json` reports: "latent" or "observed"; `predictions` has both.
    topology, allow_missing_triangles, helpers, latency, bandwidth
        Who talks to whom: "ring:4", "complete", "regular:4", "tree:8", "geometric:0.5", a graph of NetworkX or a list of edges;
        whether edges in no triangle are accepted; agents that only help to mask; virtual seconds for a message, also
        as "0.2ms"; virtual bytes per second.
    protocol, collusion
        How sums are formed: "exact", "tree" or "consensus"; how many parties may collude without learning more.
    masks, acceleration, blinding, iterations, lz, lw, modulus_bits, modulus_rule
        Of the consensus: "shares" or "seeded"; "none" or "chebyshev"; bits of noise, or True; and its numbers, which
        are planned when left out (see `plan`).
    tune, tune_box, noise_floor, lengthscale_floor, restarts, tune_shared, tune_landmarks, tune_evaluations
        How the model's numbers are found: "exact", "paper" or "none"; the range they stay in; the smallest noise and
        length-scale; further searches; one model for all targets; on all rows through landmarks, which opens more;
        the most evaluations of a search.
    tune_iterations, tune_step, tune_decay, tune_gradient, tune_lz, tune_start
        Of tune="paper": steps, their size and its decay; "likelihood" or "per-row"; precision; range of starts.
    seed, threads
        Of all that is random (1); threads do not change results.
    all_agents
        Whether `json` has every agent's predictions.
    progress
        Whether to show a bar; only on terminals and in notebooks when left out.

    Returns
    -------
    Simulation
        Predictions, what they are worth, and what they cost.

    Examples
    --------
    >>> import tacit
    >>> run = tacit.simulate("data/diabetes.csv", "y", agents=4, seed=3)
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
                *arguments(**kinds),
                "--json",
            ],
            parties.frames,
            tell,
        )
    for warning in found["warnings"]:
        warnings.warn(warning, TacitWarning, stacklevel=2)
    return Simulation(found, asked, parties.tables)


_taken_apart = {
    "data", "target", "inputs", "test", "split", "groups", "columns", "landmark_points", "topology", "categorical",
    "date", "progress",
}  # fmt: skip
