"""A Gaussian process of one party."""
from __future__ import annotations

import os
from typing import Any, Optional, Union

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from tacit import kernels
from tacit._arrays import Numbers, array_of
from tacit._core import Model
from tacit._errors import InputError
from tacit._estimator import Estimator, deviations
from tacit._inputs import Inputs, is_table, split_off, targets
from tacit._progress import shown
from tacit._settings import MOST_SEED, MOST_THREADS, number, number_or_none, switch, whole, word


class GaussianProcess(Estimator):
    """Gaussian-process regression on one party's rows.

    Numbers of the kernel and the noise are found by raising the likelihood of the data. Rows need no scaling: the
    search starts from how far the data spread.

    Parameters
    ----------
    kernel : str or tacit.kernels.Kernel, default="se-ard"
        As an object, ``SE(ard=True) + Linear()``, or as text, ``"se-ard + linear"``. Numbers in it are where the
        search starts.
    noise : float, optional
        Where the noise starts, as a standard deviation in the unit of the target; from the data when left out.
    tune : bool, default=True
        Search for the best numbers. False uses those of `kernel` and `noise` as they are.
    restarts : int, default=2
        Further searches from other starts; the best counts.
    centre : bool, default=True
        Subtract the targets' means before the fit; far from all rows predictions go back to them.
    prior_width : float, default=3
        A weak prior keeps numbers that the data say nothing about near where they started; it is this wide, in
        logarithms. 0 means none, as in most other libraries.
    most_evaluations : int, default=200
        Of the likelihood, in each search.
    expert_rows : int, default=4000
        Up to this many rows the model is exact. More rows are divided among experts, whose predictions are fused;
        time then grows with the rows instead of their cube.
    expert_split : {"random", "clusters"}, default="random"
        How rows go to experts.
    fusion : {"rbcm", "bcm", "gpoe", "poe"}, default="rbcm"
        How experts' predictions become one.
    seed : int, default=1
        Of restarts and of the rows' division. The same seed gives the same bits, on any number of threads.
    threads : int, default=0
        0 means as many as the machine has.
    progress : bool, optional
        Show a bar (by tqdm). When left out, on terminals and in notebooks.

    Attributes
    ----------
    kernel_ : tacit.kernels.Kernel
        With the numbers found.
    noise_ : float
        The noise found, a standard deviation in the unit of the target.
    hyperparameters_ : dict of str to float
        All numbers in words, such as "lengthscale of bmi".
    log_marginal_likelihood_ : float
    report_ : dict
        How the search went: evaluations, why it ended, numbers at a bound, the path.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        When X was a table with names.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 10, 40)[:, np.newaxis]
    >>> model = GaussianProcess().fit(x, np.sin(x[:, 0]))
    >>> mean, sd = model.predict([[2.5]], return_std=True)
    >>> abs(mean[0] - np.sin(2.5)) < 0.01
    True
    """

    def __init__(
        self,
        kernel: Union[str, kernels.Kernel] = "se-ard",
        *,
        noise: Optional[float] = None,
        tune: bool = True,
        restarts: int = 2,
        centre: bool = True,
        prior_width: float = 3.0,
        most_evaluations: int = 200,
        expert_rows: int = 4000,
        expert_split: str = "random",
        fusion: str = "rbcm",
        seed: int = 1,
        threads: int = 0,
        progress: Optional[bool] = None,
    ) -> None:
        self.kernel = kernel
        self.noise = noise
        self.tune = tune
        self.restarts = restarts
        self.centre = centre
        self.prior_width = prior_width
        self.most_evaluations = most_evaluations
        self.expert_rows = expert_rows
        self.expert_split = expert_split
        self.fusion = fusion
        self.seed = seed
        self.threads = threads
        self.progress = progress

    def fit(self, X: Any, y: Any) -> GaussianProcess:
        """Fit the model to rows.

        Parameters
        ----------
        X : DataFrame or array of shape (rows, columns)
            Categories and texts of a DataFrame become zeros and ones.
        y : array of shape (rows,) or (rows, targets), or names of columns of X
            Several targets share the numbers of the kernel.

        Returns
        -------
        GaussianProcess
            This estimator.
        """
        X, y = split_off(X, y)
        rows = X if is_table(X) else array_of(X, "X")
        self._note_columns(X, fitting=True)
        self._inputs = Inputs.of(rows)
        inputs = self._inputs.matrix(rows)
        outputs, self._targets, self._single = targets(y, len(inputs))
        self._targets_have_names = hasattr(y, "iloc")
        self.n_features_in_ = len(self._inputs.names)
        settings = self._settings()
        with shown(self.progress) as told:
            self._model = Model.fit(inputs, outputs, kernels.parse(self.kernel), progress=told, **settings)
        self._take_in()
        return self

    def _settings(self) -> dict[str, Any]:
        """What the engine's fit takes."""
        fixed = not switch("tune", self.tune)
        noise = number_or_none("noise", self.noise)
        if fixed and (noise is None or not kernels.parse(self.kernel).has_numbers):
            raise InputError("tune=False needs a kernel with numbers, such as SE(lengthscale=2), and a noise")
        return {
            "noise": noise,
            "learn_noise": not fixed,
            "centre": switch("centre", self.centre),
            "restarts": 0 if fixed else whole("restarts", self.restarts, 0, 1000),
            "seed": whole("seed", self.seed, 0, MOST_SEED),
            "threads": whole("threads", self.threads, 0, MOST_THREADS),
            "reach": 1.0 if fixed else 1e3,
            "prior_width": number("prior_width", self.prior_width),
            "most_evaluations": whole("most_evaluations", self.most_evaluations, 1, 1_000_000),
            "expert_rows": whole("expert_rows", self.expert_rows, 1, 1_000_000_000),
            "expert_split": word("expert_split", self.expert_split, "random", "clusters"),
            "fusion": word("fusion", self.fusion, "poe", "gpoe", "bcm", "rbcm"),
        }

    def _take_in(self) -> None:
        self.kernel_ = self._model.kernel
        self.noise_ = self._model.noise
        self.report_ = self._model.report
        self.log_marginal_likelihood_ = self.report_["log_marginal_likelihood"]
        self.hyperparameters_ = self._words(self._model.numbers(self._inputs.model_names))

    def predict(
        self, X: Any, return_std: bool = False, observed: bool = False, return_cov: bool = False
    ) -> Union[Numbers, tuple[Numbers, Numbers]]:
        """Predict at points.

        Parameters
        ----------
        X : DataFrame or array of shape (points, columns)
        return_std : bool
            Also give standard deviations.
        observed : bool
            Of a new observation, noise included, instead of the function itself.
        return_cov : bool
            Also give the covariance between all points instead of standard deviations.

        Returns
        -------
        mean : array of shape (points,) or (points, targets)
        deviation or covariance : array
            If asked for.
        """
        points = self._points(X)
        if return_std and return_cov:
            raise InputError("return_std and return_cov cannot both be True; ask for one of them")
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
        return mean, self._shaped(deviations(variance, len(self._targets)))

    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 1) -> Numbers:
        """Draw functions and give their values at points.

        Parameters
        ----------
        X : DataFrame or array of shape (points, columns)
        n_samples : int
        random_state : int, RandomState or None
            The same number gives the same draws; None gives others each time.

        Returns
        -------
        array of shape (points, n_samples) or (points, targets, n_samples)
        """
        points = self._points(X)
        if random_state is None or isinstance(random_state, np.random.RandomState):
            random_state = check_random_state(random_state).randint(2**31)
        seed = whole("random_state", random_state, 0, MOST_SEED)
        count = whole("n_samples", n_samples, 1, 1_000_000_000)
        draws: Numbers = np.stack(self._model.predict(points, samples=count, seed=seed)["samples"], axis=1)
        return draws[:, 0] if self._single else draws

    def add_data(self, X: Any, y: Any) -> GaussianProcess:
        """Take in further rows, with the numbers found so far; far cheaper than another fit.

        Parameters
        ----------
        X, y
            As in `fit`, with the same columns.

        Returns
        -------
        GaussianProcess
            This estimator.
        """
        check_is_fitted(self)
        X, y = split_off(X, y)
        inputs = self._points(X)
        outputs, names, _ = targets(y, len(inputs))
        if outputs.shape[1] != len(self._targets) or (
            hasattr(y, "iloc") and self._targets_have_names and names != self._targets
        ):
            raise InputError(f"y is {', '.join(names)}, but was {', '.join(self._targets)} in fit; give the same")
        self._model = self._model.add_data(inputs, outputs)
        self._take_in()
        return self

    def save(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Write the fitted model to a file that the C++ library reads, too. The rows are in it.

        Parameters
        ----------
        file : str or path
        """
        check_is_fitted(self)
        if not isinstance(file, (str, os.PathLike)):
            raise InputError(f"file is a {type(file).__name__}; give the name of a file to write")
        self._model.save(os.fspath(file))
