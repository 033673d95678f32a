"""Bounds of the exploration: complete ones for every state; deep and broad ones for mutants."""

from __future__ import annotations

from functools import partial

from host_tools.rules.device import names, value
from host_tools.rules.events import Bound

RARE = frozenset({"tray_seen", "stub_counted", "face_up", "void_round", "down", "idle"})
ENDS = frozenset({"stop", "lock", "down", "opened", "closed_again"})
SERVICE = frozenset({"out_of_service", "in_service"})
QUIET = ENDS | SERVICE | {"power"}
CALM = QUIET | {"tray_seen", "stub_counted", "remove_deck", "idle"}
DOUBT = CALM - {"stub_counted"} | {"face_up", "void_round", "give_back"}
UNHURT = (
    frozenset(
        {"tray_seen", "power", "void_round", "face_up", "stub_counted", "lock", "opened", "idle"}
    )
    | SERVICE
)

ONE = (1,)  # one deck
AGES = (0, 1, 2)
UNSORTED = (0, 2, 3)
SORTED = (0, 2)  # declared as put in suit and sequence
ODD = (0, 1, 2)  # cards too many with a stack

# Nothing but counts that agree, stacks as ordered, decks that come unshuffled
_plain = partial(Bound, counts_disagree=False, extra=(0,), shuffled=(0,))
_game = partial(_plain, decks=ONE)
_hand = partial(_plain, by_hand=1)

# Every state that can be reached within these is looked at
COMPLETE = (
    Bound("one deck, everything", "let_it_ride", decks=ONE),
    _game("two players", "let_it_ride", players=(1, 2), without=RARE | SERVICE),
    _plain(
        "two decks, faults",
        "let_it_ride",
        without=RARE | SERVICE | {"lock", "opened", "remove_deck"},
    ),
    _plain("two decks, lost", "let_it_ride", without=RARE | SERVICE | {"stop", "opened", "power"}),
    _plain(
        "two decks, the lid",
        "let_it_ride",
        without=RARE | SERVICE | {"stop", "lock", "power", "remove_deck"},
    ),
    _plain(
        "two decks, service",
        "let_it_ride",
        without=RARE | {"stop", "lock", "opened", "remove_deck", "power"},
    ),
    _plain("a game of one deck", "three_card_poker", without=RARE | SERVICE | {"lock", "opened"}),
    _game("draws", "double_draw", players=(2,), without=RARE | SERVICE),
    _game("starting position", "pai_gow_poker", without=RARE | SERVICE | {"opened"}),
    _game(
        "hands alone",
        "boston_5",
        players=(2,),
        extra=ODD,
        without=RARE | SERVICE - {"face_up"},
    ),
    _hand("start in the hand", "pai_gow_poker", decks=ONE, without=RARE),
    Bound("from the hand", "double_down_stud", by_hand=1, decks=ONE),
    _hand("two from the hand", "double_down_stud", without=RARE | SERVICE | {"power", "opened"}),
    _game("ages", "caribbean_stud", ages=AGES, without=RARE | SERVICE),
    Bound("continuous", "plain", 0, 1, decks=ONE),
    _hand(
        "suit and sequence",
        "poker",
        decks=ONE,
        players=(2,),
        ages=UNSORTED,
        shuffled=SORTED,
        without=RARE,
    ),
)

# Rounds are played to their end
DEEP = (
    Bound("rounds", "let_it_ride", decks=ONE, counts_disagree=False, shuffled=(0,), without=CALM),
    _game("draws", "double_draw", extra=(0, 1), without=CALM),
    _game("hands alone", "boston_5", extra=ODD, without=CALM - {"face_up"}),
    _hand("from the hand", "double_down_stud", decks=ONE, without=CALM - {"power"}),
    _plain("two decks", "let_it_ride", without=CALM | {"face_up"}),
    _game("start", "pai_gow_poker", without=CALM | {"face_up", "void_round"}),
    _game("doubt", "let_it_ride", counts_disagree=True, without=DOUBT),
    _hand(
        "doubt in the hand",
        "double_down_stud",
        decks=ONE,
        counts_disagree=True,
        extra=ODD,
        without=DOUBT,
    ),
    Bound(
        "continuous",
        "plain",
        continuous=1,
        decks=ONE,
        without=QUIET - {"power", "lock", "stop"} | {"remove_deck"},
    ),
    _hand("start in the hand", "pai_gow_poker", decks=ONE, without=UNHURT),
    _game("ages", "caribbean_stud", ages=AGES, without=UNHURT),
    _game("service", "let_it_ride", without=UNHURT - SERVICE),
    _hand(
        "sorted",
        "poker",
        decks=ONE,
        players=(2,),
        ages=UNSORTED,
        shuffled=SORTED,
        without=UNHURT | SERVICE,
    ),
    _game("brought", "boston_5", shuffled=(0, 1), without=UNHURT - {"idle"}),
    _hand("idle in the hand", "let_it_ride", decks=ONE, without=UNHURT - {"idle"}),
    _plain(
        "idle, two decks",
        "let_it_ride",
        without=(UNHURT | SERVICE | {"remove_deck", "stop", "down"}) - {"idle"},
    ),
)
BROAD = (
    _plain("one deck only", "three_card_poker", counts_disagree=True, without=CALM),
    Bound("one deck", "let_it_ride", decks=ONE),
    _plain("two decks", "let_it_ride"),
    Bound("from the hand", "double_down_stud", by_hand=1, shuffled=(0,)),
)
# How many states of each a mutant is looked for in: deep bounds to their end, broad ones so far
STATES = {DEEP: 12000, BROAD: 2000}


def _replayed(game: str, by_hand: int) -> Bound:
    """Return all that hands can bring about in one game at a machine, with two players."""
    words = f"{game.replace('_', ' ')} from the {'hand' if by_hand else 'shoe'}"
    shuffled = SORTED if value(game, "sorted") else (0, 1)
    return Bound(words, game, by_hand, players=(2,), shuffled=shuffled, counts_disagree=False)


# What is walked at the simulated machine: every game that a text has, in every way of delivery
REPLAYED = tuple(
    _replayed(game, by_hand)
    for game in names()
    for by_hand, way in enumerate(("shoe", "hand"))
    if game != "plain" and value(game, way)
)
