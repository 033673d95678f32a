"""Analog levels as the converter reads them: thickness, back colour, presence, light, supply."""

from __future__ import annotations

from collections.abc import Mapping

from boards import mechanics as M
from sim.beam import Beam
from sim.card import Card
from sim.deal import Deal
from sim.faults import Faults
from sim.infeed import Infeed
from sim.outfeed import Outfeed
from sim.supply import Supply
from sim.traits import Traits

FADED = 200


class Levels:
    """Every channel of the multiplexer."""

    def __init__(
        self,
        infeed: Infeed,
        outfeed: Outfeed,
        deal: Deal,
        beams: Mapping[str, Beam],
        faults: Faults,
        traits: Traits,
        supply: Supply,
    ) -> None:
        self.outfeed = outfeed
        self.infeed, self.deal, self.beams, self.faults = infeed, deal, beams, faults
        self.traits = traits
        self.supply = supply

    def read(self, channel: str) -> int:
        """One reading."""
        return self.traits.noisy(self._true(channel))

    def _true(self, channel: str) -> int:
        if channel == "thickness_in":
            return self._thickness(channel, self.infeed.over_count())
        if channel == "thickness_out":
            return self._thickness(channel, self.deal.over_beam())
        if channel == "back":
            return self._back(self.infeed.over_count())
        if channel == "supply":
            return self.supply.counts()
        if channel == "infeed":
            return self._presence(channel, self.infeed.present())
        if channel == "crank":
            return self._presence(channel, self.outfeed.at_rest())
        if channel == "shoe":
            return self._presence(channel, self.deal.present())
        if channel == "tray":
            strikes = self.faults.strikes
            return self._presence(
                channel,
                bool(self.deal.tray)
                and not strikes("tray.overlooked")
                and not strikes("tray.dead"),
            )
        if channel.startswith("level_"):
            beam = self.beams[channel[6:]]
            beam.lights = self.traits.free[beam.name], self.traits.dark[beam.name]
            return beam.light()
        return 0

    def _presence(self, name: str, there: bool) -> int:
        failed = self.faults.failed
        there = (there and f"{name}.dead" not in failed) or f"{name}.full" in failed
        return self.traits.seen[name] if there else self.traits.absent[name]

    def _thickness(self, channel: str, cards: list[Card]) -> int:
        layers = sum(card.layer for card in cards)
        strikes = self.faults.strikes
        if cards and strikes(f"{channel}.dead"):
            layers = 0
        if channel == "thickness_in" and cards and strikes("thickness_in.drift"):
            layers += layers // 3
        if channel == "thickness_out" and cards and strikes("thickness_out.drift"):
            layers += layers // 4
        return self.traits.base[channel] + layers * self.traits.per_mille[channel] // 1000

    def _back(self, cards: list[Card]) -> int:
        if not cards or self.faults.strikes("back.dead"):
            return self.traits.no_back
        card = cards[-1]
        faded = FADED if self.faults.strikes("back.faded") else 0
        return (M.FACE if card.face_up else M.BACKS[card.back]) + self.traits.back - faded
