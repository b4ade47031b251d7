"""Simulations of tables have the results of the program for files, as tables and figures."""
from __future__ import annotations

import pickle
import sys
import warnings
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import tacit
from tacit import _core
from tacit._errors import InputError, TacitWarning
from tacit._groups import OfPlan, OfSimulate
from tacit._progress import shown
from tacit._simulate import simulate
from tacit._simulation import Simulation


@pytest.fixture(scope="module")
def table(diabetes: Path) -> pd.DataFrame:
    return pd.read_csv(diabetes)


@pytest.fixture(scope="module")
def run(table: pd.DataFrame) -> Simulation:
    test = table.iloc[::5].rename(index=lambda row: f"p{row}")
    return simulate(table.drop(table.index[::5]), "y", test=test, agents=4, split="regions", all_agents=True)


def results(simulation: Simulation) -> dict[str, Any]:
    """Everything that does not depend on time, or on the names of a table and its rows."""
    return {key: value for key, value in simulation.json.items() if key not in ("about", "seconds", "data", "test")} | {
        "truth": simulation.json["test"]["targets"]
    }


def test_a_table_gives_what_its_file_gives(diabetes: Path, table: pd.DataFrame) -> None:
    options: dict[str, Any] = {"agents": 3, "inputs": ["age", "bmi"], "random_state": 7, "kernel": "se-ard"}
    by_file = simulate(diabetes, "y", **options)
    assert results(simulate(table, "y", **options)) == results(by_file)
    assert results(simulate(table.to_numpy(float), "y", columns=list(table), **options)) == results(by_file)
    assert by_file.json["seconds"] and len(by_file.json["rows"]) == 3


def test_groups_are_keywords(table: pd.DataFrame) -> None:
    plain = simulate(table, "y", agents=4, kernel="matern32", topology="complete", protocol="consensus", masks="shares", blinding=True,
                     tune="none", inputs=["age", "bmi"], standardise="private")  # fmt: skip
    model, network = tacit.Model(kernel="matern32"), tacit.Network(topology="complete")
    sums = tacit.Protocol(protocol="consensus", masks="shares", blinding=True)
    reading = tacit.Data(agents=4, inputs=["age", "bmi"], standardise="private")
    grouped = simulate(
        table, "y", reading=reading, model=model, network=network, protocol=sums, tuning=tacit.Tuning(tune="none")
    )
    assert results(grouped) == results(plain) and plain.json["blinding"] == 40 and plain.json["topology"] == "complete"
    without = simulate(table, "y", protocol="consensus", allow_missing_triangles=False, blinding=False, agents=4, tune="none",
                       inputs=["age", "bmi"])  # fmt: skip
    assert without.json["blinding"] == 0
    assert simulate(table, "y", agents=3, allow_missing_triangles=False, blinding=False).json["protocol"] == "exact"
    with pytest.raises(TypeError, match="unexpected keyword argument 'kernal'"):
        simulate(table, "y", kernal="se")  # type: ignore[call-arg]


def test_the_engine_has_all_settings() -> None:
    simulated, planned = (set(_core.settings_of(name)) for name in ("simulate", "plan"))
    known = {"restarts" if name == "n_restarts_optimizer" else name for name in OfSimulate.__annotations__}
    assert known - {"groups", "columns"} <= simulated
    assert simulated - known == {"data", "target", "protocol", "seed", "threads", "all_agents"}
    assert set(OfPlan.__annotations__) | {"protocol", "seed"} == planned


def test_names_with_commas() -> None:
    random = np.random.default_rng(4)
    data = pd.DataFrame(random.normal(size=(90, 3)), columns=["pressure, mmHg", "age", "y"])
    found = simulate(data, "y", inputs=["pressure, mmHg", "age"], agents=3, tune="none", standardise="private")
    assert found.json["inputs"] == ["pressure, mmHg", "age"]


