# What a table controller may ask, and who says no. One function a request; each answers at once.

from micropython import const
from dovetail import faults
from dovetail.table import decks
from dovetail.table.rounds import BETS, CLOSED, DEALT, RELEASED

DONE = const(1)
REFUSED = const(2)
NOT_NOW = const(3)
BAD = const(4)

JOURNAL_PART = const(448)  # bytes of the journal in one answer: seven records

_STATES = {"idle": 2, "working": 3, "ready": 4, "dealing": 5, "stopped": 6, "unavailable": 7}
# the place of a deck, by its state, in the numbers of link.proto
_PLACES = (4, 1, 2, 2, 2, 3, 3, 0, 0, 5)


def _refuse(rule, text):
    return {"outcome": REFUSED, "rule": rule, "text": text}


def _later(text):
    return {"outcome": NOT_NOW, "text": text}


def _stopped(machine):
    """The answer while a fault stands."""
    row = faults.row(machine.fault)
    text = "%s: %s: %s" % (row[2], row[1], row[4])
    return {"outcome": REFUSED, "rule": "EL-2", "fault": machine.fault, "text": text}


def _hindered(machine):
    """Why nothing may move now, or None."""
    if machine.fault:
        return _stopped(machine)
    number = machine.unsafe()
    if number:
        row = faults.row(number)
        return {"outcome": REFUSED, "rule": "DS-12", "fault": number, "text": "%s: %s" % (row[1], row[4])}
    return None


def _deck(machine, fields):
    number = fields.get("back", 0)
    return machine.decks[number] if number in (1, 2) else None


def load(machine, fields):
    deck = _deck(machine, fields)
    if deck is None:
        return {"outcome": BAD, "text": "back must be RED or BLUE"}
    hindered = _hindered(machine)
    if hindered:
        return hindered
    for other in machine.decks[1:]:
        if other.state == decks.DECLARED:
            return _refuse("TD-5", "the %s deck lies in the infeed already" % other.back)
    if deck.state == decks.LOCKED:
        return _refuse("CT-3", "the %s deck is locked out: remove it from the table" % deck.back)
    if deck.state == decks.GONE and not fields.get("new_deck"):
        return _refuse("CT-3", "the %s deck was removed: only a new one may be declared" % deck.back)
    after = decks.step(deck.state, decks.RENEW if deck.state == decks.GONE else decks.LOAD)
    if after is None:
        return _refuse("TD-3", "the %s deck is %s" % (deck.back, decks.NAMES[deck.state]))
    if not machine.feeder.waiting():
        return _later("the infeed is empty")
    new = deck.state == decks.GONE or fields.get("new_deck") or not machine.state.decks[deck.number].number
    number = machine.next_deck if new else machine.state.decks[deck.number].number
    machine.next_deck += new
    deck.state = after
    machine.note("declared", {"back": deck.number, "deck": number, "new": new})
    return {"outcome": DONE}


def shuffle(machine, fields):
    deck = _deck(machine, fields)
    if deck is None:
        return {"outcome": BAD, "text": "back must be RED or BLUE"}
    hindered = _hindered(machine)
    if hindered:
        return hindered
    if deck.state != decks.DECLARED:
        return _refuse("SH-1", "the %s deck is %s; load it first" % (deck.back, decks.NAMES[deck.state]))
    if machine.in_wheel is not None:
        return _later("the wheel holds the %s deck" % machine.in_wheel.back)
    other = machine.decks[3 - deck.number]
    if other.state in (decks.READY, decks.DEALING):
        machine.two_decks = True
    deck.state = decks.step(deck.state, decks.SHUFFLE)
    machine.in_wheel = deck
    machine.wheel_work.set()
    return {"outcome": DONE}


def open_round(machine, fields):
    if machine.fault:
        return _stopped(machine)
    deck = machine.in_shoe
    ready = deck is not None and deck.state == decks.READY
    back = deck.back if ready else ""
    no = machine.round.open(
        fields.get("round", 0), fields.get("players", 0), back, ready, machine.two_decks
    )
    if no:
        return _refuse(*no)
    deck.state = decks.step(deck.state, decks.OPEN)
    rnd = machine.round
    fields = {"round": rnd.number, "players": fields["players"], "positions": rnd.positions, "back": deck.number}
    machine.note("opened", fields)
    return {"outcome": DONE}


def no_more_bets(machine, fields):
    no = machine.round.no_more_bets(fields.get("round", 0))
    if no:
        return _refuse(*no)
    machine.note("no_more_bets", {"round": machine.round.number})
    return {"outcome": DONE}


