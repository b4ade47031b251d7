#!/usr/bin/env python3
"""Draws tuning.svg, accuracy.svg, table.svg and growth.svg from the CSV files beside this script.

`tacit reproduce` writes these files. Needs matplotlib (Debian: python3-matplotlib). The colours are those of Okabe and
Ito, which colour-blind readers can distinguish. Line styles and markers distinguish the lines in greyscale print.
"""
import csv
import math
import os
import sys
from collections import defaultdict

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "tacit",  # makes the files reproducible
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "legend.frameon": False,
    "lines.linewidth": 1.2,
})
import matplotlib.pyplot as plt

BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
ORANGE, SKY, PURPLE = "#E69F00", "#56B4E9", "#CC79A7"
# Colour, line, marker and label of each method in the table.
METHODS = {
    "[11] two servers": (VERMILION, "--", "s", "[11] two servers"),
    "[12] multi-key CKKS": (ORANGE, "-.", "^", "[12] multi-key CKKS"),
    "[12] multi-key CKKS, lean": (GREEN, ":", "v", "[12] lean"),
    "as in the paper": (BLUE, "-", "o", "ours, as in the paper"),
    "protocol exact": (SKY, "-", "D", "ours, exact sums"),
    "landmarks, together": (PURPLE, "-", "P", "ours, landmarks"),
}
GRADIENTS = {"per-row": r"steps along $\nabla h_i/N_i$", "likelihood": r"steps along $\nabla h_i$"}
FOLDER = os.path.dirname(os.path.abspath(__file__))


def rows_of(name):
    path = os.path.join(FOLDER, name)
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def in_order(rows, key):
    return list(dict.fromkeys(row[key] for row in rows))


def number(cell):
    return float(cell) if cell else math.nan


def save(figure, name):
    """Write to a temporary name first, so that the file is always complete."""
    whole = os.path.join(FOLDER, name)
    part = os.path.join(FOLDER, "." + name)
    try:
        figure.savefig(part, format="svg", bbox_inches="tight", metadata={"Date": None})
        os.replace(part, whole)
    finally:
        if os.path.exists(part):
            os.remove(part)


def draw_tuning():
    rows = rows_of("tuning.csv")
    if not rows:
        return
    shown = max(rows, key=lambda row: int(row["weight_denominator"]))["weight_denominator"]  # the paper's L_w
    lines = defaultdict(lambda: ([], [], []))
    for row in rows:
        if row["weight_denominator"] == shown:
            steps, lengthscale, signal = lines[row["data"], row["gradient"], row["agent"]]
            steps.append(int(row["step"]))
            lengthscale.append(float(row["lengthscale"]))
            signal.append(float(row["signal"]))
    panels = [(data, gradient) for data in in_order(rows, "data") for gradient in in_order(rows, "gradient")]
    figure, axes = plt.subplots(2, len(panels), figsize=(1.2 + 1.75 * len(panels), 3.6), sharex=True, squeeze=False,
                                layout="constrained")
    for column, (data, gradient) in enumerate(panels):
        agents = [line for key, line in lines.items() if key[:2] == (data, gradient)]
        for place, (colour, symbol, unit) in enumerate(((BLUE, r"$\theta_{i,l}$", "inputs"),
                                                        (VERMILION, r"$\theta_{i,s}$", "output"))):
            panel = axes[place][column]
            for line in agents:
                panel.plot(line[0], line[1 + place], color=colour, alpha=0.45, linewidth=0.8)
            mean = [sum(values) / len(agents) for values in zip(*(line[1 + place] for line in agents))]
            panel.plot(agents[0][0], mean, color="black", linestyle="--", linewidth=1.2)
            if column == 0:
                panel.set_ylabel(f"{symbol} [unit of {unit}]")
        axes[0][column].set_title(f"{data}\n{GRADIENTS[gradient]}")
        axes[1][column].set_xlabel("iteration $t$")
    figure.legend(handles=[plt.Line2D([], [], color=BLUE, linewidth=0.8), plt.Line2D([], [], color=VERMILION, linewidth=0.8),
                           plt.Line2D([], [], color="black", linestyle="--")],
                  labels=["an agent's length-scale", "an agent's signal deviation", "mean over agents"],
                  loc="upper center", bbox_to_anchor=(0.5, 0), ncols=3)
    save(figure, "tuning.svg")


