"""What parties could learn from each other, in sentences."""
from __future__ import annotations

from typing import Any

from tacit._result import counted


class Privacy(dict[str, Any]):
    """The program's findings about privacy, as numbers and in sentences."""

    def __init__(self, found: dict[str, Any], run: dict[str, Any]) -> None:
        super().__init__(found)
        self._run = run

    @property
    def sentences(self) -> list[str]:
        """What parties could learn from each other."""
        consensus = self._run["protocol"] == "consensus"
        return (self._of_consensus() if consensus else self._of_exact()) + self._of_landmarks()

    def _of_exact(self) -> list[str]:
        among, may_collude = len(self._run["names"]), self["collusion"]
        if may_collude == 0:
            return ["The sum of two parties reveals each value to the other party; no protocol can prevent that."]
        who = "party" if may_collude == 1 else f"group of up to {may_collude} of the {among} parties"
        return [f"No {who} learns more than the sums it receives."]

    def _of_consensus(self) -> list[str]:
        may_collude = self["collusion"]
        sentences = [
            "In one round, messages let a single party split the sum of its neighbours into parts."
            if may_collude == 0
            else f"In one round, {_no(may_collude)} learns more than the sums it receives."
        ]
        for field, weakest, when in (
            ("withstands_one_round", "weakest", "one round"),
            ("withstands_all_rounds", "weakest_all_rounds", "all rounds"),
        ):
            if self[field] > 0:
                sentences.append(f"From {when}, {_no(self[field])} can compute the value of another party.")
            if self[weakest]:
                names = [self._name(member) for member in self[weakest]["coalition"]]
                learns = self._name(self[weakest]["learns"])
                sentences.append(f"From {when}, {' and '.join(names)} can compute the value of {learns}.")
        if not self["trajectory_safe"]:
            sentences.append(
                "From its own states in all rounds, a party can compute combinations of the other parties' values "
                "besides the sum."
            )
        return sentences

    def _name(self, member: int) -> str:
        names: list[str] = self._run["names"]
        return names[member] if member < len(names) else f"helper {member - len(names) + 1}"

    def _of_landmarks(self) -> list[str]:
        landmarks = self._run.get("landmarks")
        if not landmarks:
            return []
        opened, held = landmarks["opened_by_the_fit"], landmarks["held"]
        return [
            f"The fit opened {counted(opened, 'number')} about all rows together: {100 * opened / held:.0f} % of the "
            f"{held:,} numbers in these rows."
        ]

    def __str__(self) -> str:
        return "\n".join(self.sentences)


def _no(members: int) -> str:
    return "no single party" if members == 1 else f"no group of up to {members} parties"
