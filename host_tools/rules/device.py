"""What the tools use of the device's table, with types: its own files carry none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

from dovetail.cards import configuration, profiles
from dovetail.cards.profile import Profile as _Profile
from dovetail.journal.journal import Journal
from dovetail.table import conditions, decks, layout, registry, system

_decks, _layout, _registry, _system = (cast(Any, one) for one in (decks, layout, registry, system))
_profiles, _configuration = cast(Any, profiles), cast(Any, configuration)
_conditions = cast(Any, conditions)

Refusal = tuple[str, str]
Entry = tuple[str, tuple[str, ...], tuple[Any, ...]]
Decide = Callable[..., tuple[bytes, tuple[str, ...], "Refusal | None"]]


class Profile(Protocol):
    """One game as the machine plays it."""

    game: str
    cards: int
    stack: int
    players: int
    fewest: int
    fixed: int
    dealer: int
    dealer_stack: int
    draws_first: int
    draws_later: int
    start: int
    rest: int
    two_decks: int
    by_hand: int
    continuous: int
    hand_only: int
    shoe: int
    hand: int
    stages: int
    brought: int
    stub_shoe: int
    stub_hand: int

    def life(self) -> tuple[int, str]:
        """Return the hours until a deck must be changed, and the rule."""
        ...


def profile(game: str, by_hand: int = 0, continuous: int = 0) -> Profile:
    """A game, as the house has set it up."""
    make = cast(Callable[..., Profile], _Profile)
    return make(game, by_hand, continuous)


decide = cast(Decide, _system.decide)
first = cast(Callable[[], bytes], _layout.first)
told = cast(Callable[[bytes], str], _layout.told)
known = cast(Callable[[str], bool], _registry.known)
names = cast(Callable[[], list[str]], _profiles.names)
value = cast(Callable[[str, str], int], _profiles.value)
KEYS = cast(tuple[str, ...], _profiles.KEYS)  # what every profile says
rule_of = cast(Callable[[str, str], str], _profiles.rule)
make_profile = cast(Callable[..., bytes], _configuration.make_profile)
load_profile = cast(Callable[..., Profile], _configuration.load_profile)


def table() -> tuple[tuple[Entry, ...], ...]:
    """The table as it is now; mutants replace it."""
    return _system.TABLE


def find(event: str) -> Entry:
    """The rows of an event, as the device has them."""
    entries = cast(dict[str, Entry], _system.ENTRIES)
    if event not in entries:
        raise system.NoSuch(event)
    return entries[event]


def holds(row: Any, p: Profile, s: bytes, *numbers: int) -> bool:
    """Return whether a row applies."""
    return all(getattr(_conditions, name)(p, s, *numbers) for name in row[0])


def ways() -> tuple[tuple[Any, ...], ...]:
    """The ways of a deck as they are now."""
    return _decks.WAYS


def put(new_table: Sequence[Any], new_ways: Sequence[Any]) -> None:
    """Another table in its place."""
    _system.TABLE = new_table
    _decks.WAYS = new_ways


def put_settings(store: object, unique_id: bytes, settings: dict[str, bytes]) -> None:
    """Into the flash of a machine that has never been used."""
    cast(Any, Journal)(store, unique_id).settings.put(settings)
