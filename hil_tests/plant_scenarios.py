"""One scenario for each fault that can be planted: what the machine must call it, and when."""

from __future__ import annotations

from typing import Any

from dovetail import faults

from hil_tests.bench import Bench
from hil_tests.scenario import ENTERED, LET_IT_RIDE, Scenario
from host_tools.campaign.called import row
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S, STACK_S
from sim.plants.catalogue import DRAWN
from sim.plants.record import CLEARABLE, DEAL, EMPTY, FILL, REST, Plant
from sim.points import CARDS

STACK = 3
LATER = (faults.TRAY_FULL, faults.DEAL_BLOCKED)  # at the second stack: the first was dealt before
# Faults without a plant, and who else proves them: a scenario, or a test.
ELSEWHERE = {
    faults.COUNTS_DISAGREE: "test_planted.py: test_two_counts_that_disagree",
    faults.CALIBRATION: "test_calibration.py: test_a_machine_that_is_not_calibrated",
    faults.NOISE: "test_bad_noise.py: test_at_start_in_process",
    faults.SHOE_FULL: "test_meddling.py: test_a_card_in_the_shoe_that_nobody_counted",
    faults.STORE: "test_planted.py: test_memory_that_refuses_writes",
    faults.JOURNAL: "test_planted.py: test_the_journal_of_another_machine",
    faults.CONFIGURATION: "test_planted.py: test_a_configuration_that_is_not_signed",
    faults.SOFTWARE: "test_planted.py: test_a_defect_of_our_own",
}


def scenario_name(case: Plant[Any]) -> str:
    """Return the name of a plant's scenario."""
    return f"planted_{case.name.replace('.', '_').replace(':', '_')}"


def says(case: Plant[Any]) -> str:
    """Return what the scenario shows, in a line."""
    if not case.number:
        return f"{case.name}, while {case.phase}: the machine gets over it alone"
    _, name, station, _, _ = row(case.number)
    return f"{case.name}, while {case.phase}: {station}, {name}"


def entered(case: Plant[Any]) -> Scenario:
    """A scenario of this case."""

    async def run(bench: Bench) -> None:
        await PHASES[case.phase](bench, case)

    run.__module__ = __name__
    needs = ("dealer", "hands", "faults") + (() if case.thin else ("quick",))
    return Scenario(
        scenario_name(case), says(case), needs, {case.name: set(case.tried_at)}, LET_IT_RIDE, run
    )


async def shuffling(bench: Bench, case: Plant[Any]) -> None:
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
        got_over(bench, case)
    event = bench.heard.all("ready", since)[0]
    assert event.ready.text == f"{CARDS} of {CARDS}"


async def forgotten(bench: Bench, case: Plant[Any]) -> None:
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


async def dealing(bench: Bench, case: Plant[Any]) -> None:
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
        got_over(bench, case)
        return
    since = len(bench.heard.events)
    await bench.step(bench.client.deal(bench.round, position))
    await told(bench, case, since)
    if case.number in (
        faults.DOOR_OPEN,
        faults.LID_OPEN,
    ):  # the stop comes first, the lane's word after it
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


async def resting(bench: Bench, case: Plant[Any]) -> None:
    """The remainder does not add up: the deck is locked out. Not for a sensor that is wrong."""
    back = await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    for position in range(1, bench.table.stacks + 1):
        await bench.deal(position)
        await bench.take(position)
    await bench.later_calls()
    since = len(bench.heard.events)
    await bench.step(bench.table.ask(lambda: bench.client.remainder(bench.round), "remainder"))
    await told(bench, case, since)
    if case.number == faults.WRONG_DECK:
        await locked_out(bench, back)
    else:
        await made_good(bench, case)
        await bench.ready(back)


async def locked_out(bench: Bench, back: str) -> None:
    """This deck, and no other."""
    status = await bench.step(bench.client.status())
    assert [deck.back for deck in status.decks if deck.locked_out] == [BACKS[back]]


async def told(bench: Bench, case: Plant[Any], since: int) -> link_pb2.Event:
    """By the number, with station and card."""
    _, name, station, _, _ = row(case.number)
    event = await bench.fault(since, station, name, SHUFFLE_S)
    assert event.fault.fault == case.number
    if case.card is not None:
        assert event.fault.card == case.card, event.fault
    assert bench.rig.machine is not None
    assert [one.name for one in bench.rig.machine.faults.struck[:1]] == [case.name]
    return event


def got_over(bench: Bench, case: Plant[Any]) -> None:
    """Hold what has struck, and what the machine has tried, against the record of the plant."""
    assert bench.rig.machine is not None
    struck = {one.name for one in bench.rig.machine.faults.struck}
    assert struck == {case.name}, f"{case.name} never struck, or not alone: {struck or 'nothing'}"
    tried = {event.trying.fault for event in bench.heard.all("trying")}
    known = {*case.tried, *(other.number for other in case.others)}
    assert tried <= known, f"{case.name}: tried for faults {tried}, its record has {known}"
    assert tried or case.ends != CLEARABLE, f"{case.name} is clearable, and nothing was tried"


async def made_good(bench: Bench, case: Plant[Any]) -> None:
    """Every card out, what was broken repaired, spoilt decks replaced by new ones."""
    await bench.hands.clear()
    if case.spoils:
        for back in BACKS:
            await bench.hands.renew(back)
    await bench.cleared()


PHASES = {FILL: shuffling, EMPTY: shuffling, DEAL: dealing, REST: resting}
ENTERED.update({scenario_name(case): entered(case) for case in DRAWN})
