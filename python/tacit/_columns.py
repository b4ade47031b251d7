"""Conversion of one table column, of any type, to numbers or text."""
from __future__ import annotations

import datetime
import decimal
import numbers
from typing import Any, Optional, Union

import numpy as np

from tacit._errors import InputError

Column = Union["np.ndarray[Any, np.dtype[np.float64]]", "list[str]"]


def is_missing(cell: Any) -> bool:
    """Return whether the cell has no value."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, (float, np.floating, np.datetime64)) and bool(cell != cell)


def text_of(cell: Any) -> str:
    """Return a cell as text. Whole numbers have no decimal point, as in the names of levels.

    >>> [text_of(cell) for cell in (3.0, 2.5, "late", None)]
    ['3', '2.5', 'late', '']
    """
    if is_missing(cell):
        return ""
    if isinstance(cell, (bool, np.bool_)):
        return str(int(cell))
    if isinstance(cell, numbers.Real) and float(cell).is_integer():
        return str(int(cell))
    return repr(float(cell)) if isinstance(cell, (float, np.floating)) else str(cell)


class Taken:
    """One column: its values, its levels if it is a category, and whether it has dates or mixes numbers and text."""

    def __init__(self, name: str, values: Any) -> None:
        self.name = name
        self.levels: Optional[list[str]] = None
        self.date = False
        self.mixed = False
        if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
            raise self._refused(f"is a single {type(values).__name__}", "pass one value per row")
        if hasattr(values, "categories") or hasattr(getattr(values, "dtype", None), "categories"):
            self.values = self._category(values)
            return
        array = values if hasattr(values, "dtype") else self._array(values)
        if getattr(array, "ndim", 1) != 1:
            raise self._refused("has several values per row", "use a separate column for each")
        self.values = self._by_kind(array)

    def _refused(self, what: str, advice: str) -> InputError:
        return InputError(f"column '{self.name}' {what}; {advice}")

    def _array(self, values: Any) -> Any:
        try:
            array = np.asarray(values)
        except ValueError:
            array = np.empty(0)
        # NumPy would convert numbers next to text to text.
        return array if array.ndim == 1 and array.dtype.kind not in "US" else _objects(values)

    def _by_kind(self, array: Any) -> Column:
        kind = getattr(array.dtype, "kind", "O")
        if kind == "b":
            self.levels = ["0", "1"]
        if kind in "fiub":
            return _numbers(array)
        if kind == "M":
            self.date = True
            return _dates(array)
        if kind == "c":
            raise self._refused("has complex numbers", "use separate columns for real and imaginary parts")
        if kind == "m":
            raise self._refused("has time spans", "convert them to numbers, such as days")
        if kind == "S":
            raise self._refused("has bytes", "decode them to text")
        return self._mixed(list(array))

    def _category(self, values: Any) -> Column:
        categories = getattr(values, "cat", values)
        names = list(categories.categories)
        self.levels = [text_of(name) for name in names]
        codes = np.asarray(categories.codes)
        if all(isinstance(name, (numbers.Real, np.bool_)) for name in names):
            values_of: Column = np.array([*map(float, names), np.nan])[codes]
            return values_of
        words = [*self.levels, ""]
        return [words[code] for code in codes]

    def _mixed(self, cells: list[Any]) -> Column:
        there = [cell for cell in cells if not is_missing(cell)]
        if there and all(isinstance(cell, (bool, np.bool_)) for cell in there):
            self.levels = ["0", "1"]
        if all(isinstance(cell, (numbers.Real, decimal.Decimal, np.bool_)) for cell in there):
            return np.array([np.nan if is_missing(cell) else float(cell) for cell in cells])
        if all(isinstance(cell, (datetime.date, np.datetime64)) for cell in there):
            self.date = True
            return ["" if is_missing(cell) else _iso(cell) for cell in cells]
        for cell in there:
            if not isinstance(cell, (str, numbers.Real)):
                raise self._refused(f"has a cell of type {type(cell).__name__}", "use numbers, text or dates")
        self.levels = []
        self.mixed = not all(isinstance(cell, str) for cell in there)
        return [text_of(cell) for cell in cells]


def _objects(values: Any) -> Any:
    out = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        out[place] = value
    return out


def _numbers(array: Any) -> Column:
    if isinstance(array, np.ma.MaskedArray):
        return np.where(np.ma.getmaskarray(array), np.nan, array.data)  # type: ignore[no-untyped-call]
    if hasattr(array, "to_numpy") and not isinstance(array.dtype, np.dtype):
        taken: Column = array.to_numpy(dtype=np.float64, na_value=np.nan)  # extension types of pandas, which can have missing cells
        return taken
    return np.asarray(array, dtype=np.float64)


def _iso(moment: Any) -> str:
    return str(moment) if isinstance(moment, np.datetime64) else str(moment.isoformat())


def _dates(array: Any) -> list[str]:
    if not isinstance(array.dtype, np.dtype):  # of pandas, with a time zone
        return ["" if is_missing(moment) else _iso(moment) for moment in array]
    moments = np.asarray(array)
    there = moments[~np.isnat(moments)]
    whole = bool((there == there.astype("M8[D]")).all())
    words = np.datetime_as_string(moments.astype("M8[D]" if whole else "M8[us]"))
    return ["" if word == "NaT" else str(word) for word in words]
