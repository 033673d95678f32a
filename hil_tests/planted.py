"""One scenario for each fault that can be planted: what the machine must call it, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from dovetail import faults

from hil_tests.bench import CARDS, Bench
from hil_tests.scenario import ENTERED, LET_IT_RIDE, Scenario
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S, STACK_S

FILL, EMPTY, DEAL, REST = "the wheel is filled", "it is emptied", "a stack is dealt", "the rest"
AT = 20  # the card that is struck, where any will do
STACK = 3


LATER = (faults.TRAY_FULL, faults.DEAL_BLOCKED)  # at the second stack: the first was dealt before


@dataclass(frozen=True)
class Case:
    """What is planted, at which passages, and what comes of it."""

    plant: str
    at: set[int]
    phase: str
    number: int
    card: int | None  # None: which one it is hangs on the order of the cards
    spoilt: bool = False  # the cards themselves: new decks are needed
    thin: bool = False  # also on the emulated board, as one of its kind

    @property
    def name(self) -> str:
        """Of its scenario."""
        return f"planted_{self.plant.replace('.', '_').replace(':', '_')}"


CASES = (
    Case("infeed.stuck", {AT}, FILL, faults.MISFEED, AT, thin=True),
    Case("path.jam", {AT}, FILL, faults.FEED_JAM, AT),
    Case("path.hold", {AT}, FILL, 0, None),
    Case("path.jam_at:entry", {17}, FILL, faults.FEED_JAM, 17, thin=True),
    Case("path.jam_at:nip", {AT}, FILL, faults.FEED_JAM, AT),
    Case("path.jam_at:count", {AT}, FILL, faults.FEED_JAM, AT),
    Case("path.jam_at:mouth", {AT}, FILL, faults.FEED_JAM, AT),
    # beyond the beams: the wheel is the first to meet it
    Case("path.jam_at:slot", {AT}, FILL, faults.LOST_STEPS, AT + 1),
    Case("infeed.double_feed", {AT}, FILL, faults.DOUBLE_FEED, AT, thin=True),
    Case("infeed.overlap", {AT}, FILL, faults.DOUBLE_FEED, AT),
    Case("card.short", {AT}, FILL, faults.WRONG_LENGTH, AT, spoilt=True),
    Case("card.long", {AT}, FILL, faults.WRONG_LENGTH, AT, spoilt=True),
    Case("card.foreign", {AT}, FILL, faults.FOREIGN_BACK, AT, spoilt=True, thin=True),
    Case("card.face_up", {AT}, FILL, faults.FACE_UP, AT, spoilt=True),
    Case("card.skewed", {AT}, FILL, faults.WRONG_LENGTH, AT, spoilt=True),
    *(Case(f"{beam}.dust", {2}, FILL, 0, None) for beam in ("entry", "count")),
    *(Case(f"{beam}.glare", {2}, FILL, 0, None) for beam in ("entry", "count")),
    Case("back.faded", {AT}, FILL, 0, None),
    Case("back.dead", {AT}, FILL, faults.BACK_UNREAD, AT),
    Case("entry.covered", {500}, FILL, faults.PATH_BLOCKED, None),
    Case("count.covered", {500}, FILL, faults.FEED_JAM, None),
    Case("thickness_in.dead", {AT}, FILL, faults.THICKNESS, AT, thin=True),
    Case("board.busy", {AT}, FILL, 0, None),
    Case("thickness_in.drift", {1}, FILL, 0, None),
    Case("card.bent", {AT}, FILL, 0, None, spoilt=True),
    Case("entry.blind", {AT}, FILL, faults.BEAM_BLIND, AT),
    Case("count.blind", {AT}, FILL, faults.BEAM_BLIND, AT),
    Case("entry.dark", {AT}, FILL, faults.PATH_BLOCKED, AT + 1),
    Case("count.dark", {AT}, FILL, faults.FEED_JAM, AT),
    Case("entry.flicker", {AT}, FILL, 0, None),
    Case("count.flicker", {AT}, FILL, 0, None),
    Case("pick.lost", {AT}, FILL, 0, None),
    Case("feed.heavy", {AT}, FILL, faults.FEED_JAM, AT - 1),  # on its way into the slot
    Case("feed.lost", {AT}, FILL, 0, None),
    Case("path.slip", {AT}, FILL, 0, None),
    Case("infeed.creep", {AT}, FILL, 0, None),
    Case("path.skid", {AT}, FILL, faults.SLIP, AT),
    Case("infeed.misfeed", {AT}, FILL, 0, None),
    # In the middle of a turn. At the tick of the slot that is wanted the card meets the wall first.
    Case("wheel.slip", {504}, FILL, 0, None, thin=True),
    Case("wheel.heavy", {504}, FILL, faults.LOST_STEPS, None),
    Case("wheel.stall", {504}, FILL, faults.LOST_STEPS, None),
    Case("tick.dark", {500}, FILL, faults.LOST_STEPS, None),
    Case("tick.blind", {500}, FILL, faults.LOST_STEPS, None),
    Case("tick.missed", {500}, FILL, 0, None),
    Case("home.blind", {1}, FILL, faults.WHEEL_HOME, 0, thin=True),
    Case("home.dark", {6}, FILL, faults.WHEEL_LOST, None),
    Case("exit.jam", {AT}, EMPTY, faults.EXIT_JAM, AT, thin=True),
    Case("exit.hold", {AT}, EMPTY, 0, None),
    Case("exit.torn", {AT}, EMPTY, faults.EXIT_JAM, AT, spoilt=True),
    Case("exit.drag", {AT}, EMPTY, faults.EXIT_JAM, AT),
    Case("exit.dark", {AT}, EMPTY, faults.EXIT_JAM, AT),
    Case("exit.flicker", {AT}, EMPTY, 0, None),
    Case("exit.dust", {AT}, EMPTY, 0, None),
    Case("exit.glare", {AT}, EMPTY, 0, None),
    Case("eject.lost", {AT}, EMPTY, faults.ROD_LOST, AT),
    Case("eject.missed", {AT}, EMPTY, 0, None),
    Case("exit.blind", {AT}, EMPTY, faults.SLOT_EMPTY, AT),
    Case("exit.covered", {AT}, EMPTY, faults.EXIT_BLOCKED, AT + 1),
    Case("deal.stuck", {2}, DEAL, faults.DEAL_MISFEED, 2, thin=True),
    Case("deal.misfeed", {2}, DEAL, 0, None),
    Case("deal.jam", {2}, DEAL, faults.DEAL_JAM, 2),
    Case("deal.double_feed", {3}, DEAL, 0, None),
    Case("deal.triple_feed", {3}, DEAL, faults.MISDEAL, 5),
    Case("deal.bent_pair", {2}, DEAL, faults.DEAL_DOUBLE, 2, spoilt=True, thin=True),
    Case("deal.overlap", {2}, DEAL, faults.DEAL_JAM, 2),
    Case("deal.dust", {2}, DEAL, 0, None),
    Case("deal.glare", {2}, DEAL, 0, None),
    Case("deal.covered", {3}, DEAL, faults.DEAL_BLOCKED, 4),
    Case("deal.lost", {2}, DEAL, 0, None),
    Case("deal.slip", {2}, DEAL, 0, None),
    Case("deal.ahead", {2}, DEAL, faults.DEAL_SLIP, 2),
    Case("deal.blind", {2}, DEAL, faults.DEAL_BLIND, 2),
    Case("deal.dark", {2}, DEAL, faults.DEAL_JAM, 2),
    Case("deal.flicker", {2}, DEAL, 0, None),
    Case("thickness_out.drift", {2}, DEAL, 0, None),
    Case("thickness_out.dead", {2}, DEAL, faults.DEAL_THICKNESS, 2),
    Case("shoe.robbed", {2}, DEAL, faults.SHOE_SHORT, 3, spoilt=True),
    Case("shoe.lost", {30}, REST, faults.WRONG_DECK, CARDS - 1, spoilt=True),
    Case("shoe.extra", {30, 31}, REST, faults.WRONG_DECK, CARDS + 1, spoilt=True, thin=True),
    Case("tray.overlooked", {2, 3, 4, 5}, DEAL, faults.TRAY_FULL, 0),
    Case("tray.dead", {1}, DEAL, faults.TRAY_BLIND, 0),
    Case("supply.lost", {AT}, FILL, faults.SUPPLY_LOST, None, thin=True),
    Case("supply.dip", {AT}, FILL, faults.SUPPLY_LOST, None),
    Case("supply.sag", {AT}, FILL, 0, None),
    Case("lid.jolt", {AT}, FILL, 0, None),
    Case("door.jolt", {2}, DEAL, 0, None),
    Case("hands.lid", {AT}, FILL, faults.LID_OPEN, None),
    Case("hands.door", {2}, DEAL, faults.DOOR_OPEN, None),
    Case("hands.late", {1}, FILL, 0, None),
    Case("hands.rest", {1}, FILL, faults.WRONG_DECK, CARDS - 10, spoilt=True),
    Case("hands.other_deck", {1}, FILL, faults.FOREIGN_BACK, 1),
    Case("hands.left", {1}, DEAL, 0, None),
    Case("board.hung", {AT}, FILL, faults.MOVE_LATE, AT),
    Case("hands.forget", {1}, FILL, faults.INSIDE, 0),
)
OF_PLANT = {case.plant: case for case in CASES}
# Faults without a plant, and who else proves them: a scenario, or a test.
ELSEWHERE = {
    faults.COUNTS_DISAGREE: "test_planted.py: test_two_counts_that_disagree",
    faults.NOT_MOUNTED: "disturbances.py: the_machine_is_lifted_while_shuffling",
    faults.CALIBRATION: "test_calibration.py: test_a_machine_that_is_not_calibrated",
    faults.NOISE: "test_bad_noise.py: test_at_start_in_process",
    faults.STORE: "test_planted.py: test_memory_that_refuses_writes",
    faults.JOURNAL: "test_planted.py: test_the_journal_of_another_machine",
    faults.CONFIGURATION: "test_planted.py: test_a_configuration_that_is_not_signed",
    faults.SOFTWARE: "test_planted.py: test_a_defect_of_our_own",
}


def row(number: int) -> tuple[int, str, str, int, str]:
    """A line of the firmware's table of faults."""
    return cast(tuple[int, str, str, int, str], faults.row(number))  # pyright: ignore[reportUnknownMemberType]


