"""Each rule as a property of one step: what must hold before, after, or of the refusal."""

from __future__ import annotations

from host_tools.rules.properties import always, dealing, deck, machine, rounds
from host_tools.rules.properties.rule import CHECKS, DONE, RULES, STATE, broken

ROOMS = (always, machine, deck, rounds, dealing)

__all__ = ["CHECKS", "DONE", "ROOMS", "RULES", "STATE", "broken"]
