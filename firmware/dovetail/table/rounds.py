# The order of a round: open, no more bets, stacks by position, remainder, close. Pure: no hardware, no clock.
# Every refusal is a pair (rule, text); None allows.

from micropython import const

CLOSED = const(0)
BETS = const(1)      # open, wagers may be placed
DEALT = const(2)     # no more bets: stacks may leave
RELEASED = const(3)  # the remainder is out
VOID = const(4)

NAMES = ("closed", "open for bets", "no more bets", "remainder released", "void")


class Round:
    def __init__(self, profile):
        self.stack = profile["stack"][0]
        self.most = profile["players"][0]
        self.dealer = profile["dealer"][0]
        self.cards = profile["cards"][0]
        self.state = CLOSED
        self.number = 0
        self.positions = 0  # stacks owed: players and dealer
        self.stacks = 0     # stacks delivered
        self.last_back = None

    def open(self, number, players, back, ready, two_decks):
        if self.state not in (CLOSED, VOID):
            return "DS-4", "round %d is still open" % self.number
        if number <= self.number:
            return "SH-1", "round %d is not after round %d" % (number, self.number)
        if not 1 <= players <= self.most:
            return "DS-12", "players must be 1 to %d" % self.most
        if not ready:
            return "SH-1", "no shuffled and counted deck lies in the shoe"
        if two_decks and back == self.last_back:
            return "TD-4", "the %s deck was dealt in the last round; the decks alternate" % back
        self.state = BETS
        self.number = number
        self.positions = players + self.dealer
        self.stacks = 0
        self.last_back = back
        return None

    def _wrong(self, number):
        if self.state == VOID:
            return "DS-8", "round %d is void: return all cards, load and shuffle" % self.number
        if self.state == CLOSED:
            return "SH-1", "no round is open"
        if number != self.number:
            return "DS-4", "the open round is %d" % self.number
        return None

    def no_more_bets(self, number):
        wrong = self._wrong(number)
        if wrong:
            return wrong
        if self.state != BETS:
            return "DS-4", "no more bets has been declared for round %d already" % number
        self.state = DEALT
        return None

    def may_deal(self, number, position, cards):
        wrong = self._wrong(number)
        if wrong:
            return wrong
        if self.state == BETS:
            return "DS-4", "no more bets has not been declared for round %d" % number
        if self.state == RELEASED:
            return "DS-6", "the remainder of round %d is out" % number
        if cards not in (0, self.stack):
            return "DS-1", "a stack is %d cards" % self.stack
        if self.stacks >= self.positions:
            return "DS-5", "all %d stacks of round %d are dealt" % (self.positions, number)
        if position != self.stacks + 1:
            return "DS-5", "the next stack belongs to position %d" % (self.stacks + 1)
        return None

    def may_release(self, number):
        wrong = self._wrong(number)
        if wrong:
            return wrong
        if self.state == BETS:
            return "DS-4", "no more bets has not been declared for round %d" % number
        if self.state == RELEASED:
            return "DS-6", "the remainder of round %d is out already" % number
        if self.stacks < self.positions:
            return "DS-6", "%d of %d stacks are dealt" % (self.stacks, self.positions)
        return None

    def may_close(self, number):
        wrong = self._wrong(number)
        if wrong:
            return wrong
        if self.state != RELEASED:
            return "DS-6", "the remainder of round %d has not been released" % number
        return None

    def void(self):
        """Only a round under way can become void; True when it did."""
        if self.state in (BETS, DEALT):
            self.state = VOID
            return True
        return False
