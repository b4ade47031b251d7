"""Simulation of all parties in one process."""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Optional, Union

from tacit import _core
from tacit._errors import TacitWarning
from tacit._frames import Frame
from tacit._graphs import network as network_of
from tacit._groups import Data, Model, Network, OfSimulate, Protocol, Tuning, gathered, with_keywords_of
from tacit._options import Words, declared, typed, words_of
from tacit._parties import Parties
from tacit._progress import shown
from tacit._renamed import takes_old_words
from tacit._settings import RandomState, seed_of, threads_of
from tacit._simulation import Simulation

if TYPE_CHECKING:
    from typing import Unpack


@takes_old_words
@with_keywords_of(OfSimulate)
def simulate(
    data: Any,
    target: Words,
    *,
    reading: Optional[Data] = None,
    model: Optional[Model] = None,
    network: Optional[Network] = None,
    protocol: Union[str, Protocol, None] = None,
    tuning: Optional[Tuning] = None,
    random_state: RandomState = 1,
    n_jobs: Optional[int] = -1,
    all_agents: bool = False,
    progress: Optional[bool] = None,
    **keywords: Unpack[OfSimulate],
) -> Simulation:
    """Simulate parties that train one model together without showing each other their rows.

    By default, ten parties share the rows, with the settings recommended for real parties. They bring all columns to
    one scale and tune the hyperparameters by private sums, and learn one model through landmarks. Other defaults are
    those of `tacit simulate`.

    Settings are keywords, such as ``agents=6``, or groups of keywords, such as ``model=Model(kernel="se-ard")``. Groups
    can be kept and passed to several calls.

    Parameters
    ----------
    data : table, file, or a list or dict of these
        One table or file, which is divided among `agents`, or one for each party. A table is a DataFrame, a dictionary
        of columns, a structured array, or an array with `columns`. Files are read as `tacit simulate` reads them.
    target : str or sequence of str
        Columns to predict.
    reading : Data, optional
        Which rows and columns the parties have, and how files are read: a group of these keywords.
    inputs, test, test_fraction, agents, split, groups, columns, y_max, categorical, date, missing, missing_value
    delimiter, decimal, slash_dates, variables, sql, password_file, stream, scratch, standardise, holdout, holdout_model
        See `Data`.
    model : Model, optional
        The model that the parties learn: a group of these keywords.
    kernel, fusion, lengthscale, signal, noise, expert_rows, expert_split, paper, landmarks, landmark_points, variance
    protect, rho, colluding
        See `Model`.
    network : Network, optional
        The network of the parties: a group of these keywords.
    topology, allow_missing_triangles, helpers, latency, bandwidth
        See `Network`.
    protocol : {"exact", "tree", "consensus"} or Protocol, optional
        How sums are formed, or a group of `protocol` and these keywords.
    collusion, masks, acceleration, blinding, iterations, lz, lw, modulus_bits, modulus_rule
        See `Protocol`.
    tuning : Tuning, optional
        How the hyperparameters are tuned: a group of these keywords.
    tune, tune_box, noise_floor, lengthscale_floor, n_restarts_optimizer, tune_shared, tune_landmarks, tune_evaluations
    tune_iterations, tune_step, tune_decay, tune_lz, tune_gradient, tune_start
        See `Tuning`.
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
    said = gathered(
        "simulate", OfSimulate, keywords, reading=reading, model=model, network=network, protocol=protocol, tuning=tuning
    )
    parties, asked = _parties(data, said)
    targets = words_of(target)
    used = words_of(said.get("inputs")) or [
        name
        for table in parties.tables[:1]
        for name in (*table.columns, *table.refused)
        if name not in targets and said.get("split") != f"by:{name}"
    ]
    for table in (*parties.tables, *([] if asked is None else [asked])):
        table.require([*used, *targets])
    kinds = declared(parties.tables, used, said.pop("categorical", None), said.pop("date", None))
    parties.as_texts(kinds["categorical"] or ())
    said.update({name: columns for name, columns in kinds.items() if columns is not None})
    settings: dict[str, Any] = {**parties.sources, **typed(said), "target": targets, "all_agents": all_agents}
    settings.update(seed=seed_of(random_state), threads=threads_of(n_jobs))
    with network_of(said.get("topology"), order=parties.names) as joined, shown(progress) as tell:
        if joined.setting is not None:
            settings["topology"] = joined.setting
        found = _core.simulate(settings, parties.frames, tell)
    for warning in found["warnings"]:
        warnings.warn(warning, TacitWarning, stacklevel=3)  # of the caller of the decorated function
    return Simulation(found, asked, parties.tables)


def _parties(data: Any, said: dict[str, Any]) -> tuple[Parties, Optional[Frame]]:
    """Take the tables and files out of the settings. Return them, and the table of test rows if there is one."""
    parties = Parties(said.pop("columns", None))
    parties.add_data(data)
    test = said.pop("test", None)
    asked = None if test is None else parties.add("test", "test rows", test)
    landmarks = said.pop("landmark_points", None)
    if landmarks is not None:
        parties.add("landmark_points", "landmarks", landmarks)
    groups, split = said.pop("groups", None), said.get("split")
    if groups is None and isinstance(split, str) and split.startswith("by:"):
        groups = split.removeprefix("by:")
    if groups is not None:
        said["split"] = f"by:{parties.split_by(groups)}"
    return parties, asked
