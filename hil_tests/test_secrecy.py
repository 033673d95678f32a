"""I-8 on the production image: the order is in the wheel's plan alone, and afterwards nowhere.

The same search that must find nothing finds the plan while the wheel is being filled, and the keys
of the generator while they are in use.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

import pytest
from dovetail.chance.chance import Chance

from hil_tests import guises, memory
from hil_tests.bench import CARDS, Bench
from hil_tests.open_board import OpenBoard
from hil_tests.twin import Twin
from host_tools import rigs
from host_tools.hands import SimulatedHands
from host_tools.play.table import BACKS, SHUFFLE_S
from sim.emulated import noise

WINDOW = 1024  # samples of a plan
PLAN = "slots by card"
COLLECT_S = 0.02  # the collector takes 5 ms of it


async def until(there: Callable[[], bool], every_s: float) -> None:
    """Wait for it, but not for ever: a machine that has stopped fails the test."""
    loop = asyncio.get_running_loop()
    end = loop.time() + SHUFFLE_S
    while not there():
        assert loop.time() < end, "the machine does nothing more"
        await asyncio.sleep(every_s)


class Observer:
    """Knows all secrets of a board, and looks for them in its memory."""

    def __init__(self, board: OpenBoard) -> None:
        self.board = board
        self.orders: dict[str, list[int]] = {}

    async def start(self, bench: Bench) -> None:
        """Hello; the board's twin does what the board did at power-on."""
        identity = await bench.client.hello()
        self.twin = Twin(identity.serial, identity.boots)
        self.twin.start(self.board.samples)
        self.started = len(self.board.samples)

    def drawn(self, samples: list[int]) -> list[int]:
        """The plan that the board draws from these samples, by its twin."""
        plan = self.twin.order(samples, CARDS)
        delivered = [0] * CARDS
        for i, slot in enumerate(plan):
            delivered[slot] = CARDS - 1 - i  # decks come in order, the last card on top
        self.orders = memory.guises(plan, delivered)
        return plan

    async def read(self, samples: int) -> None:
        """Until the board has read so many samples since its start."""
        await until(lambda: len(self.board.samples) >= self.started + samples, 0.0005)

    async def seated(self, cards: int) -> None:
        """Until so many cards are in the wheel."""
        await until(lambda: len(self.board.machine.wheel.seated) >= cards, 0.02)

    def order_in(self, place: bytes) -> list[memory.Find]:
        """Where the order lies."""
        return memory.find_order(place, self.orders)

    def secrets_in(self, place: bytes) -> list[memory.Find]:
        """Where anything lies of which an order was made, or could be made again."""
        found = memory.find_bytes(place, self.twin.gone())
        return found + memory.find_samples(place, bytes(self.board.samples))

    def plan(self) -> memory.Find:
        """The one place in RAM where the order lies side by side."""
        (find,) = (find for find in self.order_in(self.board.ram()) if find.stride)
        assert (find.what, find.stride) == (PLAN, 1)
        return find

    async def forgotten(self, plan: memory.Find) -> None:
        """Until the plan is overwritten, and the garbage just after it."""
        ram = self.board.chip.chip.ram()
        await until(lambda: not any(ram[plan.offset : plan.offset + memory.RUN]), 0.001)
        await asyncio.sleep(COLLECT_S)

    def nothing_is_left(self) -> None:
        """Neither in RAM nor in flash nor in what was sent."""
        for place in (self.board.ram(), self.board.flash(), bytes(self.board.said)):
            assert not self.order_in(place)
            assert not self.secrets_in(place)


