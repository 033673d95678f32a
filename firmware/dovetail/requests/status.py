# How the machine stands, in full and as a digest. Orders nothing.

import micropython
import struct
from binascii import crc32
from dovetail import faults
from dovetail.requests.asking import DONE
from dovetail.table import decks
from dovetail.table.layout import BETS, DEALT, INSIDE, RELEASED, ROUND, STACKS

_STATES = {"idle": 2, "working": 3, "ready": 4, "dealing": 5, "stopped": 6, "unavailable": 7, "out": 8}
# the place of a deck, by its state, in the numbers of link.proto
_PLACES = (4, 1, 2, 2, 2, 3, 3, 0, 0, 5, 4, 4, 2, 2)


@micropython.native
def _state(machine):
    if machine.fault:
        return "unavailable" if faults.row(machine.fault)[3] == faults.DOWN else "stopped"
    if machine.rules.out():
        return "out"
    deck = machine.in_play
    state = decks.AWAY if deck is None else deck.state
    if state == decks.DEALING or (state == decks.MIXED and BETS <= machine.rules.at(ROUND) <= RELEASED):
        return "dealing"
    if state == decks.READY or state == decks.MIXED:
        return "ready"
    return "working" if machine.busy() else "idle"


@micropython.native
def status(machine, fields):
    hal, rules = machine.hal, machine.rules
    now = rules.at(ROUND)
    wheel, shoe = machine.in_wheel, machine.in_shoe
    rows = []
    for deck in machine.decks[1:]:
        ledger = deck.ledger
        rows.append(
            {
                "back": deck.number,
                "place": _PLACES[deck.state],
                "counted_in": ledger.counted_in,
                "counted_out": ledger.counted_out,
                "expected": machine.cards,
                "locked_out": deck.state == decks.LOCKED,
                "shuffled": deck.state in (decks.READY, decks.DEALING, decks.WHOLE, decks.HAND, decks.MIXED),
            }
        )
    return {
        "outcome": DONE,
        "status": {
            "state": _STATES[_state(machine)],
            "fault": machine.fault,
            "round": rules.number if BETS <= now <= RELEASED else 0,
            "no_more_bets": DEALT <= now < RELEASED,
            "stacks": rules.at(STACKS),
            "wheel": wheel.ledger.at[1] if wheel else 0,
            "shoe": shoe.ledger.at[2] if shoe else 0,
            "tray": machine.tray.holds(),
            "lid": hal.switch("lid"),
            "door": hal.switch("door"),
            "mount": hal.switch("mount"),
            "decks": rows,
            "may_be_inside": bool(rules.at(INSIDE)),
            "free_heap": machine.free,
        },
    }


_facts = bytearray(16)


@micropython.native
def digest(machine, fields):
    """Of all that status() tells but free_heap: what the rules know, and what they do not."""
    hal, rules = machine.hal, machine.rules
    seen = machine.tray.holds() | hal.switch("lid") << 1 | hal.switch("door") << 2 | hal.switch("mount") << 3
    red, blue = machine.decks[1].ledger, machine.decks[2].ledger
    struct.pack_into(
        "<IHBBBBBBBBBB", _facts, 0, rules.number, machine.fault, seen, machine.cards, red.counted_in, red.counted_out,
        blue.counted_in, blue.counted_out, red.at[1], red.at[2], blue.at[1], blue.at[2],
    )  # fmt: skip
    return crc32(_facts, crc32(rules.state))
