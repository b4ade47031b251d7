"""Asking a running agent."""
from __future__ import annotations

import tomllib
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from tacit import _core
from tacit._agent_answers import Charter, Evaluation, Fit, Status
from tacit._errors import InputError, TacitWarning, pandas
from tacit._options import Words, arguments, words_of
from tacit._points import Points, SavedModel, Where, call, warn_of_skipped
from tacit._progress import shown

if TYPE_CHECKING:
    import pandas as pd


class Agent:
    """Your own agent, which runs on this machine.

    Parameters
    ----------
    path
        Its agent.toml, the folder of that file, or its control socket.

    Examples
    --------
    >>> import tacit
    >>> agent = tacit.Agent("hospital-1")                            # doctest: +SKIP
    >>> agent.fit()                                                  # doctest: +SKIP
    >>> agent.predict(new_patients)[["y_mean", "y_low", "y_high"]]   # doctest: +SKIP
    """

    def __init__(self, path: Where = "agent.toml") -> None:
        self.path = Path(path)

    def __repr__(self) -> str:
        return f"tacit.Agent({str(self.path)!r})"

    def status(self) -> Status:
        """What the agent is doing, and which others it can reach.

        Returns
        -------
        Status
            The program's answer, with its fields as attributes.
        """
        return Status(self._ask("status"))

    def fit(self, without: Words = (), progress: Optional[bool] = None) -> Fit:
        """Asks all agents for a model of their data.

        Parameters
        ----------
        without
            Members to leave out; every owner must allow it.
        progress
            Whether to show a bar; only on terminals and in notebooks when left out.

        Returns
        -------
        Fit
            The program's answer, with its fields as attributes.
        """
        found = Fit(self._ask("fit", *arguments(without=words_of(without) or None), progress=progress))
        for note in found.notes:
            warnings.warn(note, TacitWarning, stacklevel=2)
        return found

    def predict(
        self,
        frame: Any,
        together: bool = False,
        id: Optional[Words] = None,
        skip_bad: bool = False,
        *,
        columns: Optional[Sequence[str]] = None,
        progress: Optional[bool] = None,
    ) -> pd.DataFrame:
        """Predicts every row of a table.

        At home, the agent answers by itself and nobody learns what was asked.

        Parameters
        ----------
        frame
            A table with the charter's input columns, or a file of them.
        together
            Ask all agents of the model, which then all see the rows.
        id
            Columns that say which row is which; they come first in the answer.
        skip_bad
            Leave rows empty that have missing cells, or values outside of what the charter says.
        columns
            Names of the columns, for an array with two dimensions.
        progress
            Whether to show a bar; only on terminals and in notebooks when left out.

        Returns
        -------
        pandas.DataFrame
            For a target y: y_mean, y_latent_sd (of the function), y_observed_sd (of a new observation), y_low and
            y_high, which hold a new observation with 95 %. Its rows are named as those of the table; `attrs` has the
            notes, and whose data answered (roster, without, at_home).
        """
        points = Points(frame, columns)
        found = self._ask("predict", *points.asked(id, together, skip_bad), points=points, progress=progress)
        warn_of_skipped(found["skipped"])
        return points.table(found)

    def evaluate(
        self,
        frame: Any = None,
        together: bool = False,
        skip_bad: bool = False,
        *,
        columns: Optional[Sequence[str]] = None,
        progress: Optional[bool] = None,
    ) -> Evaluation:
        """How good the model is: on rows that all agents hold out at home, or on a table of your own.

        Parameters
        ----------
        frame
            A table or file with inputs and targets. Targets are shown to nobody, inputs only with `together`.
        together, skip_bad, columns, progress
            As for `predict`.

        Returns
        -------
        Evaluation
            Errors, coverage and log density of the model.
        """
        points = None if frame is None else Points(frame, columns)
        asked = arguments(together=together, skip_bad=skip_bad)
        if points is not None:
            asked = points.asked(None, together, skip_bad)
        found = Evaluation(self._ask("evaluate", *asked, points=points, progress=progress))
        warn_of_skipped(found.json.get("skipped", 0))
        return found

    def ledger(self, since: Any = None, summary: bool = False) -> pd.DataFrame:
        """What the agent has taken part in, from its own file.

        Parameters
        ----------
        since
            Only runs since this day: a date, or a text such as "2026-11-16".
        summary
            Sums by month and asker instead of runs.

        Returns
        -------
        pandas.DataFrame
            A row for every run; `attrs` has the notes, the hash of the last line, and what fits have opened.

        Raises
        ------
        tacit.Error
            When a line was changed or removed.
        """
        day = None if since is None else str(since)[:10]
        found = self._ask("ledger", *arguments(since=day, summary=summary))
        rows = found.pop("summary" if summary else "runs")
        fields = ["month", "asker", "runs", "points", "opened"] if summary else None
        out: pd.DataFrame = pandas().DataFrame(rows, columns=fields)
        if "time" in out:
            out["time"] = pandas().to_datetime(out["time"])
        out.attrs.update(found)
        return out

    def charter(self) -> Charter:
        """The agreement between the agents, from the file that agent.toml names.

        Returns
        -------
        Charter
            The program's answer, with its fields as attributes.
        """
        config = self.path / "agent.toml" if self.path.is_dir() else self.path
        if config.is_socket() or not config.is_file():
            raise InputError(f"{config} is no agent.toml, which would name the charter")
        file = config.parent / str(tomllib.loads(config.read_text(encoding="utf-8"))["charter"])
        return Charter(_core.call(["charter", "show", str(file), "--json"], {}, None))

    def export(self, file: Where, experts: bool = False, force: bool = False) -> SavedModel:
        """Writes the model to a file that answers without agent and network.

        Parameters
        ----------
        file
            Only you can read it.
        experts
            With this agent's own rows, so that it answers as the agent does. Whoever has the file has the rows.
        force
            Overwrite the file.

        Returns
        -------
        SavedModel
            The model in the file.
        """
        found = self._ask("export", *arguments(out=file, with_experts=experts, force=force))
        for note in found.get("notes", []):
            warnings.warn(note.removeprefix("warning: "), TacitWarning, stacklevel=2)
        return SavedModel(file)

    def _ask(
        self, command: str, *asked: str, points: Optional[Points] = None, progress: Optional[bool] = False
    ) -> dict[str, Any]:
        with shown(progress) as tell:
            return call([command, *arguments(agent=self.path), *asked, "--json"], points, tell)
