# How the machine stands, in full and as a digest. Orders nothing.

import micropython
import struct
from binascii import crc32
from dovetail import faults
from dovetail.requests.asking import DONE
from dovetail.table import decks
from dovetail.table.layout import (
    BETS, BLUE, DEALT, INSIDE, OUT, OWED, RED, RELEASED, ROUND, SHOE, STACKS, START, WANTED, WHEEL,
)

_STATES = {"idle": 2, "working": 3, "ready": 4, "dealing": 5, "stopped": 6, "unavailable": 7, "out": 8}
# the place of a deck, by its state, in the numbers of link.proto
_PLACES = (4, 1, 2, 2, 2, 3, 3, 0, 0, 5, 4, 4, 2, 2)


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
                "shuffled": state in _SHUFFLED,
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
            "wheel": known[wheel].ledger.at[1] if wheel else 0,
            "shoe": known[shoe].ledger.at[2] if shoe else 0,
            "tray": tray,
            "lid": lid,
            "door": door,
            "mount": mount,
            "decks": rows,
            "may_be_inside": bool(at[INSIDE] or machine.guest),
            "free_heap": machine.free,
            "last_round": rules.number,
            "phase": now + 1,
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
        blue.counted_in, blue.counted_out, red.at[1], red.at[2], blue.at[1], blue.at[2],
    )  # fmt: skip
    return crc32(_facts, crc32(rules.state))
