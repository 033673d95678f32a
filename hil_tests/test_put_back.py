"""What was found wrong once is put back into the machine, and the oracle of the texts finds it.

Each case changes one row: of a game's profile, of the table, or of a deck's ways. The machine then
permits what the texts forbid, a story walks there, and the paragraph is named. `test_eye.py` has
refusals that are taken out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest
from dovetail.cards import life, profiles
from dovetail.table import conditions, decks, system
from dovetail.voids import Voids  # pyright: ignore[reportUnknownVariableType]: device code

from hil_tests.bench import Bench
from hil_tests.eye import Eye
from hil_tests.powered import Powered
from hil_tests.service import by_the_supervisor
from hil_tests.test_eye import SEED, Breach, cites, played, stacks
from host_tools import rigs
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, STACK_S
from sim.loop import run

RED = BACKS["red"]
HOUR_S = 3600
Patch = pytest.MonkeyPatch


def profile(patch: Patch, game: str, **other: int) -> None:
    """Let a game's profile say something else."""
    patch.setattr(
        profiles,
        "GAMES",
        tuple(
            (
                name,
                tuple(
                    (key, other.get(key, number) if name == game else number, rule)
                    for key, number, rule in rows
                ),
            )
            for name, rows in cast(Any, profiles).GAMES
        ),
    )


def row(patch: Patch, event: str, met: tuple[str, ...], *instead: Any) -> None:
    """Let the row of these conditions do something else: changes and actions."""
    name, shared, rows = cast(Any, system).ENTRIES[event]
    assert [one for one in rows if one[0] == met]
    changed = tuple((met, *instead) if one[0] == met else one for one in rows)
    patch.setitem(cast(Any, system).ENTRIES, event, (name, shared, changed))


def way(patch: Patch, event: str, before: int, after: int) -> None:
    """Let a deck go another way."""
    ways = [
        (name, *[one for one in there if one[0] != before or name != event])
        + (((before, after),) if name == event else ())
        for name, *there in cast(Any, decks).WAYS
    ]
    patch.setattr(decks, "WAYS", tuple(ways))


def never(patch: Patch, *names: str) -> None:
    """Let these reasons never hold."""
    for name in names:
        assert hasattr(conditions, name)
        patch.setattr(conditions, name, _never)


def _never(*_asked: object) -> bool:
    return False


async def one_round(bench: Bench) -> None:
    """A round of two players from the red deck."""
    bench.watch.bets_closed = True
    await played(bench, "red")


async def six_rounds(bench: Bench) -> None:
    """More than a stub may go uncounted."""
    for _ in range(6):
        await one_round(bench)


async def nothing(bench: Bench) -> None:
    """The house's choice says it all."""


@pytest.mark.parametrize(
    ("setup", "other", "breach", "cite"),
    [
        (rigs.Setup("boston_5"), {"stages": 1}, one_round, "24.9(d)"),
        (rigs.Setup("boston_5", by_hand=True), {"stub_hand": 0}, six_rounds, "24.8(e)"),
        (rigs.Setup("let_it_ride"), {"cards": 53}, one_round, "13:69E-1.17(h)"),
        (rigs.Setup("boston_5", by_hand=True), {"cards": 53}, one_round, "13:69E-1.17(h)"),
        (rigs.Setup("let_it_ride"), {"stack": 4}, one_round, "18.9(a)"),
        (rigs.Setup("poker", by_hand=True), {"cut": 0}, one_round, "14.5(b)"),
        (rigs.Setup("double_down_stud", by_hand=True), {"cut": 0}, one_round, "17.4(b)2"),
        (rigs.Setup("let_it_ride", continuous=True), {"continuous": 1}, nothing, "18.5(a)"),
        (rigs.Setup("pai_gow_poker", continuous=True), {"continuous": 1}, nothing, "11.6(a)"),
    ],
    ids=lambda one: str(one) if isinstance(one, (rigs.Setup, str)) else None,
)
def test_a_game_that_says_something_else(
    setup: rigs.Setup, other: dict[str, int], breach: Breach, cite: str, monkeypatch: Patch
) -> None:
    """DS-4 CT-1 CT-2 DS-1 SH-3 SH-7 (in-process): stages, stubs, jokers, stacks, cuts, discards."""
    profile(monkeypatch, setup.game, **other)
    assert cite in cites(setup, breach)


BOSTON, BOSTON_HAND = rigs.Setup("boston_5"), rigs.Setup("boston_5", by_hand=True)


async def a_wrong_stub(bench: Bench) -> None:
    """It is counted after its round, and the deck is dealt once more."""
    await one_round(bench)
    await bench.client.stub_counted(RED, 51)
    await one_round(bench)


def test_a_deck_that_was_locked_out(monkeypatch: Patch) -> None:
    """CT-3 (in-process): a lock-out that is escaped: 24.7(f)2."""
    way(monkeypatch, "LOAD", decks.LOCKED, decks.DECLARED)
    never(monkeypatch, "locked")
    assert "24.7(f)2" in cites(BOSTON_HAND, a_wrong_stub)


