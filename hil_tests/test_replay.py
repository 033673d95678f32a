"""The explored rules, walked at the simulated machine: the oracle of the texts finds no breach.

Each case is a game in one way of delivery. Its tours cover every pair of rows within so many
nodes of a new machine: whatever the rules let follow on a row that was taken, and whatever they
refuse then, has truly been asked of a machine with cards in it.
"""

from __future__ import annotations

import pytest

from hil_tests.replay import replay
from host_tools.build.told import Tell
from host_tools.evidence.drawn import amount, drawn, seed
from host_tools.rules.bounds import REPLAYED
from host_tools.rules.events import Bound
from host_tools.rules.tour import Tours

NODES = amount(40_000, 6_000)  # that a tour may lead through: a state, and the row before it
PATHS = amount(2_000, 60)  # machines; far fewer are needed
REPLAYS = 1  # cases of a share
WALKED = 0.8  # of the pairs: the others something always comes between, three times of three


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
    done = [pair for pair in tours.at if pair in tours.covered]
    rows = {row for _, row in tours.at}
    unmet = sorted(rows - {row for _, row in tours.covered})
    tell(
        f"replay, {bound.name}: {walked.paths} paths, {walked.steps} steps, {walked.rounds} rounds,"
        f" {walked.facts} facts judged; {len(done)} of {len(tours.at)} pairs of rows"
        f"{'' if whole else f' in {NODES:,} nodes'}, {len(tours.given_up)} given up;"
        f" {len(rows) - len(unmet)} of {len(rows)} rows, not met: {', '.join(unmet) or 'none'}"
    )
    assert walked.against == []
    assert walked.differs == []
    if not tours.left():
        assert len(done) >= WALKED * len(tours.at)
