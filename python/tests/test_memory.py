"""Gigabytes of points are predicted without a copy."""
from __future__ import annotations

import os
import subprocess
import sys

import pytest

GIGABYTE = 1e9
FREE = next(1024 * int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemAvailable:"))
PREDICT = """
import resource
import sys

import numpy as np
import tacit

peak = lambda: 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
random = np.random.default_rng(1)
X = random.normal(size=(20, 100))
model = tacit.GaussianProcess("se(lengthscale=20, signal=1)", noise=0.1, tune=False).fit(X, X[:, 0])
points = np.full((2_500_000, 100), 0.25, order=sys.argv[1])  # 2 GB
before = peak()
mean = model.predict(points)
assert mean.shape == (2_500_000,) and mean[0] == mean[-1] and np.isfinite(mean).all()
print(before - points.nbytes, peak() - before - mean.nbytes)
"""


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer uses additional memory")
@pytest.mark.skipif(FREE < 6 * GIGABYTE, reason=f"needs 6 GB of free memory, but only {FREE / GIGABYTE:.1f} GB are free")
@pytest.mark.parametrize("order", ["C", "F"])
def test_two_gigabytes_of_points_are_not_copied(order: str) -> None:
    said = subprocess.run([sys.executable, "-c", PREDICT, order], capture_output=True, text=True, check=True)
    without_points, more = map(int, said.stdout.split())
    assert without_points < GIGABYTE
    assert more < 0.5 * GIGABYTE
