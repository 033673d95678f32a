"""Refusals of the machine, held against the texts: what they would permit is a house's choice.

Each refused round, and each refused card of one, is put to the oracle as if it had been done.
Objects the oracle, the refusal was right. If not, the texts permit what the machine refused, and
HOUSE must say why the house wants it so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from google.protobuf.message import Message

from hil_tests.eye import Eye, ids_of
from host_tools.link.errors import Refused
from host_tools.oracle import round_facts
from host_tools.oracle.facts import Fact
from host_tools.oracle.judge import objections
from host_tools.rules.device import value

EVERY = ()
IN_SHUFFLE = "; idle was said while it was being shuffled"  # what a refusal does not tell
WHOLE_STACK = "a stack is ordered whole; that cards lack the texts see when the next hand begins"
PAI_GOW, STUD, RIDE, THREE = "pai_gow_poker", "caribbean_stud", "let_it_ride", "three_card_poker"

# House's choices: the rule, a part of the reason, the games, why it refuses what their texts permit
HOUSE: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("ROLE", "", EVERY, "who has another key does not play"),
    ("SERVICE", "", EVERY, "while service is at work nobody plays"),
    ("EL-2", "", EVERY, "in doubt it says no: a fault stands until the machine was seen empty"),
    ("SH-5", "", EVERY, "out of service is latched until an empty machine is returned to service"),
    ("SH-1", "is not after round", EVERY, "numbers only grow, so that no round is told twice"),
    ("SH-1", "no shuffled and counted", EVERY, "what the power cut short is forgotten"),
    ("SH-9", IN_SHUFFLE, EVERY, "a shuffle during which the table is called idle is one before it"),
    ("SH-9", "", (THREE,), "20 prints no idle table; it is treated as those of all other games"),
    (
        "DS-4",
        "no more bets",
        (PAI_GOW, STUD, RIDE, THREE),
        "11.8, 16, 18.9 and 20 print no announcement for their shoe; they have it too",
    ),
    ("DS-4", "the open round is", EVERY, "a request names the round that it is for"),
    ("DS-4", "is still open", EVERY, "one round at a time, though none of its cards is out yet"),
    (
        "DS-5",
        "",
        (PAI_GOW, STUD, RIDE, THREE),
        "the order from this shoe is not printed for 11, 16, 18 and 20: clockwise",
    ),
    (
        "DS-6",
        "",
        (STUD, RIDE, THREE),
        "16, 18 and 20 print no end of the deal: no stack follows the remainder",
    ),
    ("DS-1", "", (THREE,), "20 prints no number of cards: three"),
    ("DS-2", "", (STUD,), "the number of cards from this shoe is not printed for 16: five"),
    ("DS-3", "", (PAI_GOW,), "the number of cards from this shoe is not printed for 11: seven"),
    *((rule, "a stack is", EVERY, WHOLE_STACK) for rule in ("DS-1", "DS-2", "DS-3")),
    ("DS-8", "is void", EVERY, "a void round gives out what is left before anything else is dealt"),
    ("DS-12", "players must be", EVERY, "it serves one player at least, and no more than seats"),
    ("DS-13", "", (PAI_GOW,), "the start is drawn by the machine before the first stack"),
    ("CT-1", "", EVERY, "five rounds of the table or of the deck, whichever comes first"),
    (
        "TD-4",
        "",
        ("poker",),
        "14 lets two decks rotate: here they alternate",
    ),
    (
        "TD-4",
        "",
        EVERY,
        "a deck that waits beside the other takes part in the turns before it was ever dealt",
    ),
    ("CL-", "over its time", EVERY, "an age that nobody knows is too old: CL-6"),
    ("CL-5", "suit and sequence", ("poker",), "since when it lies in sequence nobody knows: CL-6"),
)


@dataclass(frozen=True)
class Permitted:
    """The machine refused what the texts permit."""

    game: str
    request: str
    rule: str
    text: str

    @property
    def family(self) -> str:
        """Return the letters of its rule."""
        return self.rule.split("-")[0] + "-"

    def why(self) -> str:
        """Return why the house wants it so; nothing if it was never said."""
        if not self.rule:  # NOT_NOW: it is at work, and does it a little later
            return "not now"
        return next(
            (
                why
                for rule, part, games, why in HOUSE
                if rule in (self.rule, self.family) and part in self.text
                if not games or self.game in games
            ),
            "",
        )


def permitted(eye: Eye, name: str, message: Message, no: Refused) -> Permitted | None:
    """Return the refusal if the texts would have let it be done; None where they forbid it too."""
    done = _facts(eye, name, cast(Any, message))
    if not done:
        return None
    before = len(objections(eye.history))
    if len(objections([*eye.history, *done])) > before:
        return None
    text = no.text + IN_SHUFFLE * eye.idle_in_shuffle
    return Permitted(eye.game, name, no.rule, text)


def _facts(eye: Eye, name: str, said: Any) -> list[Fact]:
    """Return what would have happened; nothing where no card lies ready for it."""
    if name == "open_round" and not eye.open:
        return _round(eye, said.players)
    if name == "deal" and eye.open:
        return _stack(eye, said.position, said.cards)
    return []


def _round(eye: Eye, players: int) -> list[Fact]:
    """A round is opened, its bets are closed, and the first card is dealt."""
    deck, cards = eye.ready_to_deal()
    if not cards:
        return []
    number, by_hand = eye.round + 1, eye.rig.setup.by_hand
    everybody = tuple(range(1, players + 1))
    return [
        round_facts.RoundOpened(number, deck, everybody),
        round_facts.NoMoreBets(number, 0),
        round_facts.Dealt(number, tuple(ids_of(cards[:1])), to=1, by_hand=by_hand),
    ]


def _stack(eye: Eye, position: int, drawn: int) -> list[Fact]:
    """The shoe deals a stack to this position, or so many cards."""
    cards = eye.ready_to_deal()[1][: drawn or value(eye.game, "stack")]
    if not cards or not position:
        return []
    to = eye.recipient(position)
    return [round_facts.Dealt(eye.round, tuple(ids_of(cards)), to=to)]
