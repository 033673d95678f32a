# What a fault's report says: what it is, what to do, and where every card is. While the link keeps the report it has
# numbers only, a character each; words() says them when it is sent.

from micropython import const
from dovetail import faults
from dovetail.cards.ledger import SHOE as SHOE_HELD, WHEEL as WHEEL_HELD
from dovetail.table import decks
from dovetail.table.rulebook import COLOURS

_DECK = const(6)  # numbers of a deck
# what is not known of it
_TRAY = const(1)      # more may lie in the tray than were counted
_ENTERING = const(2)  # one more may lie in the wheel
_PUSHING = const(4)   # one less, and one more in the shoe
_STICKS = const(8)    # one less: what binds the wheel may be the last card, half in its slot
_FEWER = const(16)    # fewer may lie in the shoe: one was under way, or its sensor sees none
_LOCKED = const(32)   # this deck is locked out
_UP_TO = const(128)   # the same, of what is to be removed
_UNDER_LID = ((1, "at the feeder"), (2, "between wheel and shoe"), (64, "one of them perhaps between wheel and shoe"))
_BEHIND_DOOR = ((4, "in the shoe"), (8, "at the deal beam"))
_OPEN = ((16, "infeed"), (32, "tray"))


def _where(machine):
    """Where the cards are of every deck that is at work, as the sensors have counted them."""
    said = ""
    for deck in machine.decks[1:]:
        ledger = deck.ledger
        if ledger.counted_in or deck is machine.in_wheel:
            at, out = ledger.at, max(machine.cards - ledger.counted_in, 0)
            unsure = _TRAY if machine.shoe.unsure and deck is machine.in_play else 0
            unsure += _FEWER if at[SHOE_HELD] and (machine.shoe.unsure or not machine.shoe.holds()) else 0
            if deck is machine.in_wheel:
                unsure += _ENTERING if machine.feeder.entering else 0
                unsure += _PUSHING if machine.ejector.pushing else 0
                unsure += _STICKS if machine.fault == faults.LOST_STEPS and at[WHEEL_HELD] and not unsure else 0
            unsure += _LOCKED if deck.state == decks.LOCKED else 0
            for n in (deck.number, at[WHEEL_HELD], at[SHOE_HELD], ledger.dealt, unsure, out):
                said += chr(n)
    return said


def _where_in_words(said):
    words = []
    for i in range(0, len(said), _DECK):
        back, wheel, shoe, dealt, unsure, out = [ord(one) for one in said[i : i + _DECK]]
        in_wheel = _span(max(wheel - bool(unsure & (_PUSHING | _STICKS)), 0), wheel + bool(unsure & _ENTERING))
        in_shoe = "up to %d" % shoe if unsure & _FEWER else _span(shoe, shoe + bool(unsure & _PUSHING))
        deck = COLOURS[back] + (", the wrong deck" if unsure & _LOCKED else "")
        text = "%s: %s in the wheel, %s in the shoe, %d dealt" % (deck, in_wheel, in_shoe, dealt)
        if unsure & _TRAY:
            text += " or more: count the tray"
        words.append(text + (", %d not counted" % out if out else ""))
    return "; ".join(words)


def _span(least, most):
    return "%d to %d" % (least, most) if most > least else str(least)


def _remove(machine, seen):
    """Guided clearing: what is to be found behind which door. seen: by what the machine has seen just now."""
    wheel = shoe = 0
    if not seen:
        for deck in machine.decks[1:]:
            wheel += deck.ledger.at[WHEEL_HELD]
            shoe += deck.ledger.at[SHOE_HELD]
    feeder, ejector = machine.feeder, machine.ejector
    pushing = ejector.pushing and not seen
    there = (
        feeder.entry.dark() or feeder.count.dark() or (feeder.entering and not seen),
        ejector.exit.dark() and not pushing,
        not shoe and machine.shoe.holds(), machine.shoe.beam.dark(),
        feeder.waiting() or machine.fault == faults.INFEED_SENSOR,
        machine.tray.holds() or machine.shoe.sliding() or (machine.shoe.unsure and not seen), pushing,
    )  # fmt: skip
    seen_at = sum([1 << i for i in range(len(there)) if there[i]])
    if shoe and (machine.shoe.unsure or not machine.shoe.holds()):
        seen_at += _UP_TO
    return chr(wheel) + chr(shoe) + chr(seen_at) if wheel or shoe or seen_at else ""


def _remove_in_words(said):
    if not said:
        return ""
    wheel, shoe, seen_at = [ord(one) for one in said]
    places = [[name for bit, name in row if seen_at & bit] for row in (_UNDER_LID, _BEHIND_DOOR, _OPEN)]
    if wheel:
        places[0].insert(0, "%d in the wheel" % wheel)
    if shoe:
        places[1].insert(0, "%s%d in the shoe" % ("up to " if seen_at & _UP_TO else "", shoe))
    words = [door + ", ".join(there) for door, there in (("lid: ", places[0]), ("shoe door: ", places[1])) if there]
    return "cards to remove: " + "; ".join(words + places[2])


def words(kind, fields):
    """What an event is told with, beside what was kept of it."""
    if kind in ("fault", "trying"):
        _, fields["name"], fields["station"], _, action = faults.row(fields["fault"])
        if kind == "fault":
            fields["action"] = action
            fields["cards"] = _where_in_words(fields["cards"])
            fields["remove"] = _remove_in_words(fields["remove"])


def tell_fault(machine, card, inside, locked=0, seen=False):
    """seen: the machine has looked just now; where the cards were before is no word on where they are."""
    fields = {
        "fault": machine.fault, "card": card, "inside": inside,
        "cards": "" if seen else _where(machine), "remove": _remove(machine, seen),
    }  # fmt: skip
    picked, ejected, dealt = [_untold(machine, place) for place in range(3)]
    more = {"locks": locked, "picked": picked, "ejected": ejected, "dealt": dealt}
    machine.event("fault", fields, more)


def _untold(machine, place):
    """Cards that have passed since such a record."""
    n = 0
    for deck in machine.decks[1:]:
        n += deck.ledger.passed[place]
        deck.ledger.passed[place] = 0
    return min(n, 255)
