"""The oracle of the texts sees breaches that are planted into the machine's own rules.

Each test takes one refusal out of the machine, breaks the rule with the link's own requests, and
wants the paragraph named that the machine then broke. The twin is every scenario: there the oracle
judges each table, and objects to nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from dovetail.table import conditions

from hil_tests.bench import Bench
from hil_tests.eye import Eye
from host_tools import rigs
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S

SEED = 9
Breach = Callable[[Bench], Awaitable[None]]


def cites(setup: rigs.Setup, breach: Breach) -> set[str]:
    """Return the paragraphs that a session broke at a machine that has lost some refusals."""
    eyes: list[Eye] = []

    async def body(rig: rigs.Rig) -> None:
        eyes.append(Eye(rig))
        bench = Bench(rig)
        try:
            await bench.client.hello()
            await breach(bench)
        finally:
            await bench.close()

    rigs.in_process(rigs.Wanted(SEED, setup=setup), body)
    return {one.cite for one in eyes[0].objections()}


@pytest.fixture
def lose(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let these reasons to refuse never hold."""

    def lost(*names: str) -> None:
        for name in names:
            assert hasattr(conditions, name)
            monkeypatch.setattr(conditions, name, _never)

    return lost


def _never(*_asked: object) -> bool:
    return False


async def stacks(bench: Bench) -> None:
    for position in range(1, bench.table.stacks + 1):
        await bench.deal(position)
        await bench.take(position)


async def played(bench: Bench, back: str) -> None:
    """A round of two players, as its game has it."""
    await bench.ready(back)
    await bench.played(back)


BOSTON = rigs.Setup("boston_5")


def test_a_deck_that_a_table_says_was_shuffled(lose: Callable[..., None]) -> None:
    """SH-6 (in-process): 18.5(a): let it ride knows no cards that were shuffled before."""
    lose("never_brought", "new_by_another")

    async def breach(bench: Bench) -> None:
        await bench.client.remove_deck(BACKS["red"])
        await bench.table.dealer.load("red")
        await bench.client.load(BACKS["red"], True, True)
        await bench.client.shuffle(BACKS["red"])
        await bench.heard.wait("ready", 0, SHUFFLE_S)
        await bench.played("red")

    assert cites(rigs.Setup(), breach) == {"18.5(a)"}


def test_a_stack_before_no_more_bets(lose: Callable[..., None]) -> None:
    """DS-4 (in-process): 24.9(b)2."""
    lose("bets")

    async def breach(bench: Bench) -> None:
        await bench.ready("red")
        await bench.open()
        bench.watch.bets_closed = True
        await bench.client.deal(bench.round, 1)
        await bench.heard.wait("stack", 0, 10.0)
        await bench.take(1)

    assert "24.9(b)2" in cites(BOSTON, breach)


def test_a_remainder_before_the_second_wagers(lose: Callable[..., None]) -> None:
    """DS-6 (in-process): 24.9(d)."""
    lose("call_missing")

    async def breach(bench: Bench) -> None:
        await bench.ready("red")
        await bench.open()
        await bench.no_more_bets()
        await stacks(bench)
        since = len(bench.heard.events)
        await bench.client.remainder(bench.round)
        await bench.heard.wait("remainder", since, SHUFFLE_S)

    assert cites(BOSTON, breach) == {"24.9(d)"}


def test_the_same_deck_twice(lose: Callable[..., None]) -> None:
    """TD-4 (in-process): 24.2(b)4, where two decks are in use."""
    lose("same_deck")

    async def breach(bench: Bench) -> None:
        for back in ("red", "blue", "blue"):
            await played(bench, back)

    assert "24.2(b)4" in cites(BOSTON, breach)


def test_a_sixth_round_without_a_count_of_the_stub(lose: Callable[..., None]) -> None:
    """CT-1 (in-process): 24.8(e): from the hand the machine's own count excuses nothing."""
    lose("count_due", "stub_due")

    async def breach(bench: Bench) -> None:
        bench.watch.bets_closed = True
        for _ in range(6):
            await bench.ready("red")
            bench.watch.bets_closed = True
            await bench.played("red")

    assert cites(rigs.Setup("boston_5", by_hand=True), breach) == {"24.8(e)"}


def test_a_deck_that_waited_at_an_idle_table(lose: Callable[..., None]) -> None:
    """SH-9 (in-process): 18.5(d): the shuffle before counts no more."""
    lose("idled")

    async def breach(bench: Bench) -> None:
        await bench.ready("red")
        await bench.client.idle()
        await bench.open()
        await bench.no_more_bets()
        await stacks(bench)

    assert cites(rigs.Setup(), breach) == {"18.5(d)"}


def test_what_the_machine_permits_breaks_nothing() -> None:
    """The same rounds with every refusal in its place."""

    async def two_decks(bench: Bench) -> None:
        for back in ("red", "blue", "red"):
            await played(bench, back)

    async def by_hand(bench: Bench) -> None:
        bench.watch.bets_closed = True
        for n in range(6):
            if n == 5:
                await bench.client.stub_counted(link_pb2.RED, 52)
            await bench.ready("red")
            bench.watch.bets_closed = True
            await bench.played("red")

    assert cites(BOSTON, two_decks) == set()
    assert cites(rigs.Setup("boston_5", by_hand=True), by_hand) == set()
