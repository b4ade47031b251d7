#!/usr/bin/python3
"""Draws the scaling of Protocol 1:  bench/scaling.py scaling.csv scaling.svg  (needs Debian's python3-matplotlib)."""
import csv
import math
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "tacit", "font.size": 8, "axes.spines.top": False, "axes.spines.right": False,
                            "legend.frameon": False, "axes.grid": True, "grid.color": "#dddddd"})
import matplotlib.pyplot as plt

LABELS = {"M": "agents $M$ (degree 4)", "degree": "degree ($M$ = 60)", "p": "values $p$", "T": "iterations $T$"}


def slope(x, y):
    a, b = [math.log(v) for v in x], [math.log(v) for v in y]
    ma, mb = sum(a) / len(a), sum(b) / len(b)
    return sum((u - ma) * (v - mb) for u, v in zip(a, b)) / sum((u - ma) ** 2 for u in a)


with open(sys.argv[1], newline="") as file:
    rows = list(csv.DictReader(file))
figure, axes = plt.subplots(1, 4, figsize=(10, 2.6), layout="constrained")
for panel, series in zip(axes, dict.fromkeys(row["series"] for row in rows)):
    points = [(float(r["x"]), float(r["seconds"]), float(r["predicted"])) for r in rows if r["series"] == series]
    x, seconds, predicted = zip(*points)
    # The predicted line has no unit, so it is drawn through the centre of the measured points.
    shift = math.exp(sum(math.log(s / p) for s, p in zip(seconds, predicted)) / len(points))
    panel.loglog(x, seconds, "o", color="#0072B2", markersize=4, label=f"measured, slope {slope(x, seconds):.2f}")
    panel.loglog(x, [shift * p for p in predicted], "--", color="#D55E00", label=f"number of messages, slope {slope(x, predicted):.2f}")
    panel.set_xlabel(LABELS[series])
    panel.legend(loc="upper left", fontsize=7)
axes[0].set_ylabel("seconds on two cores")
figure.savefig(sys.argv[2], format="svg", metadata={"Date": None})
