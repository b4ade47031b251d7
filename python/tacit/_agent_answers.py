"""What an agent answers."""
from __future__ import annotations

from typing import Any, Optional

from tacit._result import Reportable, Result, counted


class Status(Result):
    """What an agent is doing, and which others it can reach."""

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
        model = f"model version {self.model['version']}" if self.model else "no model yet: fit() asks for one"
        down = f"down: {', '.join(self.down)}" if self.down else ""
        return [
            f"{self.name} of {self.title!r}: {counted(self.rows, 'row')}, {self.holdout_rows} held out",
            model,
            "; ".join(filter(None, [f"reaches {', '.join(self.up) or 'nobody'}", down])),
            *([f"now: {self.running}"] if self.running else []),
            *self.notes,
        ]


class Fit(Result):
    """A model that was fitted to the data of all agents in `roster`."""

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
            lines.append(f"{counted(pooled['opened'], 'number')} opened, {share:.0f} % of what the rows hold")
        return lines + self.notes


class Evaluation(Result, Reportable):
    """How good predictions are on rows whose targets are known."""

    rows: int
    rmse: Optional[float]
    log_density: Optional[float]
    inputs_shown: bool

    def _lines(self) -> list[str]:
        shown = "all agents have seen the rows' inputs" if self.inputs_shown else "the rows were shown to nobody"
        inside = self.json.get("coverage")
        return [
            f"{counted(self.rows, 'row')}: RMSE {_short(self.rmse)}, mean log density {_short(self.log_density)}",
            *([] if inside is None else [f"{100 * inside:.1f} % within the 95 % interval"]),
            shown,
        ]


class Charter(Result):
    """The agreement between agents; `fields` has all that it says."""

    hash: str
    number: int
    signed: list[str]
    unsigned: list[str]
    fields: dict[str, str]

    def _lines(self) -> list[str]:
        return [
            f"{self.fields['title']!r}, number {self.number}, {self.hash[:12]}",
            f"signed by {', '.join(self.signed) or 'nobody'}",
            *([f"not signed by {', '.join(self.unsigned)}"] if self.unsigned else []),
        ]


def _short(value: Optional[float]) -> str:
    return "unknown" if value is None else f"{value:.4g}"
