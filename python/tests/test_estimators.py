"""GaussianProcess and PrivateConsortium as scikit-learn estimators, with their columns, levels and parties."""
from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import tacit
from tacit import GaussianProcess, PrivateConsortium
from tacit._core import Model
from tacit.kernels import SE, Linear

FIXED: dict[str, Any] = {"kernel": "se(lengthscale=1.5, signal=2)", "noise": 0.3, "tune": False}


@parametrize_with_checks([GaussianProcess(n_restarts_optimizer=0), PrivateConsortium()])  # type: ignore[misc]
def test_scikit_learn_accepts(estimator: Any, check: Callable[[Any], None]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    random = np.random.default_rng(5)
    frame = pd.DataFrame({"age": random.normal(50, 9, 90), "bmi": random.normal(27, 4, 90)})
    frame["ward"] = pd.Categorical(random.choice(["north", "east"], 90), ["west", "north", "east"])
    frame["clinic"] = random.choice(["b", "a", "c"], 90)
    noise = random.normal(0, 0.2, (90, 2))
    frame["y"] = np.sin(frame["age"] / 9) + 0.4 * (frame["ward"] == "east") + noise[:, 0]
    frame["z"] = np.cos(frame["bmi"] / 4) + noise[:, 1]
    return frame


@pytest.fixture(scope="module", params=["one", "several"])
def estimator(request: pytest.FixtureRequest) -> Iterator[Any]:
    yield GaussianProcess(n_restarts_optimizer=0) if request.param == "one" else PrivateConsortium(n_parties=3)


def test_a_clone_has_the_same_parameters(estimator: Any) -> None:
    for kernel in ("matern32 + linear", SE(ard=True) + Linear(), SE(lengthscale=2)):
        changed = clone(estimator).set_params(kernel=kernel, random_state=7)
        assert clone(changed).get_params() == changed.get_params()


def test_a_pickled_model_predicts_the_same_bits(estimator: Any, table: pd.DataFrame) -> None:
    rows = table.drop(columns=["z", "clinic"])
    fitted = clone(estimator).fit(rows, "y")
    again = pickle.loads(pickle.dumps(fitted))
    for one, other in zip(fitted.predict(rows.drop(columns="y"), True), again.predict(rows.drop(columns="y"), True)):
        np.testing.assert_array_equal(one, other)
    assert again.hyperparameters_ == fitted.hyperparameters_ and again.report_ == fitted.report_


def test_a_grid_search_picks_the_kernel_of_the_data(estimator: Any) -> None:
    x = np.random.default_rng(2).uniform(-3, 3, (40, 1))
    search = GridSearchCV(estimator, {"kernel": ["constant", "se"]}, cv=2).fit(x, np.sin(x[:, 0]))
    assert search.best_params_ == {"kernel": "se"}


def test_a_pipeline_of_transformers_ends_in_it(estimator: Any, table: pd.DataFrame) -> None:
    prepared = ColumnTransformer([("numbers", StandardScaler(), ["age", "bmi"]), ("words", OneHotEncoder(), ["ward"])])
    pipeline = make_pipeline(prepared, clone(estimator)).fit(table, table["y"])
    assert pipeline.score(table, table["y"]) > 0.7


def test_cross_validation_scores_it(estimator: Any, table: pd.DataFrame) -> None:
    scores = cross_val_score(estimator, table[["age", "ward"]], table["y"], cv=3)
    assert scores.shape == (3,) and (scores > 0.4).all()


def test_columns_keep_their_names(estimator: Any, table: pd.DataFrame) -> None:
    fitted = clone(estimator).set_params(kernel="se-ard").fit(table[["bmi", "age", "y"]], "y")
    assert list(fitted.feature_names_in_) == ["bmi", "age"] and fitted.n_features_in_ == 2
    assert {"lengthscale of bmi", "lengthscale of age"} < set(fitted.hyperparameters_)


def test_columns_in_another_order_are_refused(estimator: Any, table: pd.DataFrame) -> None:
    fitted = clone(estimator).fit(table[["bmi", "age", "y"]], "y")
    with pytest.raises(tacit.InputError, match="must be in the same order as they were in fit"):
        fitted.predict(table[["age", "bmi"]])


def test_levels_have_the_order_of_the_dtype(estimator: Any, table: pd.DataFrame) -> None:
    fitted = clone(estimator).set_params(kernel="se-ard").fit(table[["ward", "clinic", "y"]], "y")
    words = ["ward=west", "ward=north", "ward=east", "clinic=a", "clinic=b", "clinic=c"]
    assert [name for name in fitted.hyperparameters_ if "=" in name] == [f"lengthscale of {word}" for word in words]


def test_levels_are_zeros_and_ones(table: pd.DataFrame) -> None:
    by_hand = np.column_stack([table["age"], *(table["ward"] == level for level in ("west", "north", "east"))])
    one = GaussianProcess(**FIXED).fit(table[["age", "ward", "y"]], "y")
    other = GaussianProcess(**FIXED).fit(by_hand, table["y"])
    np.testing.assert_array_equal(one.predict(table[["age", "ward"]]), other.predict(by_hand))


def test_a_level_that_fit_has_not_seen_is_refused_by_name(estimator: Any, table: pd.DataFrame) -> None:
    fitted = clone(estimator).fit(table[["age", "ward", "y"]], "y")
    asked = table[["age", "ward"]].assign(ward="south")
    with pytest.raises(tacit.InputError, match="column 'ward', row 0 .counting from 0.: 'south' is not one of the levels west"):
        fitted.predict(asked)


def test_an_array_can_ask_a_model_of_categories(estimator: Any, table: pd.DataFrame) -> None:
    fitted = clone(estimator).fit(table[["age", "ward", "y"]], "y")
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        said = fitted.predict(table[["age", "ward"]].to_numpy())
    np.testing.assert_array_equal(said, fitted.predict(table[["age", "ward"]]))


def test_several_targets_have_columns(estimator: Any, table: pd.DataFrame) -> None:
    rows = table[["age", "bmi"]]
    fitted = clone(estimator).fit(rows, table[["y", "z"]])
    mean, deviation = fitted.predict(rows, return_std=True)
    assert mean.shape == deviation.shape == (90, 2)
    named = clone(estimator).fit(table[["age", "bmi", "y", "z"]], ["y", "z"])
    np.testing.assert_array_equal(named.predict(rows, return_std=True)[0], mean)


def test_one_target_in_two_dimensions_stays_so(estimator: Any, table: pd.DataFrame) -> None:
    rows, y = table[["age", "bmi"]].to_numpy(), table["y"].to_numpy()
    flat, tall = clone(estimator).fit(rows, y).predict(rows), clone(estimator).fit(rows, y[:, np.newaxis]).predict(rows)
    assert tall.shape == (90, 1)
    np.testing.assert_array_equal(tall[:, 0], flat)


def test_an_observation_varies_more_than_the_function(estimator: Any, table: pd.DataFrame) -> None:
    rows = table[["age", "bmi"]]
    fitted = clone(estimator).fit(rows, table["y"])
    _, function = fitted.predict(rows, return_std=True)
    _, observation = fitted.predict(rows, return_std=True, observed=True)
    np.testing.assert_allclose(observation**2, function**2 + fitted.noise_**2, rtol=1e-9)


@pytest.fixture(scope="module")
def model(table: pd.DataFrame) -> GaussianProcess:
    return GaussianProcess(**FIXED).fit(table[["age", "bmi"]], table["y"])


def test_the_diagonal_of_the_covariance_is_the_variance(model: GaussianProcess, table: pd.DataFrame) -> None:
    rows = table[["age", "bmi"]]
    for observed in (False, True):
        _, deviation = model.predict(rows, return_std=True, observed=observed)
        _, covariance = model.predict(rows, return_cov=True, observed=observed)
        np.testing.assert_allclose(np.diag(covariance), deviation**2, rtol=1e-9)


def test_draws_have_the_covariance_they_should(model: GaussianProcess, table: pd.DataFrame) -> None:
    rows = table[["age", "bmi"]][:3]
    draws = model.sample_y(rows, 20_000, random_state=3)
    mean, covariance = model.predict(rows, return_cov=True)
    assert draws.shape == (3, 20_000)
    np.testing.assert_allclose(draws.mean(axis=1), mean, atol=0.05)
    np.testing.assert_allclose(np.cov(draws), covariance, atol=0.05)


def test_draws_repeat_for_a_seed_only(model: GaussianProcess, table: pd.DataFrame) -> None:
    rows = table[["age", "bmi"]][:3]
    np.testing.assert_array_equal(model.sample_y(rows, 2, 7), model.sample_y(rows, 2, 7))
    assert (model.sample_y(rows, 2, None) != model.sample_y(rows, 2, None)).all()
    one, other = (model.sample_y(rows, 2, np.random.RandomState(5)) for _ in range(2))
    np.testing.assert_array_equal(one, other)


def test_draws_of_several_targets(table: pd.DataFrame) -> None:
    fitted = GaussianProcess(**FIXED).fit(table[["age", "bmi"]], table[["y", "z"]])
    assert fitted.sample_y(table[["age", "bmi"]][:4], 5).shape == (4, 2, 5)


def test_added_rows_count_as_if_they_had_been_there(table: pd.DataFrame) -> None:
    rows = table[["age", "bmi", "y"]]
    options: dict[str, Any] = {**FIXED, "centre": False}  # add_data keeps the mean of the first rows
    grown = GaussianProcess(**options).fit(rows[:60], "y").add_data(rows[60:], "y")
    whole = GaussianProcess(**options).fit(rows, "y")
    for one, other in zip(grown.predict(rows[["age", "bmi"]], True), whole.predict(rows[["age", "bmi"]], True)):
        np.testing.assert_allclose(one, other, rtol=1e-8)


def test_a_saved_model_is_read_back(model: GaussianProcess, table: pd.DataFrame, tmp_path: Path) -> None:
    rows = table[["age", "bmi"]]
    model.save(tmp_path / "model")
    read = Model.load(str(tmp_path / "model")).predict(rows.to_numpy(), variance=False)
    np.testing.assert_array_equal(read["mean"][:, 0], model.predict(rows))


def test_many_rows_are_divided_among_experts(table: pd.DataFrame) -> None:
    fitted = GaussianProcess(n_restarts_optimizer=0, expert_rows=30).fit(table[["age", "bmi"]], table["y"])
    assert fitted.report_["experts"] == 3
    with pytest.raises(tacit.InputError, match="this model has 3 experts"):
        fitted.predict(table[["age", "bmi"]], return_cov=True)


def test_without_tuning_numbers_stay_as_given(table: pd.DataFrame) -> None:
    fitted = GaussianProcess(SE(lengthscale=3, signal=2), noise=0.5, tune=False).fit(table[["age", "bmi"]], table["y"])
    assert fitted.hyperparameters_ == pytest.approx({"lengthscale": 3, "signal": 2, "noise": 0.5}, rel=1e-15)


def test_a_shared_length_scale_for_unequal_columns_is_worth_a_warning(table: pd.DataFrame) -> None:
    wide = table[["age", "bmi"]].assign(bmi=table["bmi"] * 1000)
    with pytest.warns(tacit.TacitWarning, match="the kernel se has one length-scale for all columns.*use se-ard"):
        GaussianProcess(n_restarts_optimizer=0).fit(wide, table["y"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GaussianProcess("se-ard", n_restarts_optimizer=0).fit(wide, table["y"])
        GaussianProcess(**FIXED).fit(wide, table["y"])


# Parties


def same(one: PrivateConsortium, other: PrivateConsortium, rows: Any) -> None:
    assert one.parties_ == other.parties_
    np.testing.assert_array_equal(one.predict(rows), other.predict(rows))


@pytest.fixture(scope="module")
def by_labels(table: pd.DataFrame) -> PrivateConsortium:
    return PrivateConsortium().fit(table[["age", "ward"]], table["y"], groups=table["clinic"])


def test_parties_by_labels(by_labels: PrivateConsortium) -> None:
    assert by_labels.parties_ == ["a", "b", "c"]
    assert by_labels.opened_ > 0


def test_parties_by_a_column(by_labels: PrivateConsortium, table: pd.DataFrame) -> None:
    by_column = PrivateConsortium().fit(table[["age", "ward", "clinic", "y"]], "y", groups="clinic")
    same(by_column, by_labels, table[["age", "ward"]])


def test_parties_by_the_estimators_own_column(by_labels: PrivateConsortium, table: pd.DataFrame) -> None:
    fitted = PrivateConsortium(groups="clinic").fit(table[["age", "ward", "clinic"]], table["y"])
    same(fitted, by_labels, table[["age", "ward"]])
    np.testing.assert_array_equal(fitted.predict(table[["age", "ward", "clinic"]]), fitted.predict(table[["age", "ward"]]))


def test_a_search_keeps_parties_apart(table: pd.DataFrame) -> None:
    search = GridSearchCV(PrivateConsortium(groups="clinic"), {"landmarks": [0, "auto"]}, cv=2, error_score="raise")
    search.fit(table[["age", "ward", "clinic"]], table["y"])
    assert search.best_estimator_.parties_ == ["a", "b", "c"]


def test_parties_by_a_dictionary(by_labels: PrivateConsortium, table: pd.DataFrame) -> None:
    parts = {name: table[table["clinic"] == name] for name in ("c", "a", "b")}
    by_name = PrivateConsortium().fit({name: part[["age", "ward", "y"]] for name, part in parts.items()}, "y")
    same(by_name, by_labels, table[["age", "ward"]])
    targets = {name: part["y"] for name, part in reversed(parts.items())}
    same(PrivateConsortium().fit({n: p[["age", "ward"]] for n, p in parts.items()}, targets), by_labels, table[["age", "ward"]])


def test_parties_by_a_list(by_labels: PrivateConsortium, table: pd.DataFrame) -> None:
    parts = [table.loc[table["clinic"] == name, ["age", "ward", "y"]] for name in ("a", "b", "c")]
    by_list = PrivateConsortium().fit(parts, "y")
    assert by_list.parties_ == ["party 1", "party 2", "party 3"]
    np.testing.assert_array_equal(by_list.predict(table[["age", "ward"]]), by_labels.predict(table[["age", "ward"]]))


def test_parties_by_a_list_of_arrays(table: pd.DataFrame) -> None:
    parts = [table[table["clinic"] == name] for name in ("a", "b", "c")]
    rows = table[["age", "bmi"]].to_numpy()
    by_list = PrivateConsortium().fit([part[["age", "bmi"]].to_numpy() for part in parts], [part["y"].tolist() for part in parts])
    by_labels = PrivateConsortium().fit(rows, table["y"], groups=table["clinic"])
    np.testing.assert_array_equal(by_list.predict(rows), by_labels.predict(rows))


def test_parties_may_declare_levels_differently(table: pd.DataFrame) -> None:
    parts = [part.assign(ward=part["ward"].cat.remove_unused_categories()) for part in (table[:45], table[45:])]
    parts[0]["ward"] = parts[0]["ward"].cat.set_categories(["north", "east"])
    parts[1]["ward"] = parts[1]["ward"].cat.set_categories(["south", "east", "north"])
    fitted = PrivateConsortium("se-ard").fit([part[["ward", "y"]] for part in parts], "y")
    assert [name for name in fitted.hyperparameters_ if "ward" in name] == [
        f"lengthscale of ward={level}" for level in ("north", "east", "south")
    ]


def test_a_party_can_answer_at_home(by_labels: PrivateConsortium, table: pd.DataFrame) -> None:
    rows = table[["age", "ward"]]
    at_home = by_labels.predict(rows, party="b")
    for other in (by_labels.predict(rows), by_labels.predict(rows, party="a")):
        assert np.any(at_home != other)
    assert np.corrcoef(at_home, table["y"])[0, 1] > 0.7


def test_without_landmarks_a_party_at_home_is_alone(table: pd.DataFrame) -> None:
    rows, whose = table[["age", "bmi"]].to_numpy(), table["clinic"].to_numpy()
    fixed: dict[str, Any] = {"kernel": "se(lengthscale=3, signal=2)", "noise": 0.3}
    fitted = PrivateConsortium(**fixed, tune=False, landmarks=0).fit(rows, table["y"], groups=whose)
    alone = GaussianProcess(**fixed, tune=False, centre=False).fit(rows[whose == "a"], table["y"][whose == "a"])
    for one, other in zip(fitted.predict(rows, True, party="a"), alone.predict(rows, True)):
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10)
