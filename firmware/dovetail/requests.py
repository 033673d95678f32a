# What a table controller may ask, and who says no. One function a request; each answers at once.

import micropython
import struct
from binascii import crc32
from micropython import const
from dovetail import bench, faults
from dovetail.cards.life import jump
from dovetail.table import decks
from dovetail.table.layout import BETS, DEALT, INSIDE, LAST, OWED, RELEASED, ROUND, STACKS
from dovetail.table.system import LATER

DONE = const(1)
REFUSED = const(2)
NOT_NOW = const(3)
BAD = const(4)

JOURNAL_PART = const(456)  # bytes of the journal in one answer: nine answers are a segment

_STATES = {"idle": 2, "working": 3, "ready": 4, "dealing": 5, "stopped": 6, "unavailable": 7, "out": 8}
# the place of a deck, by its state, in the numbers of link.proto
_PLACES = (4, 1, 2, 2, 2, 3, 3, 0, 0, 5, 4, 4, 2, 2)
_NEW_IN_SERVICE = {"outcome": REFUSED, "rule": "SERVICE", "text": "a new deck is declared at the table, not in service"}
_NO_BACK = {"outcome": BAD, "text": "back must be RED or BLUE"}


def _answer(machine, no):
    """What the rules said, as an answer; what they ask for is begun."""
    if no is None:
        for action in machine.rules.actions:
            if action in _BEGIN:
                _BEGIN[action](machine)
        machine.tell_void()
        return {"outcome": DONE}
    rule, text = no
    if rule == LATER:
        return {"outcome": NOT_NOW, "text": text}
    answer = {"outcome": REFUSED, "rule": rule, "text": text}
    if rule == "EL-2":
        answer["fault"] = machine.fault
    elif text == machine.rules.unsafe:
        answer["fault"] = machine.unsafe()
    return answer


def _locked(machine):
    """By a stub that was counted by hand."""
    for deck in machine.decks[1:]:
        if machine.locked() & ~machine.state.locks & 1 << deck.number:
            machine.note("locked_out", {"back": deck.number, "deck": machine.state.decks[deck.number].number})


def _out(machine):
    machine.note("out_of_service", {"on": 1, "inside": machine.inside()})
    machine.shoe_free.set()  # a deck that waits in the wheel has nothing to wait for any more


_BEGIN = {
    "fill": lambda machine: machine.wheel_work.set(),
    "deal": lambda machine: machine.deal_work.set(),
    "rest": lambda machine: machine.deal_work.set(),
    "draw": lambda machine: machine.deal_work.set(),
    "look": lambda machine: machine.clear_work.set(),
    "lock": _locked,
    "out": _out,
}


@micropython.native
def _ask(machine, event, d=0, a=0, b=0, c=0):
    machine.sense()
    return _answer(machine, machine.tell(event, d, a, b, c))


@micropython.native
def _of_round(machine, event, fields, b=0, c=0):
    """For the round that is open, and no other."""
    return _ask(machine, event, 0, 1 if fields.get("round", 0) == machine.rules.number else 0, b, c)


def _of_deck(machine, event, fields, a=0, b=0, c=0):
    number = fields.get("back", 0)
    return _ask(machine, event, number, a, b, c) if number in (1, 2) else _NO_BACK


def _done(answer):
    return answer["outcome"] == DONE


def load(machine, fields):
    if machine.service and fields.get("new_deck"):  # else a trial would start the clock of a deck's life anew
        return _NEW_IN_SERVICE
    waiting = 1 if machine.feeder.waiting() else 0
    new, shuffled = 1 if fields.get("new_deck") else 0, 1 if fields.get("shuffled") else 0
    answer = _of_deck(machine, "load", fields, new, waiting, shuffled)
    if _done(answer):
        back = fields["back"]
        known = machine.state.decks[back].number
        new = new or not known
        machine.note("declared", {"back": back, "deck": machine.next_deck if new else known, "new": new})
        machine.next_deck += new
        if new:
            machine.decks[back].since_ms = machine.uptime_ms()
    return answer


def shuffle(machine, fields):
    answer = _of_deck(machine, "shuffle", fields, 0, 1 if machine.feeder.waiting() else 0)
    if _done(answer):
        machine.trial = machine.service
    return answer


def _outside(machine, players):
    """SH-7: 0 the whole deck is inside, 1 some cards are not, 2 too many are not: one is kept for a card face up."""
    if not machine.slots:
        return 0
    inside, p = machine.slots.inside(), machine.profile
    if inside == machine.cards:
        return 0
    return 1 if inside > players * p.stack + p.dealer * p.dealer_stack else 2


def open_round(machine, fields):
    machine.sense()
    rules, players = machine.rules, fields.get("players", 0)
    answer = _answer(machine, rules.open(fields.get("round", 0), players, _outside(machine, players)))
    if _done(answer):
        fields = {"round": rules.number, "players": players, "positions": rules.at(OWED), "back": rules.at(LAST)}
        machine.note("opened", fields)
    return answer