def draw_accuracy():
    rows = rows_of("accuracy.csv")
    if not rows:
        return
    styles = [(GREEN, ":", "^"), (VERMILION, "--", "s"), (BLUE, "-", "o")]
    data_sets = in_order(rows, "data")
    figure, axes = plt.subplots(2, len(data_sets), figsize=(1 + 3.1 * len(data_sets), 4.4), sharex=True, squeeze=False,
                                layout="constrained")
    for column, data in enumerate(data_sets):
        for row, (quantity, symbol, unit) in enumerate((("mean", r"\hat{f}", "[unit of output]"),
                                                         ("variance", "V", "[unit of output²]"))):
            panel = axes[row][column]
            for lz, (colour, style, marker) in zip(in_order(rows, "lz"), styles):
                line = [r for r in rows if r["data"] == data and r["lz"] == lz]
                panel.plot([int(r["iterations"]) for r in line], [number(r[f"rmse_{quantity}"]) for r in line], color=colour,
                           linestyle=style, marker=marker, markersize=3, markevery=3, label=f"$L_z$ = {lz}")
                floor = number(line[0][f"floor_{quantity}"])
                if not math.isnan(floor):
                    panel.axhline(floor, color=colour, linewidth=0.7, linestyle=(0, (1, 2)))
            panel.set_yscale("log")
            if column == 0:
                panel.set_ylabel(rf"$\mathrm{{RMSE}}_{{{symbol}}}(T)$ {unit}")
        axes[0][column].set_title(data)
        axes[1][column].set_xlabel("iterations $T$")
    handles, labels = axes[0][0].get_legend_handles_labels()
    handles.append(plt.Line2D([], [], color="#555555", linewidth=0.7, linestyle=(0, (1, 2))))
    labels.append("floor of Theorem 4 (colour of its line)")
    figure.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=4)
    save(figure, "accuracy.svg")


def published(cell):
    """Return the number in "0.59 ± 0.11", "<1e-4", ">300" or "*", and the sign if it is a bound."""
    text = cell.split("±")[0].strip()
    if text in ("", "*"):
        return math.nan, ""
    bound = text[0] if text[0] in "<>" else ""
    return float(text.lstrip("<>")), bound


def arrow(panel, start, end, colour):
    """Draw an arrow. An invisible line extends the axes to its end, which an annotation would not do."""
    panel.plot(*zip(start, end), linestyle="none", marker="none")
    drawn = panel.annotate("", end, start, annotation_clip=False,
                           arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 0.8})
    drawn.arrow_patch.set_gid("bound")


def dot(panel, value, place, bound, colour, marker, filled):
    """Draw a value, with an arrow if it is a bound."""
    if math.isnan(value):
        return
    panel.plot(value, place, marker=marker, markersize=4.5, color=colour, linestyle="none",
               markerfacecolor=colour if filled else "white")
    if bound:
        arrow(panel, (value, place), (value * (2.2 if bound == ">" else 0.45), place), colour)


