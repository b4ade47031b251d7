"""Results of a simulation."""
from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from tacit._errors import pandas
from tacit._frames import Frame
from tacit._privacy import Privacy
from tacit._result import Reportable, counted, size

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

REACH_OF_95 = 1.959963984540054  # half the width of the 95 % interval of a normal distribution, in deviations
MODELS = {"local": "alone", "at_home": "at home", "private": "together", "pooled": "pooled"}


class Simulation(Reportable):
    """Predictions of parties that train a model together, with their accuracy and cost.

    Attributes
    ----------
    json : dict
        The complete result, as `tacit simulate --json` prints it.
    targets, parties : list of str
        Names of the targets and the parties.
    warnings : list of str
        Results that deserve a review, in sentences.
    """

    def __init__(self, json: dict[str, Any], test: Optional[Frame] = None, data: Sequence[Frame] = ()) -> None:
        self.json = json
        self.targets: list[str] = json["targets"]
        self.parties: list[str] = json["names"]
        self.warnings: list[str] = json["warnings"]
        self._test = test
        self._rows_of = [table.index for table in data]  # not the rows, which a pickle would pass on

    @property
    def predictions(self) -> pd.DataFrame:
        """Predictions of all parties together, with one row for each test point.

        For a target y the columns are y_mean, y_latent_sd (standard deviation of the function), y_observed_sd (standard
        deviation of a new observation), y_low and y_high (95 % interval for a new observation), and y_true if known.
        """
        truth = self._truth()
        columns = {}
        for place, target in enumerate(self.targets):
            mean, variance = (
                np.array([one[field][place] for one in self.json["predictions"]], dtype=np.float64)
                for field in ("mean", "variance")
            )
            noise = self.json["noise_variance"][place]
            latent = variance - noise if self.json["variance"] == "observed" else variance
            observed = np.sqrt(latent + noise)
            columns[f"{target}_mean"] = mean
            columns[f"{target}_latent_sd"] = np.sqrt(latent)
            columns[f"{target}_observed_sd"] = observed
            columns[f"{target}_low"] = mean - REACH_OF_95 * observed
            columns[f"{target}_high"] = mean + REACH_OF_95 * observed
            if truth is not None:
                columns[f"{target}_true"] = truth[:, place]
        return pandas().DataFrame(columns, index=self._index())

    @property
    def scores(self) -> pd.DataFrame:
        """Scores of the models on the test rows: rmse, coverage of 95 % intervals, and log_density.

        The index has the model (alone, at home, together, pooled), the party ("all" is their mean) and the target.
        """
        accuracy = self.json["accuracy"]
        rows: dict[tuple[str, str, str], dict[str, Optional[float]]] = {}
        for field, model in MODELS.items():
            if accuracy is None or accuracy[field] is None or (field == "at_home" and not self.json["landmarks"]):
                continue
            for target, scored in accuracy["by_target"].items():
                rows[model, "all", target] = scored[field]
            over = self.targets[0] if len(self.targets) == 1 else "all"
            rows[model, "all", over] = accuracy["calibration"][field]
            for party, rmse in zip(self.parties, accuracy.get(f"{field}_agents", [])):
                rows[model, party, over] = {"rmse": rmse}
            for party, scored in zip(self.parties, accuracy.get("by_agent", {}).get(field, [])):
                rows.update({(model, party, target): scores for target, scores in scored.items()})
        index = pandas().MultiIndex.from_tuples(rows, names=["model", "party", "target"]) if rows else None
        return pandas().DataFrame(list(rows.values()), index, ["rmse", "coverage", "log_density"], dtype=float)

    @property
    def hyperparameters(self) -> pd.DataFrame:
        """Hyperparameters for each target: those of the kernel, by input if there is one for each, and the noise.

        They are in standardised units if columns were standardised. `attrs["units"]` has the unit.
        """
        by_target = {}
        for place, target in enumerate(self.targets):
            prior = self._prior(place)
            numbers = {(name, ""): value for name, value in prior["numbers"].items() if "[" not in name}
            for column, own in (prior["by_column"] or {}).items():
                numbers.update({(name, column): value for name, value in own.items()})
            by_target[target] = {**numbers, ("noise", ""): prior["noise"]}
        index = pandas().MultiIndex.from_tuples(by_target[self.targets[0]], names=["number", "input"])
        table = pandas().DataFrame({target: list(numbers.values()) for target, numbers in by_target.items()}, index)
        table.attrs["units"] = self.json["units"]["hyperparameters"]
        return table

    @property
    def traffic(self) -> pd.Series[Any]:
        """Numbers of rounds, messages and bytes of all parties."""
        return pandas().Series(self.json["traffic"], name="traffic")

    @property
    def seconds(self) -> pd.Series[Any]:
        """Seconds of each stage."""
        return pandas().Series(self.json["seconds"], name="seconds")

    @property
    def privacy(self) -> Privacy:
        """What parties could learn from each other: a dictionary with the property `sentences`."""
        return Privacy(self.json["privacy"], self.json)

    def plot(self, target: Optional[str] = None) -> Figure:
        """Draw the figure of the report: predictions, coverage of intervals, errors and cost.

        Parameters
        ----------
        target : str, optional
            The target. The default is the first one.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        from tacit._figures import draw_simulation

        return draw_simulation(self, self.targets[0] if target is None else target)

    def _prior(self, place: int) -> dict[str, Any]:
        shared: dict[str, Any] = self.json["hyperparameters"]
        return shared["outputs"][place] if "outputs" in shared else shared  # type: ignore[no-any-return]

    def _truth(self) -> Any:
        told = self.json.get("test")
        if told:
            return None if told["targets"] is None else np.array(told["targets"], dtype=np.float64)
        if self._test is None or len(self._test) != len(self.json["predictions"]):
            return None
        columns = [self._test.columns.get(target, []) for target in self.targets]
        return None if any(isinstance(column, list) for column in columns) else np.stack(columns, axis=1)

    def _index(self) -> Any:
        told = self.json.get("test")
        indices = [self._test.index] if self._test is not None else self._rows_of
        if told and len(indices) == 1:
            rows = told["rows"]
            return rows if indices[0] is None else indices[0][rows]
        if self._test is not None and len(self._test) == len(self.json["predictions"]):
            return self._test.index
        return None

    def _lines(self) -> list[str]:
        scores = self.json["accuracy"]
        rows = sum(self.json["rows"])
        lines = [
            f"{len(self.parties):,} parties with {counted(rows, 'row')} predict "
            f"{', '.join(self.targets)} at {counted(len(self.json['predictions']), 'point')}"
        ]
        if scores:
            worth = {
                word: scores[field]
                for field, word in MODELS.items()
                if scores[field] is not None and (field != "at_home" or self.json["landmarks"])
            }
            inside = 100 * scores["calibration"]["private"]["coverage"]
            lines.append("RMSE " + ", ".join(f"{word} {value:.4g}" for word, value in worth.items()))
            lines.append(f"together, 95 % intervals cover {inside:.1f} % of the true values")
        traffic = self.json["traffic"]
        lines.append(
            f"{counted(traffic['rounds'], 'round')}, {counted(traffic['messages'], 'message')}, "
            f"{size(traffic['bytes'])}, {self.json['seconds']['total']:.3g} s"
        )
        return lines + self.privacy.sentences + self.warnings

    def __repr__(self) -> str:
        return "\n".join(["<tacit.Simulation>", *("  " + line for line in self._lines())])

    def _repr_html_(self) -> str:
        lines = "<br>".join(html.escape(line) for line in self._lines())
        try:
            scores: Any = self.scores
        except ImportError:
            return f"<p>{lines}</p>"
        if not scores.empty:
            scores = scores.xs("all", level="party")
        return f"<p>{lines}</p>" + ("" if scores.empty else str(scores.to_html(float_format="{:.4g}".format, border=0)))
