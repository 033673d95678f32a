# Once, before anything moves.

from micropython import const
from dovetail import faults
from dovetail.chance.fault import ChanceFault
from dovetail.journal.mount import FAILED
from dovetail.journal.state import CAUSES, CONDITIONS, RUNNING
from dovetail.reports import tell_fault
from dovetail.table import decks
from dovetail.table.layout import (
    BLUE, CLOCK, CLOCK_BLUE, CLOCK_RED, DOUBT, INSIDE, LAST, OUT, PAIR, RED, STUB, TURN,
)

_UNTOLD = const(5)  # from journal/state.py: _UNTOLD
_AGAIN = const(6)  # from journal/state.py: _AGAIN
_COUNTED = const(64)  # from journal/state.py: _COUNTED
_SETTLED = const(128)  # from journal/state.py: _SETTLED
_WRONG_STUB = const(4)  # from link/link.proto: WRONG_STUB
_POWER_LOST = const(5)  # from link/link.proto: POWER_LOST



def begin(machine):
    """Once, before anything moves: what the last power-off left, and whether chance can be trusted."""
    state, journal, memory = machine.state, machine.journal, machine.memory
    _remember(machine)
    last_fault, condition, cut = state.fault, CONDITIONS[state.condition], state.round_state in RUNNING
    if journal.status == FAILED:
        machine.fault = faults.JOURNAL
    else:
        try:
            journal.prepare()
        except OSError:
            machine.fault = faults.STORE
    if state.down and machine.hal.reset_cause != "power":
        machine.fault = machine.fault or faults.NOISE  # I-9: only a power-on gives randomness another try
    else:
        try:
            machine.chance.start()
        except ChanceFault:
            machine.fault = machine.fault or faults.NOISE
    tests = (
        machine.chance.trust, journal.status != FAILED,
        machine.settings.state < 2,  # from journal/settings.py: OLDER
        not machine.unsafe(), machine.hal.level("supply") >= machine.hal.mechanics.SUPPLY_MIN,
        not machine.sensors.calibration.why,
    )  # fmt: skip
    passed = sum(1 << i for i in range(len(tests)) if tests[i])
    fields = {
        "boots": state.boots + 1, "cause": machine.hal.reset_cause, "may_be_inside": bool(state.inside),
        "last_fault": last_fault, "condition": condition, "self_test": passed, "journal": journal.text(),
    }  # fmt: skip
    found, journal.damage = journal.damage, []
    more = {
        "cause": CAUSES.index(machine.hal.reset_cause), "last_fault": last_fault, "last_state": state.condition,
        "self_test": passed, "journal": journal.status, "inside": state.inside, "damage": len(found),
        "image": machine.image["image"].encode()[:12],
    }  # fmt: skip
    memory.tell("started", fields, more)
    for damage in found:
        machine.note("damage", damage)
    for deck in machine.decks[1:]:
        number, standing, why, fault, complete = state.stood[deck.number]
        reason = why & _COUNTED - 1
        if why & _SETTLED and standing:
            machine.voids.kept(deck.number, number, complete, reason, standing, fault)
        elif number:  # until that deck is counted
            machine.voids.say(deck.number, complete, reason, standing, fault, number)
            if why & _COUNTED:
                machine.voids.settle(deck.number, True)
    if cut:  # DS-8: what was dealt when the power went is void, its complete stacks are told
        p, standing = machine.profile, 0
        if p.keeps:
            standing = state.good & ~(1 << state.facing >> 1) & (1 << max(state.positions - p.dealer, 0)) - 1
        machine.voids.say(state.last_back, state.stacks, _POWER_LOST, standing, faults.INSIDE)
    elif state.round_state in (_UNTOLD, _AGAIN):
        machine.voids.say(state.last_back, state.stacks, _WRONG_STUB, 0, 0)
    for deck in machine.decks[1:]:
        if state.unlocked >> deck.number & 1:
            machine.tell_locked(deck)
            machine.voids.settle(deck.number, False)
    memory.at_once()
    _remember(machine)  # the start itself is in it now
    machine.tell("power", 0, 1 if machine.fault else 0)
    machine.voids.due = False
    if not machine.fault and state.inside:
        machine.fault = faults.INSIDE  # EL-3: whatever happened, never "empty"
    if not machine.fault and machine.sensors.calibration.why:
        machine.fault = faults.CALIBRATION
        machine.tell("stop")
    if machine.fault:
        tell_fault(machine, 0, machine.inside())
        memory.at_once()
    machine.show()
    machine.hal.collect()


def _remember(machine):
    """What has survived the power, into the rules."""
    kept, known = machine.state, bytearray(machine.rules.state)
    for number in (RED, BLUE):
        if kept.gone >> number & 1:
            known[number] = decks.BARRED if kept.locks >> number & 1 else decks.GONE
        elif kept.locks >> number & 1:
            known[number] = decks.LOCKED
    known[OUT], known[LAST], known[INSIDE] = kept.out, kept.last_back, kept.inside
    known[DOUBT], known[PAIR], known[TURN], known[STUB] = kept.doubt, kept.pair, kept.turn, kept.stub
    known[CLOCK] = kept.clock  # CT-1: the power stops no clock
    known[CLOCK_RED], known[CLOCK_BLUE] = kept.clocks[RED], kept.clocks[BLUE]
    machine.rules.state = bytes(known)