def draw_table():
    rows = [row for row in rows_of("table.csv") if row["variant"] in METHODS]
    if not rows:
        return
    networks = list(dict.fromkeys((row["data"], row["agents"], row["degree"]) for row in rows))
    names = [name for name in METHODS if any(row["variant"] == name for row in rows)]
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 0.9 + 0.62 * len(networks)), sharey=True, layout="constrained")
    for row in rows:
        colour, _, marker, _ = METHODS[row["variant"]]
        place = -networks.index((row["data"], row["agents"], row["degree"])) - 0.12 * (
            names.index(row["variant"]) - (len(names) - 1) / 2)
        for panel, here, paper in ((axes[0], "total_all", "published_seconds"), (axes[1], "rmse_mean", "published_rmse_mean")):
            over = here == "total_all" and row["stopped_in"] not in ("", "preparation")
            dot(panel, 300 if over else number(row[here]), place, ">" if over else "", colour, marker, True)
            if not row["variant"].endswith("lean"):  # the paper has one value for [12]
                value, bound = published(row[paper])
                dot(panel, value, place, bound, colour, marker, False)
    axes[0].set_yticks([-k for k in range(len(networks))],
                       [f"{data}\nM = {agents}, degree {degree}" for data, agents, degree in networks])
    for panel, label in zip(axes, ("seconds, all parties in total", r"RMSE of $\hat{f}$ against plain GPR [unit of output]")):
        panel.set_xscale("log")
        panel.set_xlabel(label)
    handles = [plt.Line2D([], [], color=METHODS[name][0], marker=METHODS[name][2], linestyle="none", markersize=4.5)
               for name in names]
    handles.append(plt.Line2D([], [], color="#555555", marker="o", linestyle="none", markersize=4.5, markerfacecolor="white"))
    figure.legend(handles, [METHODS[name][3] for name in names] + ["hollow: published values"], loc="upper center",
                  bbox_to_anchor=(0.5, 0), ncols=4)
    save(figure, "table.svg")


def over_limit(row):
    """Return the time limit at which a point was stopped: the number in "over 60 s"."""
    words = row["stopped"].split()
    return float(words[1]) if words[:1] == ["over"] else math.nan


def draw_growth():
    """Draw seconds by parties and by rows.

    The legend of each panel has the exponents of the power laws fitted to its lines.
    """
    rows = rows_of("growth.csv")
    if not rows:
        return
    shown = {}
    bounded = False
    data_sets = in_order(rows, "data")
    figure, axes = plt.subplots(len(data_sets), 2, figsize=(7.2, 0.6 + 2.4 * len(data_sets)), sharey="row", squeeze=False,
                                layout="constrained")
    for line, data in enumerate(data_sets):
        for panel, against, symbol, label in zip(axes[line], ("agents", "rows"), ("M", "N"),
                                                 ("parties $M$, 8 rows each", "rows of each party $N$, $M$ = 10")):
            ticks = sorted({int(row[against]) for row in rows if row["against"] == against and row["data"] == data})
            panel.set_visible(bool(ticks))
            if not ticks:
                continue
            for name in in_order(rows, "variant"):
                points = [row for row in rows if (row["data"], row["variant"], row["against"]) == (data, name, against)]
                colour, style, marker, text = METHODS[name]
                if not points:
                    continue
                exponent = number(points[0]["exponent"])
                panel.plot([int(row[against]) for row in points], [number(row["seconds_longest"]) for row in points],
                           color=colour, linestyle=style, marker=marker, markersize=3.5,
                           label="one point" if math.isnan(exponent) else f"${symbol}^{{{exponent:.2f}}}$")
                shown[name] = (colour, style, marker, text)
                limit = over_limit(points[-1])
                if not math.isnan(limit):
                    bounded = True
                    place = int(points[-1][against])
                    panel.plot(place, limit, color=colour, marker=marker, markersize=3.5, markerfacecolor="white")
                    arrow(panel, (place, limit), (place, 2.2 * limit), colour)
            panel.legend(fontsize=6, loc="upper left", ncols=2, handlelength=2.5)
            panel.margins(y=0.25)  # room for the legend
            panel.set_xscale("log")
            panel.set_yscale("log")
            panel.set_xticks(ticks, [str(tick) for tick in ticks])
            panel.minorticks_off()
            panel.set_xlabel(label)
        axes[line][0].set_ylabel(f"{data}\nseconds, longest agent or server")
    handles = [plt.Line2D([], [], color=colour, linestyle=style, marker=marker, markersize=3.5)
               for colour, style, marker, _ in shown.values()]
    labels = [text for *_, text in shown.values()]
    if bounded:
        handles.append(plt.Line2D([], [], color="#555555", marker="o", linestyle="none", markersize=3.5, markerfacecolor="white"))
        labels.append("hollow: stopped at the limit")
    figure.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=3)
    save(figure, "growth.svg")


if __name__ == "__main__":
    draw_tuning()
    draw_accuracy()
    draw_table()
    draw_growth()
    sys.exit(0)
