# Lamps: red a fault, amber at work or a deck to be shuffled again, green one to deal from. Green and amber: one that
# the machine has not shuffled (SH-6). In service red and amber in turn.

from dovetail.table import decks
from dovetail.table.layout import AGE_RED, BROUGHT, IDLED, OVER, RED, ROUND, SHUFFLED, VOID


def show(machine):
    hal = machine.hal
    if machine.lamps_tried:
        return
    if machine.service or machine.at_bench or machine.on_trial():
        turn = machine.uptime_ms() >> 9 & 1
        hal.lamp("red", bool(turn))
        hal.lamp("amber", not turn)
        hal.lamp("green", False)
        return
    hal.lamp("red", bool(machine.fault))
    deck = machine.in_play
    counted = deck is not None and deck.state in (decks.READY, decks.DEALING, decks.MIXED)
    order = machine.order_of(deck) if counted else SHUFFLED
    over = order == IDLED or (counted and not _playable(machine, deck))
    hal.lamp("amber", machine.wheel_busy() or machine.clearing or over or order == BROUGHT)
    hal.lamp("green", not machine.fault and counted and not over)


def _playable(machine, deck):
    """Return whether its round is not void, or its age lets one begin."""
    if deck.state == decks.DEALING:
        return machine.rules.state[ROUND] != VOID
    return machine.rules.state[AGE_RED - RED + deck.number] < OVER
