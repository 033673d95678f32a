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


def _remove(machine, seen):
    """Guided clearing: which door, and what is to be found behind it. seen: by what the machine has seen just now."""
    wheel = shoe = 0
    if not seen:
        for deck in machine.decks[1:]:
            wheel += deck.ledger.at[WHEEL_HELD]
            shoe += deck.ledger.at[SHOE_HELD]
    feeder, ejector, beam = machine.feeder, machine.ejector, machine.shoe.beam
    under_lid = ["%d in the wheel" % wheel] if wheel else []
    if feeder.entry.dark() or feeder.count.dark() or (feeder.entering and not seen):
        under_lid.append("at the feeder")
    if ejector.exit.dark():
        under_lid.append("between wheel and shoe")
    behind_door = ["%d in the shoe" % shoe] if shoe else ["in the shoe"] if machine.shoe.holds() else []
    if beam.dark():
        behind_door.append("at the deal beam")
    said = []
    for door, there in (("lid", under_lid), ("shoe door", behind_door)):
        if there:
            said.append("%s: %s" % (door, ", ".join(there)))
    for place, there in (("infeed", feeder.waiting()), ("tray", machine.tray.holds())):
        if there:
            said.append(place)
    return "cards to remove: " + "; ".join(said) if said else ""


def tell_fault(machine, card, inside, locked=0, seen=False):
    row = faults.row(machine.fault)
    fields = {
        "fault": row[0], "name": row[1], "station": row[2], "card": card, "action": row[4], "inside": inside,
        "cards": _where(machine), "remove": _remove(machine, seen),
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
