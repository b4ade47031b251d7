"""Inputs of the estimators in the form that the engine takes: named columns, with categories as zeros and ones."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from sklearn.utils import check_array

from tacit._arrays import Numbers, array_of, numbers_of
from tacit._columns import Column, text_of
from tacit._errors import InputError
from tacit._frames import Frame, frame_of
from tacit._options import refuse_doubtful


def is_table(data: Any) -> bool:
    """Return whether the data have named columns, like a DataFrame."""
    return hasattr(data, "columns") and hasattr(data, "iloc")


@dataclass(frozen=True)
class Inputs:
    """The columns of a fit: their names, and the levels of categories."""

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]  # empty for a column of numbers
    named: bool  # whether the table has column names

    @classmethod
    def of(cls, data: Any) -> Inputs:
        """Return the columns of a table or an array."""
        if not is_table(data):
            return cls(tuple(f"x{place}" for place in range(np.shape(data)[1])), ((),) * np.shape(data)[1], False)
        frame = frame_of(data)
        _refuse_dates(frame)
        levels = (_levels(name, frame) if name in frame.levels else () for name in frame.columns)
        return cls(tuple(frame.columns), tuple(levels), True)

    @property
    def model_names(self) -> list[str]:
        """Names of the model's inputs, with one input for each level of a category."""
        return [
            name if not level else f"{name}={level}"
            for name, levels in zip(self.names, self.levels)
            for level in (levels or ("",))
        ]

    @property
    def with_levels(self) -> list[tuple[str, list[str]]]:
        """The columns with their levels, as the engine takes them."""
        return [(name, list(levels)) for name, levels in zip(self.names, self.levels)]

    def matrix(self, data: Any, what: str = "X", least_rows: int = 1) -> Numbers:
        """Return the rows as numbers. Numbers are not copied.

        Examples
        --------
        >>> import pandas
        >>> table = pandas.DataFrame({"age": [61.0, 48.0], "ward": ["north", "south"]})
        >>> inputs = Inputs.of(table)
        >>> inputs.matrix(table)
        array([[61.,  1.,  0.],
               [48.,  0.,  1.]])
        """
        if not any(self.levels):
            whole = plain(data, what, least_rows)
            _refuse_gaps(whole, self.names, what)
            return whole
        frame = frame_of(data) if is_table(data) else frame_of(np.asarray(data, dtype=object), self.names)
        out = np.empty((len(frame), len(self.model_names)), order="F")
        at = 0
        for name, levels in zip(self.names, self.levels):
            width = len(levels) or 1
            if levels:
                out[:, at : at + width] = _zeros_and_ones(name, frame.columns[name], levels)
            else:
                column = frame.columns[name]
                if isinstance(column, list):
                    raise InputError(f"column '{name}' has text, but had numbers in fit; convert it to numbers")
                out[:, at] = column
                _refuse_gaps(out[:, at : at + 1], [name], what)
            at += width
        return out


def plain(data: Any, what: str, least_rows: int = 1) -> Numbers:
    """Return the data as a two-dimensional array of numbers, some of which may be missing."""
    if is_table(data):
        frame = frame_of(data)  # its errors name the column
        _refuse_dates(frame)
        for name, column in frame.columns.items():
            if isinstance(column, list):
                raise InputError(f"column '{name}' has text, but had numbers in fit; convert it to numbers")
    else:
        data = array_of(data, what)
        if data.dtype.kind not in "fiub":
            data = numbers_of(data, [f"x{place}" for place in range(data.shape[1])], what)
    try:
        whole: Numbers = check_array(
            data, dtype=np.float64, force_all_finite=False, ensure_min_samples=least_rows, estimator=what
        )
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None
    return whole


