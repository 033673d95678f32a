# SH-7, continuous play: the deck lies in the wheel, discards go back in, and every card that is dealt is drawn for
# itself, uniform over all that are inside. Which slots hold a card is known; which card lies in which is not.

from dovetail import clock
from dovetail.lanes.common import Halted


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


async def drawn(machine):
    """The slot of the next card. Noise a slice at a time: the link is answered in between."""
    while not machine.fault and machine.chance.tend():
        await clock.sleep_ms(1)
    if machine.fault:
        raise Halted
    slots = machine.slots
    return slots.draw(machine.chance.position(slots.inside()))
