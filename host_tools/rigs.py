"""The three depths: what a controller and a dealer find there, and the loop that they run on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from dovetail.cards.configuration import DEFAULT

from boards.shuffler_rp2040 import board
from host_tools.build.tell import BUILD, ROOT, UsageError
from host_tools.hands import Dealer, Hands, SimulatedHands
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.keys import Keys, of_seed
from host_tools.link.transport import Transport
from host_tools.rules.device import make_profile, put_settings, value
from sim import factory
from sim.hal import UNIQUE_ID, Store
from sim.loop import run as run_virtual
from sim.machine import Machine

T = TypeVar("T")

BOARD = "shuffler_rp2040"  # the only one whose chip can be emulated
WRITTEN = 16  # sectors, more than a journal's first moment takes


def image_path(variant: str) -> Path:
    """The file that `make image` makes for the emulated board."""
    return BUILD / f"{BOARD}-{variant}" / "dovetail.uf2"


def shown(path: Path) -> str:
    """A path as people know it: from the root of the project, if it is in there."""
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)


@dataclass(frozen=True)
class Setup:
    """A game and a way of dealing, as the house has set a machine up."""

    game: str = DEFAULT
    by_hand: bool = False  # delivered as a single stack
    continuous: bool = False  # discards go back in during play

    @property
    def cards(self) -> int:
        """Of a whole deck."""
        return value(self.game, "cards")

    def __str__(self) -> str:
        how = " as a single stack" if self.by_hand else " continuously" if self.continuous else ""
        return f"{self.game.replace('_', ' ')}{how}"


@dataclass(frozen=True)
class Wanted:
    """What a run asks of its rig. Faults can be planted in simulated machines only."""

    seed: int = 0
    faults: Mapping[str, set[int] | float] = field(default_factory=dict[str, "set[int] | float"])
    setup: Setup = field(default_factory=Setup)
    image: Path = field(default_factory=lambda: image_path("production"))
    port: str | None = None
    keys: Path | None = None  # the key file of a real machine
    bench: bool = False  # a real machine may run a bench image
    dealer: Dealer | None = None  # who stands at a real machine
    calibrated: bool = True  # as a simulated board leaves the factory
    hands: Hands | None = None


@dataclass
class Rig:
    """A machine on a line. `machine` is its own truth, where there is one."""

    depth: str
    transport: Transport
    dealer: Dealer | None
    hands: Hands | None
    machine: Machine | None = None
    now_ns: Callable[[], int] | None = None
    image: str = ""
    sha256: str = ""
    keys: Keys = field(default_factory=lambda: of_seed(0))
    fresh: bool = True  # a machine without keys is given these
    bench: bool = True  # take any image: the keys of a simulated machine are worth nothing
    setup: Setup = field(default_factory=Setup)
    last_back: str = ""  # the deck that was shuffled last
    last_round: int = 0  # round numbers only grow
    spoil: Callable[[Callable[[], int]], None] | None = None  # gives it another source of noise

    def client(
        self,
        transport: Transport | None = None,
        role: link_pb2.Role = link_pb2.ROLE_TABLE,
        nonce: bytes | None = None,
    ) -> Client:
        """A controller that has the keys of this machine."""
        line = transport or self.transport
        return Client(
            line, keys=self.keys, role=role, provision=self.fresh, bench=self.bench, nonce=nonce
        )

    async def give_keys(self) -> None:
        """To a machine that may have none, before a session of another role: by a table session."""
        if self.fresh:
            giver = self.client()
            await giver.hello()
            await giver.leave()

    @property
    def has(self) -> frozenset[str]:
        """What a scenario may need of it."""
        there = {
            "dealer": self.dealer,
            "hands": self.hands,
            "faults": self.machine,
            "noise": self.spoil,
            "clock": self.machine,
            "quick": self.depth == "in-process" or None,
        }
        return frozenset(name for name, part in there.items() if part is not None)

    def now_ms(self) -> int | None:
        """The machine's time, where it can be seen from outside."""
        return None if self.now_ns is None else self.now_ns() // 1_000_000

    def now_s(self) -> float | None:
        """The same in seconds."""
        return None if self.now_ns is None else self.now_ns() / 1e9


Body = Callable[[Rig], Coroutine[Any, Any, T]]


