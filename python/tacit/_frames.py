"""What people have (tables of pandas, arrays, dictionaries) as columns that the program reads."""
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
    """Columns by name, each of numbers (NaN is missing) or of texts ("" is missing).

    Attributes
    ----------
    columns
        Arrays of float64, which are not copied where they were that already, or lists of texts.
    levels
        Columns that are categories, with their levels; with none where only the data tell them.
    dates
        Columns of dates, as texts such as 2024-12-31.
    index
        What names the rows in a table of pandas; else None.
    refused
        Columns that cannot be used and were left out, each with the reason.
    mixed
        Columns that have numbers beside texts.
    """

    columns: dict[str, Column]
    levels: dict[str, list[str]] = field(default_factory=dict)
    dates: tuple[str, ...] = ()
    index: Any = None
    refused: dict[str, str] = field(default_factory=dict)
    mixed: frozenset[str] = frozenset()

    def require(self, names: Iterable[str]) -> None:
        """Says what is wrong with those of the columns that cannot be used."""
        for name in names:
            if name in self.refused:
                raise InputError(self.refused[name])

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))


def frame_of(data: Any, columns: Optional[Sequence[str]] = None, lenient: bool = False) -> Frame:
    """Takes a table in.

    Parameters
    ----------
    data
        A DataFrame of pandas, a dictionary of columns, a structured array, or an array with two dimensions.
    columns
        The names of the columns, for an array with two dimensions.
    lenient
        Leave columns out that cannot be used; nobody may need them.

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
            raise InputError(f"column '{name}' is there twice; rename one of them")
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
    """Whether `frame_of` takes it: a table, and not a file's name or several tables.

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
        raise InputError("columns= names the columns of an array with two dimensions; this table names its own")
    if _is_table(data):
        if data.columns.nlevels > 1:
            raise InputError(
                "the columns have names of several parts (a MultiIndex); give each one name, for example by "
                "data.columns = ['_'.join(map(str, name)) for name in data.columns]"
            )
        return ((name, data.iloc[:, place]) for place, name in enumerate(data.columns))
    if isinstance(data, Mapping):
        return iter(data.items())
    if isinstance(data, np.ndarray) and data.dtype.names is not None:
        return ((name, data[name]) for name in data.dtype.names)
    if isinstance(data, np.ndarray) and data.ndim == 2:
        if columns is None or isinstance(columns, str) or len(columns) != data.shape[1]:
            raise InputError(f"the array has {data.shape[1]} columns; give as many names, columns=['age', ...]")
        return ((name, data[:, place]) for place, name in enumerate(columns))
    raise InputError(
        f"a {type(data).__name__} is no table; give a DataFrame, a dictionary of columns, or an array with "
        "two dimensions and columns="
    )


def _name(key: Any) -> str:
    if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
        return str(int(key))
    if not isinstance(key, str):
        raise InputError(f"{key!r} is no name of a column; names are texts")
    if not key.strip():
        raise InputError("a column has no name; name it or leave it out")
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
