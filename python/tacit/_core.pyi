from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

def call(
    arguments: Sequence[str],
    frames: Mapping[str, Mapping[str, Any]],
    progress: Optional[Callable[[str, int, int, str], None]],
) -> dict[str, Any]: ...
