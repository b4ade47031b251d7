"""Reports as HTML files."""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tacit import Error, audit, simulate


def shown(file: Path) -> dict[str, object]:
    start = '<script type="application/json" id="result">'
    text = file.read_text(encoding="utf-8").split(start)[1].split("</script>")[0]
    found: dict[str, object] = json.loads(text)
    return found


def test_a_simulation_to_the_last_digit(tmp_path: Path) -> None:
    x = np.random.default_rng(1).normal(size=40)
    found = simulate(pd.DataFrame({"x": x, "größe <b>": np.sin(x)}), "größe <b>", agents=3)
    found.report(tmp_path / "simulation.html")
    written = shown(tmp_path / "simulation.html")
    assert written["predictions"] == found.json["predictions"]
    assert written["targets"] == ["größe <b>"]
    assert written["about"]["line"] is None  # no command line in Python  # type: ignore[index]


def test_an_audit_and_a_place_that_is_none(tmp_path: Path) -> None:
    found = audit(agents=5)
    found.report(str(tmp_path / "audit.html"))
    assert shown(tmp_path / "audit.html")["findings"] == found.findings
    with pytest.raises(Error, match="nowhere"):
        found.report(tmp_path / "nowhere" / "audit.html")
