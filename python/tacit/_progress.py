"""Progress bar of a computation."""
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
            warnings.simplefilter("ignore")  # without ipywidgets, notebooks show a plain bar; no warning is needed
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(leave=False, delay=1e-3)  # shows nothing before the first report


@contextmanager
def shown(progress: Optional[bool] = None) -> Iterator[Optional[Told]]:
    """Context manager for the function that receives reports of progress.

    Parameters
    ----------
    progress : bool, optional
        Whether to show a bar. The default is to show it on terminals and in notebooks only. The bar needs tqdm;
        without it, nothing is shown.

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
