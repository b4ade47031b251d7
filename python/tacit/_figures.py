"""Figures of a simulation, readable in greyscale print."""
from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit._errors import InputError, needs
from tacit._result import counted, size

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tacit._simulation import Simulation

GREY, BLUE, GREEN, RED, LIGHT = "#555555", "#0072B2", "#009E73", "#D55E00", "#c8c8c8"
LOOKS = {  # label, colour and marker
    "alone": ("each alone", GREY, "o"),
    "at home": ("each at home,\nwith the shared model", BLUE, "o"),
    "together": ("all together,\nprivately", GREEN, "D"),
    "pooled": ("all data\nin one place", RED, "s"),
}
STAGES = {
    "standardise": "standardising",
    "tuning": "tuning",
    "pooling": "sum over landmarks",
    "local": "local models",
    "protocol": "prediction together",
    "holdout": "scoring held-out rows",
    "network": "network",
}
MOST_POINTS = 300  # the intervals of more points would merge into a grey area


def pyplot() -> Any:
    """Import matplotlib's pyplot, or raise an error that names the package to install."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise needs("matplotlib", "Figures") from None
    return plt


def finished(figure: Any) -> Figure:
    """Close the figure in notebooks, which otherwise show it twice: once as the returned value."""
    import matplotlib

    if "inline" in matplotlib.get_backend():
        pyplot().close(figure)
    drawn: Figure = figure
    return drawn


def draw_simulation(simulation: Simulation, target: str) -> Figure:
    """Draw four panels: predictions, calibration, errors and cost."""
    if target not in simulation.targets:
        raise InputError(f"there is no target '{target}'; the targets are {', '.join(simulation.targets)}")
    with pyplot().rc_context({"font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold"}):
        figure, axes = pyplot().subplots(2, 2, figsize=(9.6, 7.6), constrained_layout=True)
        predictions = simulation.predictions
        found = {name: predictions[f"{target}_{name}"].to_numpy() for name in ("mean", "observed_sd", "low", "high")}
        truth = predictions[f"{target}_true"].to_numpy() if f"{target}_true" in predictions else None
        _predicted(axes[0, 0], target, found, truth)
        _calibration(axes[0, 1], found, truth)
        _worth(axes[1, 0], simulation, target)
        _cost(axes[1, 1], simulation)
        for one in axes.flat:
            one.spines[["top", "right"]].set_visible(False)
    return finished(figure)


def _unknown(axes: Any, words: str = "true values of the\ntest rows are unknown") -> None:
    axes.text(0.5, 0.5, words, ha="center", va="center", transform=axes.transAxes, color=GREY)
    axes.set_xticks([])
    axes.set_yticks([])


def _predicted(axes: Any, target: str, found: dict[str, Any], truth: Any) -> None:
    axes.set_title("Predicted and true")
    if truth is None:
        return _unknown(axes)
    some = np.unique(np.linspace(0, len(truth) - 1, min(len(truth), MOST_POINTS)).astype(int))
    reach = (found["high"] - found["low"])[some] / 2
    axes.errorbar(truth[some], found["mean"][some], yerr=reach, fmt="none", ecolor=LIGHT, elinewidth=0.8, zorder=1)
    axes.scatter(truth[some], found["mean"][some], s=14, color=BLUE, edgecolors="white", linewidths=0.4, zorder=3)
    ends = [truth[some].min(), truth[some].max()]
    axes.plot(ends, ends, color="black", linewidth=1, linestyle="--", zorder=2, label="perfect prediction")
    axes.errorbar([], [], yerr=[], fmt="o", markersize=4, color=BLUE, ecolor=LIGHT, label="test row, 95 % interval")
    axes.set(xlabel=f"true {target}", ylabel=f"predicted {target}")
    axes.legend(frameon=False, loc="upper left")


def _calibration(axes: Any, found: dict[str, Any], truth: Any) -> None:
    axes.set_title("Coverage of intervals")
    if truth is None:
        return _unknown(axes)
    nominal = np.linspace(0.05, 0.95, 19)
    reach = np.array([NormalDist().inv_cdf((1 + p) / 2) for p in nominal])
    off = np.abs(truth - found["mean"]) / found["observed_sd"]
    seen = (off[:, None] <= reach).mean(axis=0)
    chance = 1.96 * np.sqrt(nominal * (1 - nominal) / len(truth))
    low, high = nominal - chance, nominal + chance
    axes.fill_between(nominal, low, high, color=LIGHT, alpha=0.6, linewidth=0, label="expected by chance")
    axes.plot([0, 1], [0, 1], color="black", linewidth=1, linestyle="--", label="nominal")
    axes.plot(nominal, seen, color=BLUE, marker="o", markersize=4, label="observed")
    axes.set(xlabel="nominal coverage", ylabel="observed coverage", xlim=(0, 1), ylim=(0, 1))
    axes.legend(frameon=False, loc="upper left")


def _worth(axes: Any, simulation: Simulation, target: str) -> None:
    axes.set_title("Errors of the models")
    scores = simulation.scores["rmse"]
    if scores.empty:
        return _unknown(axes)
    models = [model for model in LOOKS if (model, "all", target) in scores.index]
    for place, model in enumerate(reversed(models)):
        _, colour, marker = LOOKS[model]
        each = scores[[(of, over) == (model, target) and party != "all" for of, party, over in scores.index]]
        single = each.tolist()
        axes.scatter(single, [place] * len(single), s=36, facecolors="none", edgecolors=colour)
        mean = scores[model, "all", target]
        bar = bool(single)
        axes.scatter([mean], [place], s=160 if bar else 55, marker="|" if bar else marker, color=colour, linewidths=2.5)
        axes.annotate(f"{mean:.4g}", (mean, place), (0, 9), textcoords="offset points", ha="center", fontweight="bold")
    axes.set_yticks(range(len(models)), [LOOKS[model][0] for model in reversed(models)])
    axes.set_ylim(-0.5, len(models) - 0.3)
    axes.scatter([], [], s=36, facecolors="none", edgecolors=GREY, label="one party")
    axes.scatter([], [], s=160, marker="|", color=GREY, linewidths=2.5, label="mean")
    axes.legend(frameon=False, loc="lower right")
    axes.set_xlabel(f"typical error of {target} on test rows (RMSE; lower is better)")
    axes.grid(axis="x", color="#dddddd")
    axes.set_axisbelow(True)


def _cost(axes: Any, simulation: Simulation) -> None:
    seconds, traffic = simulation.json["seconds"], simulation.json["traffic"]
    stages = [stage for stage in STAGES if seconds.get(stage, 0) > 0]
    places = range(len(stages))[::-1]
    bars = axes.barh(list(places), [seconds[stage] for stage in stages], color=LIGHT, edgecolor=GREY)
    axes.bar_label(bars, [f"{seconds[stage]:.2g} s" for stage in stages], padding=3)
    axes.set_yticks(list(places), [STAGES[stage] for stage in stages])
    axes.margins(x=0.18)
    axes.set_title("Cost")
    axes.set_xlabel(
        f"seconds ({counted(traffic['rounds'], 'round')}, {counted(traffic['messages'], 'message')}, "
        f"{size(traffic['bytes'])})"
    )
