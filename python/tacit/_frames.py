"""Conversion of pandas tables, arrays and dictionaries to columns that the program reads."""
from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np

from tacit._columns import Column, Taken
from tacit._errors import InputError


@dataclass(frozen=True)
class Frame:
    """Columns by name. Each has numbers (NaN is missing) or text ("" is missing).

    Attributes
    ----------
    columns : dict
        Arrays of float64 or lists of str. Arrays that had this type are not copied.
    levels : dict
        The categories and their levels. The list is empty if only the data determine the levels.
    dates : tuple of str
        Columns of dates, stored as text such as 2024-12-31.
    index : pandas.Index or None
        The row index of a pandas table.
    refused : dict
        Columns that were left out because they cannot be used, with the reasons.
    mixed : frozenset of str
        Columns that mix numbers and text.
    """

    columns: dict[str, Column]
    levels: dict[str, list[str]] = field(default_factory=dict)
    dates: tuple[str, ...] = ()
    index: Any = None
    refused: dict[str, str] = field(default_factory=dict)
    mixed: frozenset[str] = frozenset()

    def require(self, names: Iterable[str]) -> None:
        """Raise InputError if one of these columns cannot be used."""
        for name in names:
            if name in self.refused:
                raise InputError(self.refused[name])

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))


def frame_of(data: Any, columns: Optional[Sequence[str]] = None, lenient: bool = False) -> Frame:
    """Convert a table to a Frame.

    Parameters
    ----------
    data : DataFrame, dict or array
        A pandas DataFrame, a dictionary of columns, a structured array, or a two-dimensional array.
    columns : sequence of str, optional
        Column names of a two-dimensional array.
    lenient : bool, default=False
        Leave out columns that cannot be used instead of raising an error. They may not be needed.

    Examples
    --------
    >>> frame = frame_of({"age": [61, 48], "ward": ["north", None]})
    >>> frame.columns
    {'age': array([61., 48.]), 'ward': ['north', '']}
    >>> frame.levels
    {'ward': []}
    """
    taken: dict[str, Column] = {}
    levels: dict[str, list[str]] = {}
    dates: list[str] = []
    mixed: list[str] = []
    refused: dict[str, str] = {}
    for key, values in _columns_of(data, columns):
        name = _name(key)
        if name in taken or name in refused:
            raise InputError(f"column '{name}' appears twice; rename one of them")
        try:
            column = Taken(name, values)
        except InputError as error:
            if not lenient:
                raise
            refused[name] = str(error)
            continue
        taken[name] = column.values
        if column.levels is not None:
            levels[name] = column.levels
        if column.date:
            dates.append(name)
        if column.mixed:
            mixed.append(name)
    _check_lengths(taken, refused)
    return Frame(taken, levels, tuple(dates), data.index if _is_table(data) else None, refused, frozenset(mixed))


def is_frame(data: Any) -> bool:
    """Return whether `frame_of` accepts the data: one table, not a file name or several tables.

    >>> is_frame({"x": [1, 2]}), is_frame("visits.csv"), is_frame([{"x": [1, 2]}, {"x": [3]}])
    (True, False, False)
    """
    if isinstance(data, Mapping):
        return not any(is_frame(value) for value in data.values()) and not _names_files(data)
    return _is_table(data) or (isinstance(data, np.ndarray) and (data.ndim == 2 or data.dtype.names is not None))


def _names_files(data: Mapping[Any, Any]) -> bool:
    return bool(data) and all(isinstance(value, str) or hasattr(value, "__fspath__") for value in data.values())


def _is_table(data: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def _columns_of(data: Any, columns: Optional[Sequence[str]]) -> Iterator[tuple[Any, Any]]:
    if columns is not None and not (isinstance(data, np.ndarray) and data.ndim == 2):
        raise InputError("columns= is for two-dimensional arrays only; this table has its own column names")
    if _is_table(data):
        if data.columns.nlevels > 1:
            raise InputError(
                "the column names have several levels (a MultiIndex); give each column a single name, for example "
                "data.columns = ['_'.join(map(str, name)) for name in data.columns]"
            )
        return ((name, data.iloc[:, place]) for place, name in enumerate(data.columns))
    if isinstance(data, Mapping):
        return iter(data.items())
    if isinstance(data, np.ndarray) and data.dtype.names is not None:
        return ((name, data[name]) for name in data.dtype.names)
    if isinstance(data, np.ndarray) and data.ndim == 2:
        if columns is None or isinstance(columns, str) or len(columns) != data.shape[1]:
            raise InputError(f"the array has {data.shape[1]} columns; name each of them, as in columns=['age', ...]")
        return ((name, data[:, place]) for place, name in enumerate(columns))
    raise InputError(
        f"{type(data).__name__} is not a table; pass a DataFrame, a dictionary of columns, or a two-dimensional array "
        "with columns="
    )


def _name(key: Any) -> str:
    if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
        return str(int(key))
    if not isinstance(key, str):
        raise InputError(f"{key!r} is not a column name; names are text")
    if not key.strip():
        raise InputError("a column has no name; name it or remove it")
    return key.strip()


def _check_lengths(columns: Mapping[str, Column], refused: Mapping[str, str]) -> None:
    if not columns:
        raise InputError(next(iter(refused.values()), "the table has no columns"))
    first, rows = next((name, len(values)) for name, values in columns.items())
    for name, values in columns.items():
        if len(values) != rows:
            raise InputError(f"column '{name}' has {len(values)} rows, but '{first}' has {rows}")
    if rows == 0:
        raise InputError("the table has no rows")
