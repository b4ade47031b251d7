"""The notebooks in examples/ run, and are stored with their outputs and figures."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
MOST_BYTES = 400_000
SECONDS = 1200  # limit for one cell; sanitizers on a busy machine are a hundred times slower


def outputs_of(notebook: Path) -> list[dict[str, Any]]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [output for cell in cells for output in cell.get("outputs", [])]


@pytest.fixture()
def jupyter(tmp_path: Path) -> dict[str, str]:
    """An environment in which "python3" is this interpreter, and which does not use the user's folders."""
    pytest.importorskip("nbconvert", reason="notebooks need nbconvert: apt install python3-nbconvert")
    pytest.importorskip("ipykernel", reason="notebooks need ipykernel: apt install python3-ipykernel")
    kernel = tmp_path / "data" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    start = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(json.dumps({"argv": start, "display_name": "Python 3", "language": "python"}))
    ours = [str(Path(folder).resolve()) for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    return {
        **{name: value for name, value in os.environ.items() if name != "MPLBACKEND"},  # the kernel sets MPLBACKEND
        "PYTHONPATH": os.pathsep.join(ours),
        "JUPYTER_PATH": str(tmp_path / "data"),
        "JUPYTER_DATA_DIR": str(tmp_path / "data"),
        "JUPYTER_CONFIG_DIR": str(tmp_path / "config"),
        "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"),
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "MPLCONFIGDIR": str(tmp_path / "matplotlib"),
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


def execute(notebook: Path, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", str(folder)]
    limit = f"--ExecutePreprocessor.timeout={SECONDS}"
    return subprocess.run([*command, limit, str(notebook)], env=environment, capture_output=True, text=True)


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_it_runs(notebook: Path, tmp_path: Path, jupyter: dict[str, str]) -> None:
    done = execute(notebook, tmp_path, jupyter)
    assert done.returncode == 0, done.stderr[-3000:]
    drawn = sum("image/png" in output.get("data", {}) for output in outputs_of(notebook))
    assert sum("image/png" in output.get("data", {}) for output in outputs_of(tmp_path / notebook.name)) == drawn


def test_an_error_in_a_cell_does_not_go_unnoticed(tmp_path: Path, jupyter: dict[str, str]) -> None:
    cell = {"cell_type": "code", "id": "a", "source": "1 / 0", "metadata": {}, "outputs": [], "execution_count": None}
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    notebook = tmp_path / "wrong.ipynb"
    notebook.write_text(json.dumps({"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}))
    done = execute(notebook, tmp_path / "out", jupyter)
    assert done.returncode != 0 and "ZeroDivisionError" in done.stderr


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_it_is_kept_with_outputs_and_nothing_else(notebook: Path) -> None:
    text = notebook.read_text(encoding="utf-8")
    whole = json.loads(text)
    outputs = outputs_of(notebook)
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert all(cell["execution_count"] for cell in whole["cells"] if cell["cell_type"] == "code")
    assert not [output for output in outputs if output["output_type"] == "error" or output.get("name") == "stderr"]
    assert len(text) < MOST_BYTES
    assert whole["metadata"]["kernelspec"]["name"] == "python3"
    assert not any(cell["metadata"] for cell in whole["cells"])  # no execution times
    words = re.sub(r'"image/png": "[^"]*"', "", text)
    assert not re.search(r"/(?:home|root|tmp|usr|work)/", words)  # no paths of the machine that ran it
