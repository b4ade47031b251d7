"""What can go wrong, as Python's own kinds of errors."""
from __future__ import annotations

from typing import Any


class InputError(ValueError):
    """Something that was given cannot be used; the message says what, where, and what to do."""


class Error(RuntimeError):
    """What was asked for could not be done.

    Attributes
    ----------
    result
        What was found nevertheless, such as the audit whose requirement is not met; else None.
    """

    result: Any = None


class TacitWarning(UserWarning):
    """Something that was done, but that its reader should know about."""


def needs(module: str, what: str) -> ImportError:
    """The error for a package that is not installed.

    >>> print(needs("pandas", "Tables"))
    Tables need the package pandas; install it with: pip install pandas (Debian: apt install python3-pandas)
    """
    return ImportError(
        f"{what} need the package {module}; install it with: pip install {module} "
        f"(Debian: apt install python3-{module})"
    )


def pandas() -> Any:
    """The package pandas, which only tables of results need."""
    try:
        import pandas as found
    except ImportError:
        raise needs("pandas", "Tables of results") from None
    return found