def says(case: Case) -> str:
    """In a line."""
    if not case.number:
        return f"{case.plant}, while {case.phase}: the machine gets over it alone"
    _, name, station, _, _ = row(case.number)
    return f"{case.plant}, while {case.phase}: {station}, {name}"


def entered(case: Case) -> Scenario:
    """A scenario of this case."""

    async def run(bench: Bench) -> None:
        await PHASES[case.phase](bench, case)

    run.__module__ = __name__
    needs = ("dealer", "hands", "faults") + (() if case.thin else ("quick",))
    return Scenario(case.name, says(case), needs, {case.plant: case.at}, LET_IT_RIDE, run)


async def shuffling(bench: Bench, case: Case) -> None:
    """Told while a deck is shuffled; it comes out, and is shuffled as a whole again."""
    since = len(bench.heard.events)
    if case.number == faults.INSIDE:
        await forgotten(bench, case)
        return
    back = await bench.shuffle()
    if case.number:
        await told(bench, case, since)
        assert not bench.heard.all("ready", since)
        if case.number == faults.WRONG_DECK:
            await locked_out(bench, back)
            return
        await bench.nothing_goes_on(back, case.number)
        await made_good(bench, case)
        if "quick" not in bench.rig.has:
            return
        since = len(bench.heard.events)
        await bench.ready(back)
    else:
        await bench.step(bench.heard.wait("ready", since, SHUFFLE_S, back=BACKS[back]))
    event = bench.heard.all("ready", since)[0]
    assert event.ready.text == f"{CARDS} of {CARDS}"


