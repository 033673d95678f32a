# Requests about a deck: load, shuffle, out again, counted by hand, removed; and a table that was idle.

import micropython
from micropython import const
from dovetail import ages
from dovetail.link.roles import SUPERVISOR
from dovetail.requests.asking import NEXT_GAME, NOT_NOW, REFUSED, ask, done, of_deck
from dovetail.table.decks import BARRED, GONE
from dovetail.table.layout import BLUE, BROUGHT, IDLED, ORDER_RED, RED

_NEW_IN_SERVICE = {"outcome": REFUSED, "rule": "SERVICE", "text": "a new deck is declared at the table, not in service"}
_STALE = {"outcome": NOT_NOW, "text": "the calibration is older than a year: play what is inside, then calibrate"}
_WRONG_STUB = const(4)  # from link/link.proto: WRONG_STUB
# what the table's row of "load" is told
_NEW = const(1)
_NEW_BY_ANOTHER = const(2)
_BEFORE = const(1)
_SORTED = const(2)


@micropython.native
def load(machine, fields):
    if machine.service and fields.get("new_deck"):  # else a trial would start the clock of a deck's life anew
        return _NEW_IN_SERVICE
    if machine.next_game:
        return NEXT_GAME
    if machine.stale() and not machine.fault:
        return _STALE
    back = fields.get("back", 0)
    known = machine.state.decks[back].number if back in (RED, BLUE) else 0
    if known:  # the first request after a start comes before the first look
        ages.look(machine)
    new = 0
    gone = back in (RED, BLUE) and machine.rules.deck(back) in (GONE, BARRED)
    if fields.get("new_deck") and (known or gone):  # the first deck of a colour is new in any case
        new = _NEW if machine.role == SUPERVISOR else _NEW_BY_ANOTHER
    how = (_BEFORE if fields.get("shuffled") else 0) | (_SORTED if fields.get("sorted") else 0)
    answer = of_deck(machine, "load", fields, new, 1 if machine.feeder.waiting() else 0, how)
    if done(answer):
        new = new or not known
        brought = machine.rules.at(ORDER_RED - RED + back) == BROUGHT
        said = {"back": back, "deck": machine.next_deck if new else known, "new": new, "brought": brought}
        said["sorted"], said["role"] = new or how & _SORTED, machine.role
        machine.note("declared", said)
        machine.next_deck += new
        machine.decks[back].declared(machine.uptime_ms(), new, said["sorted"])
        if not new:  # else its record is not there yet, and the old one's age is no matter
            ages.look(machine)
    return answer


@micropython.native
def shuffle(machine, fields):
    if machine.next_game:
        return NEXT_GAME
    lying = 1 if machine.feeder.waiting() else 0
    answer = of_deck(machine, "shuffle", fields, 0, lying, 1 if machine.service else 0)
    if done(answer):
        machine.trial = machine.service
    return answer


def give_back(machine, fields):
    return ask(machine, "give_back")


def deliver(machine, fields):
    return ask(machine, "deliver")


def stub_counted(machine, fields):
    right = fields.get("cards", 0) == machine.cards
    machine.voids.reason = _WRONG_STUB
    answer = of_deck(machine, "stub_counted", fields, 1 if right else 0)
    machine.voids.reason = 0
    if done(answer):
        machine.note("stub_counted", {"back": fields["back"], "right": right})
        if not right:
            machine.voids.stub_wrong(fields["back"])
    return answer


def remove_deck(machine, fields):
    supervised = machine.role == SUPERVISOR
    answer = of_deck(machine, "remove_deck", fields, 1 if supervised else 0, 1 if machine.feeder.waiting() else 0)
    if done(answer):
        back = fields["back"]
        barred = machine.rules.deck(back) == BARRED
        said = {"back": back, "deck": machine.state.decks[back].number, "barred": barred, "role": machine.role}
        machine.note("removed", said)
        machine.voids.settle(back, False)
    return answer


def idle(machine, fields):
    before = machine.rules.state
    answer = ask(machine, "idle")
    if done(answer) and machine.rules.state != before:
        waits = [deck.number for deck in machine.decks[1:] if machine.order_of(deck) == IDLED]
        machine.note("idle", {"decks": sum([1 << number for number in waits])})
        machine.show()
    return answer
