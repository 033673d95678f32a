# One game as the machine plays it: the rows of its profile, checked, and how the house has set it up.

import micropython
from micropython import const
from dovetail.cards import profiles

_DECKS = (52, 53, 54)
_MOST = const(7)  # cards of a stack, and positions that the shoe deals to
_MOST_PLAYERS = const(11)  # DS-12
_FLAGS = (
    "fixed", "start", "stub", "cut", "cut_brought", "brought", "two_decks", "shoe", "hand", "stub_shoe", "stub_hand",
    "keeps", "continuous", "hand_only",
)  # fmt: skip


class ProfileError(ValueError):
    """A profile that contradicts itself: rule, key, number, why."""

    def __init__(self, rule, key, number, why):
        super().__init__("%s: %s %s: %s" % (rule, key, number, why))
        self.rule = rule


class Profile:
    """A value of every key as an attribute; by_hand and continuous as the house has chosen."""

    # the keys of profiles.KEYS; set from the rows, every one of them
    cards = stack = players = fewest = fixed = dealer = 0
    dealer_stack = draws_first = draws_later = start = stub = 0
    rest = cut = two_decks = life_shoe = life_hand = 0
    keeps = continuous = hand_only = 0
    stages = cut_brought = brought = shoe = hand = 0
    stub_shoe = stub_hand = sorted = 0

    def __init__(self, game, by_hand=0, continuous=0, cards=0, rows=None, known=None):
        self.game = game
        self.rules = rows or profiles.rows(game)
        seen = []
        for key, number, rule in self.rules:
            if key not in profiles.KEYS or key in seen:
                raise ProfileError(rule, key, number, "no such key, or twice")
            if rule != profiles.HOUSE and known and not known(rule):
                raise ProfileError(rule, key, number, "no such rule")
            if not isinstance(number, int) or not 0 <= number <= 255:
                raise ProfileError(rule, key, number, "a number from 0 to 255")
            seen.append(key)
            setattr(self, key, number)
        for key in profiles.KEYS:
            if key not in seen:
                raise ProfileError(profiles.HOUSE, key, "", "missing")
        if cards and cards != self.cards:
            self._must(self.rule("cards") == profiles.HOUSE, "cards", cards, "the game has %d" % self.cards)
            self.cards = cards
        self._must(not continuous or self.continuous, "continuous", 1, "not in this game")
        self._must(not (continuous and by_hand), "continuous", 1, "not from the hand")
        self.continuous = 1 if continuous else 0
        if self.continuous:
            self.two_decks = 0  # TD-1: one deck comes and goes
        self.by_hand = 1 if by_hand else 0
        self._must(self.shoe or by_hand, "shoe", 0, "the game is dealt from the hand: deliver a single stack")
        self._must(self.hand or not by_hand, "hand", 0, "the game is dealt from the shoe")
        self._check()

    @micropython.native
    def rule(self, key):
        for name, _, rule in self.rules:
            if name == key:
                return rule
        return profiles.HOUSE

    def _must(self, holds, key, number, why):
        if not holds:
            raise ProfileError(self.rule(key), key, number, why)

    def _check(self):
        self._must(self.cards in _DECKS, "cards", self.cards, "52, 53 or 54")
        for key in _FLAGS:
            self._must(getattr(self, key) in (0, 1), key, getattr(self, key), "0 or 1")
        self._must(1 <= self.stack <= _MOST, "stack", self.stack, "1 to 7")
        most = _MOST if self.shoe else _MOST_PLAYERS
        self._must(1 <= self.players <= most, "players", self.players, "1 to %d" % most)
        self._must(1 <= self.fewest <= self.players, "fewest", self.fewest, "1 to %d" % self.players)
        self._must(1 <= self.stages <= 3, "stages", self.stages, "1 to 3")
        draws = (self.draws_first > 0) + (self.draws_later > 0)
        self._must(self.stages > draws, "stages", self.stages, "one more than the draws of a round, at least")
        self._must(self.brought or not self.cut_brought, "cut_brought", 1, "no deck of this game is brought shuffled")
        self._must(self.dealer in (0, 1), "dealer", self.dealer, "0 or 1")
        self._must((self.dealer_stack > 0) == (self.dealer > 0), "dealer_stack", self.dealer_stack, "as dealer says")
        self._must(self.dealer_stack <= _MOST, "dealer_stack", self.dealer_stack, "at most 7")
        self._must(self.draws_first or not self.draws_later, "draws_later", self.draws_later, "no first draw")
        out = self.players * self.stack + self.dealer * self.dealer_stack
        self._must(out <= self.cards, "stack", self.stack, "%d cards of %d for all stacks" % (out, self.cards))
        drawn = out + self.players * (self.draws_first + self.draws_later)
        self._must(drawn <= self.cards, "draws_first", self.draws_first, "%d cards of %d" % (drawn, self.cards))
        left = self.cards - out
        self._must(not self.rest or (self.fixed and self.rest == left), "rest", self.rest, "%d cards are left" % left)
        self._must(not self.start or self.fixed, "start", self.start, "only where every position gets a stack")
        self._must(self.life_shoe > 0, "life_shoe", self.life_shoe, "at least an hour")
        self._must(0 < self.life_hand <= self.life_shoe, "life_hand", self.life_hand, "no longer than from the shoe")
        self._must(self.sorted <= self.life_hand, "sorted", self.sorted, "no longer than the deck's life")

    def life(self):
        """(hours until a deck must be changed, the rule)"""
        key = "life_hand" if self.by_hand else "life_shoe"
        return getattr(self, key), self.rule(key)

    def stub_owed(self):
        """Return whether a stub is counted by hand every five rounds, though the machine counts every shuffle."""
        return self.stub_hand if self.by_hand else self.stub_shoe

    def cut_owed(self, brought):
        """Return whether the dealer owes a cut once the deck is delivered; brought: its order came with it."""
        return bool(self.cut_brought if brought else self.cut and self.by_hand)
