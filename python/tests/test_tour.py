"""The code of docs/python.md runs and prints what the page shows."""
from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

import pytest

import tacit

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "python.md"
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")


@dataclass
class Block:
    """A block of code of the page, and its output on the page."""

    line: int
    code: str
    runs: bool
    printed: Optional[str] = None


def blocks_of(page: str) -> list[Block]:
    """Return all blocks of Python. A block of text directly after a block of Python is its output."""
    found: list[Block] = []
    end = 0
    for match in re.finditer(r"^```(.*)\n((?:(?!```).*\n)*)```$", page, re.MULTILINE):
        words = match[1].split()
        if words[:1] == ["python"]:
            found.append(Block(page.count("\n", 0, match.start()) + 2, match[2], "no-run" not in words))
        elif words[:1] == ["text"] and found and not page[end : match.start()].strip():
            found[-1].printed = match[2]
        end = match.end()
    return found


def difference(shown: str, printed: str) -> Optional[str]:
    """Return the difference between two texts, or None.

    Numbers may differ by one in the last digit shown, because processors round differently. Counts below 10 must be
    equal.
    """
    words, words_now = ([word for line in text.splitlines() for word in line.split()] for text in (shown, printed))
    if len(words) != len(words_now):
        return f"{len(words)} words are shown, {len(words_now)} printed"
    for one, other in zip(words, words_now):
        if NUMBER.sub("#", one) != NUMBER.sub("#", other):
            return f"shown {one!r}, printed {other!r}"
        for number, number_now in zip(NUMBER.findall(one), NUMBER.findall(other)):
            mantissa, _, power = number.replace(",", "").partition("e")
            places = len(mantissa.partition(".")[2])
            last = 0.0 if re.fullmatch(r"-?\d", number) else 10.0 ** (int(power or 0) - places)
            if abs(_value(number) - _value(number_now)) > 1.01 * last:
                return f"shown {one!r}, printed {other!r}"
    return None


def _value(number: str) -> float:
    return float(number.replace(",", ""))


def run(block: Block, names: dict[str, Any]) -> str:
    said = io.StringIO()
    code = compile("\n" * (block.line - 1) + block.code, str(PAGE), "exec")  # errors have the line numbers of the page
    with contextlib.redirect_stdout(said):
        exec(code, names)
    return said.getvalue()


def test_what_counts_as_different() -> None:
    assert difference("R² 0.41\n", "R²  0.42") is None
    assert difference("R² 0.41", "R² 0.43")
    assert difference("8 agents", "9 agents")
    assert difference("to within 1.2e-05", "to within 1.3e-05") is None
    assert difference("to within 1.2e-05", "to within 1.4e-05")
    assert difference("['north']", "['south']")
    assert difference("a b", "a")


def test_the_page_is_read_as_it_is_meant() -> None:
    blocks = blocks_of("```python\na\n```\n\n```text\n1\n```\n```python no-run\nb\n```\nwords\n```text\n2\n```\n")
    assert [(block.line, block.code, block.runs, block.printed) for block in blocks] == [
        (2, "a\n", True, "1\n"),
        (9, "b\n", False, None),
    ]


def test_all_blocks_as_one_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    blocks = [block for block in blocks_of(PAGE.read_text(encoding="utf-8")) if block.runs]
    assert len(blocks) > 10
    wrong = []
    for block in blocks:
        printed = run(block, names)
        differs = difference(block.printed or "", printed)
        if differs:
            wrong.append(f"{PAGE.name}, block in line {block.line}: {differs}; it prints\n{printed}")
    assert not wrong, "\n".join(wrong)
    assert {file.name for file in tmp_path.iterdir()} == {"data", "model.tacit", "report.png", "coalition.png"}


def test_agents_answer_as_the_page_asks(consortium: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(consortium)
    for block in blocks_of(PAGE.read_text(encoding="utf-8")):
        if not block.runs:
            assert "y_mean" in run(block, {"__name__": "__main__"})


def test_the_table_has_all_names() -> None:
    named = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert set(tacit.__all__) | set(tacit.kernels.__all__) <= named


def test_the_program_gives_the_same_bits(diabetes: Path) -> None:
    program = Path(os.environ.get("TACIT_PROGRAM", ROOT / "build" / "tacit"))
    if not program.exists():
        pytest.skip(f"the program {program} does not exist; build it, or set TACIT_PROGRAM to its path")
    asked = [program, "simulate", "--data", diabetes, "--target", "y", "--agents", "6", "--split", "regions", "--json"]
    told = json.loads(subprocess.run(asked, check=True, capture_output=True).stdout)
    ours = tacit.simulate(diabetes, "y", agents=6, split="regions").json
    once = {"about": None, "seconds": None}  # differ: the command line, and the times
    assert {**told, **once} == {**ours, **once}
