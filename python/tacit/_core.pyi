from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

class Error(RuntimeError):
    result: Any

class InputError(Error, ValueError): ...

def call(
    arguments: Sequence[str],
    frames: Mapping[str, Mapping[str, Any]] = ...,
    progress: Optional[Callable[[str, int, int, str], None]] = ...,
) -> dict[str, Any]: ...
