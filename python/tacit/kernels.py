"""Kernels: the assumptions of a Gaussian process about a function before it sees data.

Kernels compose with ``+`` and ``*``. Tuning starts from the hyperparameters of the kernel. If all of them are 1, the
default, tuning starts from the data. Every estimator also takes a kernel as text, such as ``"se-ard + linear"``.

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
    """Return the kernel that a text describes.

    Parameters
    ----------
    text : str or Kernel
        Names composed with ``+`` and ``*``. The names are constant, linear, se, matern12, matern32, matern52, rq and
        periodic, with ``-ard`` for one length-scale per input.

    Returns
    -------
    Kernel
        The kernel.

    Examples
    --------
    >>> parse("matern32-ard + constant")
    Kernel('matern32-ard + constant')
    """
    if isinstance(text, Kernel):
        return text
    if not isinstance(text, str):
        raise InputError(f"{type(text).__name__} is not a kernel; pass SE(ard=True) + Linear() or 'se-ard + linear'")
    return Kernel(text)


def Constant(signal: float = 1.0) -> Kernel:
    """Constant kernel: a constant function.

    Parameters
    ----------
    signal : float, default=1.0
        Standard deviation of the constant, in the unit of the target.

    Returns
    -------
    Kernel
        The kernel.
    """
    return Kernel(Shape.constant, signal=number("signal", signal))


def Linear(signal: float = 1.0, lengthscale: Sequence[float] | None = None, *, ard: bool = False) -> Kernel:
    """Linear kernel: a straight line, or plane, through the origin.

    Parameters
    ----------
    signal : float, default=1.0
        Slope scale, if all inputs count equally.
    lengthscale : sequence of float, optional
        One length-scale for each input, instead of `signal`. An input with a long length-scale has little effect.
    ard : bool, default=False
        Whether to find one length-scale for each input from the data.

    Returns
    -------
    Kernel
        The kernel.
    """
    if lengthscale is None and not ard:
        return Kernel(Shape.linear, signal=number("signal", signal))
    return _leaf(Shape.linear, 1.0 if lengthscale is None else lengthscale, ard, 1.0, 1.0)


def SE(lengthscale: Lengthscale = 1.0, signal: float = 1.0, *, ard: bool = False) -> Kernel:
    """Squared exponential kernel, also called RBF: a smooth function.

    Parameters
    ----------
    lengthscale : float or sequence of float, default=1.0
        Distance between inputs over which the function varies, in the unit of the inputs. One for all inputs or one
        for each.
    signal : float, default=1.0
        Standard deviation of the function, in the unit of the target.
    ard : bool, default=False
        Whether to find one length-scale for each input from the data (automatic relevance determination).

    Returns
    -------
    Kernel
        The kernel.
    """
    return _leaf(Shape.se, lengthscale, ard, 1.0, signal)


def Matern12(lengthscale: Lengthscale = 1.0, signal: float = 1.0, *, ard: bool = False) -> Kernel:
    """Matérn 1/2 kernel: a rough, continuous function.

    Parameters
    ----------
    lengthscale, signal, ard
        See :func:`SE`.

    Returns
    -------
    Kernel
        The kernel.
    """
    return _leaf(Shape.matern12, lengthscale, ard, 1.0, signal)


def Matern32(lengthscale: Lengthscale = 1.0, signal: float = 1.0, *, ard: bool = False) -> Kernel:
    """Matérn 3/2 kernel: a once differentiable function.

    Parameters
    ----------
    lengthscale, signal, ard
        See :func:`SE`.

    Returns
    -------
    Kernel
        The kernel.
    """
    return _leaf(Shape.matern32, lengthscale, ard, 1.0, signal)


def Matern52(lengthscale: Lengthscale = 1.0, signal: float = 1.0, *, ard: bool = False) -> Kernel:
    """Matérn 5/2 kernel: a twice differentiable function.

    Parameters
    ----------
    lengthscale, signal, ard
        See :func:`SE`.

    Returns
    -------
    Kernel
        The kernel.
    """
    return _leaf(Shape.matern52, lengthscale, ard, 1.0, signal)


def RationalQuadratic(
    lengthscale: Lengthscale = 1.0, alpha: float = 1.0, signal: float = 1.0, *, ard: bool = False
) -> Kernel:
    """Rational quadratic kernel: a smooth function with several length-scales at once.

    Parameters
    ----------
    lengthscale, signal, ard
        See :func:`SE`.
    alpha : float, default=1.0
        The smaller this number is, the more the length-scales differ.

    Returns
    -------
    Kernel
    """
    return _leaf(Shape.rational_quadratic, lengthscale, ard, alpha, signal)


def Periodic(period: float = 1.0, lengthscale: Lengthscale = 1.0, signal: float = 1.0, *, ard: bool = False) -> Kernel:
    """Periodic kernel: a function that repeats.

    Parameters
    ----------
    period : float, default=1.0
        Distance after which the function repeats, in the unit of the inputs.
    lengthscale, signal, ard
        See :func:`SE`.

    Returns
    -------
    Kernel
        The kernel.
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
        raise InputError("lengthscale is empty; pass one for all inputs, or one for each")
    return each
