"""The words of Python and of the command line for the settings that messages name."""
from __future__ import annotations

import inspect
import re
import subprocess

import pytest
from conftest import program

import tacit
from tacit._core import setting_words

COMMANDS = (
    "simulate", "plan", "audit", "reproduce", "keygen", "charter new", "agent", "predict", "evaluate", "fit", "export",
    "page",
)  # fmt: skip


def test_every_option_exists() -> None:
    text = "".join(
        subprocess.run([program(), *command.split(), "--help"], check=True, capture_output=True, text=True).stdout
        for command in COMMANDS
    )
    options = set(re.findall(r"--[a-z][a-z-]*", text))
    for setting, (_, words) in setting_words().items():
        assert words.split()[-1] in options, setting


def test_every_keyword_exists() -> None:
    functions = (
        tacit.simulate, tacit.plan, tacit.audit, tacit.reproduce, tacit.GaussianProcess, tacit.PrivateConsortium,
        tacit.Agent.fit, tacit.Agent.predict, tacit.Agent.evaluate, tacit.Agent.export,
    )  # fmt: skip
    keywords = {name for function in functions for name in inspect.signature(function).parameters}
    for setting, (words, _) in setting_words().items():
        if words.startswith("tacit "):  # what only a command can do
            continue
        assert re.search(r"(\w+)(=|\))", words)[1] in keywords | {"path"}, setting  # type: ignore[index]


def test_errors_and_warnings_name_keywords() -> None:
    table = {"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 2.0, 3.0, 4.0]}
    with pytest.raises(tacit.InputError, match=r"\(y_max=\) must be a positive number"):
        tacit.simulate(table, "y", agents=2, y_max=-1)
    with pytest.raises(tacit.InputError, match=r"^split= divides one data file"):
        tacit.simulate([table, table], "y", split="shuffled")
    advice = tacit.audit("ring:2", protocol="consensus", agents=6).advice
    assert any("masks='seeded'" in sentence for sentence in advice)
    assert not any("--" in sentence or "`" in sentence for sentence in advice)
