# What a fault's report says: what it is, what to do, and where every card is.

from dovetail import faults
from dovetail.cards.ledger import SHOE as SHOE_HELD, WHEEL as WHEEL_HELD
from dovetail.table import decks


def _where(machine):
    """Where the cards are of every deck that is at work, as the sensors have counted them."""
    said = []
    for deck in machine.decks[1:]:
        ledger = deck.ledger
        if ledger.counted_in or deck.state == decks.SHUFFLING:
            at, out = ledger.at, machine.cards - ledger.counted_in
            text = "%s: %d in the wheel, %d in the shoe, %d dealt" % (
                deck.back, at[WHEEL_HELD], at[SHOE_HELD], ledger.dealt,
            )  # fmt: skip
            if machine.shoe.unsure and deck is machine.in_play:
                text += " or more: count the tray"
            said.append(text + (", %d not counted" % out if out > 0 else ""))
    return "; ".join(said)


def tell_fault(machine, card, inside, locked=0):
    row = faults.row(machine.fault)
    fields = {
        "fault": row[0], "name": row[1], "station": row[2], "card": card, "action": row[4], "inside": inside,
        "cards": _where(machine),
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
