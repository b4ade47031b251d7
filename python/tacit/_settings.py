"""Checks of keyword values, which run before the engine so that errors can name the keyword."""
from __future__ import annotations

import numbers
import sys
from typing import Any, Optional, Union

import numpy as np

from tacit import _core
from tacit._errors import InputError

RandomState = Union[int, np.random.RandomState, None]


def whole(name: str, value: Any, least: int, most: int) -> int:
    """Return the value as a whole number in a range.

    >>> whole("n_samples", 2.0, 0, 1000)
    2
    >>> whole("n_samples", -1, 0, 1000)
    Traceback (most recent call last):
    tacit.InputError: n_samples is -1, but must be a whole number from 0 to 1,000
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


def seed_of(random_state: RandomState) -> int:
    """Return the engine's seed for a `random_state` as in scikit-learn.

    A whole number is the seed. None draws a new seed from NumPy's generator each time, and a RandomState from itself.

    >>> seed_of(7), seed_of(np.random.RandomState(1)) == seed_of(np.random.RandomState(1))
    (7, True)
    """
    if random_state is None:
        return int(np.random.randint(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    return whole("random_state", random_state, 0, MOST_SEED)


def threads_of(n_jobs: Optional[int]) -> int:
    """Return the engine's number of threads (0 for all cores) for an `n_jobs` as in scikit-learn.

    -1 means all cores, -2 all but one. None means 1, or what a `joblib.parallel_backend` context sets.

    >>> threads_of(3), threads_of(-1), threads_of(None)
    (3, 0, 1)
    """
    if n_jobs is None:
        joblib = sys.modules.get("joblib")  # without it, there is no such context
        return 1 if joblib is None else max(1, int(joblib.effective_n_jobs(None)))
    jobs = whole("n_jobs", n_jobs, -MOST_THREADS, MOST_THREADS)
    if jobs == 0:
        raise InputError("n_jobs is 0; pass a positive number of threads, -1 for all cores, or None for one")
    if jobs < -1:
        return max(1, _core.default_threads() + 1 + jobs)
    return max(jobs, 0)
