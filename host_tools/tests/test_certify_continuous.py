"""Continuous play in `certify`: the device's draws pass, draws that spare new cards do not."""

from __future__ import annotations

import numpy as np
import pytest

from host_tools.certify import continuous
from host_tools.certify.continuous import Wheel
from host_tools.certify.judge import holm, judge, passes
from host_tools.certify.tally import Decks, tally

DECKS = 600


def verdict(rows: Decks) -> bool:
    """Whether these rows pass at 99 %."""
    return passes(holm(judge("continuous", 52, tally(rows))), 99)


def test_each_card_drawn_is_uniform_over_those_inside() -> None:
    """SH-7: by the device's own code, whenever the cards went in."""
    rows = continuous.decks(3, 0, DECKS, 52)
    assert (np.sort(rows, axis=1) == np.arange(52)).all()
    assert verdict(rows)
    assert (continuous.decks(3, 0, 5, 52) == rows[:5]).all()
    assert not (continuous.decks(4, 0, 5, 52) == rows[:5]).all()


def test_a_draw_that_spares_what_has_just_gone_in_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SH-7: four cards of the newest are drawn only when nothing else is left."""
    real = continuous.position

    def older(wheel: Wheel) -> int:
        inside = wheel.slots.inside()
        k = real(inside, wheel.drbg)
        slots = sorted(wheel.card)
        newest = sorted(wheel.card.values(), key=wheel.came.__getitem__)[-4:]
        while inside > 4 and wheel.card[slots[k - 1]] in newest:
            k = real(inside, wheel.drbg)
        return k

    def next_card(wheel: Wheel) -> int:
        card = wheel.card.pop(wheel.slots.draw(older(wheel)))
        wheel.out.append(card)
        return card

    monkeypatch.setattr(Wheel, "next_card", next_card)
    assert not verdict(continuous.decks(3, 0, DECKS, 52))
