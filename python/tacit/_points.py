"""Rows to predict, and tables of their predictions."""
from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from tacit import _core
from tacit._errors import InputError, TacitWarning, pandas
from tacit._options import Words, arguments, words_of
from tacit._parties import Parties
from tacit._progress import Told
from tacit._result import counted

if TYPE_CHECKING:
    import pandas as pd

Where = Union[str, os.PathLike[str]]
SAID = ("mean", "latent_sd", "observed_sd", "low", "high")


class Points:
    """A table or file of rows, for the program's option --input."""

    def __init__(self, given: Any, columns: Optional[Sequence[str]] = None) -> None:
        self._given = given
        self._parties = Parties(columns)
        self._frame = self._parties.add("input", "rows", given)
        self.frames = self._parties.frames
        self.refused = {} if self._frame is None else self._frame.refused
        self._ids: list[str] = []

    def asked(self, id: Optional[Words], together: bool, skip_bad: bool) -> list[str]:
        """Return the options for these rows."""
        self._ids = words_of(id)
        for name in self._ids:
            if self._frame is not None and name not in (*self._frame.columns, *self.refused):
                raise InputError(f"id: there is no column '{name}'; the columns are {', '.join(self._frame.columns)}")
        ids = (self._ids or None) if self._frame is None else None  # only the program can read them from a file
        [source] = self._parties.sources["input"]
        return arguments(input=source, id=ids, together=together, skip_bad=skip_bad)

    def table(self, found: dict[str, Any]) -> pd.DataFrame:
        """Return the predictions with the index of the rows."""
        answer: dict[str, Any] = {}
        for name in self._ids:
            in_file = [row["id"][name] for row in found["predictions"]] if self._frame is None else None
            answer[name] = self._cells(name) if in_file is None else in_file
        for place, target in enumerate(found["targets"]):
            for said in SAID:
                cells = [np.nan if row[said] is None else row[said][place] for row in found["predictions"]]
                answer[f"{target}_{said}"] = np.array(cells, dtype=np.float64)
        out: pd.DataFrame = pandas().DataFrame(answer, index=None if self._frame is None else self._frame.index)
        out.attrs.update({key: value for key, value in found.items() if key not in ("predictions", "targets")})
        return out

    def _cells(self, name: str) -> Any:
        """Return the cells of the original table, so that a patient's number stays a number."""
        try:
            cells = self._given[name]
        except (KeyError, IndexError, TypeError):  # an array with columns=, or a name that is not text
            return self._frame.columns[name]  # type: ignore[union-attr]
        return getattr(cells, "array", cells)


class SavedModel:
    """A model in a file that `Agent.export` has written. It predicts without an agent and without a network.

    Parameters
    ----------
    path : str or path-like
        The file.

    Examples
    --------
    >>> import tacit
    >>> model = tacit.SavedModel("model.tacit")   # doctest: +SKIP
    >>> model.predict(new_patients)               # doctest: +SKIP
    """

    def __init__(self, path: Where) -> None:
        self.path = Path(path)

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return f"tacit.SavedModel({str(self.path)!r})"

    def predict(
        self, frame: Any, id: Optional[Words] = None, skip_bad: bool = False, *, columns: Optional[Sequence[str]] = None
    ) -> pd.DataFrame:
        """Predict each row of a table or file, like `Agent.predict` at home.

        Parameters
        ----------
        frame, id, skip_bad, columns
            See `Agent.predict`.

        Returns
        -------
        pandas.DataFrame
            See `Agent.predict`.
        """
        points = Points(frame, columns)
        asked = points.asked(id, False, skip_bad)
        found = call(["predict", *arguments(model=self.path), *asked, "--json"], points, None)
        warn_of_skipped(found["skipped"])
        return points.table(found)


def call(asked: Sequence[str], points: Optional[Points], tell: Optional[Told]) -> dict[str, Any]:
    """Run a command. If it fails, add the columns that were left out to the error message."""
    if points is None:
        return _core.call(asked, {}, tell)
    try:
        return _core.call(asked, points.frames, tell)
    except InputError as error:
        if not points.refused:
            raise
        raise InputError("\n".join([str(error), "Left out:", *points.refused.values()])) from None


def warn_of_skipped(rows: int) -> None:
    """Warn if rows have no prediction."""
    if rows:
        note = f"{counted(rows, 'row')} without a prediction, because a cell cannot be used"
        warnings.warn(note, TacitWarning, stacklevel=3)
