"""What can go wrong, and what to be careful with."""
from __future__ import annotations

from typing import Any

from tacit._core import Error, InputError

__all__ = ["Error", "InputError", "TacitWarning"]


class TacitWarning(UserWarning):
    """Something that was done, but that its reader should know about."""


def needs(module: str, what: str) -> ImportError:
    """The error for a package that is not installed.

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
    """The package pandas, which only tables of results need."""
    try:
        import pandas as found
    except ImportError:
        raise needs("pandas", "Tables of results") from None
    return found
