# How the machine stands, in full and as a digest. Orders nothing.

import micropython
import struct
from binascii import crc32
from micropython import const
from dovetail import faults
from dovetail.requests.asking import DONE
from dovetail.table import decks
from dovetail.table.layout import (
    BETS, BLUE, DEALT, INSIDE, ORDER_RED, OUT, OWED, RED, RELEASED, ROUND, SHOE, SHUFFLED, STACKS, START, WANTED,
    WHEEL,
)

_STATES = {
    "idle": 2,  # from link/link.proto: IDLE
    "working": 3,  # from link/link.proto: WORKING
    "ready": 4,  # from link/link.proto: READY
    "dealing": 5,  # from link/link.proto: DEALING
    "stopped": 6,  # from link/link.proto: STOPPED
    "unavailable": 7,  # from link/link.proto: UNAVAILABLE
    "out": 8,  # from link/link.proto: OUT_OF_SERVICE
}
_NOWHERE = const(0)  # from link/link.proto: PLACE_NONE
_INFEED = const(1)  # from link/link.proto: INFEED
_WHEEL = const(2)  # from link/link.proto: WHEEL
_SHOE = const(3)  # from link/link.proto: SHOE
_TABLE = const(4)  # from link/link.proto: TABLE
_REMOVED = const(5)  # from link/link.proto: REMOVED
# The place of a deck by its state, in the order of decks.NAMES
_PLACES = (
    _TABLE, _INFEED, _WHEEL, _WHEEL, _WHEEL, _SHOE, _SHOE, _NOWHERE, _NOWHERE, _REMOVED, _TABLE, _TABLE, _WHEEL, _WHEEL,
    _REMOVED,
)  # fmt: skip
# The phases of the link follow each other as those of layout.ROUND do
_PHASE = const(1)  # the first of them; from link/link.proto: PHASE_CLOSED
_IN_WHEEL = const(1)  # a place of the ledger; from cards/ledger.py: WHEEL
_IN_SHOE = const(2)  # from cards/ledger.py: SHOE


_SHUFFLED = (decks.READY, decks.DEALING, decks.WHOLE, decks.HAND, decks.MIXED)


@micropython.native
def _state(machine, at):
    if machine.fault:
        return "unavailable" if faults.row(machine.fault)[3] == faults.DOWN else "stopped"
    if at[OUT]:
        return "out"
    number = at[WHEEL] if machine.slots else at[SHOE]  # of the deck that is dealt from
    state = at[number] if number else decks.AWAY
    if state == decks.DEALING or (state == decks.MIXED and BETS <= at[ROUND] <= RELEASED):
        return "dealing"
    if state == decks.READY or state == decks.MIXED:
        return "ready"
    return "working" if machine.busy() else "idle"


@micropython.native
def status(machine, fields):
    hal, rules, known = machine.hal, machine.rules, machine.decks
    at = rules.state
    now, wheel, shoe = at[ROUND], at[WHEEL], at[SHOE]
    cards, rows = machine.cards, []
    for number in (RED, BLUE):
        ledger, state = known[number].ledger, at[number]
        rows.append(
            {
                "back": number,
                "place": _PLACES[state],
                "counted_in": ledger.counted_in,
                "counted_out": ledger.counted_out,
                "expected": cards,
                "locked_out": state == decks.LOCKED,
                "shuffled": state in _SHUFFLED and at[ORDER_RED - RED + number] == SHUFFLED,
                "order": at[ORDER_RED - RED + number],
            }
        )
    tray, lid, door, mount = machine.tray.holds(), hal.switch("lid"), hal.switch("door"), hal.switch("mount")
    return {
        "outcome": DONE,
        "status": {
            "state": _STATES[_state(machine, at)],
            "fault": machine.fault,
            "round": rules.number if BETS <= now <= RELEASED else 0,
            "no_more_bets": DEALT <= now < RELEASED,
            "stacks": at[STACKS],
            "wheel": known[wheel].ledger.at[_IN_WHEEL] if wheel else 0,
            "shoe": known[shoe].ledger.at[_IN_SHOE] if shoe else 0,
            "tray": tray,
            "lid": lid,
            "door": door,
            "mount": mount,
            "decks": rows,
            "may_be_inside": bool(at[INSIDE] or machine.guest),
            "free_heap": machine.free,
            "last_round": rules.number,
            "phase": now + _PHASE,
            "owed": at[OWED],
            "start": at[START] if at[START] != WANTED else 0,
            "digest": 0,  # this and what follows the link knows
            "session": 0,
            "uptime_ms": 0,
            "next_event": 0,
            "lost_events": 0,
            "bad_frames": 0,
        },
    }


_facts = bytearray(16)


@micropython.native
def digest(machine, fields):
    """Of all that status() tells but free_heap: what the rules know, and what they do not."""
    rules, red, blue = machine.rules, machine.decks[RED].ledger, machine.decks[BLUE].ledger
    switch = machine.hal.switch
    seen = machine.tray.holds() | switch("lid") << 1 | switch("door") << 2 | switch("mount") << 3
    seen |= machine.at_bench << 4 | machine.guest << 5
    struct.pack_into(
        "<IHBBBBBBBBBB", _facts, 0, rules.number, machine.fault, seen, machine.cards, red.counted_in, red.counted_out,
        blue.counted_in, blue.counted_out, red.at[_IN_WHEEL], red.at[_IN_SHOE],
        blue.at[_IN_WHEEL], blue.at[_IN_SHOE],
    )  # fmt: skip
    return crc32(_facts, crc32(rules.state))
