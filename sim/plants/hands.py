"""Plants of the people: what hands do at the machine, and what they forget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail import faults

from sim.plants.record import AT, DEAL, EMPTY, FILL, HARMLESS, Plant
from sim.points import (
    CARDS,
    CLEARED,
    DEALT,
    DECK_CHOSEN,
    DECK_LOADED,
    EJECTED,
    PICKED,
    STACK_TAKEN,
    Point,
)

if TYPE_CHECKING:
    from sim.hands import Hands
    from sim.machine import Machine

_FEW = 10  # cards
_OPEN_NS = 300_000_000
_LATE_NS = 3_000_000_000


def _opened(
    what: str, switch: str, sentence: str, at: Point[Machine], phase: str, drawn: int, number: int
) -> Plant[Machine]:
    """Return the plant of a switch that is opened for a moment."""
    return Plant(
        name=f"hands.{what}",
        sentence=sentence,
        at=at,
        does=lambda machine, _: machine.open_for(switch, _OPEN_NS),
        phase=phase,
        tried_at=frozenset({2 if phase == DEAL else AT}),
        drawn=drawn,
        station="machine",
        number=number,
    )


def _forget(hands: Hands, _: int) -> None:
    hands.forgets = True


PLANTS = (
    _opened(
        "lid",
        "lid",
        "the lid is opened for 0.3 s as this card is picked",
        PICKED,
        FILL,
        103,
        faults.LID_OPEN,
    ),
    _opened(
        "door",
        "door",
        "the shoe door is opened for 0.3 s as this card is dealt",
        DEALT,
        DEAL,
        104,
        faults.DOOR_OPEN,
    ),
    _opened(
        "lid_out",
        "lid",
        "the lid is opened for 0.3 s as this card is ejected",
        EJECTED,
        EMPTY,
        105,
        faults.LID_OPEN,
    ),
    _opened(
        "lid_deal",
        "lid",
        "the lid is opened for 0.3 s as this card is dealt",
        DEALT,
        DEAL,
        106,
        faults.LID_OPEN,
    ),
    _opened(
        "mount",
        "mount",
        "the machine is lifted from its mount for 0.3 s as this card is picked",
        PICKED,
        FILL,
        107,
        faults.NOT_MOUNTED,
    ),
    Plant(
        name="hands.late",
        sentence="ten cards are put in three seconds late, when a deck is loaded for the nth time",
        at=DECK_LOADED,
        turn=1,
        does=lambda load, _: load.keep_back(_FEW, _LATE_NS),
        phase=FILL,
        tried_at=frozenset({1}),
        drawn=108,
        station="machine",
        ends=HARMLESS,
        miscounts=True,
    ),
    Plant(
        name="hands.rest",
        sentence="ten cards stay on the table when a deck is loaded for the nth time",
        at=DECK_LOADED,
        does=lambda load, _: load.leave(_FEW),
        phase=FILL,
        tried_at=frozenset({1}),
        drawn=109,
        station="machine",
        number=faults.WRONG_DECK,
        card=CARDS - _FEW,
        spoils=True,
        miscounts=True,
    ),
    Plant(
        name="hands.other_deck",
        sentence="the other deck is put in when one is loaded for the nth time",
        at=DECK_CHOSEN,
        does=lambda load, _: load.take_other(),
        phase=FILL,
        tried_at=frozenset({1}),
        drawn=110,
        station="machine",
        number=faults.FOREIGN_BACK,
        card=1,
    ),
    Plant(
        name="hands.left",
        sentence="a card lies in the tray three seconds longer when a stack is taken the nth time",
        at=STACK_TAKEN,
        does=lambda hands, _: hands.leave_in_tray(_LATE_NS),
        phase=DEAL,
        tried_at=frozenset({1}),
        drawn=111,
        station="machine",
        ends=HARMLESS,
    ),
    Plant(
        name="hands.forget",
        sentence="a card is forgotten when the machine is emptied by hand for the nth time",
        at=CLEARED,
        does=_forget,
        needs="path.jam",  # there must be something to clear
        phase=FILL,
        tried_at=frozenset({1}),
        drawn=113,
        looked=True,
        thin=True,
        station="machine",
        number=faults.INSIDE,
        card=0,
    ),
)
