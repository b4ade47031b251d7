"""A bar that shows how far a computation is."""
from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Optional

COUNTED = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{elapsed}{postfix}]"
UNCOUNTED = "{desc} [{elapsed}{postfix}]"
Told = Callable[[str, int, int, str], None]


def _somebody_looks() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if type(shell).__name__ == "ZMQInteractiveShell":
        return True
    return sys.stderr is not None and sys.stderr.isatty()


def _bar() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a notebook without ipywidgets gets a plain bar, and needs no warning
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(leave=False, delay=1e-3)  # nothing to show yet


@contextmanager
def shown(progress: Optional[bool] = None) -> Iterator[Optional[Told]]:
    """What to tell the progress to, while the block runs.

    Parameters
    ----------
    progress
        Whether to show a bar. When left out, only where somebody can see it: on a terminal and in notebooks. Bars
        are drawn by tqdm; where that is not installed, nothing is shown.

    Examples
    --------
    >>> with shown(False) as tell:
    ...     print(tell)
    None
    """
    bar = _bar() if (_somebody_looks() if progress is None else progress) else None
    if bar is None:
        yield None
        return

    def tell(stage: str, done: int, total: int, note: str) -> None:
        bar.set_description_str(stage, refresh=False)
        bar.set_postfix_str(note, refresh=False)
        bar.total, bar.n = total, done
        bar.bar_format = COUNTED if total else UNCOUNTED
        bar.refresh()

    try:
        yield tell
    finally:
        bar.close()
