"""Everything that can happen: requests with right and wrong numbers, counts, faults, power."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from host_tools.rules.device import Profile

Numbers = tuple[int, int, int, int]  # d a b c of the table's rows


@dataclass(frozen=True)
class Event:
    """One event of the table and what it says."""

    name: str
    numbers: Numbers = (0, 0, 0, 0)


@dataclass(frozen=True)
class Bound:
    """What an exploration lets happen."""

    name: str
    game: str
    by_hand: int = 0
    continuous: int = 0
    players: tuple[int, ...] = (1,)
    decks: tuple[int, ...] = (1, 2)
    ages: tuple[int, ...] = ()  # levels of a deck's age
    shuffled: tuple[int, ...] = (0, 1)  # decks declared as shuffled before
    counts_disagree: bool = True
    extra: tuple[int, ...] = (0, 1, 2)  # cards too many with a stack
    without: frozenset[str] = frozenset()  # events that are left out


def events(bound: Bound, p: Profile) -> list[Event]:
    """All events within a bound."""
    found = [
        Event(name, numbers)
        for part in (_of_decks(bound, p), _of_rounds(bound, p), _of_the_machine(bound))
        for name, numbers in part
        if name not in bound.without
    ]
    return list(dict.fromkeys(found))


Some = Iterator[tuple[str, Numbers]]


def _of_decks(bound: Bound, p: Profile) -> Some:
    cards = p.cards
    for d in bound.decks:
        for new in (0, 1):
            for shuffled in bound.shuffled:
                yield "load", (d, new, 1, shuffled)
            yield "load", (d, new, 0, 0)
        yield "load", (d, 2, 1, 0)
        for waiting in (0, 1) if bound.continuous else (0,):
            yield "shuffle", (d, 0, waiting, 0)
        yield "unloaded", (d, 0, 0, 0)
        words = (0, 1) if len(bound.decks) > 1 else (0,)  # the supervisor's ends that two alternate
        for supervised, lying in product(words, (0, 1)):
            yield "remove_deck", (d, supervised, lying, 0)
        for right in (0, 1):
            yield "stub_counted", (d, right, 0, 0)
        for level in bound.ages:
            yield "age", (d, level, 0, 0)
    for counted in (cards - 1, cards, cards + 1):
        yield "filled", (0, counted, 0, 0)
    yield "moved", (0, 0, 0, 0)
    wrong = ((cards, cards - 1), (cards - 1, cards - 1)) if bound.counts_disagree else ()
    for went_in, came_out in ((cards, cards), *wrong):
        yield "emptied", (0, went_in, came_out, 0)


def _of_rounds(bound: Bound, p: Profile) -> Some:
    for players in (*bound.players, 0, p.players + 1):
        for later in (0, 1):
            for outside in (0, 1, 2) if bound.continuous else (0,):
                yield "open", (0, players, later, outside)
    for same in (0, 1):
        for name in ("no_more_bets", "draw_start", "remainder", "close", "void_round"):
            yield name, (0, same, 0, 0)
    yield "void_round", (0, 1, 1, 0)
    places = (
        range(p.players + p.dealer + 2) if p.fixed else range(max(bound.players) + p.dealer + 2)
    )
    for place in places:
        for cards in sorted({0, 1, 2, p.stack, p.dealer_stack, p.draws_first, p.draws_first + 1}):
            yield "deal", (0, 1, place, cards)
        yield "face_up", (0, 1, place, 0)
        yield "start_drawn", (0, place, 0, 0)
    yield "deal", (0, 0, 1, 0)
    yield "face_up", (0, 0, 1, 0)
    last = (p.players if p.fixed else max(bound.players)) + p.dealer
    for position in (1, last) if p.hand_only else (1,):
        for extra in (-1, *bound.extra):
            yield "delivered", (0, 3 + extra, 3, position)
    for name in ("taken", "tray_seen", "give_back", "deliver"):
        yield name, (0, 0, 0, 0)
    rest = p.rest or 9
    for out, left in (
        (p.cards, rest),
        (p.cards, rest + 1),
        (p.cards - 1, rest),
        (p.cards + 1, rest),
    ):
        yield "rest_out", (0, out, left, 0)


def _of_the_machine(bound: Bound) -> Some:
    for name in ("stop", "down", "opened", "closed_again", "out_of_service", "idle"):
        yield name, (0, 0, 0, 0)
    for wrong in (2, 3):
        yield "time", (0, wrong, 0, 0)
    for d in bound.decks:
        yield "lock", (d, 0, 0, 0)
    for number in (0, 1):
        for name in ("cleared", "found", "in_service", "power", "time"):
            yield name, (0, number, 0, 0)
