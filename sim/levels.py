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
from sim.points import BACK, COLOUR, PRESENCE, THICKNESS, TRAY, TRAY_GLANCE, Reading
from sim.supply import Supply
from sim.traits import Traits


def _layers(cards: list[Card]) -> int:
    return round(sum(card.layer for card in cards) / M.THICKNESS_CARD)


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
        return self.traits.noisy(self.true(channel))

    def true(self, channel: str) -> int:
        """Return what one reading would be without its noise."""
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
            return self._presence(channel, self._tray())
        if channel.startswith("level_"):
            beam = self.beams[channel[6:]]
            beam.lights = self.traits.free[beam.name], self.traits.dark[beam.name]
            return beam.light()
        return 0

    def lies_there(self, channel: str) -> object:
        """Return what a sensor that has no fault could tell of the cards that it looks at now."""
        if channel == "thickness_in":
            return _layers(self.infeed.over_count())
        if channel == "thickness_out":
            return _layers(self.deal.over_beam())
        if channel == "back":
            return [(card.back, card.face_up) for card in self.infeed.over_count()[-1:]]
        return self.outfeed.at_rest()

    def _tray(self) -> bool:
        """Return whether the tray's sensor sees what lies there."""
        reading = Reading(seen=bool(self.deal.tray))
        for point in (TRAY_GLANCE, TRAY):
            if reading.seen:
                self.faults.at(point, reading)
        return reading.seen

    def _presence(self, name: str, there: bool) -> int:
        if name in PRESENCE:
            reading = Reading(seen=there)
            self.faults.while_broken(PRESENCE[name], reading)
            there = reading.seen
        return self.traits.seen[name] if there else self.traits.absent[name]

    def _thickness(self, channel: str, cards: list[Card]) -> int:
        reading = Reading(layers=sum(card.layer for card in cards))
        if cards:
            self.faults.at(THICKNESS[channel], reading)
        return self.traits.base[channel] + reading.layers * self.traits.per_mille[channel] // 1000

    def _back(self, cards: list[Card]) -> int:
        reading = Reading(seen=bool(cards))
        for point in (BACK, COLOUR):
            if reading.seen:
                self.faults.at(point, reading)
        if not reading.seen:
            return self.traits.no_back
        card = cards[-1]
        colour = M.FACE if card.face_up else M.BACKS[card.back]
        return colour + self.traits.back - reading.darker
