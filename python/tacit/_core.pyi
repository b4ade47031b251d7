from typing import Any, Callable, Sequence, overload

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Told = Callable[[str, int, int, str], None]

__version__: str
one_party_defaults: dict[str, Any]
consortium_defaults: dict[str, Any]

class Error(RuntimeError):
    result: Any

class InputError(Error, ValueError): ...

def default_threads() -> int: ...
def setting_words() -> dict[str, tuple[str, str]]: ...
def call(
    arguments: Sequence[str],
    frames: dict[str, dict[str, Any]] = ...,
    progress: Told | None = ...,
) -> dict[str, Any]: ...

def simulate(
    settings: dict[str, Any], frames: dict[str, dict[str, Any]] = ..., progress: Told | None = ...
) -> dict[str, Any]: ...
def plan(settings: dict[str, Any]) -> dict[str, Any]: ...
def settings_of(function: str) -> list[str]: ...

class Shape:
    constant: Shape
    linear: Shape
    se: Shape
    matern12: Shape
    matern32: Shape
    matern52: Shape
    rational_quadratic: Shape
    periodic: Shape

class Kernel:
    @overload
    def __init__(self, text: str) -> None: ...
    @overload
    def __init__(
        self,
        shape: Shape,
        lengthscale: float | Sequence[float] = ...,
        ard: bool = ...,
        extra: float = ...,
        signal: float = ...,
    ) -> None: ...
    def __add__(self, other: Kernel) -> Kernel: ...
    def __mul__(self, other: Kernel) -> Kernel: ...
    @property
    def text(self) -> str: ...
    @property
    def form(self) -> str: ...
    @property
    def has_numbers(self) -> bool: ...

class Model:
    @staticmethod
    def fit(
        inputs: Numbers,
        outputs: Numbers,
        kernel: Kernel,
        *,
        noise: float | None = ...,
        learn_noise: bool = ...,
        centre: bool = ...,
        restarts: int = ...,
        seed: int = ...,
        threads: int = ...,
        reach: float = ...,
        prior_width: float = ...,
        most_evaluations: int = ...,
        expert_rows: int = ...,
        expert_split: str = ...,
        fusion: str = ...,
        progress: Told | None = ...,
    ) -> Model: ...
    def predict(
        self,
        points: Numbers,
        *,
        variance: bool = ...,
        covariance: bool = ...,
        samples: int = ...,
        seed: int = ...,
    ) -> dict[str, Any]: ...
    def add_data(self, inputs: Numbers, outputs: Numbers) -> Model: ...
    def numbers(self, inputs: Sequence[str]) -> list[tuple[str, str, int | None, float]]: ...
    @property
    def kernel(self) -> Kernel: ...
    @property
    def noise(self) -> float: ...
    @property
    def offset(self) -> Numbers: ...
    @property
    def rows(self) -> int: ...
    @property
    def report(self) -> dict[str, Any]: ...
    def save(self, file: str) -> None: ...
    @staticmethod
    def load(file: str) -> Model: ...

class ConsortiumModel:
    @staticmethod
    def fit(
        parties: Sequence[tuple[Numbers, Numbers]],
        names: Sequence[str],
        inputs: Sequence[tuple[str, Sequence[str]]],
        targets: Sequence[str],
        settings: dict[str, Any],
        progress: Told | None = ...,
    ) -> ConsortiumModel: ...
    def predict(self, points: Numbers, party: int | None = ...) -> tuple[Numbers, Numbers, Numbers]: ...
    def numbers(self, target: int, inputs: Sequence[str]) -> list[tuple[str, str, int | None, float]]: ...
    def kernel(self, target: int) -> Kernel: ...
    @property
    def noise(self) -> Numbers: ...
    @property
    def report(self) -> dict[str, Any]: ...
