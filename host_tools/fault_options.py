"""The option --fault of commands: what it asks for, how a plant is told, which never struck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from host_tools.build.tell import UsageError
from sim import faults
from sim.faults import Faults, sized, written
from sim.plants.catalogue import OF_NAME, ONWARDS, SIZES

Plants = dict[str, set[int] | float]

# Told is what passes of the card, not what is missing or too much of it.
GROWS = {name: size.grows for name, size in SIZES.items() if size.grows}


def asked(texts: Sequence[str]) -> Plants:
    """What every --fault asks for; raises UsageError."""
    plants: Plants = {}
    for text in texts:
        try:
            name, at = faults.read(text)
        except ValueError as error:
            raise UsageError(f"--fault {error}") from None
        for other in plants:
            if other != name and other.partition("@")[0] == name.partition("@")[0]:
                raise UsageError(f"--fault {text}: {other} is planted already, in another size")
        before = plants.get(name, at if isinstance(at, float) else set[int]())
        if isinstance(before, set) and isinstance(at, set):
            plants[name] = before | at
        elif name in plants:
            raise UsageError(
                f"--fault {text}: {written(name)} is planted already: give passages, "
                "or once how likely it is"
            )
        else:
            plants[name] = at
    return plants


def says(name: str, size: int | None = None) -> str:
    """Return the sentence of a fault, with what it measures; without a size it is as usual."""
    return OF_NAME[name].says(size)


def never_struck(plants: Mapping[str, set[int] | float], there: Faults) -> list[str]:
    """A line for each that has not struck; a fault that stays strikes once, whatever was asked."""
    lines: list[str] = []
    for text, at in plants.items():
        name = sized(text)[0]
        came = there.passages[name]
        struck = {one.passage for one in there.struck if one.name == name}
        how = f"{came or 'no'} passage{'' if came < 2 else 's'} came"
        if isinstance(at, set):
            for passage in () if struck and name in ONWARDS else sorted(at - struck):
                why = "there was nothing to strike"
                if passage > came:
                    why = f"only {how}" if came else how
                lines.append(f"{_asked(text, passage)} never struck: {why}")
        elif not struck:
            lines.append(f"{_asked(text, at)} never struck: {how}")
    return lines


def _asked(text: str, at: float) -> str:
    """As it stood on the command line."""
    shown = written(text)
    return f"{shown}{':' if '=' in shown else '='}{at}"
