#!/usr/bin/python3
"""Draws how many rows an attack finds, by the share of numbers opened:  bench/opened.py opened.csv opened.svg

Needs Debian's python3-matplotlib.
"""
import csv
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "tacit", "font.size": 8, "axes.spines.top": False, "axes.spines.right": False,
                            "legend.frameon": False, "axes.grid": True, "grid.color": "#dddddd"})
import matplotlib.pyplot as plt

with open(sys.argv[1], newline="") as file:
    rows = [{k: v if k == "experiment" else float(v) for k, v in row.items()} for row in csv.DictReader(file)]
rows = [row for row in rows if row["experiment"] == "attack"]


def mean(some, column):
    return sum(row[column] for row in some) / len(some)


figure, axes = plt.subplots(1, 3, figsize=(10, 2.9), layout="constrained")
for inputs, colour in zip(sorted({row["inputs"] for row in rows}), ("#0072B2", "#D55E00", "#009E73")):
    pool = [row for row in rows if row["inputs"] == inputs]
    shares = sorted({row["opened"] / row["held"] for row in pool})
    groups = [[row for row in pool if row["opened"] / row["held"] == share] for share in shares]
    label = f"{inputs:.0f} input{'s' if inputs > 1 else ''}"
    for panel, column in ((axes[0], "found"), (axes[1], "inputs_found")):
        panel.plot(shares, [100 * mean(g, column) / g[0]["rows"] for g in groups], "o-", color=colour, markersize=4, label=label)
    axes[0].plot(shares, [100 * mean(g, "within_reach") / g[0]["rows"] for g in groups], ":", color=colour)
    axes[1].axhline(100 * mean(pool, "chance_inputs_found") / pool[0]["rows"], color=colour, linestyle="--", linewidth=0.8)
    axes[2].plot(shares, [mean(g, "median") / mean(g, "chance_median") for g in groups], "o-", color=colour, markersize=4, label=label)
axes[0].plot([], [], ":", color="#555555", label="found if started\nnear the truth")
axes[1].plot([], [], "--", color="#555555", linewidth=0.8, label="by guessing")
axes[2].set_ylim(0, 1.5)
for panel, title in zip(axes, ("rows found, %", "rows with inputs found, %", "median distance / distance of a guess")):
    panel.set_xscale("log")
    panel.set_xticks([0.1, 0.25, 0.5, 1, 2, 4], ["0.1", "¼", "½", "1", "2", "4"])
    panel.minorticks_off()
    panel.axvspan(0.035, 0.25, color="#eef4ee", zorder=0)
    panel.set_xlim(0.035, 4.5)
    panel.set_xlabel("numbers opened / numbers held (shaded: ceiling)")
    panel.set_title(title, fontsize=8)
for panel in axes[:2]:
    panel.legend(loc="upper left", fontsize=7)
figure.savefig(sys.argv[2], format="svg", metadata={"Date": None})
