# What a request is told by the rules, and what they begin.

import micropython
from micropython import const
from dovetail.table.layout import OPEN
from dovetail.table.system import LATER

DONE = const(1)  # from link/link.proto: DONE
REFUSED = const(2)  # from link/link.proto: REFUSED
NOT_NOW = const(3)  # from link/link.proto: NOT_NOW
BAD = const(4)  # from link/link.proto: BAD
FAILED = const(7)  # from link/link.proto: FAILED

_RED = const(1)  # from link/link.proto: RED
_BLUE = const(2)  # from link/link.proto: BLUE
_NO_BACK = {"outcome": BAD, "text": "back must be RED or BLUE"}
NEXT_GAME = {"outcome": REFUSED, "rule": "SERVICE", "text": "another game is set up: switch the machine off and on"}


def too_much(machine):
    """An answer when this session has had recorded what it may without play; None when it may go on."""
    wait_s = machine.memory.wait_s()
    return {"outcome": NOT_NOW, "text": "too much is said without play: again in %d s" % wait_s} if wait_s else None


@micropython.native
def told(machine, no):
    """What the rules said, as an answer; what they ask for is begun."""
    if no is None:
        for action in machine.rules.actions:
            if action in _BEGIN:
                _BEGIN[action](machine)
        machine.voids.tell()
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
            machine.tell_locked(deck, machine.rules.number if machine.voids.due else 0)


def _out(machine):
    machine.note("out_of_service", {"on": 1, "inside": machine.inside()})
    machine.shoe_free.set()  # a deck that waits in the wheel has nothing to wait for any more
    machine.show()


def _look(machine):
    machine.asker = machine.role  # whose session it is then: another may be open when it has looked
    machine.clear_work.set()


_BEGIN = {
    "fill": lambda machine: machine.wheel_work.set(),
    "deal": lambda machine: machine.deal_work.set(),
    "rest": lambda machine: machine.deal_work.set(),
    "draw": lambda machine: machine.deal_work.set(),
    "look": _look,
    "lock": _locked,
    "out": _out,
}


@micropython.native
def jolted(machine):
    """The machine is sensed; an answer when an interlock is open that may be closed again by the next look."""
    number = machine.sense()
    return {"outcome": NOT_NOW, "text": machine.rules.unsafe} if number and not machine.rules.at(OPEN) else None


@micropython.native
def ask(machine, event, d=0, a=0, b=0, c=0):
    return jolted(machine) or told(machine, machine.tell(event, d, a, b, c))


@micropython.native
def of_round(machine, event, fields, b=0, c=0):
    """For the round that is open, and no other."""
    return ask(machine, event, 0, 1 if fields.get("round", 0) == machine.rules.number else 0, b, c)


@micropython.native
def of_deck(machine, event, fields, a=0, b=0, c=0):
    number = fields.get("back", 0)
    return ask(machine, event, number, a, b, c) if number in (_RED, _BLUE) else _NO_BACK


def done(answer):
    return answer["outcome"] == DONE
