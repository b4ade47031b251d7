"""All public functions document their parameters and results in numpydoc sections."""
from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any, is_typeddict

import pytest

import tacit

GIVEN_BY_FUNCTIONS = {"Audit", "Plan", "Reproduction", "Simulation"}  # only functions create these


def public() -> Iterator[tuple[str, Any]]:
    for module in (tacit, tacit.kernels):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                yield f"{module.__name__}.{name}", thing
            if not inspect.isclass(thing) or issubclass(thing, Exception) or name == "Kernel":
                continue
            if name not in GIVEN_BY_FUNCTIONS:
                yield f"{module.__name__}.{name}", thing
            for method, function in vars(thing).items():
                if inspect.isfunction(function) and not method.startswith("_"):
                    yield f"{module.__name__}.{name}.{method}", function


CALLABLE = dict(public())


def section(docstring: str, title: str) -> str:
    found = re.search(rf"^{title}\n-{{{len(title)}}}\n(.*?)(?=^\w[\w ]*\n---|\Z)", docstring, re.DOTALL | re.MULTILINE)
    return found[1] if found else ""


def parameters(thing: Any) -> set[str]:
    return set(thing.__annotations__) if is_typeddict(thing) else set(inspect.signature(thing).parameters)


@pytest.mark.parametrize("name", CALLABLE)
def test_arguments_are_explained(name: str) -> None:
    explained = section(inspect.getdoc(CALLABLE[name]) or "", "Parameters")
    names = {word for line in re.findall(r"^(\w[\w, ]*)", explained, re.MULTILINE) for word in line.replace(",", " ").split()}
    assert not parameters(CALLABLE[name]) - {"self"} - names


@pytest.mark.parametrize("name", [name for name, thing in CALLABLE.items() if not inspect.isclass(thing)])
def test_answers_are_explained(name: str) -> None:
    if inspect.signature(CALLABLE[name]).return_annotation not in ("None", None):
        assert section(inspect.getdoc(CALLABLE[name]) or "", "Returns").strip()
