"""The table of transitions, explored; its page; a mutant of each of its transitions."""

from __future__ import annotations

import subprocess
import sys
from typing import cast

import pytest
from dovetail.table import conditions, decks, layout, system, values

from host_tools.build.tell import ROOT
from host_tools.build.told import Tell
from host_tools.evidence.drawn import amount, drawn, whole
from host_tools.rules import mutants, page, traced
from host_tools.rules.bounds import COMPLETE, DEEP, STATES
from host_tools.rules.device import known
from host_tools.rules.events import Bound
from host_tools.rules.explained import ALIVE, TESTED
from host_tools.rules.explore import MOST, explore
from host_tools.rules.graph import graph

PARTS = 32  # of the mutants, where all are hunted
BOUNDS, FIRST = 3, 40_000  # bounds, and states of each
MUTANTS = 24


@pytest.mark.slow
@pytest.mark.spends(1200)
@pytest.mark.proof(name="exploration")
@pytest.mark.parametrize(
    "bound", drawn("bounds", COMPLETE, BOUNDS), ids=lambda bound: bound.name.replace(" ", "_")
)
def test_every_reachable_state_keeps_every_rule(bound: Bound, tell: Tell) -> None:
    found = explore(bound, amount(MOST, FIRST))
    proved = len([rule for rule, row in traced.rules_once().items() if row.proved])
    tell(
        f"rules, {bound.name}: {found.states} states, {found.steps} transitions explored, "
        f"{proved} rules as properties"
    )
    assert not found.broken


@pytest.mark.slow
@pytest.mark.proof(name="mutants")
@pytest.mark.parametrize("part", range(PARTS if whole() else 2))
def test_mutants_of_the_table_are_found(part: int, tell: Tell) -> None:
    every = list(mutants.mutants(1))
    assert len(every) > 250
    of = PARTS if whole() else 2
    taken = drawn("mutants", every, MUTANTS)[part::of]
    left = [what for one in taken if (what := mutants.survivor(one))]
    tell(f"rules: {len(taken) - len(left)} of {len(taken)} mutants found, of {len(every)}")
    assert set(left) == {one.what for one in taken} & set(ALIVE)


@pytest.mark.proof(name="mutants")
@pytest.mark.parametrize("bound", drawn("deep", DEEP, 4), ids=lambda bound: bound.name)
def test_a_mutant_is_looked_for_to_the_end_of_a_deep_bound(bound: Bound) -> None:
    """The hunt looks at no fewer states than a deep bound has."""
    assert explore(bound, STATES[DEEP]).states <= STATES[DEEP]


# A process of its own, which has imported nothing that it plants a mutant in
FOUND = """
from host_tools.rules import explained, mutants
print([what for what in explained.TESTED if not mutants.found_by_its_test(what, 1)])
"""


def test_every_explanation_is_of_a_mutant_that_there_is() -> None:
    """And is one sentence or more; those that a test finds are among them."""
    names = {one.what for one in mutants.mutants(1)}
    assert [what for what in ALIVE if what not in names] == []
    assert [what for what in TESTED if what not in ALIVE] == []
    assert all(reason.endswith(".") and len(reason) > 20 for reason in ALIVE.values())


def test_what_no_property_finds_a_test_finds() -> None:
    """With these tables the named test fails."""
    done = subprocess.run(
        [sys.executable, "-c", FOUND], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr


def test_every_rule_has_a_test_at_each_depth(tell: Tell) -> None:
    lacking = traced.without_tests()
    rules = len(traced.PLACES)
    tell(f"rules: {rules - len(lacking)} of {rules} rules covered, at table, in-process, emulated")
    assert lacking == {}


def test_the_page_is_fresh() -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.text()


def test_the_table_names_only_what_there_is() -> None:
    """Every condition, field and value of a row exists, and every rule that it cites is known."""
    for part in system.TABLE:
        for _, shared, rows in part:
            assert {row[0] for row in system.COMMON} >= set(shared)
            for row in rows:
                assert all(hasattr(conditions, name) for name in row[0]), row
                if isinstance(row[1], str):
                    assert known(row[1]) or row[1] in ("LATER", "@stack", "@life"), row
                    continue
                for field, value in row[1]:
                    if field == "zero":
                        assert isinstance(getattr(layout, str(value)), bytes)
                        continue
                    if field.islower():
                        assert value in decks.EVENTS
                        continue
                    of_deck = set(system.OF_DECK)
                    assert field in of_deck or field.lower() in layout.NAMES
                    if isinstance(value, str):
                        assert hasattr(layout if value.isupper() else values, value)


def test_the_table_is_constant() -> None:
    """Nothing but strings, numbers, None and tuples of them: it is frozen with the image."""

    def plain(thing: object) -> bool:
        if isinstance(thing, tuple):
            return all(plain(one) for one in cast(tuple[object, ...], thing))
        return thing is None or isinstance(thing, (str, int))

    assert plain(system.TABLE)
    assert plain(decks.WAYS)


def test_the_graph_has_every_way_of_a_deck() -> None:
    drawn = graph()
    for event, *ways in decks.WAYS:
        for before, after in ways:
            if before != after:
                line = f'"deck.{decks.NAMES[before]}" -> "deck.{decks.NAMES[after]}"'
                assert any(line in one and event.lower() in one for one in drawn.splitlines()), line
