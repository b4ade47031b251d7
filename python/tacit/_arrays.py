"""Conversion of arrays and lists of rows to numbers."""
from __future__ import annotations

import decimal
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from tacit._columns import is_missing
from tacit._errors import InputError

Numbers = npt.NDArray[np.float64]
Array = npt.NDArray[Any]


class _OfNoKind(InputError, TypeError):
    """Raised for cells that are neither numbers nor text. The checks of scikit-learn require a TypeError."""


def array_of(data: Any, what: str, dimensions: tuple[int, ...] = (2,)) -> Array:
    """Return the data as an array with one of these numbers of dimensions. Arrays are not copied.

    >>> array_of([1, 2], "X")
    Traceback (most recent call last):
    tacit.InputError: X has 1 dimension, but must have rows and columns (Expected 2D array). Reshape your data: X.reshape(-1, 1) for one column, X.reshape(1, -1) for one row
    """
    if issparse(data):
        raise InputError(f"{what} is a sparse matrix, which is not supported; pass {what}.toarray()")
    if data is None or isinstance(data, (str, bytes, Mapping)):
        raise InputError(f"{what} is of type {type(data).__name__}; pass a DataFrame, or an array of rows and columns")
    if isinstance(data, np.ma.MaskedArray):
        data = np.where(np.ma.getmaskarray(data), np.nan, data.data)  # type: ignore[no-untyped-call]
    array = _asarray(data, what)
    if array.dtype.names is not None:
        raise InputError(f"{what} is a structured array; pass a DataFrame, or an array of rows and columns")
    if array.dtype.kind == "c":
        raise InputError(f"{what}: Complex data not supported; use separate columns for real and imaginary parts")
    if array.ndim not in dimensions:
        raise InputError(_reshaped(what, array.ndim, dimensions))
    return array


def _asarray(data: Any, what: str) -> Array:
    try:
        array = np.asarray(data)
    except ValueError:  # of NumPy 1.24 and later, for rows of different lengths
        array = np.empty(0, dtype=object)
    if array.dtype.kind in "US" and not hasattr(data, "dtype"):
        array = np.asarray(data, dtype=object)  # keeps numbers next to text as numbers
    if array.dtype == object and array.ndim == 1 and np.ndim(array[0] if len(array) else []) > 0:
        raise InputError(f"{what} has rows of different lengths; all rows need the same columns")
    return array


def _reshaped(what: str, found: int, wanted: tuple[int, ...]) -> str:
    has = f"{what} has {found} dimension{'' if found == 1 else 's'}"
    if 1 in wanted:
        return f"{has}; pass one value per row, or one column per target"
    return (
        f"{has}, but must have rows and columns (Expected 2D array). Reshape your data: {what}.reshape(-1, 1) for one "
        f"column, {what}.reshape(1, -1) for one row"
    )


def numbers_of(array: Array, names: Sequence[str], what: str) -> Numbers:
    """Convert cells of any type to numbers. None counts as missing.

    >>> numbers_of(np.array([[1, "late"]], dtype=object), ["age", "stage"], "X")
    Traceback (most recent call last):
    tacit.InputError: X, column 'stage', row 0 (counting from 0): 'late' is text; pass numbers, or categories as columns of a DataFrame
    """
    out = np.empty(array.shape)
    for place, name in enumerate(names):
        for row, cell in enumerate(array[:, place]):
            try:
                out[row, place] = _number(cell)
            except InputError as error:
                raise type(error)(f"{what}, column '{name}', row {row} (counting from 0): {error}") from None
    return out


def _number(cell: Any) -> float:
    if is_missing(cell):
        return float("nan")
    if isinstance(cell, (numbers.Real, decimal.Decimal, np.bool_)):
        try:
            return float(cell)
        except OverflowError:
            raise InputError("the number is too large; the limit is about 1e308") from None
    if isinstance(cell, (str, bytes)):
        raise InputError(f"{str(cell)!r} is text; pass numbers, or categories as columns of a DataFrame")
    if isinstance(cell, (np.datetime64, np.timedelta64)):
        raise InputError("dates and time spans are not supported; pass a number, such as days")
    raise _OfNoKind(f"{type(cell).__name__} is not supported; argument must be a string or a real number")