async def forgotten(bench: Bench, case: Case) -> None:
    """The machine is said to be empty, and looks for itself."""
    back = await bench.shuffle()
    since = len(bench.heard.events)
    await bench.hands.switch("lid", False)
    await bench.fault(since, "interlock", "lid open", SHUFFLE_S)
    await bench.hands.switch("lid", True)
    await bench.hands.clear()
    since = len(bench.heard.events)
    bench.watch.clearing()
    await bench.step(bench.table.ask(bench.client.cleared, "cleared"))
    await told(bench, case, since)
    await bench.nothing_goes_on(back, case.number)
    await bench.hands.clear()
    await bench.cleared()
    await bench.ready(back)


async def dealing(bench: Bench, case: Case) -> None:
    """Told with the stack's position; the round is void."""
    back = await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    position = 1
    if case.number in LATER:
        await bench.deal(1)
        if case.number == faults.DEAL_BLOCKED:
            await bench.table.dealer.take()
        await bench.step(bench.heard.wait("taken", 0, STACK_S))
        position = 2
    if not case.number:
        await bench.finish_round(0)
        return
    since = len(bench.heard.events)
    await bench.step(bench.client.deal(bench.round, position))
    await told(bench, case, since)
    if case.number == faults.DOOR_OPEN:  # the stop comes first, the lane's word after it
        await made_good(bench, case)
        return
    stack = await bench.step(bench.heard.wait("stack", since, STACK_S))
    assert (stack.stack.position, stack.stack.ordered) == (position, STACK)
    if case.number != faults.TRAY_BLIND:
        assert stack.stack.delivered != STACK
    void = await bench.step(bench.heard.wait("round_void", since, STACK_S))
    assert void.round_void.round == bench.round
    await bench.refused(bench.client.deal(bench.round, 1), "DS-8")
    await made_good(bench, case)
    if "quick" in bench.rig.has:
        await bench.ready(back)
        await bench.whole_round()


