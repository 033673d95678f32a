# A deck: its number, its ledger, and its state as the rules have it.

from dovetail.cards.ledger import Ledger
from dovetail.table.rulebook import COLOURS


class Deck:
    def __init__(self, number, rules):
        self.number = number
        self.back = COLOURS[number]
        self.rules = rules
        self.ledger = Ledger()
        self.since_ms = 0  # uptime at its declaration

    @property
    def state(self):
        return self.rules.state[self.number]
