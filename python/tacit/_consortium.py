"""One model of several parties, in one process."""
from __future__ import annotations

import warnings
from typing import Any, Optional, Union

import numpy as np
from sklearn.utils.validation import check_is_fitted

from tacit import kernels
from tacit._arrays import Numbers, array_of
from tacit._columns import text_of
from tacit._core import ConsortiumModel, consortium_defaults
from tacit._errors import InputError
from tacit._estimator import Estimator
from tacit._inputs import Inputs, is_table, level_order, split_off, targets
from tacit._joined import Part, blamed, divided, is_several, joined
from tacit._options import typed
from tacit._parties import labels_of
from tacit._progress import shown
from tacit._renamed import takes_old_words
from tacit._settings import RandomState, seed_of, switch, threads_of, whole


class PrivateConsortium(Estimator):
    """The model that several parties would train together with Tacit's protocols, each on its own rows.

    All parties run in this process, with the code that real agents run. Results are those of `tacit simulate` and of
    agents, to the bit.

    Nothing is private here, because one process has all rows. Use this estimator to try a model before agents run it.

    Parameters
    ----------
    kernel : str or tacit.kernels.Kernel, default="se"
        The kernel, as for :class:`GaussianProcess`. Hyperparameters in it are the start of the search. They are in the
        units of the data, and nothing is standardised, unless `standardise` requests it.
    groups : str, optional
        Column of X with the party of each row, for pipelines and searches, which cannot pass `groups` to `fit`.
    n_parties : int, default=5
        Number of parties that share the rows, in order, if nothing assigns rows to parties.
    landmarks : int or "auto", optional
        Number of public points through which the parties learn the pooled part of the model. 0 means experts only,
        as in the paper.
    fusion : {"rbcm", "bcm", "gpoe", "poe"}, default="rbcm"
        Rule that combines the experts' predictions.
    noise, lengthscale, signal : float, optional
        Further hyperparameters, with the same meaning as those in `kernel`.
    standardise : {"private", "none"}, optional
        Whether to standardise all columns by secure sums.
    tune : bool, default=True
        Whether to search for the best hyperparameters, by secure sums. If False, those of `kernel`, `noise`,
        `lengthscale` and `signal` are used unchanged.
    tune_shared : bool, default=False
        Whether all targets share one kernel and noise.
    n_restarts_optimizer : int, optional
        Number of additional searches from random starts. The best search counts. The default is 0, because each search
        opens further sums.
    noise_floor, lengthscale_floor : float, optional
        The smallest values that tuning may find.
    expert_rows : int, default=500
        Maximum number of rows of one expert.
    expert_split : {"random", "clusters"}, default="random"
        How a party's rows are assigned to its experts.
    random_state : int, RandomState or None, default=1
        Seed of everything that is random. None gives a new seed in each fit.
    n_jobs : int or None, default=-1
        Number of threads, as for :class:`GaussianProcess`. Results do not depend on it.
    progress : bool, optional
        Whether to show a progress bar (with tqdm). The default is to show it on terminals and in notebooks only.

    Attributes
    ----------
    parties_ : list of str
        Names of the parties. Parties without names are called "party 1" and so on.
    hyperparameters_ : dict of str to float
        All hyperparameters by descriptive name, for standardised data. If several targets do not share them, there is
        one such dict for each target.
    noise_ : float or ndarray
        The noise, as a standard deviation in the unit of each target.
    log_marginal_likelihood_ : float
        Sum over the parties, for standardised data.
    opened_ : int
        Number of values about all rows together that the fit has opened to every party.
    report_ : dict
        Details of the fit.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 10, 60)[:, np.newaxis]
    >>> owners = np.repeat(["north", "south", "west"], 20)
    >>> model = PrivateConsortium().fit(x, np.sin(x[:, 0]), groups=owners)
    >>> model.parties_
    ['north', 'south', 'west']
    >>> mean, sd = model.predict([[2.5]], return_std=True)
    >>> abs(mean[0] - np.sin(2.5)) < 0.1
    True
    """

    @takes_old_words
    def __init__(
        self,
        kernel: Union[str, kernels.Kernel] = consortium_defaults["kernel"],
        *,
        groups: Optional[str] = None,
        n_parties: int = 5,
        landmarks: Union[int, str, None] = None,
        fusion: str = consortium_defaults["fusion"],
        noise: Optional[float] = None,
        lengthscale: Optional[float] = None,
        signal: Optional[float] = None,
        standardise: Optional[str] = None,
        tune: bool = True,
        tune_shared: bool = consortium_defaults["shared"],
        n_restarts_optimizer: Optional[int] = None,
        noise_floor: Optional[float] = None,
        lengthscale_floor: Optional[float] = None,
        expert_rows: int = consortium_defaults["expert_rows"],
        expert_split: str = consortium_defaults["expert_split"],
        random_state: RandomState = consortium_defaults["seed"],
        n_jobs: Optional[int] = -1,
        progress: Optional[bool] = None,
    ) -> None:
        self.kernel = kernel
        self.groups = groups
        self.n_parties = n_parties
        self.landmarks = landmarks
        self.fusion = fusion
        self.noise = noise
        self.lengthscale = lengthscale
        self.signal = signal
        self.standardise = standardise
        self.tune = tune
        self.tune_shared = tune_shared
        self.n_restarts_optimizer = n_restarts_optimizer
        self.noise_floor = noise_floor
        self.lengthscale_floor = lengthscale_floor
        self.expert_rows = expert_rows
        self.expert_split = expert_split
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X: Any, y: Any, groups: Any = None) -> PrivateConsortium:
        """Fit one model to all parties' rows.

        Parameters
        ----------
        X : DataFrame, array, or a list or dict of these
            All rows, or one table for each party.
        y : array, names of columns of X, or a list or dict of arrays like X
            The targets.
        groups : array of labels, or the name of a column of X, optional
            The party of each row, if X has all rows.

        Returns
        -------
        PrivateConsortium
            The fitted estimator.
        """
        labels: Optional[list[str]]
        parts: list[Part] = []
        whose = self.groups if groups is None else groups
        if is_several(X):
            parts = divided(X, y, whose)
            X, y, labels = joined(parts)
        else:
            X, y = split_off(X, y)
            X, labels = self._without_groups(X, whose)
        rows = X if is_table(X) else array_of(X, "X")
        self._note_columns(X, fitting=True)
        self._inputs = Inputs.of(rows)
        try:
            inputs = self._inputs.matrix(rows, least_rows=2)
            outputs, self._targets, self._single = targets(y, len(inputs))
        except InputError as error:
            raise blamed(error, self._inputs, parts) from None
        self.n_features_in_ = len(self._inputs.names)
        self.parties_, places = self._dealt(labels, len(inputs))
        with shown(self.progress) as told:
            self._model = ConsortiumModel.fit(
                [(inputs[place], outputs[place]) for place in places],
                self.parties_,
                self._inputs.with_levels,
                self._targets,
                self._settings(),
                told,
            )
        self.report_ = self._model.report
        self.log_marginal_likelihood_ = self.report_["log_marginal_likelihood"]
        self.opened_ = self.report_["opened"]
        noise = self._model.noise
        self.noise_ = float(noise[0]) if self._single else noise
        self.hyperparameters_ = self._numbers()
        return self

    def predict(
        self, X: Any, return_std: bool = False, observed: bool = False, party: Optional[str] = None
    ) -> Union[Numbers, tuple[Numbers, Numbers]]:
        """Predict the targets at points, with all parties together or with one party at home.

        Parameters
        ----------
        X : DataFrame or array of shape (points, columns)
            The points, with the columns of the fit.
        return_std : bool, default=False
            Whether to return standard deviations.
        observed : bool, default=False
            Whether the deviations are those of a new observation, noise included. If False, they are those of the
            function.
        party : str, optional
            Predict as this party would at home, from the pooled part of the model and its own rows. No other party
            learns the question.

        Returns
        -------
        mean : array of shape (points,) or (points, targets)
            The predictions.
        deviation : array of the same shape
            Only with `return_std`.
        """
        check_is_fitted(self)
        if is_table(X) and self.groups is not None and self.groups in X.columns:
            X = X.drop(columns=[self.groups])
        points = self._points(X)
        if party is not None and party not in self.parties_:
            raise InputError(f"there is no party {party!r}; the parties are {', '.join(self.parties_)}")
        mean, latent, noisy = self._model.predict(points, None if party is None else self.parties_.index(party))
        if not return_std:
            return self._shaped(mean)
        return self._shaped(mean), self._shaped(np.sqrt(noisy if observed else latent))

    def _settings(self) -> dict[str, Any]:
        """Return the equivalent settings of `simulate`. The engine checks their values."""
        settings = {
            "kernel": kernels.parse(self.kernel),
            "tune": "exact" if _searches(self.tune) else "none",
            "tune_shared": switch("tune_shared", self.tune_shared),
            "seed": seed_of(self.random_state),
            "threads": threads_of(self.n_jobs),
        }
        for name in _OPTIONAL:
            if getattr(self, name) is not None:
                settings[name] = getattr(self, name)
        return typed(settings)

    def _numbers(self) -> dict[str, Any]:
        by_target: dict[str, Any] = {
            target: self._words(self._model.numbers(place, self._inputs.model_names))
            for place, target in enumerate(self._targets)
        }
        if len(by_target) > 1 and not self.tune_shared:
            return by_target
        shared: dict[str, Any] = by_target[self._targets[0]]
        return shared

    def _without_groups(self, X: Any, groups: Any) -> tuple[Any, Optional[list[str]]]:
        if groups is None:
            return X, None
        if isinstance(groups, str):
            if not is_table(X) or groups not in X.columns:
                raise InputError(f"groups: there is no column '{groups}' in X; pass the name of a column, or labels")
            return X.drop(columns=[groups]), [text_of(label) for label in X[groups]]
        labels = labels_of(groups)
        rows = len(X) if hasattr(X, "__len__") else len(array_of(X, "X"))
        if len(labels) != rows:
            raise InputError(f"groups: there are {len(labels)} labels for {rows} rows; pass one label per row")
        return X, labels

    def _dealt(self, labels: Optional[list[str]], rows: int) -> tuple[list[str], list[Any]]:
        """Return the names of the parties and the rows of each."""
        if labels is None:
            blocks = np.array_split(np.arange(rows), min(whole("n_parties", self.n_parties, 2, 1_000_000), rows))
            return [f"party {place}" for place in range(1, len(blocks) + 1)], blocks
        for row, label in enumerate(labels):
            if not label.strip():
                raise InputError(f"groups: row {row} (counting from 0) has no label; label this row or remove it")
        names = sorted(set(labels), key=level_order)
        if len(names) < 2:
            raise InputError(f"groups: all rows belong to '{names[0]}'; a consortium needs at least two parties")
        whose = np.array(labels, dtype=object)
        return names, [np.flatnonzero(whose == name) for name in names]


_OPTIONAL = (
    "landmarks", "fusion", "noise", "lengthscale", "signal", "standardise", "n_restarts_optimizer", "noise_floor",
    "lengthscale_floor", "expert_rows", "expert_split",
)  # fmt: skip


def _searches(tune: Any) -> bool:
    """Return whether to tune. The words of release 0.2 work for one more release."""
    if isinstance(tune, str) and tune in ("exact", "none"):
        warnings.warn(
            f"tune of PrivateConsortium is True or False; pass tune={tune == 'exact'}, because a later release refuses "
            f"'{tune}'",
            FutureWarning,
            stacklevel=4,
        )
        return tune == "exact"
    return switch("tune", tune)
