"""Conversion of keywords to the program's options."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Union

from tacit._columns import text_of
from tacit._errors import InputError
from tacit._frames import Frame
from tacit._settings import whole

Words = Union[str, Sequence[str]]
_SWITCHES = {
    "all_agents", "allow_missing_triangles", "blinding", "force", "paper", "skip_bad", "stream", "summary", "together",
    "tune_landmarks", "tune_shared", "with_experts",
}  # fmt: skip
Levels = Union[str, Sequence[str], Mapping[str, Sequence[Any]]]
"""Columns, optionally with details of each: "sex,stage:early|late" or {"stage": ["early", "late"]}."""


def arguments(**keywords: Any) -> list[str]:
    """Return the options for these keywords. Keywords that are None or False are omitted.

    Examples
    --------
    >>> arguments(test_fraction=0.3, paper=True, tune_shared=False, agents=None, tune_box=(0.1, 10))
    ['--test-fraction=0.3', '--paper', '--tune-box=0.1,10']
    >>> arguments(inputs=["age", "bmi"], categorical={"stage": ["early", "late"], "sex": []})
    ['--inputs=age,bmi', '--categorical=stage:early|late,sex']
    """
    given = []
    for keyword, value in keywords.items():
        option = "--" + keyword.replace("_", "-")
        if isinstance(value, bool) and keyword not in _SWITCHES:
            raise InputError(f"{keyword} is {value}, but takes text or a number; pass one of these or omit {keyword}")
        if value is None or value is False:
            continue
        # The "=" allows values that begin with a dash.
        given.append(option if value is True else f"{option}={_text(keyword, value)}")
    return given


def _text(keyword: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, Iterable):
        return ",".join(column_words(keyword, value))
    return text_of(value)


def column_words(keyword: str, value: Any) -> list[str]:
    """Return columns with the details of each, for settings such as `categorical`.

    >>> column_words("categorical", {"stage": ["early", "late"], "sex": []}), column_words("date", "day:weekday,born")
    (['stage:early|late', 'sex'], ['day:weekday', 'born'])
    """
    if isinstance(value, str):
        return value.split(",")
    if isinstance(value, Mapping):
        return [_with_words(keyword, column, words) for column, words in value.items()]
    if isinstance(value, Iterable):
        return [_listed(keyword, one) for one in value]
    raise InputError(f"{keyword} is {value!r}, but must be names of columns, or a dictionary with details of each")


def typed(given: Mapping[str, Any], names: Sequence[str] = ("inputs", "variables")) -> dict[str, Any]:
    """Return the settings with names and columns as lists of text. The engine checks all other values.

    >>> typed({"inputs": "age, bmi", "missing_value": {"chol": [0]}, "agents": 5})
    {'inputs': ['age', 'bmi'], 'missing_value': ['chol:0'], 'agents': 5}
    """
    out = dict(given)
    for name in out.keys() & names:
        out[name] = [text_of(one) for one in words_of(out[name])]
    for name in {"categorical", "date", "missing_value"} & out.keys():
        out[name] = column_words(name, out[name])
    if "n_restarts_optimizer" in out:
        out["restarts"] = whole("n_restarts_optimizer", out.pop("n_restarts_optimizer"), 0, 1000)
    return out


def _listed(keyword: str, one: Any) -> str:
    text = text_of(one)
    if "," in text:
        raise InputError(f"{keyword}: '{text}' has a comma, which separates names; rename the column")
    return text


def _with_words(keyword: str, column: str, words: Sequence[Any]) -> str:
    if ":" in _listed(keyword, column):
        raise InputError(f"{keyword}: the name of column '{column}' has a colon, which precedes levels; rename it")
    texts = [_listed(f"{keyword}, column '{column}'", word) for word in words]
    for text in texts:
        if "|" in text or not text.strip():
            raise InputError(f"{keyword}, column '{column}': '{text}' is blank or has a |; rename it")
    return column + (":" + "|".join(texts) if texts else "")


def words_of(said: Optional[Words]) -> list[str]:
    """Return a list of names, from a sequence or from comma-separated text.

    >>> words_of("age, bmi"), words_of(["age", "bmi"]), words_of(None)
    (['age', 'bmi'], ['age', 'bmi'], [])
    """
    if said is None:
        return []
    return [word.strip() for word in said.split(",")] if isinstance(said, str) else [str(word) for word in said]


def by_column(said: Optional[Levels]) -> dict[str, list[Any]]:
    """Return the columns with the details of each.

    >>> by_column("sex,stage:early|late")
    {'sex': [], 'stage': ['early', 'late']}
    """
    if isinstance(said, Mapping):
        return {str(column): list(words) for column, words in said.items()}
    out: dict[str, list[Any]] = {}
    for word in words_of(said):
        column, _, levels = word.partition(":")
        out[column.strip()] = levels.split("|") if levels else []
    return out


def declared(
    frames: Sequence[Frame], inputs: Sequence[str], categorical: Optional[Levels], date: Optional[Levels]
) -> dict[str, Optional[dict[str, list[Any]]]]:
    """Return which inputs are categories and dates. Columns that are not listed are taken from the tables.

    Examples
    --------
    >>> from tacit._frames import frame_of
    >>> one = frame_of({"ward": ["north", "south", "north"], "age": [61, 48, 52]})
    >>> declared([one], ["ward", "age"], None, None)
    {'categorical': {'ward': []}, 'date': None}
    """
    categories, dates = by_column(categorical), by_column(date)
    for column in inputs:
        if column in categories or column in dates:
            continue
        if any(column in frame.dates for frame in frames):
            dates[column] = []
        elif any(column in frame.levels for frame in frames):
            categories[column] = _levels(column, frames)
    return {"categorical": categories or None, "date": dates or None}


def _levels(column: str, frames: Sequence[Frame]) -> list[str]:
    """Return the levels that all tables declare, in their order. The list is empty if only the data determine them."""
    all_of_them: dict[str, None] = {}
    for frame in frames:
        levels = frame.levels.get(column, [])
        if not levels:
            refuse_doubtful(column, frame, f"categorical=['{column}']")
        if not levels or any(set(level) & set(",|") or not level.strip() for level in levels):
            return []
        all_of_them.update(dict.fromkeys(levels))
    return list(all_of_them)


def refuse_doubtful(column: str, frame: Frame, how_to_insist: str) -> None:
    """Raise InputError for text that may not be categories. A wrong guess would go unnoticed."""
    cells = [cell for cell in frame.columns.get(column, []) if isinstance(cell, str) and cell]
    insist = f"or use {how_to_insist} if these are categories"
    if column in frame.mixed:
        raise InputError(f"column '{column}' mixes numbers and text; make all cells numbers, {insist}")
    if cells and all(_is_number(cell) for cell in cells):
        raise InputError(
            f"column '{column}' has numbers that are stored as text; convert them (pandas.to_numeric), {insist}"
        )
    if len(cells) > 20 and len(set(cells)) == len(cells):
        raise InputError(
            f"column '{column}' has a different text in each of {len(cells)} rows, like an identifier; remove the "
            f"column, {insist}"
        )


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
