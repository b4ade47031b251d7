"""Gaussian-process regression for one party."""
from __future__ import annotations

import os
import re
import warnings
from typing import Any, Optional, Union

import numpy as np
from sklearn.utils.validation import check_is_fitted

from tacit import kernels
from tacit._arrays import Numbers, array_of
from tacit._core import Model, one_party_defaults
from tacit._errors import InputError, TacitWarning
from tacit._estimator import Estimator
from tacit._inputs import Inputs, is_table, split_off, targets
from tacit._progress import shown
from tacit._renamed import takes_old_words
from tacit._settings import RandomState, number, number_or_none, seed_of, switch, threads_of, whole, word


class GaussianProcess(Estimator):
    """Gaussian-process regression on the rows of one party.

    The fit finds the hyperparameters, which are those of the kernel and the noise, by maximising the likelihood of the
    data. The search starts from the spread of the data.

    Parameters
    ----------
    kernel : str or tacit.kernels.Kernel, default="se"
        The kernel, as an object such as ``SE(ard=True) + Linear()``, or as text such as ``"se-ard + linear"``.
        Hyperparameters in it are the start of the search. ``"se"`` has one length-scale for all columns: if their
        spreads differ much, scale them or use ``"se-ard"``.
    noise : float, optional
        Start of the search for the noise, as a standard deviation in the unit of the target. The default is derived
        from the data.
    tune : bool, default=True
        Whether to search for the best hyperparameters. If False, those of `kernel` and `noise` are used unchanged.
    n_restarts_optimizer : int, default=2
        Number of additional searches from other starts. The best search counts.
    centre : bool, default=True
        Whether to subtract the means of the targets before the fit. Predictions far from all rows return to these
        means.
    prior_width : float, default=3
        Width, in logarithms, of a weak prior. The prior keeps hyperparameters near their start if the data do not
        determine them. 0 means no prior, as in most other libraries.
    most_evaluations : int, default=200
        Maximum number of likelihood evaluations in each search.
    expert_rows : int, default=4000
        Up to this number of rows the model is exact. More rows are divided among experts, whose predictions are fused.
        The computing time then grows linearly with the rows instead of with their cube.
    expert_split : {"random", "clusters"}, default="random"
        How the rows are assigned to experts.
    fusion : {"rbcm", "bcm", "gpoe", "poe"}, default="rbcm"
        Rule that combines the experts' predictions.
    random_state : int, RandomState or None, default=1
        Seed of the additional searches and of the division of the rows. The same number gives the same bits on any
        number of threads. None gives a new seed in each fit.
    n_jobs : int or None, default=-1
        Number of threads. -1 uses all cores. None uses one, or the number that a `joblib.parallel_backend` context
        sets. Results do not depend on it.
    progress : bool, optional
        Whether to show a progress bar (with tqdm). The default is to show it on terminals and in notebooks only.

    Attributes
    ----------
    kernel_ : tacit.kernels.Kernel
        The kernel with the hyperparameters found.
    noise_ : float
        The noise found, as a standard deviation in the unit of the target.
    hyperparameters_ : dict of str to float
        All hyperparameters by descriptive name, such as "lengthscale of bmi".
    log_marginal_likelihood_ : float
        Log marginal likelihood of the data.
    report_ : dict
        Details of the search: evaluations, why it ended, hyperparameters at a bound, the path.
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : ndarray of str
        Column names of X, if X was a table with column names.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 10, 40)[:, np.newaxis]
    >>> model = GaussianProcess().fit(x, np.sin(x[:, 0]))
    >>> mean, sd = model.predict([[2.5]], return_std=True)
    >>> abs(mean[0] - np.sin(2.5)) < 0.01
    True
    """

    @takes_old_words
    def __init__(
        self,
        kernel: Union[str, kernels.Kernel] = one_party_defaults["kernel"],
        *,
        noise: Optional[float] = None,
        tune: bool = True,
        n_restarts_optimizer: int = one_party_defaults["restarts"],
        centre: bool = True,
        prior_width: float = one_party_defaults["prior_width"],
        most_evaluations: int = one_party_defaults["evaluations"],
        expert_rows: int = one_party_defaults["expert_rows"],
        expert_split: str = one_party_defaults["expert_split"],
        fusion: str = one_party_defaults["fusion"],
        random_state: RandomState = one_party_defaults["seed"],
        n_jobs: Optional[int] = -1,
        progress: Optional[bool] = None,
    ) -> None:
        self.kernel = kernel
        self.noise = noise
        self.tune = tune
        self.n_restarts_optimizer = n_restarts_optimizer
        self.centre = centre
        self.prior_width = prior_width
        self.most_evaluations = most_evaluations
        self.expert_rows = expert_rows
        self.expert_split = expert_split
        self.fusion = fusion
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X: Any, y: Any) -> GaussianProcess:
        """Fit the model to rows.

        Parameters
        ----------
        X : DataFrame or array of shape (rows, columns)
            The inputs. Categories and text columns of a DataFrame become zeros and ones.
        y : array of shape (rows,) or (rows, targets), or names of columns of X
            The targets. Several targets share the hyperparameters of the kernel.

        Returns
        -------
        GaussianProcess
            The fitted estimator.
        """
        X, y = split_off(X, y)
        rows = X if is_table(X) else array_of(X, "X")
        self._note_columns(X, fitting=True)
        self._inputs = Inputs.of(rows)
        inputs = self._inputs.matrix(rows)
        outputs, self._targets, self._single = targets(y, len(inputs))
        self._targets_have_names = hasattr(y, "iloc")
        self.n_features_in_ = len(self._inputs.names)
        kernel = kernels.parse(self.kernel)
        settings = self._settings(kernel)
        self._warn_of_spreads(inputs, kernel)
        with shown(self.progress) as told:
            self._model = Model.fit(inputs, outputs, kernel, progress=told, **settings)
        self._take_in()
        return self

    def _settings(self, kernel: kernels.Kernel) -> dict[str, Any]:
        """Return the arguments of the engine's fit."""
        fixed = not switch("tune", self.tune)
        noise = number_or_none("noise", self.noise)
        if fixed and (noise is None or not kernel.has_numbers):
            raise InputError("tune=False needs noise= and a kernel with hyperparameters, such as SE(lengthscale=2)")
        return {
            "noise": noise,
            "learn_noise": not fixed,
            "centre": switch("centre", self.centre),
            "restarts": 0 if fixed else whole("n_restarts_optimizer", self.n_restarts_optimizer, 0, 1000),
            "seed": seed_of(self.random_state),
            "threads": threads_of(self.n_jobs),
            "reach": 1.0 if fixed else one_party_defaults["reach"],
            "prior_width": number("prior_width", self.prior_width),
            "most_evaluations": whole("most_evaluations", self.most_evaluations, 1, 1_000_000),
            "expert_rows": whole("expert_rows", self.expert_rows, 1, 1_000_000_000),
            "expert_split": word("expert_split", self.expert_split, "random", "clusters"),
            "fusion": word("fusion", self.fusion, "poe", "gpoe", "bcm", "rbcm"),
        }

    def _warn_of_spreads(self, inputs: Numbers, kernel: kernels.Kernel) -> None:
        """Warn if columns of very different spread share a length-scale: the narrow ones then have no effect."""
        shares = re.search(r"\b(se|matern12|matern32|matern52|rq)\b(?!-ard)", kernel.form)
        spreads = inputs.std(axis=0)
        spreads = spreads[spreads > 0]
        if self.tune and shares and len(spreads) > 1 and spreads.max() > 100 * spreads.min():
            warnings.warn(
                f"the kernel {shares[0]} has one length-scale for all columns, but one column varies "
                f"{spreads.max() / spreads.min():,.0f} times as much as another; use {shares[0]}-ard, or scale the "
                "columns (sklearn.preprocessing.StandardScaler)",
                TacitWarning,
                stacklevel=3,
            )

    def _take_in(self) -> None:
        self.kernel_ = self._model.kernel
        self.noise_ = self._model.noise
        self.report_ = self._model.report
        self.log_marginal_likelihood_ = self.report_["log_marginal_likelihood"]
        self.hyperparameters_ = self._words(self._model.numbers(self._inputs.model_names))

    def predict(
        self, X: Any, return_std: bool = False, observed: bool = False, return_cov: bool = False
    ) -> Union[Numbers, tuple[Numbers, Numbers]]:
        """Predict the targets at points.

        Parameters
        ----------
        X : DataFrame or array of shape (points, columns)
            The points, with the columns of the fit.
        return_std : bool, default=False
            Whether to return standard deviations.
        observed : bool, default=False
            Whether deviations and covariances are those of a new observation, noise included. If False, they are those
            of the function.
        return_cov : bool, default=False
            Whether to return the covariance between all points instead of standard deviations.

        Returns
        -------
        mean : array of shape (points,) or (points, targets)
            The predictions.
        deviation or covariance : array
            Only with `return_std` or `return_cov`.
        """
        points = self._points(X)
        if return_std and return_cov:
            raise InputError("return_std and return_cov cannot both be True; set only one of them")
        said = self._model.predict(points, variance=bool(return_std), covariance=bool(return_cov))
        mean = self._shaped(said["mean"])
        if return_cov:
            covariance: Numbers = said["covariance"]
            if observed:
                covariance[np.diag_indices_from(covariance)] += self.noise_**2
            return mean, covariance
        if not return_std:
            return mean
        variance = said["observed_variance" if observed else "latent_variance"]
        return mean, self._shaped(np.sqrt(variance))

    def sample_y(self, X: Any, n_samples: int = 1, random_state: RandomState = 1) -> Numbers:
        """Draw functions from the model and return their values at points.

        Parameters
        ----------
        X : DataFrame or array of shape (points, columns)
            The points, with the columns of the fit.
        n_samples : int, default=1
            Number of functions.
        random_state : int, RandomState or None, default=1
            The same number gives the same draws. None gives different draws each time.

        Returns
        -------
        array of shape (points, n_samples) or (points, targets, n_samples)
            The values of the functions.
        """
        points = self._points(X)
        seed = seed_of(random_state)
        count = whole("n_samples", n_samples, 1, 1_000_000_000)
        draws: Numbers = np.stack(self._model.predict(points, samples=count, seed=seed)["samples"], axis=1)
        return draws[:, 0] if self._single else draws

    def add_data(self, X: Any, y: Any) -> GaussianProcess:
        """Add rows without a new search for hyperparameters. This is much faster than another fit.

        Parameters
        ----------
        X, y
            As in `fit`, with the same columns.

        Returns
        -------
        GaussianProcess
            The estimator with the added rows.
        """
        check_is_fitted(self)
        X, y = split_off(X, y)
        inputs = self._points(X)
        outputs, names, _ = targets(y, len(inputs))
        if outputs.shape[1] != len(self._targets) or (
            hasattr(y, "iloc") and self._targets_have_names and names != self._targets
        ):
            was = ", ".join(self._targets)
            raise InputError(f"y is {', '.join(names)}, but was {was} in fit; pass the same targets")
        self._model = self._model.add_data(inputs, outputs)
        self._take_in()
        return self

    def save(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Write the fitted model to a file. The C++ library can read the file. The file contains the rows.

        Parameters
        ----------
        file : str or path-like
            The file to write.
        """
        check_is_fitted(self)
        if not isinstance(file, (str, os.PathLike)):
            raise InputError(f"file is of type {type(file).__name__}; pass the name of the file to write")
        self._model.save(os.fspath(file))
