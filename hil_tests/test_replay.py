"""The explored rules, walked at the simulated machine: the oracle of the texts finds no breach.

Each case is a game in one way of delivery. Its tours cover every pair of rows within so many
nodes of a new machine: whatever the rules let follow on a row that was taken, and whatever they
refuse then, has truly been asked of a machine with cards in it. A round that opens is dealt to its
first cards. What takes many rounds is left to chance: at other machines it chooses what comes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from dovetail.table import system

from hil_tests.replay import Walked, replay, wander
from host_tools.build.told import Tell
from host_tools.evidence.drawn import amount, drawn, seed
from host_tools.evidence.drawn import whole as whole_run
from host_tools.rules import device
from host_tools.rules.bounds import REPLAYED
from host_tools.rules.events import Bound
from host_tools.rules.tour import Tours

NODES = amount(20_000, 2_000)  # that a tour may lead through: a state, and the row before it
PATHS = amount(2_000, 20)  # machines; far fewer are needed
FEW = 2_000  # nodes to find one breach in
TRIED = 80  # machines
TAKEN_OUT = 1  # refusals of a share
REPLAYS = 1  # cases of a share
WANDERERS = amount(40, 2)  # machines at which chance chooses what comes


@pytest.mark.slow
@pytest.mark.spends(1200)
@pytest.mark.proof(name="replay")
@pytest.mark.parametrize(
    "bound", drawn("replay", REPLAYED, REPLAYS), ids=lambda bound: bound.name.replace(" ", "_")
)
def test_the_oracle_objects_to_nothing_that_the_machine_permits(bound: Bound, tell: Tell) -> None:
    """SH-1 TD-3 TD-4 CT-1 CT-3 DS-4 DS-5 DS-6 DS-8 EL-3 (in-process): every pair of rows."""
    tours = Tours(bound)
    whole = tours.explore(NODES)
    walked = replay(tours, PATHS, seed("replay"))
    wandered = wander(tours, WANDERERS, seed("wander"))
    done = [pair for pair in tours.at if pair in tours.covered]
    rows = {_row(key) for _, key in tours.at}
    unmet = sorted(rows - {_row(key) for _, key in tours.covered})
    tell(
        f"replay, {bound.name}: {walked.paths} paths, {walked.steps} steps, {walked.rounds} rounds,"
        f" {walked.facts} facts judged; {len(done)} of {len(tours.at)} pairs of rows"
        f"{'' if whole else f' in {NODES:,} nodes'}, {len(tours.given_up)} given up;"
        f" {len(rows) - len(unmet)} of {len(rows)} rows, not met: {', '.join(unmet) or 'none'};"
        f" by chance {wandered.paths} paths, {wandered.steps} steps, {wandered.rounds} rounds,"
        f" {wandered.facts} facts judged"
    )
    assert walked.against + wandered.against == []
    assert walked.differs + wandered.differs == []
    if whole_run():
        assert tours.left() == []


def _row(key: str) -> str:
    return " ".join(key.split()[:2])


def without(patch: pytest.MonkeyPatch, event: str, reason: str) -> None:
    """Let the rules refuse this event no more for this reason, whichever row says so."""
    name, shared, rows = device.find(event)
    left = tuple(one for one in rows if reason not in one[0] or not isinstance(one[1], str))
    fewer = tuple(one for one in shared if one != reason)
    assert len(left) + len(fewer) < len(rows) + len(shared)
    patch.setitem(cast(Any, system).ENTRIES, event, (name, fewer, left))


# By tours, or by chance where it takes several rounds to get there
PUT_BACK = (
    (replay, "boston 5 from the shoe", "deal", "bets", "24.9(b)2"),
    (replay, "boston 5 from the shoe", "remainder", "call_missing", "24.9(d)"),
    (replay, "double draw from the shoe", "deal", "too_many", "42.10(d)"),
    (replay, "let it ride from the shoe", "load", "never_brought", "18.5(a)"),
    (replay, "poker from the hand", "open", "wrong_players", "14.6(b)"),
    (wander, "let it ride from the shoe", "open", "same_deck", "18.2(b)4"),
)


@pytest.mark.slow
@pytest.mark.proof(name="replay")
@pytest.mark.parametrize(
    ("go", "name", "event", "reason", "cite"), drawn("taken out", PUT_BACK, TAKEN_OUT)
)
def test_a_refusal_that_is_taken_out_is_found_on_the_way(
    go: Callable[[Tours, int, int], Walked],
    name: str,
    event: str,
    reason: str,
    cite: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """DS-4 DS-7 DS-12 SH-6 TD-4 (in-process): machines walk where the rules lead now."""
    without(monkeypatch, event, reason)
    (bound,) = (one for one in REPLAYED if one.name == name)
    tours = Tours(bound)
    tours.explore(FEW)
    cites: set[str] = set()
    for path in range(TRIED):
        found = go(tours, 1, path).against
        cites |= {line.partition(":")[0] for line in found}
        if cite in cites:
            return
    pytest.fail(f"{cite} was not named, but {cites}")
