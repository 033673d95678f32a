"""The table of transitions, explored; its page; a mutant of each of its transitions."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from typing import cast

import pytest
from dovetail.table import conditions, decks, layout, system, values

from host_tools.build.told import Tell
from host_tools.rules import mutants, page
from host_tools.rules.bounds import COMPLETE
from host_tools.rules.device import known
from host_tools.rules.explore import explore
from host_tools.rules.graph import graph

WORKERS = 2


@pytest.mark.timeout(600)
def test_every_reachable_state_keeps_every_rule(tell: Tell) -> None:
    with ProcessPoolExecutor(WORKERS) as pool:
        explored = list(pool.map(explore, COMPLETE))
    states = sum(found.states for found in explored)
    steps = sum(found.steps for found in explored)
    proved = len([rule for rule, row in page.rules_once().items() if row.proved])
    tell(f"rules: {states} states, {steps} transitions explored, {proved} rules as properties")
    assert not [found.broken for found in explored if found.broken]


@pytest.mark.timeout(1200)
def test_mutants_of_the_table_are_found(tell: Tell) -> None:
    total, left = mutants.hunt(seed=1, workers=WORKERS)
    tell(f"rules: {total - len(left)} of {total} mutants found")
    assert total > 250
    assert len(left) * 20 <= total, left


def test_every_rule_has_a_test_at_each_depth(tell: Tell) -> None:
    lacking = page.without_tests()
    rules = len(page.PLACES)
    tell(f"rules: {rules - len(lacking)} of {rules} rules covered, at table, in-process, emulated")
    assert lacking == []


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
                    assert field == "AGE" or field.lower() in layout.NAMES
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
