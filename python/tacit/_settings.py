"""Values of keywords, checked before the engine sees them, so that a wrong one is named."""
from __future__ import annotations

import numbers
from typing import Any, Optional

import numpy as np

from tacit._errors import InputError


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number in a range.

    >>> whole("restarts", 2.0, 0, 1000)
    2
    >>> whole("restarts", -1, 0, 1000)
    Traceback (most recent call last):
    tacit.InputError: restarts is -1; give a whole number from 0 to 1,000
    """
    if isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_)):
        if least <= float(value) <= most and float(value).is_integer() and int(value) <= most:
            return int(value)
    raise InputError(f"{name} is {value!r}; give a whole number from {least:,} to {most:,}")


def number(name: str, value: Any) -> float:
    """A number; whether it is in range, the engine says.

    >>> number("noise", "a")
    Traceback (most recent call last):
    tacit.InputError: noise is 'a'; give a number
    """
    if isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_)):
        return float(value)
    raise InputError(f"{name} is {value!r}; give a number")


def number_or_none(name: str, value: Any) -> Optional[float]:
    """The same for what may be left out."""
    return None if value is None else number(name, value)


def switch(name: str, value: Any) -> bool:
    """True or False; words such as "none" would otherwise count as True.

    >>> switch("tune", "none")
    Traceback (most recent call last):
    tacit.InputError: tune is 'none'; give True or False
    """
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise InputError(f"{name} is {value!r}; give True or False")


def word(name: str, value: Any, *words: str) -> str:
    """One of these words.

    >>> word("fusion", "mean", "poe", "rbcm")
    Traceback (most recent call last):
    tacit.InputError: fusion is 'mean'; use poe or rbcm
    """
    if isinstance(value, str) and value in words:
        return value
    raise InputError(f"{name} is {value!r}; use {', '.join(words[:-1])} or {words[-1]}")


MOST_SEED = 2**64 - 1
MOST_THREADS = 2**16
