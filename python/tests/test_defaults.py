"""The same defaults in C++, Python, the command line and new charters."""
from __future__ import annotations

import inspect
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, program

import tacit
from tacit._core import consortium_defaults, one_party_defaults


def run(*words: object) -> str:
    return subprocess.run([program(), *map(str, words)], check=True, capture_output=True, text=True).stdout


def on_the_command_line() -> dict[str, Any]:
    """The defaults that --help of tacit simulate shows."""
    text = re.sub(r"\s+", " ", run("simulate", "--help"))

    def shown(option: str) -> str:
        found = re.search(rf" {option} [^=\s]+=(\S+)", text)
        assert found, option
        return found[1]

    box = re.search(r"--tune-box .*?Default: ([0-9.]+),([0-9.]+)", text)
    floor = re.search(r"--noise-floor .*?Default: ([0-9.]+) for standardised", text)
    noise = re.search(r"--noise .*?Default: [0-9.]+; ([0-9.]+) for standardised", text)
    signal = re.search(r"--signal .*?Default: ([0-9.]+)", text)
    fusion = re.search(r"--fusion .*?Default: (\w+)", text)
    assert box and floor and noise and signal and fusion
    return {
        "kernel": shown("--kernel"),
        "fusion": fusion[1],
        "expert_rows": int(shown("--expert-rows")),
        "expert_split": shown("--expert-split"),
        "restarts": int(shown("--restarts")),
        "evaluations": int(shown("--tune-evaluations")),
        "low": float(box[1]),
        "high": float(box[2]),
        "noise_floor": float(floor[1]),
        "signal": float(signal[1]),
        "noise": float(noise[1]),
        "seed": int(shown("--seed")),
    }


@pytest.fixture(scope="module")
def charter(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The fields of a new charter."""
    folder = tmp_path_factory.mktemp("charter")
    cards: list[object] = []
    for number, name in enumerate(("a", "b", "c")):
        run("keygen", folder / name, "--address", f"127.0.0.1:{7500 + number}")
        cards += ["--card", folder / name / "card.toml"]
    data = ["--data", ROOT / "data" / "diabetes.csv", "--target", "y"]
    run("charter", "new", *cards, *data, "-o", folder / "charter.toml")
    fields: dict[str, str] = json.loads(run("charter", "show", folder / "charter.toml", "--json"))["fields"]
    return fields


def in_a_charter(fields: dict[str, str]) -> dict[str, Any]:
    def field(name: str) -> str:
        return fields[name].strip('"')

    return {
        "kernel": field("model, kernel"),
        "fusion": field("model, fusion"),
        "expert_rows": int(field("model, rows of an expert")),
        "restarts": int(field("tuning, restarts")),
        "evaluations": int(field("tuning, evaluations")),
        "low": float(field("tuning, low")),
        "high": float(field("tuning, high")),
        "noise_floor": float(field("tuning, noise floor")),
        "signal": float(field("model, signal")),
        "noise": float(field("model, noise")),
        "seed": int(field("tuning, seed")),
    }


def in_signature(estimator: type, names: dict[str, str]) -> dict[str, Any]:
    parameters = inspect.signature(estimator).parameters
    return {setting: parameters[keyword].default for setting, keyword in names.items()}


def agree(found: dict[str, Any], table: dict[str, Any]) -> None:
    assert found == {setting: table[setting] for setting in found}


def test_the_command_line_has_the_defaults_of_the_library() -> None:
    agree(on_the_command_line(), consortium_defaults)


def test_new_charters_have_the_defaults_of_the_library(charter: dict[str, str]) -> None:
    agree(in_a_charter(charter), consortium_defaults)


def test_signatures_show_the_defaults_of_the_library() -> None:
    of_both = {"kernel": "kernel", "seed": "random_state"}
    one_party = {
        "fusion": "fusion",
        "expert_rows": "expert_rows",
        "expert_split": "expert_split",
        "restarts": "n_restarts_optimizer",
        "evaluations": "most_evaluations",
        "prior_width": "prior_width",
    }
    agree(in_signature(tacit.GaussianProcess, {**of_both, **one_party}), one_party_defaults)
    consortium = {"expert_rows": "expert_rows", "expert_split": "expert_split", "fusion": "fusion", "shared": "tune_shared"}
    agree(in_signature(tacit.PrivateConsortium, {**of_both, **consortium}), consortium_defaults)


def test_front_ends_differ_only_where_the_page_gives_the_reason() -> None:
    page = (Path(ROOT) / "docs" / "defaults.md").read_text()
    for setting in one_party_defaults.keys() & consortium_defaults.keys():
        if one_party_defaults[setting] != consortium_defaults[setting]:
            row = f"| `{setting}` | {one_party_defaults[setting]:,} | {consortium_defaults[setting]:,} |"
            assert row in page, row
