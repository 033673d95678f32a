"""Every refusal that a controller can provoke, and the scenario that provokes it.

The list of refusals is generated: from the rules' own table each row that refuses, by its request,
rule and text; from docs/protocol.md what is refused beside that table. `refusals.txt` names for
each a scenario; a scenario that no longer provokes what it is named for fails wherever it runs.
`python -m hil_tests.refusals` plays all scenarios in process and prints that file anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dovetail.table.system import COMMON, LATER, NoSuch

from hil_tests.request_table import PAGE, REQUESTS
from host_tools.rules.device import find

LIST = Path(__file__).with_name("refusals.txt")
NOT_NOW = "NOT_NOW"
ANY = "*"  # of a refusal that is known by its request and its word alone
EVENTS = {"open_round": "open", "close_round": "close", "set_clock": "time", "empty_out": "cleared"}
# Rules that the profile of the game names, and the one word for an order that comes too early
SPANS = {"@life": "CL-[1-7]", "@stack": "DS-[123]", LATER: NOT_NOW}
WORDS = ("BAD", "KEYS", "SERVICE")
# Those for which there is no scenario, and why
NONE = {
    ("hello", "KEYS"): "each simulated machine begins without keys, and is given them before a "
    "scenario begins; hil_tests/test_request_table.py asks all else of it",
}


@dataclass(frozen=True, order=True)
class Refusal:
    """A row of the rules' table, or a word on the page; its text may have {fields}."""

    request: str
    word: str
    text: str

    def fits(self, said: tuple[str, str, str]) -> bool:
        """Say whether this is what the machine has said: request, word, text."""
        request, word, text = said
        if request != self.request or not re.fullmatch(SPANS.get(self.word, self.word), word):
            return False
        pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(self.text))
        return self.text == ANY or re.fullmatch(pattern, text, re.DOTALL) is not None

    def __str__(self) -> str:
        return f"{self.request} | {self.word} | {self.text}"


def of_the_table() -> list[Refusal]:
    """Return every row of the rules' table that refuses a request; a text that comes twice once."""
    found: list[Refusal] = []
    for request in dict.fromkeys(name.split()[0] for name in REQUESTS):
        try:
            _, shared, own = find(EVENTS.get(request, request))
        except NoSuch:
            continue
        found += [Refusal(request, row[1], row[2]) for row in COMMON if row[0] in shared]
        found += [Refusal(request, row[1], str(row[2])) for row in own if isinstance(row[1], str)]
    return list(dict.fromkeys(found))


def of_the_page() -> list[Refusal]:
    """Return what docs/protocol.md says that a request is refused by, beside the rules."""
    found: list[Refusal] = []
    page = PAGE.read_text(encoding="utf-8").split("| request | what it does |", 1)[1]
    for line in page.split("\n\n", 1)[0].splitlines()[2:]:
        cells = line.strip("|").split("|")
        request = cells[0].strip(" `")
        found += [
            Refusal(request, word, ANY) for word in WORDS if re.search(rf"\b{word}\b", cells[2])
        ]
    return found


def every() -> list[Refusal]:
    """Return all of them, in the order of the table and of the page."""
    return of_the_table() + of_the_page()


@cache
def named() -> dict[Refusal, str]:
    """Read which scenario provokes which refusal."""
    found: dict[Refusal, str] = {}
    for line in LIST.read_text(encoding="utf-8").splitlines():
        request, word, text, scenario = line.split(" | ")
        found[Refusal(request, word, text)] = scenario
    return found


def missed(scenario: str, said: Iterable[tuple[str, str, str]]) -> list[str]:
    """Return what this scenario is named for, and was not said to it."""
    heard = list(said)
    due = [refusal for refusal, name in named().items() if name == scenario]
    return [str(one) for one in due if not any(one.fits(what) for what in heard)]


def main() -> None:
    """Play every scenario, and print the list."""
    from hil_tests.catalogue import SCENARIOS
    from hil_tests.scenario import Scenario, perform
    from host_tools import rigs

    heard: dict[str, set[tuple[str, str, str]]] = {}

    def play(one: Scenario) -> None:
        wanted = rigs.Wanted(seed=5, faults=one.faults, setup=one.setup)
        rigs.in_process(wanted, lambda rig: perform(one, rig, heard.setdefault(one.name, set())))

    for one in SCENARIOS.values():
        if "quick" not in one.needs:
            play(one)
    for refusal in every():
        there = [name for name, said in heard.items() if any(map(refusal.fits, said))]
        there.sort(key=lambda name: name.startswith("what_is_refused_in"))  # the plainer one first
        if there:
            print(f"{refusal} | {there[0]}")


if __name__ == "__main__":
    main()
