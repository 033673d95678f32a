# The rules as an inspector would try them: one machine, no mechanics. What a test tells it has happened.

from dovetail.cards.profile import Profile
from dovetail.table import layout
from dovetail.table.layout import RED, STACKS
from dovetail.table.rulebook import Rulebook
from dovetail.table.when_deal import next_position


class Try:
    def __init__(self, game="let_it_ride", by_hand=0, continuous=0, rows=None):
        self.profile = Profile(game, by_hand, continuous, rows=rows)
        self.book = Rulebook(self.profile)

    def at(self, field):
        return self.book.state[field]

    def no(self, event, d=0, a=0, b=0, c=0):
        """The rule that refuses, or None; a refusal changes nothing."""
        before = self.book.state
        answer = self.book.ask(event, d, a, b, c)
        if answer is None:
            return None
        assert self.book.state == before
        assert self.book.actions == ()
        return answer[0]

    def do(self, event, d=0, a=0, b=0, c=0):
        """It is done; the actions."""
        answer = self.book.ask(event, d, a, b, c)
        assert answer is None, (event, answer)
        return self.book.actions

    def shuffled(self, d=RED, new=0):
        self.do("load", d, new, 1)
        self.do("shuffle", d)
        self.do("filled", 0, self.profile.cards)

    def ready(self, d=RED, new=0):
        self.shuffled(d, new)
        if not self.profile.continuous:
            self.do("moved")
            self.do("emptied", 0, self.profile.cards, self.profile.cards)

    def stacked(self, d=RED):
        """A single stack, taken from the tray."""
        self.ready(d)
        self.do("deliver")
        self.do("rest_out", 0, self.profile.cards, self.profile.cards)
        self.do("taken")

    def open(self, players=2):
        answer = self.book.open(self.book.number + 1, players)
        assert answer is None, answer

    def bets_closed(self, players=2):
        self.open(players)
        self.do("no_more_bets", 0, 1)
        if self.profile.start:
            self.do("draw_start", 0, 1)
            self.do("start_drawn", 0, 3)

    def position(self):
        return next_position(self.profile, self.book.state)

    def stack(self):
        size = self.book.size()
        self.do("deal", 0, 1, self.position())
        self.do("delivered", 0, size, size)
        self.do("taken")
        return size

    def stacks(self):
        cards = 0
        while self.at(STACKS) < self.at(layout.OWED):
            cards += self.stack()
        return cards

    def later_calls(self):
        """Every "no more bets" of the round but the first."""
        for _ in range(self.profile.stages - 1):
            self.do("no_more_bets", 0, 1)

    def whole_round(self, players=2):
        self.bets_closed(players)
        dealt = self.stacks()
        self.later_calls()
        self.do("remainder", 0, 1)
        self.do("rest_out", 0, self.profile.cards, self.profile.cards - dealt)
        self.do("taken")
        self.do("close", 0, 1)

    def cleared(self):
        self.do("cleared")
        self.do("found", 0, 0)
