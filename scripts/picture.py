#!/usr/bin/python3
"""Draws docs/images/diabetes.svg from a run of the program: what each hospital could do alone, and what they do together.

    /usr/bin/python3 scripts/picture.py      (needs Debian's python3-matplotlib and a release build)
"""
import json
import subprocess

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "tacit"  # the same run gives the same file
import matplotlib.pyplot as plt

run = ["build/tacit", "simulate", "--data", "data/diabetes.csv", "--target", "y", "--agents", "10", "--topology", "ring:4"]
run += ["--standardise", "private", "--tune", "exact", "--json"]
accuracy = json.loads(subprocess.check_output(run))["accuracy"]

figure, axes = plt.subplots(figsize=(7, 2.3))
alone = accuracy["local_agents"]
axes.scatter(alone, [2] * len(alone), s=46, facecolors="none", edgecolors="#555555", label="one hospital")
axes.scatter([accuracy["local"]], [2], s=70, marker="|", color="#555555", linewidths=2.5)
axes.scatter([accuracy["private"]], [1], s=80, marker="D", color="#0072B2")
axes.scatter([accuracy["pooled"]], [0], s=80, marker="s", color="#D55E00")
for value, row in ((accuracy["local"], 2), (accuracy["private"], 1), (accuracy["pooled"], 0)):
    axes.annotate(f"{value:.1f}", (value, row), xytext=(0, 9), textcoords="offset points", ha="center", fontsize=9)
axes.set_yticks([2, 1, 0], ["each hospital alone\n(bar: mean)", "together, in private", "all data in one place"])
axes.set_ylim(-0.6, 2.7)
axes.set_xlabel("test RMSE of disease progression (lower is better)")
axes.grid(axis="x", color="#dddddd")
axes.set_axisbelow(True)
for side in ("top", "right", "left"):
    axes.spines[side].set_visible(False)
axes.tick_params(axis="y", length=0)
figure.tight_layout()
figure.savefig("docs/images/diabetes.svg", metadata={"Date": None})
