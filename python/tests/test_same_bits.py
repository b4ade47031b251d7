"""Results are the same to the bit: for tables and files, estimators and simulations, and for any threads and layout."""
from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pandas as pd
import pytest
from conftest import program
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

import tacit
from tacit import GaussianProcess, PrivateConsortium, simulate

pytestmark = pytest.mark.filterwarnings("ignore::tacit.TacitWarning")


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    random = np.random.default_rng(11)
    frame = pd.DataFrame({"age": random.normal(50, 9, 130), "bmi": random.normal(27, 4, 130)})
    frame["ward"] = pd.Categorical(random.choice(["north", "east"], 130), ["west", "north", "east"])
    frame["clinic"] = random.choice(["b", "a", "c"], 130)
    frame["y"] = np.sin(frame["age"] / 9) + 0.4 * (frame["ward"] == "east") + random.normal(0, 0.2, 130)
    frame["z"] = np.cos(frame["bmi"] / 4) + random.normal(0, 0.2, 130)
    return frame


@pytest.fixture(scope="module")
def train(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[:100]


@pytest.fixture(scope="module")
def test(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[100:]


def write(table: pd.DataFrame, file: Path) -> Path:
    with file.open("w", newline="") as out:
        words = csv.writer(out)
        words.writerow(table.columns)
        words.writerows([repr(cell) if isinstance(cell, float) else cell for cell in row] for row in table.itertuples(index=False))
    return file


def run(*options: str) -> dict[str, Any]:
    said = subprocess.run([program(), "simulate", *options, "--json"], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(said.stdout)
    return found


LEVELS = "--categorical=ward:west|north|east"
OPTIONS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "default": ({}, []),
    "paper": (
        {"paper": True, "lengthscale": 9.5, "signal": 1, "noise": 0.3, "inputs": "age,bmi", "agents": 5},
        ["--paper", "--lengthscale=9.5", "--signal=1", "--noise=0.3", "--inputs=age,bmi", "--agents=5"],
    ),
    "kernel": (
        {"kernel": tacit.kernels.SE(ard=True) + tacit.kernels.Linear(), "agents": 4, "inputs": ["age", "bmi"]},
        ["--kernel=se-ard + linear", "--agents=4", "--inputs=age,bmi"],
    ),
    "several targets": (
        {"target": ["y", "z"], "inputs": ["age", "bmi"], "tune_evaluations": 5},
        ["--target=y,z", "--inputs=age,bmi", "--tune-evaluations=5"],
    ),
    "by groups": ({"groups": "clinic", "inputs": ["age", "ward"]}, ["--split=by:clinic", "--inputs=age,ward"]),
    "seed and fusion": ({"random_state": 5, "fusion": "gpoe", "split": "regions", "landmarks": 0, "inputs": "bmi,age"},
                        ["--seed=5", "--fusion=gpoe", "--split=regions", "--landmarks=0", "--inputs=bmi,age"]),
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIONS)
def test_a_table_gives_what_its_file_gives_the_program(name: str, train: pd.DataFrame, tmp_path: Path) -> None:
    keywords, options = OPTIONS[name]
    keywords = {"target": "y", **keywords}
    table = train.drop(columns=[] if "inputs" in keywords else ["clinic", "z"])
    target = [] if any(option.startswith("--target") for option in options) else ["--target=y"]
    with_levels = [LEVELS] if "ward" in keywords.get("inputs", "ward") else []
    by_program = run(f"--data={write(table, tmp_path / 'rows.csv')}", *target, *with_levels, *options)
    assert simulate(table, **keywords).json["predictions"] == by_program["predictions"]


def test_a_table_of_test_rows_gives_what_its_file_gives(
    train: pd.DataFrame, test: pd.DataFrame, tmp_path: Path
) -> None:
    columns = ["age", "ward", "y"]
    files = write(train[columns], tmp_path / "train.csv"), write(test[columns], tmp_path / "test.csv")
    by_program = run(f"--data={files[0]}", f"--test={files[1]}", "--target=y", LEVELS)
    by_table = simulate(train[columns], "y", test=test[columns])
    assert by_table.json["predictions"] == by_program["predictions"]
    assert by_table.json["accuracy"] == by_program["accuracy"]


FITS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "default": (["age", "bmi"], {}),
    "a category": (["age", "ward"], {}),
    "experts alone": (["age", "bmi"], {"landmarks": 0}),
    "one length-scale each": (["age", "bmi"], {"kernel": "se-ard"}),
    "numbers by hand": (["age", "bmi"], {"kernel": "matern52", "lengthscale": 9, "signal": 1, "noise": 0.3, "tune": False}),
    "numbers to start from": (["age", "bmi"], {"kernel": "se(lengthscale=9, signal=1)", "noise": 0.3}),
    "another rule": (["age", "bmi"], {"fusion": "poe", "landmarks": 0, "tune": False, "standardise": "private"}),
    "several experts each": (["age", "bmi"], {"expert_rows": 12, "expert_split": "clusters", "random_state": 4}),
}


def fitted(options: dict[str, Any], train: pd.DataFrame, columns: Sequence[str], target: Any) -> PrivateConsortium:
    return PrivateConsortium(**options).fit(train[[*columns]], train[target], groups=train["clinic"])


def said_by_simulate(found: Any, place: Optional[int] = 0) -> tuple[Any, Any]:
    answers = found.json["predictions"]
    pick: Any = slice(None) if place is None else place
    return np.array([one["mean"] for one in answers])[:, pick], np.array([one["variance"] for one in answers])[:, pick]


@pytest.mark.parametrize("name", FITS)
def test_a_consortium_predicts_the_bits_of_simulate(name: str, train: pd.DataFrame, test: pd.DataFrame) -> None:
    columns, options = FITS[name]
    asked = test[columns]
    same: dict[str, Any] = {**options, "tune": "exact" if options.get("tune", True) else "none"}
    run_of_it = simulate(train[[*columns, "clinic", "y"]], "y", split="by:clinic", test=asked, **same)
    mean, variance = said_by_simulate(run_of_it)
    found, deviation = fitted(options, train, columns, "y").predict(asked, return_std=True)
    np.testing.assert_array_equal(found, mean)
    np.testing.assert_array_equal(deviation, np.sqrt(variance))


def test_a_consortium_predicts_the_bits_of_simulate_far_outside(train: pd.DataFrame) -> None:
    asked = pd.DataFrame({"age": [-500.0, 0.0, 51.0, 900.0], "bmi": [0.0, 300.0, 27.0, -40.0]})
    found, deviation = fitted({}, train, ["age", "bmi"], "y").predict(asked, return_std=True)
    run_of_it = simulate(train[["age", "bmi", "clinic", "y"]], "y", groups="clinic", test=asked)
    mean, variance = said_by_simulate(run_of_it)
    np.testing.assert_array_equal(found, mean)
    np.testing.assert_array_equal(deviation, np.sqrt(variance))


def test_a_consortium_of_several_targets_predicts_the_bits_of_simulate(train: pd.DataFrame, test: pd.DataFrame) -> None:
    asked = test[["age", "bmi"]]
    run_of_it = simulate(train[["age", "bmi", "clinic", "y", "z"]], ["y", "z"], groups="clinic", test=asked)
    mean, variance = said_by_simulate(run_of_it, None)
    found, deviation = fitted({}, train, ["age", "bmi"], ["y", "z"]).predict(asked, return_std=True)
    np.testing.assert_array_equal(found, mean)
    np.testing.assert_array_equal(deviation, np.sqrt(variance))


@pytest.mark.parametrize("options", [{"n_restarts_optimizer": 2}, {"n_restarts_optimizer": 0, "expert_rows": 30}], ids=["one expert", "several"])
def test_threads_do_not_change_bits(options: dict[str, Any], train: pd.DataFrame) -> None:
    X, y = train[["age", "bmi"]].to_numpy(), train["y"].to_numpy()
    one, two = (GaussianProcess(n_jobs=threads, **options).fit(X, y) for threads in (1, 2))
    assert one.hyperparameters_ == two.hyperparameters_
    for first, second in zip(one.predict(X, return_std=True), two.predict(X, return_std=True)):
        np.testing.assert_array_equal(first, second)


def test_a_scratch_file_does_not_change_bits(train: pd.DataFrame, tmp_path: Path) -> None:
    options: dict[str, Any] = {"agents": 3, "inputs": ["age", "ward"], "expert_rows": 10, "tune_evaluations": 4}
    here = simulate(train, "y", **options).json
    there = simulate(train, "y", stream=True, scratch=tmp_path, **options).json
    assert there["predictions"] == here["predictions"]
    assert there["hyperparameters"] == here["hyperparameters"]
    assert not list(tmp_path.iterdir())


def test_threads_do_not_change_bits_of_consortia(train: pd.DataFrame) -> None:
    one, two = (fitted({"n_jobs": threads}, train, ["age", "bmi"], "y") for threads in (1, 2))
    np.testing.assert_array_equal(one.predict(train[["age", "bmi"]]), two.predict(train[["age", "bmi"]]))


def test_the_layout_of_arrays_does_not_change_bits(train: pd.DataFrame) -> None:
    X, y = np.ascontiguousarray(train[["age", "bmi"]].to_numpy()), train["y"].to_numpy()
    apart = np.zeros((200, 4))[::2, ::2]
    apart[:] = X
    by_rows = GaussianProcess(n_restarts_optimizer=0).fit(X, y)
    for other in (np.asfortranarray(X), apart, X.tolist()):
        again = GaussianProcess(n_restarts_optimizer=0).fit(other, y)
        assert again.hyperparameters_ == by_rows.hyperparameters_
        for one, two in zip(again.predict(other, return_std=True), by_rows.predict(X, return_std=True)):
            np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("shape", ["rbf", "ard"])
def test_scikit_learn_predicts_the_same_with_the_same_numbers(shape: str, train: pd.DataFrame, test: pd.DataFrame) -> None:
    scales = [7.5, 7.5] if shape == "rbf" else [9.0, 4.5]
    one_or_each: Any = scales[0] if shape == "rbf" else scales
    X, y, asked = (part.to_numpy() for part in (train[["age", "bmi"]], train["y"], test[["age", "bmi"]]))
    ours = GaussianProcess(tacit.kernels.SE(one_or_each, signal=1.3), noise=0.2, tune=False, centre=False).fit(X, y)
    theirs = GaussianProcessRegressor(
        ConstantKernel(1.3**2) * RBF(scales) + WhiteKernel(0.2**2), alpha=0, optimizer=None
    ).fit(X, y)
    for one, other in zip(ours.predict(asked, True, observed=True), theirs.predict(asked, return_std=True)):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-8)
    assert ours.log_marginal_likelihood_ == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-8)
