#!/usr/bin/python3
"""Draws the time by the number of rows:  bench/rows.py rows.csv rows.svg  (needs Debian's python3-matplotlib)."""
import csv
import math
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "tacit", "font.size": 8, "axes.spines.top": False, "axes.spines.right": False,
                            "legend.frameon": False, "axes.grid": True, "grid.color": "#dddddd"})
import matplotlib.pyplot as plt

with open(sys.argv[1], newline="") as file:
    rows = list(csv.DictReader(file))
figure, (left, right) = plt.subplots(1, 2, figsize=(7.5, 2.8), layout="constrained")
grown = [r for r in rows if r["experiment"] == "rows"]
x = [float(r["rows"]) for r in grown]
for column, colour, label in (("fit_seconds", "#0072B2", "30 likelihoods with gradient"),
                              ("predict_seconds", "#D55E00", "1,000 predictions")):
    y = [float(r[column]) for r in grown]
    slope = math.log(y[-1] / y[0]) / math.log(x[-1] / x[0])
    left.loglog(x, y, "o-", color=colour, markersize=4, label=f"{label}, slope {slope:.2f}")
left.set_xlabel("rows (8 inputs, se-ard)")
left.set_ylabel("seconds on two cores")
left.legend(loc="upper left", fontsize=7)
for name, colour in (("size random", "#0072B2"), ("size clusters", "#009E73")):
    some = [r for r in rows if r["experiment"] == name]
    right.plot([float(r["fit_seconds"]) for r in some], [float(r["rmse"]) for r in some], "o-", color=colour, markersize=4,
               label=name.removeprefix("size "))
    for r in some:
        right.annotate(r["expert_rows"], (float(r["fit_seconds"]), float(r["rmse"])), xytext=(3, 3),
                       textcoords="offset points", fontsize=6)
right.set_xlabel(f"seconds for {some[0]['rows']} rows (labels: rows of an expert)")
right.set_ylabel("RMSE against the true function")
right.legend(fontsize=7)
figure.savefig(sys.argv[2], format="svg", metadata={"Date": None})