def configured(wanted: Wanted, unique_id: bytes = UNIQUE_ID) -> Store:
    """The store of a machine that is set up for this game."""
    store = Store(board.JOURNAL_BYTES)
    if wanted.calibrated:
        factory.calibrate(store.cells, unique_id, wanted.seed)
    setup = wanted.setup
    if setup != Setup():
        key = of_seed(wanted.seed).service
        blob = make_profile(key, setup.game, int(setup.by_hand), int(setup.continuous))
        put_settings(store, unique_id, {"key.service": key, "profile": blob})
    return store


def in_process(wanted: Wanted, body: Body[T]) -> T:
    """Firmware and machine in this process, in virtual time."""
    from sim.faults import Faults
    from sim.inprocess import InProcess

    whole = InProcess(
        wanted.seed,
        Faults(wanted.faults, wanted.seed),
        cards=wanted.setup.cards,
        store=configured(wanted),
        calibrated=wanted.calibrated,
    )
    hands = SimulatedHands(whole.hands, wanted.seed)
    rig = Rig("in-process", whole.transport, hands, hands, whole.machine, whole.world.now_ns)
    rig.keys, rig.setup = of_seed(wanted.seed), wanted.setup
    rig.spoil = whole.hal.noise.use
    return run_virtual(whole.world, beside(whole.start(), body(rig)))


def emulated(wanted: Wanted, body: Body[T]) -> T:
    """The flashed image on an emulated board, at the pins of the simulated machine."""
    from sim import hands as machine_hands
    from sim.emulated.board import STORAGE_AT, UNIQUE_ID, EmulatedBoard
    from sim.emulated.uf2 import ImageError
    from sim.emulated.wiring import Board
    from sim.faults import Faults

    try:
        chip = EmulatedBoard(wanted.image, cast(Board, board), wanted.seed)
    except ImageError as error:
        raise UsageError(str(error)) from error
    machine = Machine(chip, wanted.seed, Faults(wanted.faults, wanted.seed))
    chip.wire(machine)
    hands = SimulatedHands(
        machine_hands.Hands(machine, ("red", "blue"), wanted.setup.cards), wanted.seed
    )
    sha256 = chip.image.sha256
    rig = Rig(
        "emulated", chip.line, hands, hands, machine, chip.now_ns, shown(wanted.image), sha256
    )
    rig.keys, rig.setup = of_seed(wanted.seed), wanted.setup
    rig.spoil = chip.noise
    store = bytes(configured(wanted, UNIQUE_ID).cells[: WRITTEN * Store.SECTOR])
    chip.chip.flash()[STORAGE_AT : STORAGE_AT + len(store)] = store
    chip.power_on()
    return run_virtual(chip, body(rig))


def real(wanted: Wanted, body: Body[T]) -> T:
    """A board on a serial port, in the time that everybody lives in."""
    from host_tools.key_file import keys_of, place
    from host_tools.link.errors import LinkError
    from host_tools.link.serial_transport import open_port

    port = wanted.port
    if port is None:
        raise UsageError("the real depth needs a serial port: --port PORT")

    async def main() -> T:
        try:
            transport = open_port(port)
        except LinkError as error:
            raise UsageError(str(error)) from error
        try:
            keys = await keys_of(transport, place(wanted.keys, port), port)
            rig = Rig("real", transport, wanted.dealer, wanted.hands)
            rig.keys, rig.fresh, rig.bench = keys, False, wanted.bench
            return await body(rig)
        finally:
            transport.close()

    return asyncio.run(main())


DEPTHS: dict[str, Callable[[Wanted, Body[Any]], Any]] = {
    "in-process": in_process,
    "emulated": emulated,
    "real": real,
}


async def beside(firmware: Coroutine[Any, Any, None], body: Awaitable[T]) -> T:
    """Run the body while the firmware runs; if the firmware ends first, its error is the result."""
    board = asyncio.ensure_future(firmware)
    table = asyncio.ensure_future(body)
    try:
        await asyncio.wait((board, table), return_when=asyncio.FIRST_COMPLETED)
        if not table.done():
            board.result()
            raise RuntimeError("the firmware has ended by itself")
        return table.result()
    finally:
        for task in (board, table):
            task.cancel()
        await asyncio.gather(board, table, return_exceptions=True)
