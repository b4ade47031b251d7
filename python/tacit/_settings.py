"""Checks of keyword values, which run before the engine so that errors can name the keyword."""
from __future__ import annotations

import numbers
from typing import Any, Optional

import numpy as np

from tacit._errors import InputError


def whole(name: str, value: Any, least: int, most: int) -> int:
    """Return the value as a whole number in a range.

    >>> whole("restarts", 2.0, 0, 1000)
    2
    >>> whole("restarts", -1, 0, 1000)
    Traceback (most recent call last):
    tacit.InputError: restarts is -1, but must be a whole number from 0 to 1,000
    """
    if isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_)):
        if least <= float(value) <= most and float(value).is_integer() and int(value) <= most:
            return int(value)
    raise InputError(f"{name} is {value!r}, but must be a whole number from {least:,} to {most:,}")


def number(name: str, value: Any) -> float:
    """Return the value as a number. The engine checks its range.

    >>> number("noise", "a")
    Traceback (most recent call last):
    tacit.InputError: noise is 'a', but must be a number
    """
    if isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_)):
        return float(value)
    raise InputError(f"{name} is {value!r}, but must be a number")


def number_or_none(name: str, value: Any) -> Optional[float]:
    """Return the value as a number, or None if there is none."""
    return None if value is None else number(name, value)


def switch(name: str, value: Any) -> bool:
    """Return the value as True or False. Text is an error, because Python would take "none" as True.

    >>> switch("tune", "none")
    Traceback (most recent call last):
    tacit.InputError: tune is 'none', but must be True or False
    """
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise InputError(f"{name} is {value!r}, but must be True or False")


def word(name: str, value: Any, *words: str) -> str:
    """Return the value if it is one of these words.

    >>> word("fusion", "mean", "poe", "rbcm")
    Traceback (most recent call last):
    tacit.InputError: fusion is 'mean', but must be poe or rbcm
    """
    if isinstance(value, str) and value in words:
        return value
    raise InputError(f"{name} is {value!r}, but must be {', '.join(words[:-1])} or {words[-1]}")


MOST_SEED = 2**64 - 1
MOST_THREADS = 2**16
