"""Client for a running agent."""
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
    """Client for your own agent, which runs on this machine.

    Parameters
    ----------
    path : str or path-like, default="agent.toml"
        The agent's `agent.toml`, the folder that contains this file, or the agent's control socket.

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
        """Report what the agent is doing and which other agents it can reach.

        Returns
        -------
        Status
            The agent's answer, with its fields as attributes.
        """
        return Status(self._ask("status"))

    def fit(self, without: Words = (), progress: Optional[bool] = None) -> Fit:
        """Ask all agents to fit a model to their data.

        Parameters
        ----------
        without : str or sequence of str, default=()
            Members to exclude. Every owner must allow this.
        progress : bool, optional
            Whether to show a progress bar. The default is to show it on terminals and in notebooks only.

        Returns
        -------
        Fit
            The agent's answer, with its fields as attributes.
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
        """Predict each row of a table.

        By default, the agent predicts at home: it asks no other agent, so no other agent learns the question.

        Parameters
        ----------
        frame : DataFrame, dict, array, str or path-like
            A table with the charter's input columns, or the name of a file with these columns.
        together : bool, default=False
            Ask all agents of the model. All of them then see the rows.
        id : str or sequence of str, optional
            Columns that identify the rows. They come first in the result.
        skip_bad : bool, default=False
            Leave the result empty for rows with missing cells or with values that the charter does not allow.
        columns : sequence of str, optional
            Column names of a two-dimensional array.
        progress : bool, optional
            Whether to show a progress bar. The default is to show it on terminals and in notebooks only.

        Returns
        -------
        pandas.DataFrame
            One row for each row of `frame`, with the same index. For a target y the columns are y_mean, y_latent_sd
            (standard deviation of the function), y_observed_sd (standard deviation of a new observation), y_low and
            y_high (95 % interval for a new observation). `attrs` has the notes and the agents whose data the
            predictions use (roster, without, at_home).
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
        """Score the model, on rows that all agents hold out at home or on a table of your own.

        Parameters
        ----------
        frame : DataFrame, dict, array, str or path-like, optional
            A table or file with inputs and targets. Other agents never see the targets. They see the inputs only with
            `together`. The default is the rows that the agents hold out.
        together, skip_bad, columns, progress
            See `predict`.

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
        """Read the agent's ledger: the runs in which the agent took part.

        Parameters
        ----------
        since : date or str, optional
            Include only runs since this day: a date, or text such as "2026-11-16".
        summary : bool, default=False
            Return totals by month and asker instead of single runs.

        Returns
        -------
        pandas.DataFrame
            One row for each run. `attrs` has the notes, the hash of the last line, and what fits have opened.

        Raises
        ------
        tacit.Error
            If a line was changed or removed.
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
        """Read the charter from the file that agent.toml names.

        Returns
        -------
        Charter
            The charter, with its fields as attributes.
        """
        config = self.path / "agent.toml" if self.path.is_dir() else self.path
        if config.is_socket() or not config.is_file():
            raise InputError(f"{config} is not an agent.toml file; only that file names the charter, so give its path")
        file = config.parent / str(tomllib.loads(config.read_text(encoding="utf-8"))["charter"])
        return Charter(_core.call(["charter", "show", str(file), "--json"], {}, None))

    def export(self, file: Where, experts: bool = False, force: bool = False) -> SavedModel:
        """Write the model to a file that can predict without an agent and without a network.

        Parameters
        ----------
        file : str or path-like
            The file to write. Only your user account can read it.
        experts : bool, default=False
            Include this agent's own rows, so that the file predicts as the agent does at home. Anyone who has the
            file then has these rows.
        force : bool, default=False
            Overwrite an existing file.

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
