"""Make docs/plants.md from the records: what can be planted, and what it is called."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

from host_tools.campaign.called import row
from sim.faults import written
from sim.plants.catalogue import PLANTS
from sim.plants.pairs import TOGETHER
from sim.plants.record import CLEARABLE, COUNTED, HARMLESS, Plant

PAGE = Path(__file__).parents[1] / "docs" / "plants.md"
HEAD = (
    "# Plants",
    "",
    "Faults that can be planted in the simulated machine. Made from the records in `sim/plants/`",
    "by `python -m host_tools.plant_page`; `sim/plants/README.md` says how to add one.",
)
QUIET = {HARMLESS: "nothing: it goes on", CLEARABLE: "nothing: it tries again, and goes on"}
UNNOTICED = "nothing: it need not notice"


def fault(number: int) -> str:
    """Return number and name of a fault."""
    return f"{number} {row(number)[1]}"


def told(plant: Plant[Any]) -> str:
    """Return what the machine must make of a plant."""
    if plant.number and plant.ends == COUNTED:
        return f"{fault(plant.number)}, in a stack; in the rest nothing"
    if plant.number and plant.ends != HARMLESS:
        return fault(plant.number)
    return QUIET.get(plant.ends, UNNOTICED)


def size(plant: Plant[Any]) -> str:
    """Return from where to where a plant may measure."""
    one = plant.size
    return f"{one.least} to {one.most} {one.unit}" if one is not None else ""


def instead(plant: Plant[Any]) -> list[str]:
    """Return a line for each other name that a plant may have."""
    name = written(plant.name)
    lines = [f"- `{name}` may be {fault(one.number)}: {one.why}." for one in plant.others]
    if plant.tried:
        words = ", ".join(fault(number) for number in plant.tried)
        lines.append(f"- `{name}` is called {words} while the machine gets over it.")
    return lines


def text() -> str:
    """Return the page."""
    lines = list(HEAD)
    by_part = sorted(PLANTS, key=lambda plant: plant.part)
    for part, group in groupby(by_part, lambda plant: plant.part):
        plants = list(group)
        lines += ["", f"## {part}", "", "| plant | what happens | size | told |"]
        lines.append("| --- | --- | --- | --- |")
        for plant in plants:
            said = (f"`{written(plant.name)}`", plant.usual, size(plant), told(plant))
            lines.append(f"| {' | '.join(said)} |")
        others = [line for plant in plants for line in instead(plant)]
        lines += ["", *others] if others else []
    lines += ["", "## Two at once", "", "| together | told | because |", "| --- | --- | --- |"]
    for pair, (number, why) in TOGETHER.items():
        names = " and ".join(f"`{name}`" for name in sorted(pair))
        lines.append(f"| {names} | {fault(number)} | {why} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
