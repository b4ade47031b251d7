"""Settings have scikit-learn's names. The words of release 0.2 work with a FutureWarning."""
from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tacit
from tacit import GaussianProcess, PrivateConsortium, _core
from tacit._renamed import RENAMED
from tacit._settings import seed_of, threads_of

ESTIMATORS: list[Any] = [GaussianProcess, PrivateConsortium]
FUNCTIONS: list[Any] = [tacit.simulate, tacit.plan, tacit.audit, tacit.reproduce]
X = np.random.default_rng(3).normal(size=(60, 2))
Y = np.sin(X[:, 0]) + 0.1 * X[:, 1]


def quietly(work: Callable[[], Any]) -> Any:
    """Run the work with every FutureWarning as an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        return work()


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_estimators_spell_settings_as_scikit_learn_does(kind: Any) -> None:
    parameters = kind().get_params()
    assert set(RENAMED.values()) <= set(parameters) and not set(RENAMED) & set(parameters)
    assert {"random_state", "n_restarts_optimizer"} <= set(GaussianProcessRegressor().get_params())


@pytest.mark.parametrize("function", [*FUNCTIONS, *ESTIMATORS])
def test_nothing_spells_them_otherwise(function: Any) -> None:
    assert not set(RENAMED) & set(inspect.signature(function).parameters)


def test_kernel_and_tune_agree() -> None:
    one, several = GaussianProcess().get_params(), PrivateConsortium().get_params()
    for name in ("kernel", "tune", "noise", "random_state", "n_jobs", "progress"):
        assert one[name] == several[name]


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_tuning_starts_from_given_numbers_unless_it_is_off(kind: Any) -> None:
    given: dict[str, Any] = {"kernel": "se(lengthscale=2, signal=1.5)", "noise": 0.2}
    fixed = kind(**given, tune=False).fit(X, Y)
    assert fixed.hyperparameters_ == pytest.approx({"lengthscale": 2, "signal": 1.5, "noise": 0.2}, rel=1e-12)
    tuned = kind(**given).fit(X, Y)
    assert tuned.log_marginal_likelihood_ > fixed.log_marginal_likelihood_ + 1


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_estimators_accept_the_old_words(kind: Any) -> None:
    with pytest.warns(FutureWarning, match="seed is called random_state, as in scikit-learn; pass random_state=4") as caught:
        old = kind(seed=4, threads=0, restarts=1)
    assert len(caught) == 3 and all(Path(one.filename) == Path(__file__) for one in caught)
    new = kind(random_state=4, n_jobs=-1, n_restarts_optimizer=1)
    assert old.get_params() == new.get_params() == quietly(lambda: clone(old)).get_params()
    for estimator in (clone(new), make_pipeline(StandardScaler(), new)):
        place = estimator if isinstance(estimator, kind) else estimator[-1]
        prefix = "" if place is estimator else f"{kind.__name__.lower()}__"
        with pytest.warns(FutureWarning, match="threads is called n_jobs") as caught:
            estimator.set_params(**{f"{prefix}seed": 9, f"{prefix}threads": 1})
        assert (place.random_state, place.n_jobs) == (9, 1)
    with pytest.raises(tacit.InputError, match="seed and random_state are the same setting; pass random_state only"):
        kind(seed=1, random_state=1)


def test_an_old_word_gives_the_same_bits() -> None:
    with pytest.warns(FutureWarning):
        old = GaussianProcess(seed=5, restarts=1, expert_rows=20).fit(X, Y)
    new = quietly(lambda: GaussianProcess(random_state=5, n_restarts_optimizer=1, expert_rows=20).fit(X, Y))
    np.testing.assert_array_equal(old.predict(X), new.predict(X))


def test_old_words_of_tuning() -> None:
    with pytest.warns(FutureWarning, match="pass tune=False, because a later release refuses 'none'") as caught:
        PrivateConsortium("se(lengthscale=2, signal=1)", noise=0.1, tune="none").fit(X, Y)  # type: ignore[arg-type]
    assert Path(caught[0].filename) == Path(__file__)


def test_functions_accept_the_old_words() -> None:
    with pytest.warns(FutureWarning, match="seed is called random_state") as caught:
        found = tacit.plan("regular:4", agents=30, seed=7)  # type: ignore[call-arg]
    assert Path(caught[0].filename) == Path(__file__)
    assert found.json == quietly(lambda: tacit.plan("regular:4", agents=30, random_state=7)).json
    table = {"x": X[:, 0], "y": Y}
    with pytest.warns(FutureWarning) as caught:
        old = tacit.simulate(table, "y", agents=3, seed=7, threads=1, restarts=1)  # type: ignore[call-arg]
    assert len(caught) == 3
    new = tacit.simulate(table, "y", agents=3, random_state=7, n_jobs=1, n_restarts_optimizer=1)
    assert old.json["predictions"] == new.json["predictions"]
    with pytest.warns(FutureWarning, match="omit it, because a later release refuses seed"):
        assert tacit.plan(seed=None).json == tacit.plan().json  # type: ignore[call-arg]


def test_random_state_is_that_of_scikit_learn() -> None:
    def drawn(random_state: Any) -> Any:
        return GaussianProcess(random_state=random_state, expert_rows=20, tune=False, kernel="se(lengthscale=2, signal=1)",
                               noise=0.2).fit(X, Y).predict(X)  # fmt: skip

    np.testing.assert_array_equal(drawn(3), drawn(3))
    np.testing.assert_array_equal(drawn(np.random.RandomState(3)), drawn(np.random.RandomState(3)))
    assert (drawn(None) != drawn(None)).any()
    np.random.seed(1)
    first = seed_of(None)
    np.random.seed(1)
    assert seed_of(None) == first != seed_of(None)


def test_n_jobs_is_that_of_scikit_learn() -> None:
    cores = _core.default_threads()
    assert [threads_of(jobs) for jobs in (1, 3, -1, -cores - 5)] == [1, 3, 0, 1]
    assert threads_of(-2) == max(1, cores - 1)
    assert threads_of(None) == 1
    with joblib.parallel_backend("threading", n_jobs=3):
        assert threads_of(None) == 3
