# SH-7, continuous play: the deck lies in the wheel, discards go back in, and every card that is dealt is drawn for
# itself, uniform over all that are inside. Which slots hold a card is known; which card lies in which is not.

from dovetail import clock, faults
from dovetail.faults import Fault


class Slots:
    """1 for each slot that holds a card."""

    def __init__(self, n):
        self.taken = bytearray(n)

    def full(self):
        """After the first shuffle: a card in every slot of the plan."""
        for i in range(len(self.taken)):
            self.taken[i] = 1

    def inside(self):
        return sum(self.taken)

    def draw(self, k):
        """The k-th slot that holds a card, k from 1; it is empty from now on."""
        taken = self.taken
        for slot in range(len(taken)):
            k -= taken[slot]
            if k == 0:
                taken[slot] = 0
                return slot
        raise ValueError("no such card inside")

    def put(self, plan, at):
        """(a free slot, where the plan goes on): the next of the plan that holds no card. None: there is none."""
        taken = self.taken
        while at < len(plan):
            slot = plan[at]
            at += 1
            if not taken[slot]:
                taken[slot] = 1
                return slot, at
        return None, at


async def _fresh(machine):
    """Noise for the next draw, a slice at a time: the link is answered in between."""
    while machine.chance.tend():
        await clock.sleep_ms(0)


async def drawn(machine):
    """The slot of the next card."""
    await _fresh(machine)
    slots = machine.slots
    return slots.draw(machine.chance.position(slots.inside()))


async def take_back(machine, deck, pass_card):
    """Every card that lies in the infeed, each to a slot that chance chose; all that are inside afterwards."""
    slots, plan, at = machine.slots, machine.plan, 0
    await _fresh(machine)
    machine.chance.plan(len(plan), plan)
    while machine.feeder.waiting():
        slot, at = slots.put(plan, at)
        if slot is None or not deck.ledger.returned():
            raise Fault(faults.WRONG_DECK, deck.ledger.counted_in + 1)
        await pass_card(machine, deck, slot)
        deck.ledger.seated()
    machine.forget_plan()
    return slots.inside()
