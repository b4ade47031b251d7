"""Several parties that learn one model together, in one process."""
from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
from sklearn.utils.validation import check_is_fitted

from tacit import kernels
from tacit._arrays import Numbers, array_of
from tacit._columns import text_of
from tacit._core import ConsortiumModel
from tacit._errors import InputError
from tacit._estimator import Estimator
from tacit._inputs import Inputs, is_table, level_order, split_off, targets
from tacit._joined import Part, blamed, divided, is_several, joined
from tacit._options import arguments
from tacit._parties import labels_of
from tacit._progress import shown
from tacit._settings import MOST_SEED, MOST_THREADS, number_or_none, switch, whole


class PrivateConsortium(Estimator):
    """What parties would learn together by Tacit's protocols, each with its own rows.

    Everything happens in this process, by the code that real agents run, so results are those of `tacit simulate`
    and of agents, to the bit. Nothing is private here, as one process has all rows: it is for trying a model before
    agents run it.

    Parameters
    ----------
    kernel : str or tacit.kernels.Kernel, default="se"
        As for :class:`GaussianProcess`, for standardised data. With numbers in it nothing is standardised or tuned,
        unless `standardise` and `tune` say otherwise.
    groups : str, optional
        The column of X that says whose row it is, for pipelines and searches, which cannot pass `groups` to `fit`.
    n_parties : int, default=5
        How many parties share the rows, in order, when nothing says whose they are.
    landmarks : int or "auto", optional
        Public points through which the pooled part of the model is learnt; 0 means experts alone, as in the paper.
    fusion : {"rbcm", "bcm", "gpoe", "poe"}, optional
        How experts' predictions become one.
    noise, lengthscale, signal : float, optional
        Numbers of the model, by hand.
    standardise : {"private", "none"}, optional
    tune : {"exact", "none"}, optional
    tune_shared : bool, default=False
        One kernel and noise for all targets.
    restarts : int, optional
    noise_floor, lengthscale_floor : float, optional
        The smallest that tuning may find.
    expert_rows : int, optional
        The most rows of one expert.
    expert_split : {"random", "clusters"}, optional
    seed : int, default=1
    threads : int, default=0
        0 means as many as the machine has; results are the same for any number.
    progress : bool, optional
        Show a bar (by tqdm). When left out, on terminals and in notebooks.

    Attributes
    ----------
    parties_ : list of str
        Their names; parties without names are "party 1" and so on.
    hyperparameters_ : dict of str to float
        All numbers in words, for standardised data; with several targets that do not share them, by target.
    noise_ : float or ndarray
        A standard deviation in the unit of each target.
    log_marginal_likelihood_ : float
        Summed over parties, of standardised data.
    opened_ : int
        How many numbers about all rows together the fit has shown to every party.
    report_ : dict
        How the fit went.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 10, 60)[:, np.newaxis]
    >>> whose = np.repeat(["north", "south", "west"], 20)
    >>> model = PrivateConsortium().fit(x, np.sin(x[:, 0]), groups=whose)
    >>> model.parties_
    ['north', 'south', 'west']
    >>> mean, sd = model.predict([[2.5]], return_std=True)
    >>> abs(mean[0] - np.sin(2.5)) < 0.1
    True
    """

    def __init__(
        self,
        kernel: Union[str, kernels.Kernel] = "se",
        *,
        groups: Optional[str] = None,
        n_parties: int = 5,
        landmarks: Union[int, str, None] = None,
        fusion: Optional[str] = None,
        noise: Optional[float] = None,
        lengthscale: Optional[float] = None,
        signal: Optional[float] = None,
        standardise: Optional[str] = None,
        tune: Optional[str] = None,
        tune_shared: bool = False,
        restarts: Optional[int] = None,
        noise_floor: Optional[float] = None,
        lengthscale_floor: Optional[float] = None,
        expert_rows: Optional[int] = None,
        expert_split: Optional[str] = None,
        seed: int = 1,
        threads: int = 0,
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
        self.restarts = restarts
        self.noise_floor = noise_floor
        self.lengthscale_floor = lengthscale_floor
        self.expert_rows = expert_rows
        self.expert_split = expert_split
        self.seed = seed
        self.threads = threads
        self.progress = progress

    def fit(self, X: Any, y: Any, groups: Any = None) -> PrivateConsortium:
        """Fit one model to all parties' rows.

        Parameters
        ----------
        X : DataFrame, array, or a list or dict of these
            All rows, or one table for each party.
        y : array, or names of columns of X, or a list or dict of arrays as X is
        groups : array of labels, or the name of a column of X, optional
            Whose each row is, where X has all rows.

        Returns
        -------
        PrivateConsortium
            This estimator.
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
                self._arguments(),
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
        """Predict at points, all parties together.

        Parameters
        ----------
        X : DataFrame or array of shape (points, columns)
        return_std : bool
            Also give standard deviations.
        observed : bool
            Of a new observation, noise included, instead of the function itself.
        party : str, optional
            What this party would answer at home, from the pooled part of the model and its own rows, so that nobody
            learns the question.

        Returns
        -------
        mean : array of shape (points,) or (points, targets)
        deviation : array of the same shape
            If asked for.
        """
        check_is_fitted(self)
        if is_table(X) and self.groups is not None and self.groups in X.columns:
            X = X.drop(columns=[self.groups])
        points = self._points(X)
        if party is not None and party not in self.parties_:
            raise InputError(f"there is no party {party!r}; parties are {', '.join(self.parties_)}")
        mean, latent, noisy = self._model.predict(points, None if party is None else self.parties_.index(party))
        if not return_std:
            return self._shaped(mean)
        return self._shaped(mean), self._shaped(np.sqrt(noisy if observed else latent))

    def _arguments(self) -> list[str]:
        """The options of `tacit simulate` that say the same."""
        kernel = kernels.parse(self.kernel)
        return arguments(
            kernel=kernel.text if kernel.has_numbers else kernel.form,
            landmarks=self.landmarks,
            fusion=self.fusion,
            noise=number_or_none("noise", self.noise),
            lengthscale=number_or_none("lengthscale", self.lengthscale),
            signal=number_or_none("signal", self.signal),
            standardise=self.standardise,
            tune=self.tune,
            tune_shared=switch("tune_shared", self.tune_shared),
            restarts=self.restarts,
            noise_floor=number_or_none("noise_floor", self.noise_floor),
            lengthscale_floor=number_or_none("lengthscale_floor", self.lengthscale_floor),
            expert_rows=self.expert_rows,
            expert_split=self.expert_split,
            seed=whole("seed", self.seed, 0, MOST_SEED),
            threads=whole("threads", self.threads, 0, MOST_THREADS),
        )

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
                raise InputError(f"groups: there is no column '{groups}' in X; give the name of one, or labels")
            return X.drop(columns=[groups]), [text_of(label) for label in X[groups]]
        labels = labels_of(groups)
        rows = len(X) if hasattr(X, "__len__") else len(array_of(X, "X"))
        if len(labels) != rows:
            raise InputError(f"groups: there are {len(labels)} labels for {rows} rows; give one for each")
        return X, labels

    def _dealt(self, labels: Optional[list[str]], rows: int) -> tuple[list[str], list[Any]]:
        """Parties' names, and which rows each has."""
        if labels is None:
            blocks = np.array_split(np.arange(rows), min(whole("n_parties", self.n_parties, 2, 1_000_000), rows))
            return [f"party {place}" for place in range(1, len(blocks) + 1)], blocks
        for row, label in enumerate(labels):
            if not label.strip():
                raise InputError(f"groups: row {row} (from 0) has no label; say whose it is, or leave it out")
        names = sorted(set(labels), key=level_order)
        if len(names) < 2:
            raise InputError(f"groups: all rows belong to '{names[0]}'; a consortium needs two parties or more")
        whose = np.array(labels, dtype=object)
        return names, [np.flatnonzero(whose == name) for name in names]
