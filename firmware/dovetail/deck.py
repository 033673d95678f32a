# A deck: its number, its ledger, and its state as the rules have it.

from dovetail.cards.ledger import Ledger
from dovetail.table.rulebook import COLOURS


class Deck:
    def __init__(self, number, rules):
        self.number = number
        self.back = COLOURS[number]
        self.rules = rules
        self.ledger = Ledger()
        self.here = self.sorted_here = False  # whether it was declared, or put in order, since power-on
        self.since_ms = self.sorted_ms = 0  # uptime then

    def declared(self, now_ms, new, sorted):
        """Begin the clocks of a deck that is new, or was put in suit and sequence."""
        if new:
            self.here, self.since_ms = True, now_ms
        if sorted:
            self.sorted_here, self.sorted_ms = True, now_ms

    @property
    def state(self):
        return self.rules.state[self.number]
