"""Orders delivered by the whole simulated machine, in this process: all of them leave by the tray.

Noise, its tests and conditioning, plan, wheel, shoe and deal are the device's. The order is read
from the cards in the dealer's hands, as the tray gave them, against the order in which they were
loaded.
"""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from host_tools import rigs
from host_tools.build.tell import BuildError
from host_tools.certify.tally import Decks
from host_tools.hands import SimulatedHands
from host_tools.link.errors import Faulted, LinkError, Refused
from host_tools.play.story import Story
from host_tools.play.table import Plan, Table

GAMES = {52: "let_it_ride", 53: "pai_gow_poker", 54: "double_draw"}  # by the cards of a deck


class NotingHands(SimulatedHands):
    """A dealer's hands, and what they put into the infeed, first card to be fed first."""

    def __init__(self, theirs: SimulatedHands, seed: int) -> None:
        super().__init__(theirs.hands, seed)
        self.loaded: list[list[int]] = []

    async def load(self, back: str) -> int:
        """Put the deck of this back into the infeed."""
        self.loaded.append([card.face for card in reversed(self.hands.table[back])])
        return await super().load(back)


def seed_of(seed: int, number: int) -> int:
    """The seed of one machine, of its noise above all."""
    return int.from_bytes(
        sha256(f"dovetail certify machine {seed} {number}".encode()).digest()[:8], "big"
    )


def orders(loaded: list[list[int]], delivered: list[int]) -> Decks:
    """A row a shuffle: which card, by its place in the infeed, came to each position."""
    rows: list[list[int]] = []
    for i, cards in enumerate(loaded):
        place = {face: at for at, face in enumerate(cards)}
        given = delivered[i * len(cards) : (i + 1) * len(cards)]
        rows.append([place[face] for face in given])
    return np.array(rows, np.uint8)


def decks(seed: int, number: int, count: int, cards: int) -> Decks:
    """Rounds at one machine, from power-on, with as few players as the game takes."""
    one = seed_of(seed, number)
    game = GAMES[cards]

    async def body(rig: rigs.Rig) -> Decks:
        assert isinstance(rig.dealer, SimulatedHands)
        hands = NotingHands(rig.dealer, one)
        client = rig.client(nonce=one.to_bytes(8, "big"))
        table = Table(client, hands, Story(rig.now_ms), Plan(game, count, players=1, decks=1))
        try:
            played = await table.play()
        except (Faulted, LinkError, Refused) as error:
            raise BuildError(
                f"certify: the simulated machine stopped, seed {one}: {error}"
            ) from error
        await table.close()
        if played.wrong:
            raise BuildError(f"certify: the simulated machine, seed {one}: {played.wrong[0]}")
        return orders(hands.loaded, [card.face for card in hands.hands.delivered])

    return rigs.in_process(rigs.Wanted(one, setup=rigs.Setup(game)), body)
