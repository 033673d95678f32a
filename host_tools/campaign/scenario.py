"""Reads what a scenario file says: whatever is not as it must be is named, with what may stand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from host_tools.build.tell import UsageError
from sim.faults import sized, written
from sim.plants.catalogue import NAMES

Planted = tuple[
    str, int | float
]  # with the passage at which it strikes, or how likely it is at each
LATEST_MS = 600_000  # whatever is played is over by then
SEEDS = 2**128  # a session's nonce is made of it
SHOWN = 60  # characters of what is wrong


def refuse(where: str, value: object, allowed: str) -> UsageError:
    """The key, what stands there, and what may."""
    text = json.dumps(value)
    if len(text) > SHOWN:
        text = f"{text[:SHOWN]}…"
    return UsageError(f"{where}: {text}; {allowed}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a file; of a key that stands there twice the second would win."""
    said = dict(pairs)
    for key, _ in pairs:
        if [name for name, _ in pairs].count(key) > 1:
            raise ValueError(f"the key {key!r} stands twice in one object")
    return said


def read(path: Path) -> object:
    """What stands in a file of JSON; raises UsageError with what is wrong with it."""
    try:
        return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_once)
    except OSError as error:
        raise UsageError(error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not JSON: {error}") from error


def keyed(
    said: object, where: str, needed: Sequence[str], more: Sequence[str] = ()
) -> dict[str, Any]:
    """An object with these keys, and no other."""
    if not isinstance(said, dict):
        raise refuse(where, said, f"wanted is an object with {', '.join(needed)}")
    found = cast(dict[str, Any], said)
    known = ", ".join((*needed, *more))
    for key in found:
        if key not in (*needed, *more):
            raise UsageError(f"{where}: nobody reads the key {key!r}; there is: {known}")
    for key in needed:
        if key not in found:
            raise UsageError(f"{where}: {key} is missing; wanted is: {', '.join(needed)}")
    return found


def listed(said: object, where: str, what: str) -> list[Any]:
    """A list."""
    if not isinstance(said, list):
        raise refuse(where, said, f"wanted is a list: {what}")
    return cast(list[Any], said)


def word(said: object, where: str, choices: Iterable[str]) -> str:
    """One of these."""
    known = list(choices)
    if not isinstance(said, str) or said not in known:
        shown = ", ".join(json.dumps(one) for one in known)
        raise refuse(where, said, f"there is: {shown}")
    return said


def whole(said: object, where: str, least: int, most: int) -> int:
    """A whole number within bounds; neither true nor 3.0 is one."""
    if type(said) is not int or not least <= said <= most:
        raise refuse(where, said, f"wanted is a whole number, {least} to {most}")
    return said


def plant(said: object, where: str) -> Planted:
    """A name, with a place or a size, and when it strikes."""
    pair = listed(said, where, 'a name and when it strikes: ["path.jam", 20]')
    if len(pair) != 2:
        raise refuse(where, pair, 'wanted is a name and when it strikes: ["path.jam", 20]')
    name, at = pair
    if not isinstance(name, str):
        raise refuse(where, name, "wanted is the name of a fault; dovetail faults lists them")
    known = name.replace("=", ":")  # as dovetail faults writes a place
    bare = known.partition("@")[0]
    if bare not in NAMES:
        here = [written(one) for one in NAMES if one.startswith(bare.partition(":")[0] + ":")]
        there = f"; there is: {', '.join(here)}" if here else ""
        raise refuse(where, name, f"no such fault{there}; dovetail faults lists them")
    try:
        sized(known)
    except ValueError as error:
        raise refuse(where, name, f"{error}; dovetail faults lists sizes") from None
    if (type(at) is int and at >= 1) or (type(at) is float and 0 < at <= 1):
        return known, at
    allowed = "wanted is a passage, 20, a whole number from 1; or how likely it is, 0.02, to 1.0"
    raise refuse(f"{where}, {name}", at, allowed)


def planted(said: object, where: str, during: str) -> tuple[Planted, ...]:
    """All of them; what is planted at the same time is planted once."""
    found = tuple(
        plant(one, f"{where}[{n}]") for n, one in enumerate(listed(said, where, "plants"))
    )
    together = [name.partition("@")[0] for name, _ in (found[1:] if during else found)]
    for name in together:
        if together.count(name) > 1:
            raise UsageError(f"{where}: {name} is planted twice; the second would replace it")
    return found