def no_more_bets(machine, fields):
    answer = _of_round(machine, "no_more_bets", fields)
    if _done(answer):
        machine.note("no_more_bets", {"round": machine.rules.number})
    return answer


def draw_start(machine, fields):
    return _of_round(machine, "draw_start", fields)


def deal(machine, fields):
    position, cards = fields.get("position", 0), fields.get("cards", 0)
    size = machine.rules.size()
    answer = _of_round(machine, "deal", fields, position, cards)
    if _done(answer):
        machine.order = (position, cards or size)
    return answer


def face_up(machine, fields):
    position = fields.get("position", 0)
    answer = _of_round(machine, "face_up", fields, position)
    if _done(answer):
        machine.order = (position, 1)
    return answer


def remainder(machine, fields):
    return _of_round(machine, "remainder", fields)


def give_back(machine, fields):
    return _ask(machine, "give_back")


def deliver(machine, fields):
    return _ask(machine, "deliver")


def close_round(machine, fields):
    answer = _of_round(machine, "close", fields)
    if _done(answer):
        machine.note("closed", {"round": machine.rules.number})
    return answer


def void_round(machine, fields):
    return _of_round(machine, "void_round", fields)


def stub_counted(machine, fields):
    right = fields.get("cards", 0) == machine.cards
    answer = _of_deck(machine, "stub_counted", fields, 1 if right else 0)
    if _done(answer):
        machine.note("stub_counted", {"back": fields["back"], "right": right})
    return answer


def remove_deck(machine, fields):
    answer = _of_deck(machine, "remove_deck", fields)
    if _done(answer):
        back = fields["back"]
        machine.note("removed", {"back": back, "deck": machine.state.decks[back].number})
    return answer


def cleared(machine, fields):
    return _ask(machine, "cleared", 0, 1 if machine.resting or machine.motors.moving() else 0)


def out_of_service(machine, fields):
    return _ask(machine, "out_of_service")


def in_service(machine, fields):
    return _ask(machine, "in_service", 0, 1 if machine.resting or machine.motors.moving() else 0)


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


def read_journal(machine, fields):
    journal = machine.journal
    segment, offset = fields.get("segment", 0) or journal.ring.oldest, fields.get("offset", 0)
    data = journal.read(segment, offset, JOURNAL_PART)
    if data is None:
        kept = "%d to %d" % (journal.ring.oldest, journal.segment)
        return {"outcome": BAD, "text": "segment: %d is not kept, only %s" % (segment, kept)}
    part = {"segment": segment, "offset": offset, "data": data}
    if not offset:  # once a segment is often enough
        part.update({"oldest": journal.ring.oldest, "newest": journal.segment, "next_record": journal.next})
    return {"outcome": DONE, "journal": part}


def meters(machine, fields):
    return {"outcome": DONE, "meters": machine.journal.meters.named()}


def _service(machine):
    """Why nothing may move for service now, or None."""
    no = bench.hinder(machine)
    if no is None:
        return None
    rule, text = no
    if not rule:
        return {"outcome": NOT_NOW, "text": text}
    answer = {"outcome": REFUSED, "rule": rule, "text": text}
    if rule == "DS-12":
        answer["fault"] = machine.unsafe()
    return answer


def self_test(machine, fields):
    no = _service(machine)
    if no is None:
        bench.begin(machine, bench.self_test(machine))
    return no or {"outcome": DONE}


def jog(machine, fields):
    no = _service(machine)
    if no is None:
        axis, slow_us = fields.get("axis", ""), fields.get("slow_us", 0)
        wrong = bench.jog(machine, axis, fields.get("steps", 0), fields.get("reverse"), slow_us)
        no = wrong and {"outcome": BAD, "text": wrong}
    return no or {"outcome": DONE}


def read_sensors(machine, fields):
    return {"outcome": DONE, "sensors": bench.sensors(machine)}


def empty_out(machine, fields):
    if not machine.fault:
        return {"outcome": BAD, "text": "the machine is not stopped: nothing to force out"}
    machine.emptying = True
    answer = cleared(machine, fields)
    machine.emptying = machine.emptying and _done(answer)
    return answer


def set_clock(machine, fields):
    if not fields.get("time"):
        return {"outcome": BAD, "text": "time must be seconds since 1970"}
    answer = _ask(machine, "time", 0, jump(machine.time(), machine.state.time, fields["time"]))
    if _done(answer):
        machine.memory.set_time(fields["time"])
        machine.ages()
    else:
        machine.memory.time_refused(fields["time"])
    return answer


AT_BENCH = ("digest", "status", "meters", "read_sensors")  # what is answered while service moves something
NOT_AT_BENCH = {"outcome": NOT_NOW, "text": "service is at work"}
HANDLERS = {
    "digest": digest,  # no request: for the link
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
    "draw_start": draw_start,
    "face_up": face_up,
    "give_back": give_back,
    "deliver": deliver,
    "void_round": void_round,
    "stub_counted": stub_counted,
    "out_of_service": out_of_service,
    "in_service": in_service,
    "empty_out": empty_out,
    "self_test": self_test,
    "jog": jog,
    "read_sensors": read_sensors,
}
