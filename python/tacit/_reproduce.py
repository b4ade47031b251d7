"""Reproduction of the paper's evaluation."""
from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any, Optional, Union

from tacit import _core
from tacit._errors import TacitWarning
from tacit._options import arguments
from tacit._progress import shown
from tacit._renamed import takes_old_words
from tacit._result import Reportable, Result
from tacit._settings import RandomState, seed_of, threads_of


class Reproduction(Result, Reportable):
    """Results of the paper's evaluation. Each part is an attribute, such as `tuning`."""

    def __init__(self, json: dict[str, Any], out: Optional[Path]) -> None:
        super().__init__(json)
        self.out = out

    def _lines(self) -> list[str]:
        return [f"parts: {', '.join(part for part in self.json if part != 'about')}", *([f"files: {self.out}"] if self.out else [])]


@takes_old_words
def reproduce(
    part: str = "all",
    *,
    data_dir: Union[str, os.PathLike[str], None] = None,
    out: Union[str, os.PathLike[str], None] = None,
    repeats: Optional[int] = None,
    noise: Optional[float] = None,
    tune_gradient: Optional[str] = None,
    variance: Optional[str] = None,
    rivals: Optional[str] = None,
    random_state: RandomState = 1,
    n_jobs: Optional[int] = -1,
    progress: Optional[bool] = None,
) -> Reproduction:
    """Run the paper's evaluation, like `tacit reproduce`.

    Parameters
    ----------
    part : {"all", "tuning", "accuracy", "table", "causes"}, default="all"
        The part of the evaluation.
    data_dir : str or path-like, optional
        Folder with sarcos.csv or sarcos_inv.mat. Without it, only the Diabetes data are used.
    out : str or path-like, optional
        Folder for tables, figures and a report.
    repeats, noise, tune_gradient, variance, rivals
        See `tacit reproduce --help`.
    random_state, n_jobs
        See `simulate`.
    progress : bool, optional
        Whether to show a progress bar. The default is to show it on terminals and in notebooks only.

    Returns
    -------
    Reproduction
        The results, and the folder with the files.
    """
    options = {name: value for name, value in locals().items() if name not in _taken_apart}
    asked = arguments(seed=seed_of(random_state), threads=threads_of(n_jobs), **options)
    with shown(progress) as tell:
        found = _core.call(["reproduce", part, *asked, "--json"], {}, tell)
    for note in found.pop("notes", []):
        if not note.startswith("Wrote "):  # the caller chose the folder
            warnings.warn(note, TacitWarning, stacklevel=3)  # of the caller of the decorated function
    return Reproduction(found, None if out is None else Path(out))


_taken_apart = {"part", "random_state", "n_jobs", "progress"}
