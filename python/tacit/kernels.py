"""Kernels: what a Gaussian process believes of a function before it sees data.

They compose with ``+`` and ``*``. A kernel without numbers starts from the data; numbers that are given are where
tuning starts. Numbers that are all 1, as by default, count as none. Every estimator also takes a kernel as text, such as ``"se-ard + linear"``.

Examples
--------
>>> from tacit.kernels import SE, Linear, Periodic
>>> SE(ard=True) + Linear()
Kernel('se-ard + linear')
>>> SE() * Periodic(period=12)
Kernel('se(lengthscale=1, signal=1) * periodic(lengthscale=1, period=12)')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Sequence, Union

from tacit._core import Kernel, Shape
from tacit._errors import InputError
from tacit._settings import number

__all__ = [
    "Kernel", "Constant", "Linear", "SE", "Matern12", "Matern32", "Matern52", "RationalQuadratic", "Periodic", "parse",
]

Lengthscale = Union[float, Sequence[float]]


def parse(text: str | Kernel) -> Kernel:
    """The kernel that a text describes.

    Parameters
    ----------
    text : str or Kernel
        Names are constant, linear, se, matern12, matern32, matern52, rq and periodic, with ``-ard`` for one
        length-scale per input, composed with ``+`` and ``*``.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> parse("matern32-ard + constant")
    Kernel('matern32-ard + constant')
    """
    if isinstance(text, Kernel):
        return text
    if not isinstance(text, str):
        raise InputError(f"a {type(text).__name__} is no kernel; give SE(ard=True) + Linear() or 'se-ard + linear'")
    return Kernel(text)


def Constant(signal: float = 1.0) -> Kernel:
    """A constant function.

    Parameters
    ----------
    signal : float
        Its standard deviation, in the unit of the target.

    Returns
    -------
    Kernel
    """
    return Kernel(Shape.constant, signal=number("signal", signal))


def Linear(signal: float = 1.0, lengthscale: Sequence[float] | None = None, *, ard: bool = False) -> Kernel:
    """A straight line, or plane, through the origin.

    Parameters
    ----------
    signal : float
        How steep it is, where all inputs count alike.
    lengthscale : sequence of float, optional
        One for each input instead; a long one means that the input counts little.
    ard : bool
        One length-scale for each input, found from the data.

    Returns
    -------
    Kernel
    """
    if lengthscale is None and not ard:
        return Kernel(Shape.linear, signal=number("signal", signal))
    return _leaf(Shape.linear, 1.0 if lengthscale is None else lengthscale, ard, 1.0, 1.0)


def SE(lengthscale: Lengthscale = 1.0, signal: float = 1.0, *, ard: bool = False) -> Kernel:
    """Squared exponential, also called RBF: a smooth function.

    Parameters
    ----------
    lengthscale : float or sequence of float
        How far apart inputs must be for the function to differ, in the unit of the inputs; one for all inputs or
        one for each.
    signal : float
        How far the function goes up and down, as a standard deviation in the unit of the target.
    ard : bool
        One length-scale for each input (automatic relevance determination), found from the data.

    Returns
    -------
    Kernel
    """
    return _leaf(Shape.se, lengthscale, ard, 1.0, signal)


def Matern12(lengthscale: Lengthscale = 1.0, signal: float = 1.0, *, ard: bool = False) -> Kernel:
    """A rough, continuous function.

    Parameters
    ----------
    lengthscale, signal, ard
        As for :func:`SE`.

    Returns
    -------
    Kernel
    """
    return _leaf(Shape.matern12, lengthscale, ard, 1.0, signal)


def Matern32(lengthscale: Lengthscale = 1.0, signal: float = 1.0, *, ard: bool = False) -> Kernel:
    """A function with a slope.

    Parameters
    ----------
    lengthscale, signal, ard
        As for :func:`SE`.

    Returns
    -------
    Kernel
    """
    return _leaf(Shape.matern32, lengthscale, ard, 1.0, signal)


def Matern52(lengthscale: Lengthscale = 1.0, signal: float = 1.0, *, ard: bool = False) -> Kernel:
    """A function with a slope and a curvature.

    Parameters
    ----------
    lengthscale, signal, ard
        As for :func:`SE`.

    Returns
    -------
    Kernel
    """
    return _leaf(Shape.matern52, lengthscale, ard, 1.0, signal)


def RationalQuadratic(
    lengthscale: Lengthscale = 1.0, alpha: float = 1.0, signal: float = 1.0, *, ard: bool = False
) -> Kernel:
    """A smooth function with several length-scales at once.

    Parameters
    ----------
    lengthscale, signal, ard
        As for :func:`SE`.
    alpha : float
        The smaller, the more the length-scales differ.

    Returns
    -------
    Kernel
    """
    return _leaf(Shape.rational_quadratic, lengthscale, ard, alpha, signal)


def Periodic(period: float = 1.0, lengthscale: Lengthscale = 1.0, signal: float = 1.0, *, ard: bool = False) -> Kernel:
    """A function that repeats itself.

    Parameters
    ----------
    period : float
        After which distance, in the unit of the inputs.
    lengthscale, signal, ard
        As for :func:`SE`.

    Returns
    -------
    Kernel
    """
    return _leaf(Shape.periodic, lengthscale, ard, period, signal)


def _leaf(shape: Shape, lengthscale: Lengthscale, ard: bool, extra: float, signal: float) -> Kernel:
    named = "period" if shape == Shape.periodic else "alpha"
    return Kernel(
        shape,
        lengthscale=_lengthscales(lengthscale),
        ard=bool(ard),
        extra=number(named, extra),
        signal=number("signal", signal),
    )


def _lengthscales(given: Lengthscale) -> float | list[float]:
    if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
        return number("lengthscale", given)
    each = [number(f"lengthscale of input {place}", one) for place, one in enumerate(given)]
    if not each:
        raise InputError("lengthscale is empty; give one for all inputs, or one for each")
    return each
