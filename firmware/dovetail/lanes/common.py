# What every lane does: a card's moves between the gates, and what was counted told to the rules.

from dovetail import faults
from dovetail.faults import Fault

_FAULTS = {"wrong_deck": faults.WRONG_DECK, "disagree": faults.COUNTS_DISAGREE, "misdeal": faults.MISDEAL}


class Halted(Exception):
    """The machine was stopped by somebody else; there is nothing left to say."""


def told(machine, card, *event):
    """Tell the rules what was counted. Where they find it wrong the lane ends in that fault."""
    if machine.tell(*event):
        raise Halted
    for action in machine.rules.actions:
        if action in _FAULTS:
            raise Fault(_FAULTS[action], card)


async def gated(machine, lane, moves, at_once=False):
    """One card's moves, between the gates; a stop in the meantime ends the lane."""
    gate = machine.gate
    machine.alive.here(lane)
    await gate.enter(lane, at_once)
    try:
        if machine.fault:
            moves.close()
            raise Halted
        await moves
    except Fault:
        if machine.fault:
            raise Halted from None
        raise
    finally:
        gate.leave()


def drive(machine):
    """The drivers may have been switched off since the last move."""
    if machine.fault:
        raise Halted
    machine.motors.release()


async def find_home(machine):
    """Without current everything may stand anywhere: the ejector's rod out of the slots, then the wheel turns."""
    await machine.ejector.home()
    await machine.wheel.home()
