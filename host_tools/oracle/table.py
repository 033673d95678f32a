"""The state of the table between facts: its decks, its rack and its rounds. `judge` keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from host_tools.oracle.facts import DeviceCounted, Game, Opened
from host_tools.oracle.games import find_rules
from host_tools.oracle.rounds import Round
from host_tools.oracle.rules import GameRules, Way

DAY_S = 24 * 3600
MILLION = 1_000_000


@dataclass
class Deck:
    """A deck on the table."""

    opened: Opened
    opened_s: float
    shuffled_by: Literal["device", "hand", "preshuffled"] | None = None
    why_not: tuple[str, str] | None = None  # paragraph and reason why it must be shuffled
    jammed: bool = False  # a shuffle of it was broken off
    stack: tuple[str, ...] = ()  # what came out of its last shuffle
    dealt: set[str] = field(default_factory=set[str])  # since its last shuffle
    spent: bool = False  # a round was dealt from it since its last shuffle
    cut: bool = False
    counted: DeviceCounted | None = None  # since its last shuffle
    wrong: str | None = None  # a count showed a wrong number: the paragraph
    uncounted: int = 0  # rounds since the number was last known
    used_s: float = 0.0  # time in use since it lay in suit and sequence
    put_in: set[str] = field(default_factory=set[str])  # since its last round


@dataclass
class Table:
    """All that the judge remembers."""

    game: Game
    rules: GameRules
    way: Way
    now_s: float = 0.0
    decks: dict[str, Deck] = field(default_factory=dict[str, Deck])
    rack: set[str] = field(default_factory=set[str])
    rounds: dict[int, Round] = field(default_factory=dict[int, Round])
    begun: set[int] = field(default_factory=set[int])  # rounds with a card dealt
    ended: set[int] = field(default_factory=set[int])
    device_here: bool = True
    idle: bool = False
    last_deck: str | None = None  # the deck of the last round, None if the decks changed since
    uncounted: int = 0
    in_use: str | None = None  # deck whose time in use runs, from `since_s` on
    since_s: float = 0.0

    def play(self, game: Game) -> None:
        """Change to another game; decks stay on the table."""
        self.game = game
        self.rules, self.way = find_rules(game)

    def pass_time(self, at_s: float | None) -> None:
        """Go on to this time of day, over midnight if it is smaller than the time before."""
        if at_s is not None:
            step = round(at_s * MILLION) - round(self.now_s * MILLION)  # whole: a moment is no day
            self.now_s += step % (DAY_S * MILLION) / MILLION

    def stop_use(self) -> None:
        """Add the time since the last deck came into use to that deck."""
        if self.in_use in self.decks:
            self.decks[self.in_use].used_s += self.now_s - self.since_s
        self.in_use, self.since_s = None, self.now_s

    def used_s(self, name: str) -> float:
        """Return how long a deck was in use since it lay in suit and sequence."""
        running = self.now_s - self.since_s if self.in_use == name else 0.0
        return self.decks[name].used_s + running

    def deck_of(self, card: str) -> str | None:
        """Return the deck that this card belongs to."""
        return next((n for n, deck in self.decks.items() if card in deck.opened.cards), None)

    def decks_of(self, cards: tuple[str, ...] | frozenset[str] | set[str]) -> set[str]:
        """Return the decks that these cards belong to."""
        return {n for n, deck in self.decks.items() if not deck.opened.cards.isdisjoint(cards)}

    def needs_cut(self, deck: Deck) -> bool:
        """Say if the texts want this deck to be cut before it is dealt."""
        return deck.shuffled_by in self.way.cut_after and not deck.cut

    def needs_stub_count(self, deck: Deck) -> bool:
        """Say if five rounds went by uncounted, of the table and of this deck as well."""
        stub = self.way.stub
        if stub is None or self.is_excused(deck):
            return False
        return min(self.uncounted, deck.uncounted) >= stub.every.number

    def is_excused(self, deck: Deck) -> bool:
        """Say if the device's own count takes the place of a count of the stub."""
        stub, counted = self.way.stub, deck.counted
        return bool(stub and stub.excuse and counted and counted.trusted)

    def needs_change(self, deck: Deck) -> bool:
        """Say if the deck is over its life."""
        life = self.way.life
        return bool(life and self.now_s - deck.opened_s > life.number)

    def needs_suit_order(self, name: str) -> bool:
        """Say if the deck was used for too long without being put into suit and sequence."""
        limit = self.rules.suit_order
        return bool(limit and self.used_s(name) > limit.number)

    def must_be_shuffled(self, deck: Deck) -> tuple[str, str] | None:
        """Return paragraph and reason if no round may be dealt from the deck as it lies."""
        if self.way.reshuffles_itself or self.rules.shuffle is None:
            return None
        if deck.shuffled_by is None:
            return deck.why_not or (self.rules.shuffle, "the cards were not shuffled")
        if deck.spent and self.rules.every_round:
            return self.rules.shuffle, "the cards were not shuffled since the last round"
        return None
