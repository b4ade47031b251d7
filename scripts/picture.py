#!/usr/bin/python3
"""Draws docs/images/diabetes.svg from a run of the program: the errors of hospitals with different patients.

    /usr/bin/python3 scripts/picture.py      (needs Debian's python3-matplotlib and a release build)
"""
import json
import subprocess

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "tacit"  # makes the file reproducible
import matplotlib.pyplot as plt

run = ["build/tacit", "simulate", "--data", "data/diabetes.csv", "--target", "y", "--split", "regions", "--json"]
accuracy = json.loads(subprocess.check_output(run))["accuracy"]

GREY, BLUE, GREEN, RED = "#555555", "#0072B2", "#009E73", "#D55E00"
ROWS = (  # name in the JSON, label, colour and marker, name of the hospitals' own errors if there are any
    ("local", "each hospital alone", GREY, "|", "local_agents"),
    ("at_home", "each at home, with\nthe shared model", BLUE, "|", "at_home_agents"),
    ("private", "all together, privately", GREEN, "D", None),
    ("pooled", "all data in one place", RED, "s", None),
)

figure, axes = plt.subplots(figsize=(7.2, 2.9))
last = len(ROWS) - 1
for k, (name, _, colour, marker, dots) in enumerate(ROWS):
    row = last - k
    if dots:
        axes.scatter(accuracy[dots], [row] * len(accuracy[dots]), s=42, facecolors="none", edgecolors=colour)
    size, line = (120, 2.5) if marker == "|" else (60, 1)
    axes.scatter([accuracy[name]], [row], s=size, marker=marker, color=colour, linewidths=line)
    axes.annotate(f"{accuracy[name]:.1f}", (accuracy[name], row), xytext=(0, 9), textcoords="offset points", ha="center",
                  fontsize=10, color=colour, fontweight="bold")
    inside = 100 * accuracy["calibration"][name]["coverage"]
    axes.annotate(f"{inside:.1f} %", (1.09, row), xycoords=("axes fraction", "data"), ha="center", va="center", fontsize=9)
axes.annotate("coverage of\n95 % intervals", (1.09, last + 0.55), xycoords=("axes fraction", "data"), ha="center", va="bottom", fontsize=8)
axes.set_yticks([last - k for k in range(len(ROWS))], [words for _, words, *_ in ROWS])
axes.set_ylim(-0.5, last + 0.6)
axes.set_xlabel("typical error in predicting the disease's progression (test RMSE; lower is better)", fontsize=9)
axes.scatter([], [], s=42, facecolors="none", edgecolors=GREY, label="one hospital")
axes.scatter([], [], s=120, marker="|", color=GREY, linewidths=2.5, label="mean of the ten")
axes.legend(loc="lower right", frameon=False, fontsize=9)
axes.grid(axis="x", color="#dddddd")
axes.set_axisbelow(True)
for side in ("top", "right", "left"):
    axes.spines[side].set_visible(False)
axes.tick_params(axis="y", length=0)
figure.tight_layout()
figure.savefig("docs/images/diabetes.svg", metadata={"Date": None})