def test_predictions(run: Simulation, table: pd.DataFrame) -> None:
    found = run.predictions
    assert list(found.index[:2]) == ["p0", "p5"]
    assert found["y_true"].tolist() == table["y"][::5].tolist()
    off = (found["y_mean"] - found["y_true"]) ** 2
    together = run.scores.loc[("together", "all", "y")]
    assert np.sqrt(off.mean()) == pytest.approx(together["rmse"])
    inside = ((found["y_low"] <= found["y_true"]) & (found["y_true"] <= found["y_high"])).mean()
    assert inside == pytest.approx(together["coverage"])
    assert found["y_mean"].tolist() == [one["mean"][0] for one in run.json["predictions"]]
    assert (found["y_observed_sd"] > found["y_latent_sd"]).all()


def test_both_variances_are_there_whatever_was_asked(run: Simulation, table: pd.DataFrame) -> None:
    again = simulate(
        table.drop(table.index[::5]), "y", test=table.iloc[::5], agents=4, split="regions", variance="observed"
    )
    for column in ("y_latent_sd", "y_observed_sd"):
        np.testing.assert_allclose(again.predictions[column], run.predictions[column], rtol=1e-9)


def test_rows_that_were_held_out_keep_their_names(run: Simulation, table: pd.DataFrame) -> None:
    held_out = {"rows": [7, 3], "targets": [[1.0], [2.0]]}
    json = {**run.json, "predictions": run.json["predictions"][:2], "test": held_out}
    from tacit._frames import frame_of

    found = Simulation(json, None, [frame_of(table.rename(index=lambda row: f"p{row}"))]).predictions
    assert list(found.index) == ["p7", "p3"] and found["y_true"].tolist() == [1, 2]


def test_scores_are_those_of_every_party(run: Simulation) -> None:
    scores = run.scores["rmse"]
    assert list(scores.index.unique("model")) == ["alone", "at home", "together", "pooled"]
    alone = [scores["alone", party, "y"] for party in run.parties]
    assert alone == run.json["accuracy"]["local_agents"]
    assert scores["together", "all", "y"] < scores["alone", "all", "y"]
    each = [{"y": {"rmse": 1.0, "coverage": number / 10, "log_density": -1.0}} for number in range(4)]
    accuracy = {**run.json["accuracy"], "by_agent": {"local": each}}
    more = Simulation({**run.json, "accuracy": accuracy}).scores
    assert more.loc[("alone", run.parties[3], "y"), "coverage"] == 0.3
    assert more.loc[("at home", run.parties[3], "y"), "rmse"] == scores["at home", run.parties[3], "y"]


def test_several_targets_and_hyperparameters_by_column(table: pd.DataFrame) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TacitWarning)
        found = simulate(table, ["y", "bp"], inputs=["age", "bmi"], agents=3, kernel="se-ard", tune_evaluations=3)
    assert [name for name in found.predictions if name.endswith("_mean")] == ["y_mean", "bp_mean"]
    numbers = found.hyperparameters
    assert list(numbers.columns) == ["y", "bp"] and numbers.attrs["units"] == "standardised"
    of_bp = found.json["hyperparameters"]["outputs"][1]
    assert numbers.loc[("se.lengthscale", "bmi"), "bp"] == of_bp["by_column"]["bmi"]["se.lengthscale"]
    assert ("noise", "") in numbers.index
    assert ("together", "all", "bp") in found.scores.index and ("together", "all", "all") in found.scores.index
    assert found.plot("bp").axes


def test_parties_have_names(table: pd.DataFrame) -> None:
    parts = {"north": table[:150], "south": table[150:300], "west": table[300:]}
    found = simulate(parts, "y", inputs="age,bmi", tune="none", standardise="private")
    assert found.parties == ["north", "south", "west"] and sum(found.json["rows"]) < len(table)
    labels = np.repeat(["north", "south", "west"], [150, 150, len(table) - 300])
    options: dict[str, Any] = {"inputs": "age,bmi", "tune": "none", "standardise": "private"}
    by_labels = simulate(table, "y", groups=labels, **options)
    by_column = simulate(table.assign(where=labels), "y", groups="where", **options)
    assert results(simulate(table.assign(groups=1), "y", groups=labels, **options)) == results(by_labels)
    assert results(simulate(table.assign(where=labels), "y", split="by:where", **options)) == results(by_labels)
    assert results(by_labels) == results(by_column) and by_labels.parties == found.parties
    assert results(by_labels)["predictions"] == results(found)["predictions"]