def test_a_wrong_stub_after_its_round(monkeypatch: Patch) -> None:
    """CT-2 (in-process): a count after the close that locks nothing: 24.7(f)2."""
    for met in (("on_table", "a_wrong", "of_round_void"), ("on_table", "a_wrong")):
        row(monkeypatch, "stub_counted", met, (), ())
    assert "24.7(f)2" in cites(BOSTON_HAND, a_wrong_stub)


def test_a_stub_of_a_deck_that_is_gone(monkeypatch: Patch) -> None:
    """CT-1 (in-process): it clears no clock: 24.8(e)."""
    row(monkeypatch, "stub_counted", ("gone",), (("CLOCK", 0), ("CLOCK_RED", 0)), ())
    never(monkeypatch, "not_dealt_out")

    async def breach(bench: Bench) -> None:
        await bench.client.remove_deck(BACKS["blue"])
        for _ in range(5):
            await one_round(bench)
        await bench.client.stub_counted(BACKS["blue"], 52)
        await one_round(bench)

    assert "24.8(e)" in cites(BOSTON_HAND, breach)


def test_a_deck_that_is_dealt_from_twice(monkeypatch: Patch) -> None:
    """SH-1 SH-4 (in-process): a round from the hand leaves its deck as it was: 18.5(a)."""
    way(monkeypatch, "RELEASED", decks.HAND, decks.WHOLE)

    async def breach(bench: Bench) -> None:
        await one_round(bench)
        bench.rig.last_round += 1
        await bench.client.open_round(bench.round, 2)
        await bench.client.no_more_bets(bench.round)

    assert "18.5(a)" in cites(rigs.Setup(by_hand=True), breach)


def test_a_card_of_the_dealer_that_was_seen(monkeypatch: Patch) -> None:
    """DS-14 (in-process): exposed before the last bets, and the round is settled: 24.12(a)."""
    row(monkeypatch, "void_round", (), (), ())

    async def breach(bench: Bench) -> None:
        await bench.ready("red")
        await bench.open()
        await bench.no_more_bets()
        await stacks(bench)
        await bench.client.void_round(bench.round, link_pb2.EXPOSED)
        await bench.rest()
        await bench.client.close_round(bench.round)

    assert "24.12(a)" in cites(BOSTON, breach)


def test_hands_that_stand_though_the_count_is_wrong(monkeypatch: Patch) -> None:
    """DS-8 DS-14 (in-process): they stand until the deck is counted, and then do not: 24.7(f)2."""

    async def breach(bench: Bench) -> None:
        await bench.ready("red")
        await bench.open()
        await bench.no_more_bets()
        await stacks(bench)
        await bench.client.void_round(bench.round, link_pb2.EXPOSED)
        await bench.hands.switch("lid", False)
        await bench.heard.wait("fault", 0, STACK_S)
        await bench.hands.clear()
        await bench.hands.switch("lid", True)
        await bench.cleared()
        await bench.client.stub_counted(RED, 51)
        await asyncio.sleep(1)

    assert cites(BOSTON, breach) == set()

    def right(voids: Any, back: int) -> None:
        voids.settle(back, True)

    monkeypatch.setattr(Voids, "stub_wrong", right)
    assert cites(BOSTON, breach) == {"24.7(f)2"}


def off_and_on(story: Callable[[Bench], Any], off_s: int) -> set[str]:
    """Return what a round breaks after so long without power."""
    powered = Powered(rigs.Setup(), SEED)

    async def body() -> set[str]:
        powered.on()
        eye = Eye(powered.rig)
        bench = Bench(powered.rig)
        await bench.client.hello()
        await story(bench)
        await bench.close()
        await powered.off()
        await asyncio.sleep(off_s)
        powered.on()
        bench = Bench(powered.rig)
        await bench.client.hello()
        await story(bench)
        await bench.close()
        await powered.off()
        return {one.cite for one in eye.objections()}

    return run(powered.world, body())


@pytest.mark.parametrize("known", [False, True], ids=["untold", "told"])
def test_a_deck_that_grows_old_without_power(known: bool, monkeypatch: Patch) -> None:
    """CL-1 CL-6 EL-3 (in-process): a life that begins anew at each power-on: 18.4(e)."""

    def since_power_on(_since: int, _now: int, powered_s: int, _here: bool) -> int:
        return powered_s

    monkeypatch.setattr(life, "age_s", since_power_on)

    async def story(bench: Bench) -> None:
        if known:
            assert bench.rig.now_ns is not None
            now = 1_800_000_000 + bench.rig.now_ns() // 1_000_000_000
            async with by_the_supervisor(bench):
                await bench.client.request("set_clock", link_pb2.SetClock(time=now))
        await one_round(bench)

    assert off_and_on(story, 9 * HOUR_S) == {"18.4(e)"}


def test_what_is_put_back_is_what_is_found() -> None:
    """The same stories at the machine as it is: what they ask for is refused, or breaks nothing."""
    assert cites(rigs.Setup(), one_round) == set()
    assert cites(BOSTON, one_round) == set()
