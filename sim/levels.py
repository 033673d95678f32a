"""Analog levels as the converter reads them: thickness, back colour, presence, light, supply."""

from __future__ import annotations

from collections.abc import Mapping

from boards import mechanics as M
from sim.deal import Deal
from sim.faults import Faults
from sim.infeed import Infeed
from sim.outfeed import Outfeed
from sim.parts import Card, Input

SUPPLY = 3200  # 24 V
NO_CARD = 100  # the colour sensor looks into the dark
PRESENT, ABSENT = 3000, 300
LIT, DARK = 3400, 600


class Levels:
    """Every channel of the multiplexer."""

    def __init__(
        self,
        infeed: Infeed,
        outfeed: Outfeed,
        deal: Deal,
        inputs: Mapping[str, Input],
        faults: Faults,
    ) -> None:
        self.outfeed = outfeed
        self.infeed, self.deal, self.inputs, self.faults = infeed, deal, inputs, faults
        self.supply = SUPPLY

    def read(self, channel: str) -> int:
        """One reading."""
        if channel == "thickness_in":
            return self._thickness(channel, self.infeed.over_count())
        if channel == "thickness_out":
            return self._thickness(channel, self.deal.over_beam())
        if channel == "back":
            return self._back(self.infeed.over_count())
        if channel == "supply":
            return self.supply
        if channel == "infeed":
            return _presence(self.infeed.present())
        if channel == "crank":
            return _presence(self.outfeed.at_rest())
        if channel == "shoe":
            return _presence(self.deal.present())
        if channel == "tray":
            strikes = self.faults.strikes
            return _presence(
                bool(self.deal.tray) and not strikes("tray.overlooked") and not strikes("tray.dead")
            )
        if channel.startswith("level_"):
            return DARK if self.inputs[channel[6:]].dark else LIT
        return 0

    def _thickness(self, channel: str, cards: list[Card]) -> int:
        layers = sum(card.layer for card in cards)
        strikes = self.faults.strikes
        if cards and strikes(f"{channel}.dead"):
            layers = 0
        if channel == "thickness_in" and cards and strikes("thickness_in.drift"):
            layers += layers // 3
        return M.THICKNESS_BASE + layers

    def _back(self, cards: list[Card]) -> int:
        if not cards or self.faults.strikes("back.dead"):
            return NO_CARD
        card = cards[-1]
        return M.FACE if card.face_up else M.BACKS[card.back]


def _presence(there: bool) -> int:
    return PRESENT if there else ABSENT