def targets(y: Any, rows: int) -> tuple[Numbers, list[str], bool]:
    """Return the targets as columns, their names, and whether y had a single value per row."""
    if y is None:
        raise InputError("requires y to be passed, but the target y is None; pass the target values")
    if hasattr(y, "iloc"):
        single = not is_table(y)
        whole, names = _named_targets(y.to_frame("y" if y.name is None else y.name) if single else y)
    else:
        array = array_of(y, "y", dimensions=(1, 2))
        single = array.ndim == 1
        whole = array.reshape(-1, 1) if single else array
        names = ["y"] if whole.shape[1] == 1 else [f"y{place}" for place in range(whole.shape[1])]
        if whole.shape[1] == 0:
            raise InputError("y has no columns; pass one value per row, or one column per target")
        whole = whole.astype(np.float64, copy=False) if whole.dtype.kind in "fiub" else numbers_of(whole, names, "y")
    if len(whole) != rows:
        raise InputError(f"X has {rows} rows but y has {len(whole)}: inconsistent numbers of samples; pass one value of y per row")
    _refuse_gaps(whole, names, "y")
    return whole, names, single


def _named_targets(table: Any) -> tuple[Numbers, list[str]]:
    try:
        frame = frame_of(table)
        _refuse_dates(frame)
    except InputError as error:
        raise InputError(f"y: {error}") from None
    for name, column in frame.columns.items():
        if isinstance(column, list):
            raise InputError(f"y: column '{name}' has text; targets must be numbers")
    return np.column_stack(list(frame.columns.values())), list(frame.columns)


def split_off(X: Any, y: Any) -> tuple[Any, Any]:
    """Return the rows and the targets. If y names columns of the table, these are split off."""
    if not (isinstance(y, str) or (isinstance(y, (list, tuple)) and y and all(isinstance(one, str) for one in y))):
        return X, y
    if not is_table(X):
        raise InputError("y names columns, but X has no column names; pass a DataFrame, or the values of y")
    names = [y] if isinstance(y, str) else list(y)
    for name in names:
        if name not in X.columns:
            there = ", ".join(map(str, X.columns))
            raise InputError(f"there is no column '{name}' to predict; the columns are {there}")
        if list(X.columns).count(name) > 1:
            raise InputError(f"column '{name}' appears twice; rename one of them")
        if names.count(name) > 1:
            raise InputError(f"y names column '{name}' twice; name it once")
    return X.drop(columns=names), X[y if isinstance(y, str) else names]


def _refuse_dates(frame: Frame) -> None:
    for name in frame.dates:
        raise InputError(f"column '{name}' has dates; use numbers, such as days since a fixed day")


def _refuse_gaps(whole: Numbers, names: Sequence[str], what: str) -> None:
    with np.errstate(all="ignore"):
        if np.isfinite(whole.sum()):  # the sum needs no memory; the search below runs only for an invalid table
            return
    for place, name in enumerate(names):
        bad = np.flatnonzero(~np.isfinite(whole[:, place]))
        if len(bad):
            value = whole[bad[0], place]
            kind = "NaN" if np.isnan(value) else "inf"
            others = f", and {len(bad) - 1} more such rows" if len(bad) > 1 else ""
            raise InputError(
                f"{what} contains {kind}: column '{name}', row {bad[0]} (counting from 0){others}; fill in numbers, or "
                "remove these rows"
            )


def _levels(name: str, frame: Frame) -> tuple[str, ...]:
    levels = frame.levels[name]
    if not levels:
        refuse_doubtful(name, frame, f".astype({{'{name}': 'category'}})")
        levels = sorted({str(cell) for cell in frame.columns[name] if cell != ""}, key=level_order)
    if len(levels) > 1000:
        raise InputError(f"column '{name}' has {len(levels)} different texts, too many for a category; remove it")
    return tuple(levels)


def level_order(level: str) -> tuple[bool, float, bytes]:
    """Sort key of the program for levels: numbers first, by value, then the others by their bytes."""
    try:
        return (False, float(level), level.encode())
    except ValueError:
        return (True, 0.0, level.encode())


def _zeros_and_ones(name: str, column: Column, levels: tuple[str, ...]) -> Numbers:
    places = {level: place for place, level in enumerate(levels)}
    out = np.zeros((len(column), len(levels)))
    for row, cell in enumerate(column):
        text = cell if isinstance(cell, str) else text_of(cell)
        place: Optional[int] = places.get(text)
        if place is None:
            raise InputError(
                f"column '{name}', row {row} (counting from 0): {'missing' if text == '' else repr(text)} is not one "
                f"of the levels {', '.join(levels)}; correct it, or remove this row"
            )
        out[row, place] = 1
    return out
