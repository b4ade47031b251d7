"""Long work stops after Ctrl-C, lets Python's other threads continue, and shows its progress."""
from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

from tacit import GaussianProcess

# Prints a line when the engine reports progress, which shows that the work is running.
SCRIPT = """
import sys
from contextlib import contextmanager

import numpy as np
import pandas as pd
from tacit import GaussianProcess, PrivateConsortium, simulate

random = np.random.default_rng(1)
X = random.normal(size=(60_000, 8))
y = np.sin(X[:, 0]) + random.normal(0, 0.1, 60_000)
table = pd.DataFrame(X, columns=[f"x{place}" for place in range(8)]).assign(y=y)

@contextmanager
def shown(progress=None):
    yield lambda *how_far: print(how_far[0], flush=True)

def small():
    return GaussianProcess(n_restarts_optimizer=0, random_state=3, progress=False).fit(X[:50], y[:50]).predict(X[:50]).tolist()

expected, hidden = small(), sys.modules["tacit._gaussian_process"].shown
modules = [sys.modules["tacit." + name] for name in ("_gaussian_process", "_consortium", "_simulate")]
for module in modules:
    module.shown = shown
try:
    {work}
except KeyboardInterrupt:
    for module in modules:
        module.shown = hidden
    print("stopped", small() == expected)
"""
LONG = {
    "a fit": "GaussianProcess(n_restarts_optimizer=20, expert_rows=1_500).fit(X[:1_500], y[:1_500])",
    "a fit of many experts": "GaussianProcess(expert_rows=1_000).fit(X, y)",
    "a fit of several parties": "PrivateConsortium(n_parties=10).fit(X, y)",
    "a simulation": "simulate(table, 'y')",
}


@pytest.mark.parametrize("what", LONG)
def test_ctrl_c_stops(what: str) -> None:
    script = SCRIPT.replace("{work}", LONG[what])
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None and child.stdout.readline().strip()
            child.send_signal(signal.SIGINT)
            said, _ = child.communicate(timeout=60)  # without Ctrl-C, the work takes many minutes
        finally:
            child.kill()
    assert said.endswith("stopped True\n")


def test_other_threads_go_on_meanwhile() -> None:
    random = np.random.default_rng(1)
    X = random.normal(size=(800, 5))
    over, counted = threading.Event(), [0]

    def count() -> None:
        while not over.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        GaussianProcess(n_restarts_optimizer=0, most_evaluations=20).fit(X, X[:, 0])
        meanwhile = counted[0] - before
    finally:
        over.set()
        thread.join()
    assert meanwhile > 10_000


SMALL = """
import numpy as np
import tacit

X = np.random.default_rng(1).normal(size=(250, 6))
tacit.{estimator}({options}).fit(X, X[:, 0])
"""


@pytest.mark.parametrize("estimator", ["GaussianProcess", "PrivateConsortium"])
def test_progress_shows_when_asked_for(estimator: str) -> None:
    script = SMALL.format(estimator=estimator, options="progress=True")
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "tuning" in said.stderr and said.stdout == ""


@pytest.mark.parametrize("options", ["", "progress=False"])
def test_nothing_shows_when_nobody_looks(options: str) -> None:
    script = SMALL.format(estimator="GaussianProcess", options=options)
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert said.stderr == said.stdout == ""


def test_progress_shows_on_a_terminal() -> None:
    screen, end = pty.openpty()
    os.set_blocking(screen, False)  # reading an empty screen is then an error
    try:
        script = SMALL.format(estimator="GaussianProcess", options="")
        subprocess.run([sys.executable, "-c", script], stderr=end, check=True)
        assert b"tuning" in os.read(screen, 10_000)
    finally:
        os.close(end)
        os.close(screen)
