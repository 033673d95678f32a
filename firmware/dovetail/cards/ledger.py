# Where every card of a deck is, as the sensors saw it. Counts only: no card is known by name.

from micropython import const

PATH = const(0)      # taken from the infeed, not yet seated
WHEEL = const(1)
SHOE = const(2)
STACK = const(3)     # dealt to a position
REMAINDER = const(4)
PLACES = const(5)


class Ledger:
    """One deck on its way through the machine."""

    def __init__(self):
        self.at = bytearray(PLACES)
        self.counted_in = 0   # by the count station
        self.counted_out = 0  # by the exit beam
        self.dealt = 0        # by the deal beam
        self.passed = bytearray(3)  # of these, what no record has told yet: in, out, dealt

    def clear(self):
        for i in range(PLACES):
            self.at[i] = 0
        self.counted_in = self.counted_out = self.dealt = 0

    def seated(self):
        """A card passed the count station and lies in the wheel."""
        self.counted_in += 1
        self.passed[0] += 1
        self.at[WHEEL] += 1

    def ejected(self):
        """A card passed the exit beam and lies in the shoe."""
        self.counted_out += 1
        self.passed[1] += 1
        self.at[WHEEL] -= 1
        self.at[SHOE] += 1

    def out_untold(self):
        """SH-7: cards that came out of the wheel one by one since the last record that told of them."""
        n, self.passed[1] = self.passed[1], 0
        return n

    def given(self, place):
        """A card passed the deal beam. More than the shoe held is a count that disagrees, never a negative one."""
        self.dealt += 1
        self.passed[2] += 1
        if self.at[SHOE] == 0:
            return False
        self.at[SHOE] -= 1
        self.at[place] += 1
        return True

    def returned(self):
        """SH-7: a card that was dealt is on its way back. False: more come back than were dealt."""
        if self.at[STACK] == 0:
            return False
        self.at[STACK] -= 1
        self.counted_in -= 1
        self.counted_out -= 1
        self.dealt -= 1
        return True

    def inside(self):
        return self.at[PATH] + self.at[WHEEL] + self.at[SHOE]
