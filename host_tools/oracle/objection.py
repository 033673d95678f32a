"""The answers of the judge."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


@dataclass(frozen=True)
class Objection:
    """The texts forbid the fact at `fact_index`; `cite` is the paragraph."""

    fact_index: int
    cite: str
    says: str


class Standing(Enum):
    """What became of a hand. DISPUTED: two paragraphs contradict, so the judge forbids neither."""

    STANDS = auto()
    DISPUTED = auto()
    IF_QUALIFYING = auto()  # void, unless its three cards qualify for a payout
    VOID_ALONE = auto()  # void, and the hands of the others stand
    VOID = auto()


@dataclass(frozen=True)
class Ruling:
    """The standing of one hand, and the paragraphs that say so."""

    standing: Standing
    cites: tuple[str, ...] = ()


class What(Enum):
    """What must be done with a deck before the next round is dealt from it."""

    SHUFFLE = auto()
    RESHUFFLE = auto()  # a shuffle was broken off: all the cards again
    CUT = auto()
    STUB_COUNT = auto()
    REMOVAL = auto()
    NEW_DECK = auto()
    SUIT_ORDER = auto()
    CARDS_BACK = auto()


@dataclass(frozen=True)
class Owed:
    """Something that is owed for a deck, and the paragraph that asks for it."""

    what: What
    deck: str
    cite: str