async def resting(bench: Bench, case: Case) -> None:
    """The remainder does not add up: the deck is locked out."""
    back = await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    for position in range(1, bench.table.stacks + 1):
        await bench.deal(position)
        await bench.take(position)
    since = len(bench.heard.events)
    await bench.step(bench.table.ask(lambda: bench.client.remainder(bench.round), "remainder"))
    await told(bench, case, since)
    await locked_out(bench, back)


async def locked_out(bench: Bench, back: str) -> None:
    """This deck, and no other."""
    status = await bench.step(bench.client.status())
    assert [deck.back for deck in status.decks if deck.locked_out] == [BACKS[back]]


async def told(bench: Bench, case: Case, since: int) -> link_pb2.Event:
    """By the number, with station and card."""
    _, name, station, _, _ = row(case.number)
    event = await bench.fault(since, station, name, SHUFFLE_S)
    assert event.fault.fault == case.number
    if case.card is not None:
        assert event.fault.card == case.card, event.fault
    assert bench.rig.machine is not None
    assert [one.name for one in bench.rig.machine.faults.struck[:1]] == [case.plant]
    return event


async def made_good(bench: Bench, case: Case) -> None:
    """Every card out, what was broken repaired, spoilt decks replaced by new ones."""
    await bench.hands.clear()
    if case.spoilt:
        for back in BACKS:
            await bench.hands.renew(back)
    await bench.cleared()


PHASES = {FILL: shuffling, EMPTY: shuffling, DEAL: dealing, REST: resting}
ENTERED.update({case.name: entered(case) for case in CASES})
