# Requests about a deck: load, shuffle, out again, counted by hand, removed.

import micropython
from dovetail.requests.asking import NOT_NOW, REFUSED, ask, done, of_deck

_NEW_IN_SERVICE = {"outcome": REFUSED, "rule": "SERVICE", "text": "a new deck is declared at the table, not in service"}

_STALE = {"outcome": NOT_NOW, "text": "the calibration is older than a year: play what is inside, then calibrate"}


@micropython.native
def load(machine, fields):
    if machine.service and fields.get("new_deck"):  # else a trial would start the clock of a deck's life anew
        return _NEW_IN_SERVICE
    if machine.stale() and not machine.fault:
        return _STALE
    waiting = 1 if machine.feeder.waiting() else 0
    new, shuffled = 1 if fields.get("new_deck") else 0, 1 if fields.get("shuffled") else 0
    answer = of_deck(machine, "load", fields, new, waiting, shuffled)
    if done(answer):
        back = fields["back"]
        known = machine.state.decks[back].number
        new = new or not known
        machine.note("declared", {"back": back, "deck": machine.next_deck if new else known, "new": new})
        machine.next_deck += new
        if new:
            machine.decks[back].since_ms = machine.uptime_ms()
    return answer


@micropython.native
def shuffle(machine, fields):
    answer = of_deck(machine, "shuffle", fields, 0, 1 if machine.feeder.waiting() else 0)
    if done(answer):
        machine.trial = machine.service
    return answer


def give_back(machine, fields):
    return ask(machine, "give_back")


def deliver(machine, fields):
    return ask(machine, "deliver")


def stub_counted(machine, fields):
    right = fields.get("cards", 0) == machine.cards
    answer = of_deck(machine, "stub_counted", fields, 1 if right else 0)
    if done(answer):
        machine.note("stub_counted", {"back": fields["back"], "right": right})
    return answer


def remove_deck(machine, fields):
    answer = of_deck(machine, "remove_deck", fields)
    if done(answer):
        back = fields["back"]
        machine.note("removed", {"back": back, "deck": machine.state.decks[back].number})
    return answer
