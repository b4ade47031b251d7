"""Type checkers know the keywords of simulate and plan, one by one and in groups."""
from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

CALLS = """
import tacit

tacit.simulate({}, "y", agents=5, model=tacit.Model(kernel="se"), network={"helpers": 2}, protocol="exact")
tacit.plan("ring:4", values=tacit.Values(rows=3), network=tacit.Network(helpers=2), protocol=tacit.Protocol(collusion=1))
tacit.simulate({}, "y", agents="five")
tacit.simulate({}, "y", kernal="se")
tacit.simulate({}, "y", fusion="mean")
tacit.plan("ring:4", values=tacit.Values(rows=3, colour=2))
tacit.plan("ring:4", agents=2.5)
"""


def test_a_type_checker_finds_wrong_keywords(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="type checks need mypy: apt install mypy")
    calls = tmp_path / "calls.py"
    calls.write_text(CALLS)
    checked = subprocess.run(
        ["mypy", "--config-file", ROOT / "python" / "mypy.ini", "--cache-dir", tmp_path / "cache", calls],
        capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(ROOT / "python")},
    )  # fmt: skip
    lines = [int(line.split(":")[1]) for line in checked.stdout.splitlines() if ": error:" in line]
    assert lines == [6, 7, 8, 9, 10], checked.stdout
