"""The shape of the tables in `games`: what the texts ask of a game, each entry with its paragraph.

A paragraph is cited as the texts count it: "24.9(c)" is N.J.A.C. 19:47-24.9(c), "42.9(b)2" is
13:69F-42.9(b)2, and paragraphs of 13:69E are cited in full. An entry that is None, or an empty
tuple, says that the texts are silent or cut off; the judge then forbids nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from host_tools.oracle.facts import Delivery, Recipient

HOUR_S = 3600


@dataclass(frozen=True)
class Limit:
    """A number that a paragraph sets."""

    number: int
    cite: str


@dataclass(frozen=True)
class Step:
    """Cards that go to one recipient; "players" stands for each player in clockwise order."""

    to: Recipient | Literal["players"]
    cards: int


@dataclass(frozen=True)
class Stage:
    """One part of the deal.

    Each of `plans` is an order that the texts allow. A stage with `draws` has no plan: it replaces
    what players discarded, at most so many cards a player. `bets` and `decided` are the
    paragraphs that want "No more bets" or the decisions of the players before the first card.
    """

    cite: str
    plans: tuple[tuple[Step, ...], ...] = ()
    stack: Limit | None = None  # cards of every stack, where the order is not known
    draws: Limit | None = None
    order: str | None = None  # paragraph of the clockwise order of draws
    bets: str | None = None
    decided: str | None = None
    face_up: Limit | None = None  # 1: face up, 0: face down
    by_hand: str | None = None  # paragraph that wants these cards dealt from the hand


@dataclass(frozen=True)
class Stub:
    """The count of the stub, and how a count by the device replaces it."""

    every: Limit
    wrong: str  # what a wrong count does to the hands and to the deck
    excuse: str | None = None  # the device counts after each shuffle, so no count of the stub
    device_wrong: str | None = None  # the device reveals a wrong number, so the deck goes
    hands_differ: str | None = None  # paragraph that would void fewer hands after a misdeal


@dataclass(frozen=True)
class Misdeal:
    """What an incorrect number of cards voids. `dealer_may_lack`: the dealer completes the hand."""

    cite: str
    player_alone: bool = False
    dealer_may_lack: int = 0


@dataclass(frozen=True)
class Way:
    """What changes with the way in which cards come to the table."""

    stages: tuple[Stage, ...] = ()
    further: bool = True  # the texts let more cards follow, or do not say
    reshuffles_itself: bool = False  # in lieu of the paragraphs about shuffle and cut
    misdeal: Misdeal | None = None
    life: Limit | None = None  # seconds between opening and change of a deck
    stub: Stub | None = None
    cut_after: frozenset[Literal["device", "hand", "preshuffled"]] = frozenset()
    deal_jam: str | None = None  # paragraph that voids the round when the shoe jams
    jam_spares: bool = False  # hands that qualify for a payout stand all the same
    no_hand_shuffle: str | None = None
    remainder: Limit | None = None  # cards that must be left when all hands are dealt
    start_after_deal: str | None = None  # the starting position is drawn after the deal
    remainder_after_decisions: str | None = None


@dataclass(frozen=True)
class Exposure:
    """A hand that must stay hidden until `stage`; `spares` as in `Way.jam_spares`."""

    whose: Recipient
    stage: int
    cite: str
    spares: bool = False
    ends_with: Literal["bets", "decided"] = "bets"


@dataclass(frozen=True)
class GameRules:
    """What the texts ask of a game whichever way the cards come."""

    shuffle: str | None
    ways: dict[Delivery, Way]
    refused: dict[Delivery, str]
    every_round: bool = True
    cards: Limit | None = None
    jokers: Limit | None = None  # number of jokers that the deck has; None: no joker may be used
    jokers_allowed: bool = False
    seats: Limit | None = None
    fewest_players: Limit | None = None
    hand: Limit | None = None  # number of cards of a hand, known from its definition alone
    one_deck: str | None = None
    two_decks: str | None = None  # with paragraphs 2 (backs), 3, 4 (alternate), 5 (discard rack)
    rotates: bool = False  # the decks may be rotated, without an order
    preshuffled: str | None = None
    idle: str | None = None
    cut: str | None = None
    cut_depth: Limit | None = None
    cut_from_both_ends: bool = False
    recut: str | None = None
    shuffle_jam: str | None = None
    other_shuffle: str | None = None
    other_deal: str | None = None
    face_up: str | None = None
    face_up_voids: bool = False
    error_card: str | None = None
    exposure: Exposure | None = None
    qualifying: Limit | None = None  # cards of a hand that may qualify for a payout
    suit_order: Limit | None = None
