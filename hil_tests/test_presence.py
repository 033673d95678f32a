"""Sensors that see whether a card is there: one alone makes no deck a wrong one."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import pytest

from boards import mechanics as M
from hil_tests.test_campaign_found import SEED, met
from host_tools.campaign.draw import DEALING, FILLING, Trouble
from host_tools.campaign.sessions import Standing
from host_tools.link import link_pb2
from host_tools.link.client import kind_of
from sim.points import CARDS


@pytest.mark.parametrize("at", [1, 2, 25, 51, 52])
@pytest.mark.parametrize(
    ("phase", "plants", "fault"),
    [
        (FILLING, ("infeed.dead",), 112),
        (FILLING, ("infeed.dead", "infeed.misfeed"), 112),
        (FILLING, ("infeed.full",), 112),
        (DEALING, ("shoe.dead",), 410),
        (DEALING, ("shoe.full",), 410),
        (DEALING, ("shoe.dead", "deal.misfeed"), 410),
    ],
)
def test_one_sensor_makes_no_deck_a_wrong_one(
    phase: str, plants: tuple[str, ...], fault: int, at: int
) -> None:
    """What it says is held against the count, and against what a roller brings."""
    one = met(phase, *((plant, at) for plant in plants))
    assert (one.fault, one.misnamed, one.against) == (fault, "", [])


@pytest.mark.parametrize(("plant", "card"), [("hands.rest", 42), ("shoe.lost", 51)])
def test_a_deck_that_is_short_is_told_as_that(plant: str, card: int) -> None:
    """The sensor is right: the roller brings none."""
    phase, at = (FILLING, 1) if plant == "hands.rest" else (DEALING, CARDS - 1)
    one = met(phase, (plant, at))
    assert (one.fault, one.card, one.against) == (601, card, [])


def test_a_card_too_many_is_one_that_comes() -> None:
    """The infeed holds one behind the last: the pick brings it into the entry beam, no further."""
    standing = Standing(SEED)
    machine, hands = standing.player.machine, standing.player.hands.hands
    load, where_um = hands.load, list[float]()

    def one_more(back: str) -> None:
        load(back)
        machine.infeed.stack.append(replace(machine.infeed.stack[0]))
        machine.infeed.loaded()

    def hear(event: link_pb2.Event) -> None:
        if kind_of(event) == "fault":
            where_um.extend(passenger.x for passenger in machine.infeed.path)

    standing.player.client.on_event.append(hear)
    with mock.patch.object(hands, "load", one_more):
        one = standing.meet(Trouble(FILLING))
    assert (one.fault, one.card) == (601, CARDS + 1)
    assert len(where_um) == 1
    assert M.ENTRY_BEAM_UM <= where_um[0] < M.FEED_NIP_UM
    standing.end()
