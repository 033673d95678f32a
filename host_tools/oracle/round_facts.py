"""Facts that belong to one round of play. See `facts` for what a history is."""

from __future__ import annotations

from dataclasses import dataclass

from host_tools.oracle.facts import Fact, Recipient


@dataclass(frozen=True)
class RoundFact(Fact):
    """Something that happened in a round; numbers of rounds are never used again."""

    round: int


@dataclass(frozen=True)
class RoundOpened(RoundFact):
    """Players placed wagers at these positions; the round is to be dealt from `deck`."""

    deck: str
    players: tuple[int, ...]


@dataclass(frozen=True)
class NoMoreBets(RoundFact):
    """The dealer announced "No more bets"; `stage` 0 is before the first card."""

    stage: int = 0


@dataclass(frozen=True)
class Decided(RoundFact):
    """Each player decided before `stage`: `stays` placed the wager, the others folded."""

    stage: int
    stays: tuple[int, ...]


@dataclass(frozen=True)
class Discarded(RoundFact):
    """A player laid cards of the own hand aside, to have them replaced."""

    position: int
    number: int


@dataclass(frozen=True)
class StartDrawn(RoundFact):
    """The dealer determined the position at which the delivery starts."""

    position: int


@dataclass(frozen=True)
class Dealt(RoundFact):
    """Cards reached a recipient, as they truly lay there.

    `by_hand`: the dealer dealt them from the hand, not the device. `face_up` None: not seen.
    """

    cards: tuple[str, ...]
    to: Recipient
    face_up: bool | None = None
    by_hand: bool = False


@dataclass(frozen=True)
class Exposed(RoundFact):
    """A hidden card of this hand was exposed."""

    whose: Recipient


@dataclass(frozen=True)
class FaceUpFound(RoundFact):
    """A card lay face up in the shoe or the deck while cards were dealt."""

    card: str


@dataclass(frozen=True)
class DrawnInError(RoundFact):
    """A card was drawn that was not yet due; `exposed` says if somebody saw its face."""

    card: str
    exposed: bool


@dataclass(frozen=True)
class RemainderOut(RoundFact):
    """The remaining cards of the deck left the shoe, or were spread for a look."""

    cards: tuple[str, ...]


@dataclass(frozen=True)
class RoundClosed(RoundFact):
    """The round was settled as good, except the hands at the positions in `void`."""

    void: tuple[int, ...] = ()


@dataclass(frozen=True)
class RoundVoided(RoundFact):
    """The dealer or the device called the round void."""

    reason: str = ""
