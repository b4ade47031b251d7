"""Errors and warnings of the package."""
from __future__ import annotations

from typing import Any

from tacit._core import Error, InputError

__all__ = ["Error", "InputError", "TacitWarning"]


class TacitWarning(UserWarning):
    """A warning about a completed operation that deserves a review."""


def needs(module: str, what: str) -> ImportError:
    """Return the error for a package that is not installed.

    >>> print(needs("pandas", "Tables"))
    Tables need the package pandas; install it with: pip install pandas (Debian: apt install python3-pandas)
    >>> str(needs("scikit-learn", "Estimators")).endswith("apt install python3-sklearn)")
    True
    """
    debian = {"scikit-learn": "sklearn"}.get(module, module)
    return ImportError(
        f"{what} need the package {module}; install it with: pip install {module} "
        f"(Debian: apt install python3-{debian})"
    )


def pandas() -> Any:
    """Import pandas, which only tables of results need."""
    try:
        import pandas as found
    except ImportError:
        raise needs("pandas", "Tables of results") from None
    return found
