"""Results of commands."""
from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Union

from tacit import _core


class Result:
    """A result with the fields of the program's answer as attributes. `json` is the complete answer."""

    def __init__(self, json: dict[str, Any]) -> None:
        self.json = json

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self.__dict__.get("json", {}):
            return self.json[name]
        raise AttributeError(f"{type(self).__name__} has no attribute '{name}'; its fields are {', '.join(self._fields())}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields()]

    def _fields(self) -> list[str]:
        return list(self.__dict__.get("json", {}))

    def _lines(self) -> list[str]:
        return [f"{name}: {value}" for name, value in self.json.items() if not isinstance(value, (dict, list))]

    def __repr__(self) -> str:
        return "\n".join([f"<tacit.{type(self).__name__}>", *("  " + line for line in self._lines())])


class Reportable:
    """A result that can be written as a report."""

    json: dict[str, Any]

    def report(self, file: Union[str, os.PathLike[str]]) -> None:
        """Write the result as one HTML file, which needs no network and no other file.

        Parameters
        ----------
        file : str or path-like
            The file to write. An existing file is overwritten.
        """
        with tempfile.TemporaryDirectory() as folder:
            result = Path(folder) / "result.json"
            result.write_text(json.dumps(self.json), encoding="utf-8")
            _core.call(["report", str(result), "--out", os.fspath(file)], {}, None)


def counted(number: int, word: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "row"), counted(12345, "row")
    ('1 row', '12,345 rows')
    """
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def size(count: float) -> str:
    """Return a number of bytes as text with a unit.

    >>> size(512), size(1_153_602)
    ('512 bytes', '1.15 MB')
    """
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 999.5:
            break
        count /= 1000
    else:
        unit = "TB"
    return f"{count:.3g} {unit}"
