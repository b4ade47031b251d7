"""The parties' tables and files, for the program's options --data and --test."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional

from tacit._columns import Column, text_of
from tacit._errors import InputError
from tacit._frames import Frame, frame_of, is_frame


@dataclass
class Parties:
    """Tables by name, and the settings that refer to these tables or to files."""

    columns: Optional[Sequence[str]] = None
    sources: dict[str, list[str]] = field(default_factory=dict)
    frames: dict[str, dict[str, Column]] = field(default_factory=dict)
    tables: list[Frame] = field(default_factory=list)
    names: Optional[list[str]] = None

    def add(self, setting: str, name: str, data: Any) -> Optional[Frame]:
        """Add a table or a file for a setting. Return the table, if it is one."""
        sources = self.sources.setdefault(setting, [])
        if isinstance(data, (str, os.PathLike)):
            sources.append(os.fspath(data))
            return None
        try:
            frame = frame_of(data, self.columns if _is_plain(data) else None, lenient=True)
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
        while name in self.frames:
            name += "'"
        self.frames[name] = frame.columns
        sources.append(name)
        return frame

    def add_data(self, data: Any) -> None:
        """Add one table or file, or one for each party."""
        if isinstance(data, (str, os.PathLike)) or is_frame(data):
            parties = {"data": data}
        elif isinstance(data, Mapping):
            self.names = [str(name) for name in data]
            parties = {str(name): one for name, one in data.items()}
        elif isinstance(data, Sequence):
            parties = {f"party {number}": one for number, one in enumerate(data, 1)}
        else:
            parties = {"data": data}  # add() raises an error for it
        if not parties:
            raise InputError("there are no data; pass a table or a file, or one for each party")
        for name, one in parties.items():
            frame = self.add("data", name, one)
            if frame is not None:
                self.tables.append(frame)

    def as_texts(self, categories: Iterable[str]) -> None:
        """Convert numbers in these columns to text, because levels are compared by their characters."""
        for columns in self.frames.values():
            for name in categories:
                if not isinstance(columns.get(name, []), list):
                    columns[name] = [text_of(cell) for cell in columns[name]]

    def split_by(self, groups: Any) -> str:
        """Return the column with the party of each row. Labels are added as a column."""
        if isinstance(groups, str) and not self.tables:
            return groups
        if len(self.tables) != 1:
            raise InputError("groups= divides one table among parties, but these rows are already divided")
        table = self.tables[0]
        if isinstance(groups, str):
            if groups not in table.columns:
                raise InputError(f"groups: there is no column '{groups}'; the columns are {', '.join(table.columns)}")
            column = groups
            labels: Any = table.columns[groups]
        else:
            column = str(getattr(groups, "name", None) or "groups")
            while column in table.columns:
                column += "'"
            labels = labels_of(groups)
            if len(labels) != len(table):
                raise InputError(f"groups: there are {len(labels)} labels for {len(table)} rows; pass one label per row")
        table.columns[column] = [text_of(label) for label in labels]
        return column


def labels_of(groups: Any) -> list[str]:
    """Return the party of each row as text.

    >>> labels_of([1.0, "north", None])
    ['1', 'north', '']
    """
    if not isinstance(groups, Iterable) or isinstance(groups, (str, bytes)) or getattr(groups, "ndim", 1) != 1:
        raise InputError(
            f"groups is of type {type(groups).__name__}; pass the name of a column, or a list with one label per row"
        )
    return [text_of(label) for label in groups]


def _is_plain(data: Any) -> bool:
    return getattr(data, "ndim", 0) == 2 and not hasattr(data, "columns")
