"""The keywords of release 0.2 that have scikit-learn's names since then. The old words work for one more release."""
from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Container, Mapping
from typing import Any, TypeVar, cast

from tacit._errors import InputError

Function = TypeVar("Function", bound=Callable[..., Any])
RENAMED = {"seed": "random_state", "threads": "n_jobs", "restarts": "n_restarts_optimizer"}


def takes_old_words(function: Function) -> Function:
    """Let a function also accept the old words of its keywords, with a FutureWarning.

    The signature stays that of the function, because scikit-learn reads the parameters of an estimator from it.

    >>> import warnings
    >>> @takes_old_words
    ... def run(*, random_state=1, n_jobs=-1):
    ...     return random_state, n_jobs
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     run(seed=7, threads=0)
    (7, -1)
    >>> print(caught[0].message)
    seed is called random_state, as in scikit-learn; pass random_state=7, because a later release refuses seed
    """
    known = inspect.signature(function).parameters

    @functools.wraps(function)
    def accepting(*positional: Any, **keywords: Any) -> Any:
        return function(*positional, **renamed(keywords, known))

    return cast(Function, accepting)


def renamed(keywords: Mapping[str, Any], known: Container[str]) -> dict[str, Any]:
    """Return the keywords with old words replaced. Warn at the line that called the caller of this function."""
    out = dict(keywords)
    for old, new in RENAMED.items():
        if old not in out or old in known or new not in known:
            continue
        value = out.pop(old)
        if new in out:
            raise InputError(f"{old} and {new} are the same setting; pass {new} only")
        if value is None:  # the default
            _warn(old, new, "omit it")
            continue
        out[new] = new_value(new, value)
        _warn(old, new, f"pass {new}={out[new]!r}")
    return out


def new_value(new: str, value: Any) -> Any:
    """Return the value of a setting that was given by its old word: 0 threads were all cores."""
    return -1 if new == "n_jobs" and type(value) is int and value == 0 else value


def _warn(old: str, new: str, instead: str) -> None:
    warnings.warn(
        f"{old} is called {new}, as in scikit-learn; {instead}, because a later release refuses {old}",
        FutureWarning,
        stacklevel=4,
    )
