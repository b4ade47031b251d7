"""The Agent client with real agents."""
from __future__ import annotations

import datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tacit._agent import Agent
from tacit._errors import Error, InputError, TacitWarning


@pytest.fixture(scope="module")
def agent(consortium: Path) -> Agent:
    return Agent(consortium / "hospital-1")


@pytest.fixture(scope="module")
def patients(consortium: Path) -> pd.DataFrame:
    table = pd.read_csv(consortium / "test.csv")
    return table.assign(patient=[f"p{row}" for row in range(len(table))], junk=[[1]] * len(table))[::-1]


def test_status_and_charter(agent: Agent) -> None:
    status = agent.status()
    assert status.name == "hospital-1" and status.up == ["hospital-2", "hospital-3"] and not status.down
    assert status.model is not None and status.rows == 114
    assert "reaches hospital-2, hospital-3" in repr(status)
    charter = agent.charter()
    assert charter.signed == ["hospital-1", "hospital-2", "hospital-3"] and charter.hash == status.charter
    assert "signed by hospital-1" in repr(charter)
    with pytest.raises(InputError, match="is not an agent.toml"):
        Agent(agent.path / "control.sock").charter()
    assert Agent(agent.path / "control.sock").status().name == "hospital-1"


def test_fit(agent: Agent) -> None:
    before = agent.status().model
    found = agent.fit()
    assert before is not None and found.model["version"] == before["version"] + 1
    assert found.roster == ["hospital-1", "hospital-2", "hospital-3"] and found.without == []
    assert "numbers opened" in repr(found)
    with pytest.raises(InputError, match="without"):
        agent.fit(without="hospital-3")


def test_predictions_are_named_like_the_rows(agent: Agent, patients: pd.DataFrame, consortium: Path) -> None:
    found = agent.predict(patients, id="patient")
    assert found.index.equals(patients.index) and found["patient"].tolist() == patients["patient"].tolist()
    assert list(found.columns[1:]) == ["y_mean", "y_latent_sd", "y_observed_sd", "y_low", "y_high"]
    assert found.attrs["at_home"] and found.attrs["roster"] == ["hospital-1", "hospital-2", "hospital-3"]
    by_file = agent.predict(consortium / "test.csv", id=["age"])
    np.testing.assert_array_equal(by_file["y_mean"], found["y_mean"][::-1])
    assert by_file["age"].astype(float).tolist() == patients["age"][::-1].tolist()
    together = agent.predict(patients.head(3), together=True)
    assert not together.attrs["at_home"] and len(together) == 3
    with pytest.raises(InputError, match="id: there is no column 'name'"):
        agent.predict(patients, id="name")


def test_bad_rows(agent: Agent, patients: pd.DataFrame) -> None:
    bad = patients.astype({"age": float})
    bad.iloc[1, bad.columns.get_loc("age")] = np.nan
    with pytest.raises(InputError, match="age"):
        agent.predict(bad)
    with pytest.warns(TacitWarning, match="^1 row without a prediction"):
        found = agent.predict(bad, skip_bad=True)
    assert found["y_mean"].isna().tolist() == [row == 1 for row in range(len(bad))]
    assert found.attrs["skipped"] == 1
    with pytest.warns(TacitWarning):
        assert agent.evaluate(bad, skip_bad=True).rows == len(bad) - 1
    with pytest.raises(InputError, match="(?s)bmi.*Left out:.column 'junk' has a cell of type list"):
        agent.predict(patients.drop(columns="bmi"))


def test_evaluate(agent: Agent, patients: pd.DataFrame) -> None:
    own = agent.evaluate(patients)
    off = agent.predict(patients)["y_mean"] - patients["y"]
    assert own.rmse == pytest.approx(np.sqrt((off**2).mean())) and not own.inputs_shown
    assert agent.evaluate(patients, together=True).inputs_shown
    held_out = agent.evaluate()
    assert held_out.rows == 57 and "57 rows: RMSE" in repr(held_out)


def test_ledger(agent: Agent) -> None:
    runs = agent.ledger()
    assert runs["kind"][0] == "fit" and runs["asker"][0] == "hospital-1"
    assert runs["time"].dt.year.min() >= 2020 and runs.attrs["chain_holds"] and len(runs.attrs["hash"]) == 64
    assert runs.attrs["notes"]
    sums = agent.ledger(summary=True, since=datetime.date(2020, 1, 1))
    assert sums["runs"].sum() == len(runs) and "hospital-1" in sums["asker"].tolist()
    assert agent.ledger(since="2999-01-01").empty


def test_export(agent: Agent, patients: pd.DataFrame, tmp_path: Path) -> None:
    model = agent.export(tmp_path / "model.tacit")
    assert model.path.stat().st_mode & 0o777 == 0o600
    assert len(model.predict(patients)) == len(patients)
    with pytest.raises(InputError, match="already exists"):
        agent.export(model)
    with pytest.warns(TacitWarning, match="contains all rows"):
        whole = agent.export(model, experts=True, force=True)
    np.testing.assert_array_equal(whole.predict(patients)["y_mean"], agent.predict(patients)["y_mean"])


def test_nobody_is_there(tmp_path: Path) -> None:
    with pytest.raises((Error, InputError)):
        Agent(tmp_path).status()
