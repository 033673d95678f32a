# The lane of the wheel: infeed to wheel to shoe. It runs beside the lane that deals.

from dovetail import alive
from dovetail.lanes.common import Halted
from dovetail.lanes.emptying import empty
from dovetail.lanes.filling import fill, take_back
from dovetail.table import decks


async def wheel_lane(machine):
    """Waits for a deck to shuffle, fills the wheel, empties it into the shoe when that is free."""
    while True:
        await machine.alive.wait(alive.WHEEL, machine.wheel_work)
        deck = machine.in_wheel
        if machine.fault or deck is None:
            continue
        if deck.state == decks.SHUFFLING:
            await machine.guard(_turn(machine, deck), deck)
        elif deck.state == decks.TAKING:
            await machine.guard(take_back(machine, deck), deck)
        machine.show()


async def _turn(machine, deck):
    try:
        await fill(machine, deck)
        if deck.state == decks.MIXED:
            return  # it stays in the wheel
        machine.show()
        while machine.in_shoe is not None and not machine.fault and not machine.rules.out():
            await machine.alive.wait(alive.WHEEL, machine.shoe_free)
        await empty(machine, deck)
    except Halted:
        pass