def test_a_network_by_names(table: pd.DataFrame) -> None:
    parts = {"north": table[:150], "south": table[150:300], "west": table[300:]}
    graph = nx.Graph([("west", "north"), ("south", "west")])
    options: dict[str, Any] = {"lengthscale": 10, "signal": 50, "noise": 50, "allow_missing_triangles": True}
    found = simulate(parts, "y", inputs="age", paper=True, topology=graph, **options)
    assert found.privacy["collusion"] == 0
    assert "From one round, north can compute the value of west." in found.privacy.sentences
    assert found.privacy.sentences[0] in str(found.privacy) and found.privacy.sentences[0] in repr(found)
    with pytest.raises(InputError, match="has 3 agents, but agents= is 10; omit agents="):
        simulate(table, "y", topology=graph, agents=10, inputs="age")


def test_categories_dates_and_missing_cells() -> None:
    random = np.random.default_rng(1)
    days = np.datetime64("2024-01-01T10:30") + random.integers(0, 300, 120).astype("m8[D]")
    data = pd.DataFrame(
        {
            "ward": pd.Categorical(random.choice(["a", "b"], 120), ["b", "a", "none"]),
            "sex": random.choice(["m", "f"], 120),
            "smokes": random.random(120) < 0.5,
            "day": days.astype("M8[ns]"),
            "unused": [[k] for k in range(120)],
            "y": random.normal(size=120),
        }
    )
    data.loc[3, "sex"] = None
    names = ["ward", "sex", "smokes", "day"]
    with pytest.raises(InputError, match="sex"):
        simulate(data, "y", inputs=names, agents=3, tune="none")
    found = simulate(data, "y", inputs=names, agents=3, tune="none", missing="drop", standardise="private")
    assert found.json["inputs"] == ["ward=b", "ward=a", "ward=none", "sex=f", "sex=m", "smokes=0", "smokes=1", "day"]
    assert found.json["data"]["dropped"] == 1
    assert found.json["data"]["dates"]["day"]["start"] == str(data["day"].min().date())
    with pytest.raises(InputError, match="column 'unused' has a cell of type list"):
        simulate(data, "y", agents=3)


def test_what_is_wrong_is_said(table: pd.DataFrame) -> None:
    with pytest.raises(InputError, match="data: column 'y' appears twice"):
        simulate(pd.concat([table, table["y"]], axis=1), "y")
    with pytest.raises(InputError, match="split= divides one data file"):
        simulate([table, table], "y", split="shuffled")
    with pytest.raises(InputError, match="there are 3 labels for 442 rows"):
        simulate(table, "y", groups=[1, 2, 3])
    with pytest.raises(InputError, match="there are no data"):
        simulate([], "y")


def test_warnings_are_warnings(table: pd.DataFrame) -> None:
    with pytest.warns(TacitWarning, match="tuning left"):
        found = simulate(table, "y", kernel="se-ard", agents=3)
    assert found.warnings[0] in repr(found)


def test_it_shows_itself(run: Simulation) -> None:
    assert "4 parties with 353 rows predict y at 89 points" in repr(run)
    assert "<table" in run._repr_html_() and "at home" in run._repr_html_()
    assert run.traffic["messages"] == run.json["traffic"]["messages"] and run.seconds["total"] > 0
    figure = run.plot()
    titles = [axes.get_title() for axes in figure.axes]
    assert len(titles) == 4 and "Errors of the models" in titles
    bare = Simulation({**run.json, "accuracy": None, "test": None}, None)
    assert bare.scores.empty and "y_true" not in bare.predictions and "RMSE" not in repr(bare)
    assert len(bare.plot().axes) == 4
    with pytest.raises(InputError, match="there is no target 'z'"):
        run.plot("z")


def test_progress(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with shown() as tell:
        assert tell is None  # not a terminal
    with shown(True) as tell:
        assert tell is not None
        tell("tuning", 3, 10, "likelihood -1")
    assert "tuning" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # type: ignore[misc]
    with shown(True) as tell:
        assert tell is None


def test_a_pickle_does_not_spread_the_rows(table: pd.DataFrame) -> None:
    kept = pickle.dumps(simulate(table, "y", agents=3))
    assert table["s1"].to_numpy(float)[:20].tobytes() not in kept
    assert pickle.loads(kept).predictions.index.isin(table.index).all()
