"""Requests from Python to real agents while one of them is restarted."""
from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from conftest import demonstration, program
from tacit import Agent, Error


class Hospitals:
    """Three agents in permanent folders, so that each can be stopped and started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: dict[int, subprocess.Popen[bytes]] = {}

    def start(self, number: int) -> None:
        place = self.folder / f"hospital-{number}"
        with (place / "agent.log").open("a") as log:
            self.running[number] = subprocess.Popen([program(), "agent", "--config", place], stdout=log, stderr=log)

    def stop(self, number: int) -> None:
        self.running[number].terminate()
        self.running.pop(number).wait(timeout=30)

    def agent(self, number: int = 1) -> Agent:
        return Agent(self.folder / f"hospital-{number}")

    def wait_for_links(self) -> None:
        for _ in range(300):
            try:
                if len(self.agent().status().up) == len(self.running) - 1:
                    return
            except Error:
                pass  # the agent has not started
            time.sleep(0.1)
        raise AssertionError(f"no links: {self.agent().status()}")


@pytest.fixture(scope="module")
def hospitals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hospitals]:
    folder = tmp_path_factory.mktemp("hospitals")
    with demonstration(folder) as running:
        pass_by = shutil.ignore_patterns("*.sock")
        shutil.copytree(running, folder / "demo", ignore=pass_by)
    all_of_them = Hospitals(folder / "demo")
    try:
        for number in (1, 2, 3):
            all_of_them.start(number)
        all_of_them.wait_for_links()
        yield all_of_them
    finally:
        for process in all_of_them.running.values():
            process.kill()
            process.wait(timeout=30)


def test_an_agent_is_restarted(hospitals: Hospitals) -> None:
    points = pd.read_csv(hospitals.folder / "test.csv").drop(columns="y")
    agent = hospitals.agent()
    home, together = agent.predict(points), agent.predict(points, together=True)

    hospitals.stop(3)
    assert agent.predict(points).equals(home)
    with pytest.raises(Error, match="hospital-3"):
        agent.predict(points, together=True)
    hospitals.start(3)
    hospitals.wait_for_links()
    assert agent.predict(points, together=True).equals(together)

    hospitals.stop(1)  # the agent that receives the requests
    with pytest.raises(Error, match="control.sock"):
        agent.status()
    hospitals.start(1)
    hospitals.wait_for_links()
    assert agent.predict(points, together=True).equals(together)


def test_ctrl_c_stops_a_fit_everywhere(hospitals: Hospitals) -> None:
    version = (hospitals.agent().status().model or {})["version"]
    frozen = hospitals.running[3]
    frozen.send_signal(signal.SIGSTOP)  # makes the fit wait
    os.waitpid(frozen.pid, os.WUNTRACED)  # until all its threads have stopped
    try:
        code = f"import tacit; tacit.Agent({str(hospitals.folder / 'hospital-1')!r}).fit()"
        asking = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, env=dict(os.environ))
        while hospitals.agent().status().runs["waiting"] == 0:
            assert asking.poll() is None, asking.communicate()
            time.sleep(0.1)
        asking.send_signal(signal.SIGINT)
        _, said = asking.communicate(timeout=60)
        assert b"KeyboardInterrupt" in said
    finally:
        frozen.send_signal(signal.SIGCONT)
    hospitals.wait_for_links()
    assert hospitals.agent().fit().model["version"] == version + 1
