"""Errors for unusable input name the column, party or setting, and contain no terms of the C++ binding."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import tacit
from tacit import GaussianProcess, PrivateConsortium, simulate

KERNELS: Any = tacit.kernels  # Any, because the tests pass wrong types
RANDOM = np.random.default_rng(1)
X = RANDOM.normal(size=(30, 2))
Y = X[:, 0] + RANDOM.normal(0, 0.1, 30)
TABLE = pd.DataFrame({"age": X[:, 0], "bmi": X[:, 1], "ward": ["a", "b", "c"] * 10, "y": Y})
ROWS = TABLE.drop(columns="y")
OF_ENGINES = ("incompatible", "std::", "pybind", "Eigen", "vector", "_core", "Traceback", "unordered_map", "invoked with")


def refused(words: str, work: Callable[[], Any]) -> None:
    with pytest.raises(tacit.InputError) as caught:
        work()
    sentence = str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert words in sentence
    assert not [word for word in OF_ENGINES if word in sentence]
    assert len(sentence) < 500


@pytest.fixture(params=[GaussianProcess(n_restarts_optimizer=0), PrivateConsortium(n_parties=3)], ids=["one", "several"])
def estimator(request: pytest.FixtureRequest) -> Any:
    return clone(request.param)


def changed(array: Any, row: int, column: int, value: Any) -> Any:
    array = np.array(array, dtype=np.result_type(array, type(value)) if not isinstance(value, str) else object)
    array[row, column] = value
    return array


ROWS_THAT_CANNOT_BE_LEARNT: dict[str, tuple[Any, str]] = {
    "one dimension": (X[:, 0], "X has 1 dimension, but must have rows and columns"),
    "three dimensions": (X[:, :, np.newaxis], "X has 3 dimensions"),
    "a number": (3, "X has 0 dimensions"),
    "nothing": (None, "X is of type NoneType; pass a DataFrame"),
    "a text": ("rows.csv", "X is of type str; pass a DataFrame"),
    "no rows": (X[:0], "0 sample(s)"),
    "no columns": (X[:, :0], "0 feature(s)"),
    "an empty table": (pd.DataFrame(), "the table has no columns"),
    "a table without rows": (ROWS[:0], "the table has no rows"),
    "NaN": (changed(X, 4, 1, np.nan), "X contains NaN: column 'x1', row 4 (counting from 0)"),
    "infinity": (changed(X, 4, 1, -np.inf), "X contains inf: column 'x1', row 4 (counting from 0)"),
    "masked cells": (np.ma.masked_equal(changed(X, 4, 1, 9), 9), "X contains NaN: column 'x1', row 4"),  # type: ignore[no-untyped-call]
    "a text in a list": ([[1.0, 2.0], [3.0, "late"]] * 15, "X, column 'x1', row 1 (counting from 0): 'late' is text"),
    "texts": (changed(X, 4, 1, "late"), "X, column 'x1', row 4 (counting from 0): 'late' is text"),
    "numbers as texts": (X.astype(str), "X, column 'x0', row 0 (counting from 0)"),
    "complex numbers": (X + 1j, "X: Complex data not supported"),
    "dates": (np.full((30, 2), np.datetime64("2024-01-01")), "X, column 'x0', row 0 (counting from 0): dates"),
    "another object": (np.array([[{}, 1]] * 30, dtype=object), "X, column 'x0', row 0 (counting from 0): dict is not supported"),
    "a number too large": (np.array([[10**400, 1]] * 30, dtype=object), "column 'x0', row 0 (counting from 0): the number is too"),
    "ragged rows": ([[1, 2], [3]] * 15, "X has rows of different lengths"),
    "records": (np.zeros(30, dtype=[("a", float)]), "X is a structured array"),
    "a column twice": (pd.concat([ROWS, ROWS[["age"]]], axis=1), "column 'age' appears twice"),
    "a gap in a column": (ROWS.assign(age=pd.array([None, *range(29)], dtype="Int64")), "NaN: column 'age', row 0"),
    "a missing level": (ROWS.assign(ward=[None, *["a"] * 29]), "column 'ward', row 0 (counting from 0): missing is not one"),
    "a column of dates": (ROWS.assign(day=pd.Timestamp("2024-01-01")), "column 'day' has dates"),
    "a column of spans": (ROWS.assign(stay=pd.Timedelta("1d")), "column 'stay' has time spans"),
    "a column of lists": (ROWS.assign(all=[[1]] * 30), "column 'all' has a cell of type list"),
    "a complex column": (ROWS.assign(age=1j), "column 'age' has complex numbers"),
    "numbers beside texts": (ROWS.assign(age=[*range(29), "n/a"]), "column 'age' mixes numbers and text"),
    "a column of numbers as texts": (ROWS.assign(age=list(map(str, range(30)))), "column 'age' has numbers that are s"),
    "names of rows": (ROWS.assign(patient=[f"p{k}" for k in range(30)]), "column 'patient' has a different text"),
    "names of several kinds": (pd.DataFrame(X, columns=[1, "a"]), "feature name"),
    "a column without a name": (ROWS.rename(columns={"age": " "}), "a column has no name"),
    "names of several parts": (pd.concat({"all": ROWS}, axis=1), "a MultiIndex"),
}  # fmt: skip


@pytest.mark.parametrize("what", ROWS_THAT_CANNOT_BE_LEARNT)
def test_rows_that_cannot_be_learnt(estimator: Any, what: str) -> None:
    rows, words = ROWS_THAT_CANNOT_BE_LEARNT[what]
    refused(words, lambda: estimator.fit(rows, Y))


TARGETS_THAT_CANNOT_BE_LEARNT: dict[str, tuple[Any, str]] = {
    "none": (None, "the target y is None"),
    "another length": (Y[:-1], "X has 30 rows but y has 29"),
    "NaN": (np.where(np.arange(30) == 4, np.nan, Y), "y contains NaN: column 'y', row 4 (counting from 0)"),
    "infinity": (np.where(np.arange(30) == 4, np.inf, Y), "y contains inf: column 'y', row 4 (counting from 0)"),
    "NaN in one of several": (changed(X, 3, 1, np.nan), "y contains NaN: column 'y1', row 3 (counting from 0)"),
    "texts": (np.array(["late"] * 30), "y, column 'y', row 0 (counting from 0): 'late' is text"),
    "complex numbers": (Y + 1j, "y: Complex data not supported"),
    "three dimensions": (Y[:, np.newaxis, np.newaxis], "y has 3 dimensions"),
    "one number": (3.0, "y has 0 dimensions"),
    "no columns": (np.empty((30, 0)), "y has no columns"),
    "dates": (pd.Series([pd.Timestamp("2024-01-01")] * 30, name="day"), "y: column 'day' has dates"),
    "a column of texts": (TABLE["ward"], "y: column 'ward' has text"),
    "a column twice": (TABLE[["y", "y"]], "y: column 'y' appears twice"),
    "a name that is not there": ("z", "there is no column 'z' to predict; the columns are age, bmi, ward, y"),
    "one name of several": (["y", "z"], "there is no column 'z' to predict"),
    "a name twice": (["y", "y"], "y names column 'y' twice"),
}


@pytest.mark.parametrize("what", TARGETS_THAT_CANNOT_BE_LEARNT)
def test_targets_that_cannot_be_learnt(estimator: Any, what: str) -> None:
    y, words = TARGETS_THAT_CANNOT_BE_LEARNT[what]
    refused(words, lambda: estimator.fit(TABLE, y))


def test_a_target_that_is_there_twice(estimator: Any) -> None:
    refused("column 'y' appears twice", lambda: estimator.fit(pd.concat([TABLE, TABLE[["y"]]], axis=1), "y"))


def test_a_target_by_name_needs_names(estimator: Any) -> None:
    refused("y names columns, but X has no column names", lambda: estimator.fit(X, "y"))


POINTS: dict[str, tuple[Any, str]] = {
    "a column less": (ROWS.drop(columns="bmi"), "now missing:\n- bmi"),
    "a column more": (TABLE, "unseen at fit time:\n- y"),
    "another name": (ROWS.rename(columns={"age": "years"}), "now missing:\n- age"),
    "a column twice": (pd.concat([ROWS, ROWS[["age"]]], axis=1), "The feature names should match"),
    "texts for numbers": (ROWS.assign(age="old"), "column 'age' has text, but had numbers in fit"),
    "another level": (ROWS.assign(ward="z"), "column 'ward', row 0 (counting from 0): 'z' is not one of the levels a, b, c"),
    "no level": (ROWS.assign(ward=None), "column 'ward', row 0 (counting from 0): missing is not one of the levels"),
    "NaN": (ROWS.assign(bmi=np.nan), "X contains NaN: column 'bmi', row 0 (counting from 0), and 29 more such rows"),
    "no rows": (ROWS[:0], "the table has no rows"),
    "zeros and ones": (np.zeros((2, 5)), "X has 5 features"),
    "a dictionary": ({"age": [1], "bmi": [1], "ward": ["a"]}, "X is of type dict"),
    "one row": (ROWS.iloc[0], "X has 1 dimension"),
}


@pytest.fixture(scope="module", params=["one", "several"])
def fitted(request: pytest.FixtureRequest) -> Any:
    kind: Any = GaussianProcess if request.param == "one" else PrivateConsortium
    return kind("se(lengthscale=2, signal=1)", noise=0.1, tune=False).fit(TABLE, "y")


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("what", POINTS)
def test_points_that_cannot_be_asked_about(fitted: Any, what: str) -> None:
    points, words = POINTS[what]
    refused(words, lambda: fitted.predict(points))


def test_columns_that_are_numbered_are_compared_too(estimator: Any) -> None:
    estimator.fit(pd.DataFrame(X, columns=[1, 2]), Y)
    refused("X has different columns than the fit; pass these, in this order: 1, 2", lambda: estimator.predict(pd.DataFrame(X, columns=[2, 1])))


def test_nothing_is_said_before_a_fit(estimator: Any) -> None:
    with pytest.raises(NotFittedError):
        estimator.predict(X)


SETTINGS: list[tuple[str, Any, str]] = [
    ("noise", "a", "noise is 'a', but must be a number"),
    ("noise", [1], "noise is [1], but must be a number"),
    ("noise", -1, "noise is -1, but must lie between"),
    ("noise", True, "noise is True, but must be a number"),
    ("random_state", 1.5, "random_state is 1.5, but must be a whole number from 0"),
    ("random_state", -1, "random_state is -1, but must be a whole number"),
    ("random_state", 2**64, "random_state is 18446744073709551616"),
    ("n_jobs", "2", "n_jobs is '2', but must be a whole number"),
    ("n_jobs", 0, "n_jobs is 0; pass a positive number of threads, -1 for all cores, or None for one"),
    ("n_restarts_optimizer", -1, "n_restarts_optimizer is -1, but must be a whole number from 0 to 1,000"),
    ("n_restarts_optimizer", "two", "n_restarts_optimizer is 'two'"),
    ("expert_rows", 0, "0"),
    ("expert_rows", "a", "a"),
    ("expert_split", "x", "random or clusters"),
    ("fusion", "mean", "mean"),
    ("fusion", 3, "3"),
    ("fusion", True, "fusion is True"),
    ("kernel", "foo", '"foo" is not a kernel; use one of constant, linear, se'),
    ("kernel", "se +", 'kernel "se +", character 5: expected a kernel'),
    ("kernel", "se(lengthscale=-1)", "lengthscale is -1"),
    ("kernel", "se-ard(lengthscale=[1, 2, 3])", "se-ard has 3 length-scales, but there are 2 inputs"),
    ("kernel", None, "NoneType is not a kernel"),
    ("kernel", 3, "int is not a kernel"),
    ("tune", "sometimes", "tune is 'sometimes', but must be True or False"),
    ("tune", None, "tune is None, but must be True or False"),
]
OF_ONE: list[tuple[str, Any, str]] = [
    ("tune", "none", "tune is 'none', but must be True or False"),
    ("tune", False, "tune=False needs noise= and a kernel with hyperparameters"),
    ("centre", 2, "centre is 2, but must be True or False"),
    ("prior_width", None, "prior_width is None, but must be a number"),
    ("prior_width", -1, "prior_width is -1"),
    ("most_evaluations", 0, "most_evaluations is 0, but must be a whole number from 1"),
]
OF_SEVERAL: list[tuple[str, Any, str]] = [
    ("tune_shared", "x", "tune_shared is 'x', but must be True or False"),
    ("n_parties", 1, "n_parties is 1, but must be a whole number from 2"),
    ("n_parties", "a", "n_parties is 'a'"),
    ("landmarks", "many", "landmarks is 'many', but must be 'auto' or a whole number from 0 to 1,000"),
    ("landmarks", -1, "landmarks is -1, but must be 'auto' or a whole number"),
    ("landmarks", True, "landmarks is True"),
    ("standardise", "x", "standardise is 'x', but must be private or none"),
    ("lengthscale", "a", "lengthscale is 'a', but must be a number"),
    ("noise_floor", -1, "-1"),
    ("groups", 3, "groups is of type int; pass the name of a column, or a list with one label per row"),
    ("groups", "ward", "groups: there is no column 'ward' in X"),
]


@pytest.mark.parametrize(("name", "value", "words"), SETTINGS)
def test_wrong_settings(estimator: Any, name: str, value: Any, words: str) -> None:
    refused(words, lambda: estimator.set_params(**{name: value}).fit(X, Y))


@pytest.mark.parametrize(("name", "value", "words"), OF_ONE)
def test_wrong_settings_of_one_party(name: str, value: Any, words: str) -> None:
    refused(words, lambda: GaussianProcess(**{name: value}).fit(X, Y))


@pytest.mark.parametrize(("name", "value", "words"), OF_SEVERAL)
def test_wrong_settings_of_several_parties(name: str, value: Any, words: str) -> None:
    refused(words, lambda: PrivateConsortium(**{name: value}).fit(X, Y))


PARTIES: dict[str, tuple[tuple[Any, ...], str]] = {
    "none": (([], "y"), "a consortium needs at least two parties"),
    "one": (({"north": TABLE}, "y"), "a consortium needs at least two parties"),
    "one label": ((X, Y, ["north"] * 30), "groups: all rows belong to 'north'"),
    "one without rows": (({"north": TABLE, "south": TABLE[:0]}, "y"), "'south' has no rows"),
    "two of a name": (({1: TABLE, "1": TABLE}, "y"), "two parties have the name '1'"),
    "other columns": (({"north": TABLE, "south": TABLE.rename(columns={"age": "years"})}, "y"),
                      "'south' and 'north': only one of them has columns age, years"),
    "columns in another order": (([TABLE, TABLE[["bmi", "age", "ward", "y"]]], "y"),
                                 "'party 2' and 'party 1': their columns differ in order"),
    "one without the target": (({"north": TABLE, "south": ROWS}, "y"), "'south': there is no column 'y' to predict"),
    "a gap": (({"north": TABLE, "south": TABLE.assign(age=np.nan)}, "y"), "'south': X contains NaN: column 'age', row 0"),
    "a gap in the target": (({"north": TABLE, "south": TABLE.assign(y=np.nan)}, "y"), "'south': y contains NaN: column 'y'"),
    "texts for numbers": (({"north": TABLE, "south": TABLE.assign(age="old")}, "y"), "column 'age' mixes numbers and text"),
    "fewer targets": (({"north": X, "south": X}, {"north": Y, "south": Y[1:]}), "'south' has 30 rows but 29 targets"),
    "targets of others": (({"north": X, "south": X}, {"north": Y, "west": Y}), "y has parties north, west, but X has north, south"),
    "targets of all at once": (([X, X], Y), "y must be given for each party"),
    "targets of one only": (([X, X], [Y]), "X has 2 parties but y has 1"),
    "other widths": (({"north": X, "south": X[:, :1]}, [Y, Y]), "'south' has 1 columns, 'north' has 2"),
    "targets of other widths": (([X, X], [Y, X]), "'party 2' and 'party 1' have targets of different shapes"),
    "tables and arrays": (({"north": ROWS, "south": X}, [Y, Y]), "'north' has column names, but 'south' has none"),
    "files": (({"north": "north.csv", "south": "south.csv"}, "y"), "'north' is not a table"),
    "divided twice": (([TABLE, TABLE], "y", ["a"] * 60), "these rows are already divided"),
    "too few labels": ((X, Y, ["a", "b"]), "there are 2 labels for 30 rows"),
    "a blank label": ((X, Y, ["a", " "] * 15), "groups: row 1 (counting from 0) has no label"),
    "labels in two dimensions": ((X, Y, X), "groups is of type ndarray"),
    "a column that is not there": ((TABLE, "y", "clinic"), "groups: there is no column 'clinic' in X"),
}  # fmt: skip


@pytest.mark.parametrize("what", PARTIES)
def test_parties_that_cannot_learn(what: str) -> None:
    arguments, words = PARTIES[what]
    refused(words, lambda: PrivateConsortium().fit(*arguments))


def test_a_party_that_is_not_there() -> None:
    two = PrivateConsortium(n_parties=2).fit(X, Y)
    refused("there is no party 'west'; the parties are party 1, party 2", lambda: two.predict(X, party="west"))


@pytest.fixture(scope="module")
def model() -> GaussianProcess:
    return GaussianProcess("se(lengthscale=2, signal=1)", noise=0.1, tune=False).fit(TABLE, "y")


@pytest.mark.parametrize(
    ("words", "work"),
    [
        ("return_std and return_cov", lambda model: model.predict(ROWS, return_std=True, return_cov=True)),
        ("n_samples is 0, but must be a whole number from 1", lambda model: model.sample_y(ROWS, 0)),
        ("n_samples is 'a'", lambda model: model.sample_y(ROWS, "a")),
        ("random_state is -1", lambda model: model.sample_y(ROWS, 1, -1)),
        ("X contains NaN: column 'age'", lambda model: model.add_data(TABLE.assign(age=np.nan), "y")),
        ("y is z, but was y in fit", lambda model: model.add_data(TABLE.rename(columns={"y": "z"}), "z")),
        ("y is y0, y1, but was y", lambda model: model.add_data(ROWS, X)),
        ("file is of type int", lambda model: model.save(3)),
    ],
)
def test_wrong_requests_to_a_model(model: GaussianProcess, words: str, work: Callable[[Any], Any]) -> None:
    refused(words, lambda: work(model))


@pytest.mark.parametrize(
    ("words", "work"),
    [
        ("lengthscale is 'a', but must be a number", lambda: KERNELS.SE("a")),
        ("lengthscale of input 1 is 'a'", lambda: KERNELS.SE([1, "a"])),
        ("lengthscale is empty", lambda: KERNELS.SE([])),
        ("lengthscale is -1, but must lie between", lambda: KERNELS.SE(-1)),
        ("signal is None", lambda: KERNELS.Constant(None)),
        ("signal is 'a'", lambda: KERNELS.Linear("a")),
        ("period is 'a'", lambda: KERNELS.Periodic("a")),
        ("alpha is [1]", lambda: KERNELS.RationalQuadratic(alpha=[1])),
        ("with ard=True, pass one length-scale for each input", lambda: KERNELS.SE(2, ard=True)),
        ("int is not a kernel", lambda: KERNELS.parse(3)),
    ],
)
def test_wrong_kernels(words: str, work: Callable[[], Any]) -> None:
    refused(words, work)


SIMULATIONS: dict[str, tuple[dict[str, Any], str]] = {
    "no such target": ({"target": "z"}, 'there is no column "z"'),
    "no such input": ({"inputs": ["age", "years"]}, 'there is no column "years"'),
    "a kernel": ({"kernel": "foo"}, '"foo" is not a kernel'),
    "a word": ({"fusion": "mean"}, "fusion is 'mean', but must be poe, gpoe, bcm or rbcm"),
    "a switch": ({"tune": False}, "tune is False, but must be text"),
    "agents": ({"agents": 2.5}, "agents is 2.5, but must be a whole number from 2 to 1,000,000"),
    "a split": ({"split": 3}, "split is 3, but must be text"),
    "groups": ({"groups": 3}, "groups is of type int"),
    "one group": ({"groups": ["north"] * 30, "agents": None}, "column 'groups' has only one value"),
    "test rows": ({"test": ROWS.drop(columns="bmi")}, 'test rows: there is no column "bmi"'),
    "test rows of another level": ({"test": ROWS.assign(ward="z")}, 'test rows, column "ward"'),
    "no test rows": ({"test": ROWS[:0]}, "test rows: the table has no rows"),
    "NaN": ({"data": TABLE.assign(age=np.nan)}, 'data, column "age": 30 cells are missing'),
    "infinity": ({"data": TABLE.assign(age=np.inf)}, 'data, column "age": 30 cells are infinite'),
    "complex numbers": ({"data": TABLE.assign(age=1j)}, "column 'age' has complex numbers"),
    "numbers beside texts": ({"data": TABLE.assign(age=[*range(29), "n/a"])}, "column 'age' mixes numbers and text"),
    "an empty party": ({"data": {"north": TABLE, "south": TABLE[:0]}, "agents": None}, "south: the table has no rows"),
    "no data": ({"data": None}, "NoneType is not a table"),
    "a column twice": ({"data": pd.concat([TABLE, TABLE[["age"]]], axis=1)}, "data: column 'age' appears twice"),
    "a network": ({"topology": 3}, "int is not a network"),
    "an unknown topology": ({"topology": "star"}, "not a topology"),
    "a flag": ({"stream": "yes"}, "stream is 'yes', but must be True or False"),
    "a range": ({"tune_box": (2, 1)}, "tune_box is (2, 1), but must be two numbers (low, high) with low below high"),
    "a seed": ({"random_state": "one"}, "random_state is 'one'"),
    "rows and a fraction": ({"test": ROWS, "test_fraction": 0.5}, "exclude each other; omit one of the two"),
    "landmarks twice": ({"landmarks": 3, "landmark_points": ROWS}, "landmark"),
    "a setting of another tuning": ({"tune": "none", "tune_shared": True}, "tune"),
    "a group of another kind": ({"model": "se"}, "model is 'se', but must be a group of settings, such as tacit.Model"),
    "a setting that is not in a group": ({"network": {"links": 3}}, "network: simulate has no setting 'links'"),
    "a setting twice": ({"kernel": "se", "model": tacit.Model(kernel="se")}, "kernel is given twice, also in model="),
}


@pytest.mark.parametrize("what", SIMULATIONS)
def test_simulations_that_cannot_run(what: str) -> None:
    options, words = SIMULATIONS[what]
    refused(words, lambda: simulate(**{"data": TABLE, "target": "y", "agents": 3, **options}))
