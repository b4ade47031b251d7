"""Gaussian-process models that several parties train together without sharing their data.

- `GaussianProcess` and `PrivateConsortium` are scikit-learn estimators, for one party and for several parties.
- `simulate` runs a whole consortium in this process and reports its accuracy, cost and privacy.
- `plan`, `audit` and `reproduce` run the commands of the same names.
- `Agent` is a client for an agent that runs on this machine.
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tacit import kernels
from tacit._agent import Agent
from tacit._core import __version__
from tacit._errors import Error, InputError, TacitWarning, needs
from tacit._groups import Data, Model, Network, Protocol, Tuning, Values
from tacit._plans import Audit, Plan, audit, plan
from tacit._points import SavedModel
from tacit._reproduce import Reproduction, reproduce
from tacit._simulate import simulate
from tacit._simulation import Simulation

if TYPE_CHECKING:
    from tacit._consortium import PrivateConsortium
    from tacit._gaussian_process import GaussianProcess

__all__ = [
    "Agent", "Audit", "Data", "Error", "GaussianProcess", "InputError", "Model", "Network", "Plan", "PrivateConsortium",
    "Protocol", "Reproduction", "SavedModel", "Simulation", "TacitWarning", "Tuning", "Values", "__version__", "audit",
    "kernels", "plan", "reproduce", "simulate",
]

# Imported on first use, because scikit-learn takes a second to import.
_ESTIMATORS = {"GaussianProcess": "tacit._gaussian_process", "PrivateConsortium": "tacit._consortium"}


def __getattr__(name: str) -> Any:
    if name not in _ESTIMATORS:
        raise AttributeError(f"module 'tacit' has no attribute '{name}'")
    try:
        importlib.import_module("sklearn")
    except ImportError:
        raise needs("scikit-learn", "Estimators") from None
    return getattr(importlib.import_module(_ESTIMATORS[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
