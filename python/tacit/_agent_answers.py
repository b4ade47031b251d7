"""Answers of an agent."""
from __future__ import annotations

from typing import Any, Optional

from tacit._result import Reportable, Result, counted


class Status(Result):
    """What an agent is doing, and which other agents it can reach."""

    name: str
    title: str
    rows: int
    holdout_rows: int
    model: Optional[dict[str, Any]]
    rows_changed: bool
    notes: list[str]
    peers: list[dict[str, Any]]
    running: str

    @property
    def up(self) -> list[str]:
        """Neighbours that can be reached now."""
        return [peer["name"] for peer in self.peers if peer["up"]]

    @property
    def down(self) -> list[str]:
        """Neighbours that cannot be reached now."""
        return [peer["name"] for peer in self.peers if peer["neighbour"] and not peer["up"]]

    def _lines(self) -> list[str]:
        model = f"model version {self.model['version']}" if self.model else "no model yet; fit() requests one"
        down = f"down: {', '.join(self.down)}" if self.down else ""
        return [
            f"{self.name} of {self.title!r}: {counted(self.rows, 'row')}, {self.holdout_rows} held out",
            model,
            "; ".join(filter(None, [f"reaches {', '.join(self.up) or 'no neighbour'}", down])),
            *([f"running: {self.running}"] if self.running else []),
            *self.notes,
        ]


class Fit(Result):
    """A model fitted to the data of all agents in `roster`."""

    model: dict[str, Any]
    roster: list[str]
    without: list[str]
    notes: list[str]

    def _lines(self) -> list[str]:
        lines = [f"model version {self.model['version']} on the data of {', '.join(self.roster)}"]
        if self.without:
            lines.append(f"without {', '.join(self.without)}")
        pooled = self.model.get("pooled")
        if pooled:
            share = 100 * pooled["opened"] / pooled["held"]
            lines.append(f"{counted(pooled['opened'], 'number')} opened, {share:.0f} % of the numbers in the rows")
        return lines + self.notes


class Evaluation(Result, Reportable):
    """Scores of predictions on rows with known targets."""

    rows: int
    rmse: Optional[float]
    log_density: Optional[float]
    inputs_shown: bool

    def _lines(self) -> list[str]:
        shown = "all agents saw the inputs of these rows" if self.inputs_shown else "no other agent saw these rows"
        inside = self.json.get("coverage")
        return [
            f"{counted(self.rows, 'row')}: RMSE {_short(self.rmse)}, mean log density {_short(self.log_density)}",
            *([] if inside is None else [f"95 % intervals cover {100 * inside:.1f} %"]),
            shown,
        ]


class Charter(Result):
    """The agreement between the agents. `fields` has its complete content."""

    hash: str
    number: int
    signed: list[str]
    unsigned: list[str]
    fields: dict[str, str]

    def _lines(self) -> list[str]:
        return [
            f"{self.fields['title']!r}, number {self.number}, {self.hash[:12]}",
            f"signed by {', '.join(self.signed) or 'no member'}",
            *([f"not signed by {', '.join(self.unsigned)}"] if self.unsigned else []),
        ]


def _short(value: Optional[float]) -> str:
    return "unknown" if value is None else f"{value:.4g}"
