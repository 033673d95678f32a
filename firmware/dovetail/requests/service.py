# Requests of service, for a machine that nobody plays at: the self-test, an axis by itself, sensors as they read.

from dovetail import bench, calibrating
from dovetail.calibration import SENSORS
from dovetail.cards.configuration import load_profile
from dovetail.requests.asking import BAD, DONE, FAILED, NOT_NOW, REFUSED
from dovetail.table.decks import BARRED, GONE
from dovetail.table.layout import AGE_RED, CLOCK, CLOCK_RED, INSIDE, OVER, RED
from dovetail.table.registry import known
from dovetail.table.rulebook import COLOURS

_SET_UP = ("game", "by_hand", "continuous", "cards")
AT_BENCH = ("digest", "status", "meters", "calibration", "read_sensors", "recall")  # while service moves something
NOT_AT_BENCH = {"outcome": NOT_NOW, "text": "service is at work"}


def _hindered(machine):
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
    card = fields.get("card", False)
    no = _without_card(machine) if card else _hindered(machine)
    if no is None:
        bench.begin(machine, bench.self_test(machine, card, machine.role))
    return no or {"outcome": DONE}


def jog(machine, fields):
    no = _hindered(machine)
    if no is None:
        axis, slow_us = fields.get("axis", ""), fields.get("slow_us", 0)
        wrong = bench.jog(machine, axis, fields.get("steps", 0), fields.get("reverse"), slow_us)
        no = wrong and {"outcome": BAD, "text": wrong}
    return no or {"outcome": DONE}


def read_sensors(machine, fields):
    return {"outcome": DONE, "sensors": bench.sensors(machine)}


def _without_card(machine):
    """Why none can be sent through now, or None."""
    if machine.busy() or machine.motors.moving() or machine.resting:
        return {"outcome": NOT_NOW, "text": "the machine is at work"}
    no = calibrating.hinder(machine)
    return {"outcome": REFUSED, "rule": "SERVICE", "text": no} if no else None


def calibrate(machine, fields):
    """One good card through the whole machine; an event tells how it ended."""
    no = _without_card(machine)
    if no is None:
        bench.begin(machine, calibrating.calibrate(machine))
    return no or {"outcome": DONE}


def calibration(machine, fields):
    known = machine.sensors
    rows = [known.row(i) for i in range(len(SENSORS))]
    return {"outcome": DONE, "calibration": {"state": known.calibration.why or "in force", "sensors": rows}}


def _unfinished(machine, cards):
    """Return why what was played can't be left to a game of so many cards; None if it can."""
    rules = machine.rules
    for waits in machine.voids.unsettled[1:]:
        if waits:
            number = waits["round"]
            return "hands of round %d wait for their deck to be counted: shuffle it, or remove it" % number
    if rules.at(CLOCK):
        return "rounds were played since the last count: %s" % rules.count()
    for deck in machine.decks[1:]:
        back = deck.number
        if machine.state.decks[back].number and rules.deck(back) not in (GONE, BARRED):
            if rules.at(CLOCK_RED - RED + back):
                return "rounds were played since the last count: count the %s deck" % COLOURS[back]
            if rules.at(AGE_RED - RED + back) == OVER:
                return "the %s deck is over its time: remove it" % COLOURS[back]
            if cards != machine.cards:
                numbers = COLOURS[back], machine.cards, cards
                return "the %s deck has %d cards, that game %d: remove it" % numbers
    return None


def configure(machine, fields):
    """What is played from the next power-on: a profile that is signed, and does not contradict itself."""
    settings, blob = machine.settings, fields.get("profile", b"")
    if machine.rules.at(INSIDE):
        return {"outcome": REFUSED, "rule": "SERVICE", "text": "cards may be inside"}
    if machine.busy() or machine.motors.moving():
        return {"outcome": NOT_NOW, "text": "the machine is at work"}
    try:
        profile = load_profile(blob, settings.get("key.service"), known)
    except ValueError as error:
        return {"outcome": BAD, "text": str(error)}
    another = [getattr(profile, name) != getattr(machine.profile, name) for name in _SET_UP]
    no = _unfinished(machine, profile.cards) if True in another else None
    if no is not None:
        return {"outcome": REFUSED, "rule": "SERVICE", "text": no}
    try:
        settings.put({"profile": blob})
    except OSError:
        machine.memory_failed()
        return {"outcome": FAILED, "text": "the profile could not be kept"}
    setting = {
        "name": 5,  # from journal/kinds.py: _PROFILE
        "generation": settings.generation,
    }
    machine.note("setting", setting)
    machine.next_game = True in another
    return {"outcome": DONE, "text": "in force from the next power-on"}
