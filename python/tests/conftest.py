"""Fixtures with real agents: a demonstration of three agents on this machine."""
from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib
import pytest

matplotlib.use("Agg")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def diabetes() -> Path:
    return ROOT / "data" / "diabetes.csv"


def program() -> Path:
    found = Path(os.environ.get("TACIT_PROGRAM", ROOT / "build" / "tacit"))
    if not found.exists():
        pytest.skip(f"the program {found} does not exist; build it, or set TACIT_PROGRAM to its path")
    return found


@contextmanager
def demonstration(folder: Path) -> Iterator[Path]:
    """Run three agents that have fitted a model, and yield their folder. Their output goes to `folder`."""
    said = folder / "said.txt"
    with said.open("w") as out:
        running = subprocess.Popen([program(), "up", "--demo", "3"], stdout=out, stderr=subprocess.STDOUT)
    try:
        for _ in range(600):
            found = re.search(r"tacit status --agent (\S+)/hospital-1", said.read_text())
            if found or running.poll() is not None:
                break
            time.sleep(0.1)
        assert found, said.read_text()
        yield Path(found[1])
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(timeout=30)


@pytest.fixture(scope="session")
def consortium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with demonstration(tmp_path_factory.mktemp("consortium")) as folder:
        yield folder