def test_the_order_is_in_the_plan_and_then_nowhere() -> None:
    """I-8 EL-1 (emulated): neither in memory nor in flash nor in what was sent."""
    board = OpenBoard(seed=1)
    look = Observer(board)

    async def story(bench: Bench) -> None:
        await look.start(bench)
        assert not look.secrets_in(board.ram())
        old = look.twin.live()
        assert len(memory.find_bytes(board.ram(), old)) == len(old)  # it finds the keys in use
        await bench.shuffle()
        await look.read(WINDOW)
        during: list[bytes] = []
        for _ in range(8):
            during.append(board.ram())
            await asyncio.sleep(0.001)
        await look.seated(1)
        plan = look.drawn(board.samples[look.started :])
        for secrets in (during[0], during[-1]):
            assert look.secrets_in(secrets)  # it finds what the draw is being made of
        assert not memory.find_bytes(board.ram(), old)
        assert not look.secrets_in(board.ram())
        place = look.plan()
        assert not look.order_in(board.flash())
        await look.seated(CARDS // 2)
        assert not guises.missed(board.ram(), look.orders)  # it would find every other form too
        await look.forgotten(place)
        assert len(board.machine.wheel.seated) == CARDS
        look.nothing_is_left()
        await bench.heard.wait("shuffle_done", 0, SHUFFLE_S)
        look.nothing_is_left()
        await bench.heard.wait("ready", 0, SHUFFLE_S)
        assert board.machine.wheel.seated == plan
        shoe = [card.face for card in board.machine.cards()["shoe"]]
        assert shoe == look.orders["cards as delivered"]
        look.nothing_is_left()
        live = look.twin.live()
        assert len(memory.find_bytes(board.ram(), live)) == len(live)

    board.play(story)


def test_a_stop_while_the_wheel_is_filled_leaves_no_order() -> None:
    """I-8 EL-1 (emulated): what was drawn is forgotten at once."""
    board = OpenBoard(seed=2)
    look = Observer(board)

    async def story(bench: Bench) -> None:
        await look.start(bench)
        await bench.shuffle()
        await look.seated(CARDS // 2)
        look.drawn(board.samples[look.started :])
        place = look.plan()
        await bench.hands.switch("lid", False)
        await look.forgotten(place)
        look.nothing_is_left()
        await bench.fault(0, "interlock", "lid open", 2.0)
        await asyncio.sleep(1.0)
        look.nothing_is_left()

    board.play(story)


@pytest.mark.parametrize("samples", [390, WINDOW // 2, 900])
def test_a_stop_before_the_draw_draws_nothing(samples: int) -> None:
    """I-8: a machine that stops while it reads noise does not go on to draw an order."""
    board = OpenBoard(seed=3)
    look = Observer(board)

    async def story(bench: Bench) -> None:
        await look.start(bench)
        await bench.shuffle()
        await look.read(samples)
        await bench.hands.switch("lid", False)
        await bench.fault(0, "interlock", "lid open", 2.0)
        await asyncio.sleep(0.5)
        read = board.samples[look.started :]
        assert len(read) <= WINDOW
        look.drawn(read + [board.source() for _ in range(WINDOW - len(read))])
        for place in (board.ram(), board.flash(), bytes(board.said)):
            assert not look.order_in(place)

    board.play(story)


def test_a_stop_before_discards_go_back_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same in continuous play, in process."""
    drawn: list[int] = []
    plan = cast(Callable[[Chance, int, bytearray], None], Chance.plan)  # pyright: ignore[reportUnknownMemberType]

    def noted(chance: Chance, n: int, out: bytearray) -> None:
        drawn.append(n)
        plan(chance, n, out)

    monkeypatch.setattr(Chance, "plan", noted)

    async def story(rig: rigs.Rig) -> None:
        bench = Bench(rig)
        await bench.client.hello()
        back = bench.next_back()
        await bench.table.all_in(back, new=True)
        bench.watch.ready = True
        await bench.open()
        await bench.no_more_bets()
        await bench.deal(1)
        await bench.take(1)
        source, read = noise.good(5), 0

        def bit() -> int:
            nonlocal read
            read += 1
            if read == WINDOW // 2:
                assert isinstance(rig.hands, SimulatedHands)
                rig.hands.hands.switch("lid", False)
            return source()

        assert rig.spoil is not None
        rig.spoil(bit)
        since = len(bench.heard.events)
        assert len(drawn) == 1
        await bench.table.dealer.load(back)
        await bench.step(bench.client.shuffle(BACKS[back]))
        await bench.fault(since, "interlock", "lid open", 2.0)
        await asyncio.sleep(1.0)
        assert WINDOW // 2 <= read <= WINDOW
        assert len(drawn) == 1
        await bench.close()

    rigs.in_process(rigs.Wanted(5, setup=rigs.Setup("plain", continuous=True)), story)


def test_a_stop_before_a_starting_position_draws_none() -> None:
    """The same for what DS-13 asks for: a round that is void has no starting position."""

    async def story(rig: rigs.Rig) -> None:
        bench = Bench(rig)
        await bench.client.hello()
        await bench.ready()
        await bench.open()
        source, read = noise.good(5), 0

        def bit() -> int:
            nonlocal read
            read += 1
            if read == WINDOW // 4:
                assert isinstance(rig.hands, SimulatedHands)
                rig.hands.hands.switch("lid", False)
            return source()

        assert rig.spoil is not None
        rig.spoil(bit)
        since = len(bench.heard.events)
        await bench.no_more_bets()
        await bench.step(bench.client.draw_start(bench.round))
        await bench.fault(since, "interlock", "lid open", 2.0)
        await asyncio.sleep(1.0)
        assert WINDOW // 4 <= read < WINDOW
        assert not bench.heard.all("start_drawn", since)
        await bench.close()

    rigs.in_process(rigs.Wanted(5, setup=rigs.Setup("pai_gow_poker")), story)