def _order(machine, position):
    hindered = _hindered(machine)
    if hindered:
        return hindered
    if machine.dealing or machine.job is not None:
        return _later("the last stack has not been taken")
    if machine.tray.holds():
        return _later("cards lie in the tray")
    machine.job = position
    machine.deal_work.set()
    return {"outcome": DONE}


def deal(machine, fields):
    position = fields.get("position", 0)
    no = machine.round.may_deal(fields.get("round", 0), position, fields.get("cards", 0))
    return _refuse(*no) if no else _order(machine, position)


def remainder(machine, fields):
    no = machine.round.may_release(fields.get("round", 0))
    return _refuse(*no) if no else _order(machine, 0)


def close_round(machine, fields):
    no = machine.round.may_close(fields.get("round", 0))
    if no:
        return _refuse(*no)
    machine.round.state = CLOSED
    machine.note("closed", {"round": machine.round.number})
    return {"outcome": DONE}


def remove_deck(machine, fields):
    deck = _deck(machine, fields)
    if deck is None:
        return {"outcome": BAD, "text": "back must be RED or BLUE"}
    if deck.state != decks.LOCKED:
        return _refuse("CT-3", "the %s deck is not locked out" % deck.back)
    if machine.fault:
        return _stopped(machine)
    deck.state = decks.step(deck.state, decks.REMOVE)
    machine.note("removed", {"back": deck.number, "deck": machine.state.decks[deck.number].number})
    return {"outcome": DONE}


def cleared(machine, fields):
    if not machine.fault:
        return {"outcome": DONE}
    if faults.row(machine.fault)[3] == faults.DOWN:
        return _stopped(machine)
    number = machine.unsafe()
    if number:
        row = faults.row(number)
        return {"outcome": REFUSED, "rule": "DS-12", "fault": number, "text": "%s: %s" % (row[1], row[4])}
    if machine.clearing or machine.resting or machine.moving():
        return _later("the machine is at work")
    machine.clearing = True
    machine.clear_work.set()
    return {"outcome": DONE}


def _state(machine):
    if machine.fault:
        return "unavailable" if faults.row(machine.fault)[3] == faults.DOWN else "stopped"
    shoe = machine.in_shoe
    if shoe is not None and shoe.state == decks.DEALING:
        return "dealing"
    if shoe is not None and shoe.state == decks.READY:
        return "ready"
    return "working" if machine.busy() else "idle"


def status(machine, fields):
    hal, rnd = machine.hal, machine.round
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
                "shuffled": deck.state in (decks.READY, decks.DEALING),
            }
        )
    return {
        "outcome": DONE,
        "status": {
            "state": _STATES[_state(machine)],
            "fault": machine.fault,
            "round": rnd.number if rnd.state in (BETS, DEALT, RELEASED) else 0,
            "no_more_bets": rnd.state == DEALT,
            "stacks": rnd.stacks,
            "wheel": wheel.ledger.at[1] if wheel else 0,
            "shoe": shoe.ledger.at[2] if shoe else 0,
            "tray": machine.tray.holds(),
            "lid": hal.switch("lid"),
            "door": hal.switch("door"),
            "mount": hal.switch("mount"),
            "decks": rows,
            "may_be_inside": bool(machine.state.inside),
            "free_heap": hal.free(),
        },
    }


def read_journal(machine, fields):
    journal = machine.journal
    segment, offset = fields.get("segment", 0) or journal.ring.oldest, fields.get("offset", 0)
    data = journal.read(segment, offset, JOURNAL_PART)
    if data is None:
        kept = "%d to %d" % (journal.ring.oldest, journal.segment)
        return {"outcome": BAD, "text": "segment: %d is not kept, only %s" % (segment, kept)}
    part = {
        "segment": segment, "offset": offset, "data": data,
        "oldest": journal.ring.oldest, "newest": journal.segment, "next_record": journal.next,
    }  # fmt: skip
    return {"outcome": DONE, "journal": part}


def meters(machine, fields):
    return {"outcome": DONE, "meters": machine.journal.meters.named()}


def set_clock(machine, fields):
    if not fields.get("time"):
        return {"outcome": BAD, "text": "time must be seconds since 1970"}
    machine.memory.set_time(fields["time"])
    return {"outcome": DONE}


HANDLERS = {
    "status": status,
    "load": load,
    "shuffle": shuffle,
    "open_round": open_round,
    "no_more_bets": no_more_bets,
    "deal": deal,
    "remainder": remainder,
    "close_round": close_round,
    "remove_deck": remove_deck,
    "cleared": cleared,
    "read_journal": read_journal,
    "meters": meters,
    "set_clock": set_clock,
}
