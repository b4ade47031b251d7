"""Joining the tables of several parties into one, with the party of each row."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from tacit._errors import InputError, pandas
from tacit._inputs import Inputs, is_table, split_off, targets


class Part(NamedTuple):
    """The data of one party."""

    name: str
    X: Any
    y: Any


def is_several(X: Any) -> bool:
    """Return whether X is a list or dictionary with a table for each party."""
    if issparse(X):  # one sparse format is a dictionary
        return False
    if isinstance(X, Mapping):
        return True
    return isinstance(X, (list, tuple)) and all(_is_rows(one) for one in X)


def _is_rows(one: Any) -> bool:
    try:
        return is_table(one) or np.ndim(one) == 2
    except ValueError:
        return False


def divided(X: Any, y: Any, groups: Any) -> list[Part]:
    """Return the rows and targets of each party."""
    if groups is not None:
        raise InputError("groups= divides one table among parties, but these rows are already divided")
    if len(X) < 2:
        raise InputError("a consortium needs at least two parties; pass a table for each")
    names = [str(name) for name in X] if isinstance(X, Mapping) else [f"party {place + 1}" for place in range(len(X))]
    tables = list(X.values()) if isinstance(X, Mapping) else list(X)
    for name, table in zip(names, tables):
        if names.count(name) > 1:
            raise InputError(f"two parties have the name '{name}'; rename one of them")
        if not _is_rows(table):
            raise InputError(f"'{name}' is not a table; pass a DataFrame or a two-dimensional array for each party")
    if isinstance(y, str) or (isinstance(y, (list, tuple)) and y and all(isinstance(one, str) for one in y)):
        return [_named(name, table, y) for name, table in zip(names, tables)]
    return _checked([Part(*part) for part in zip(names, tables, _by_party(y, names))])


def _named(name: str, table: Any, y: Any) -> Part:
    try:
        part = Part(name, *split_off(table, y))
    except InputError as error:
        raise InputError(f"'{name}': {error}") from None
    return _checked([part])[0]


def _by_party(y: Any, names: list[str]) -> list[Any]:
    if isinstance(y, Mapping):
        by_name = {str(name): values for name, values in y.items()}
        if set(by_name) != set(names):
            raise InputError(f"y has parties {', '.join(by_name)}, but X has {', '.join(names)}; both need the same parties")
        return [by_name[name] for name in names]
    if not isinstance(y, Sequence) or isinstance(y, str):
        raise InputError("y must be given for each party, like X: as a list, a dictionary or the name of a column")
    if len(y) != len(names):
        raise InputError(f"X has {len(names)} parties but y has {len(y)}; pass targets for each party")
    return list(y)


def _checked(parts: list[Part]) -> list[Part]:
    for name, X, y in parts:
        if len(X) == 0:
            raise InputError(f"'{name}' has no rows; remove this party")
        if np.ndim(y) == 0 or len(X) != len(y):
            count = "no list of" if np.ndim(y) == 0 else len(y)
            raise InputError(f"'{name}' has {len(X)} rows but {count} targets; pass one target per row")
    return parts


def joined(parts: list[Part]) -> tuple[Any, Any, list[str]]:
    """Return the rows of all parties in one table, their targets, and the party of each row."""
    labels = [part.name for part in parts for _ in range(len(part.X))]
    names = [part.name for part in parts]
    return _stacked(names, [part.X for part in parts]), _stacked(names, [part.y for part in parts]), labels


def blamed(error: InputError, inputs: Inputs, parts: list[Part]) -> InputError:
    """Return the error with the name of the party whose rows caused it, if there is one."""
    for name, X, y in parts:
        try:
            targets(y, len(inputs.matrix(X)))
        except InputError as own:
            return InputError(f"'{name}': {own}")
    return error


def _stacked(names: list[str], tables: list[Any]) -> Any:
    named = [hasattr(table, "iloc") for table in tables]
    if all(named):
        return pandas().concat(_alike(names, tables), ignore_index=True)
    if any(named):
        one, other = names[named.index(True)], names[named.index(False)]
        raise InputError(f"'{one}' has column names, but '{other}' has none; pass all parties' data in the same form")
    arrays = [np.asarray(table) for table in tables]
    for name, array in zip(names, arrays):
        if array.ndim != arrays[0].ndim:
            raise InputError(f"'{name}' and '{names[0]}' have targets of different shapes; all parties need the same shape")
        if array.shape[1:] != arrays[0].shape[1:]:
            has = f"'{name}' has {array.shape[1]} columns, '{names[0]}' has {arrays[0].shape[1]}"
            raise InputError(f"{has}; all parties need the same columns")
    return np.concatenate(arrays)


def _alike(names: list[str], tables: list[Any]) -> list[Any]:
    """Return the tables with all parties' categories in each, because pandas would drop differing ones."""
    if not all(is_table(table) for table in tables):
        return tables
    first = tables[0]
    for name, table in zip(names, tables):
        if list(table.columns) != list(first.columns):
            other = sorted({str(one) for one in table.columns} ^ {str(one) for one in first.columns})
            what = f"only one of them has columns {', '.join(other)}" if other else "their columns differ in order"
            if not table.columns.is_unique:
                what = f"a column of '{name}' appears twice"
            raise InputError(f"'{name}' and '{names[0]}': {what}; all parties need the same columns in the same order")
    for column in first.columns[[hasattr(kind, "categories") for kind in first.dtypes]]:
        if list(first.columns).count(column) == 1 and all(hasattr(one[column].dtype, "categories") for one in tables):
            levels = dict.fromkeys(level for one in tables for level in one[column].dtype.categories)
            tables = [one.assign(**{str(column): one[column].cat.set_categories(list(levels))}) for one in tables]
    return tables
