"""False alarms: machines that stop though nothing is wrong but nominal wear and dirt."""

from __future__ import annotations

from dataclasses import dataclass, field

from host_tools import rigs
from host_tools.link.errors import Faulted, LinkError, Refused
from host_tools.play.story import Story
from host_tools.play.table import Plan, Table
from sim.plants.catalogue import PLANTS

CARDS = 40_000  # more than three times what one alarm is allowed in
ROUNDS = 24  # on one machine; the next has other sensors, another deck and other chances
DECK = 52

# What a machine in use meets and must live with, and how often: in so many passages of a card or
# readings. Beside that every machine has sensors and cards of its own, and every reading its noise.
# Worn cards stay so: after 24 rounds each of two decks has some three. Dirt stays on a beam, so
# that of two machines one has each kind by the end of its day.
NOMINAL: dict[str, set[int] | float] = {plant.name: plant.wears for plant in PLANTS if plant.wears}


@dataclass
class Alarms:
    """What was played, and what was said of it."""

    cards: int = 0
    tries: int = 0  # got over alone: no alarm
    faults: list[str] = field(default_factory=list[str])

    @property
    def rate(self) -> float:
        """Alarms in 10,000 cards."""
        return 10_000 * len(self.faults) / self.cards


def machine(seed: int, alarms: Alarms) -> None:
    """Rounds on one machine, until they are played or it stops."""

    async def body(rig: rigs.Rig) -> None:
        assert rig.dealer is not None
        table = Table(rig.client(), rig.dealer, Story(rig.now_ms), Plan(rounds=ROUNDS))
        try:
            await table.play()
        except (Faulted, Refused, LinkError) as error:
            alarms.faults.append(f"seed {seed}: {error}")
        alarms.cards += DECK * max(len(table.played.counts), 1)
        alarms.tries += len(table.heard.all("trying", 0))
        await table.close()

    rigs.in_process(rigs.Wanted(seed=seed, faults=NOMINAL), body)


def count(cards: int = CARDS) -> Alarms:
    """So many cards, each shuffled, counted twice and dealt."""
    alarms, seed = Alarms(), 0
    while alarms.cards < cards:
        machine(seed, alarms)
        seed += 1
    return alarms


if __name__ == "__main__":
    found = count()
    print(f"{len(found.faults)} false alarms in {found.cards} cards, {found.tries} tries")
    print("\n".join(found.faults))
