"""Stacks of every size that a profile may ask for, dealt by the machine."""

from __future__ import annotations

import json
from typing import cast
from unittest import mock

import pytest
from dovetail.cards import profiles

from host_tools.play.command import main

GAME, PLAYERS, ROUNDS = "let_it_ride", 6, 1  # seven stacks of seven are 49 cards of 52
ROWS = cast(list[tuple[str, int, str]], profiles.rows(GAME))  # pyright: ignore[reportUnknownMemberType]


def sized(size: int) -> list[tuple[str, int, str]]:
    """The game with stacks of this size."""
    now = {"stack": size, "dealer_stack": size, "players": PLAYERS}
    return [(key, now.get(key, number), rule) for key, number, rule in ROWS]


@pytest.mark.parametrize("size", range(1, 8))
def test_stacks_of(size: int, capsys: pytest.CaptureFixture[str]) -> None:
    """DS-1 DS-2 DS-3 I-3: each is delivered, counted, and taken before the next comes."""
    with mock.patch.object(profiles, "rows", return_value=sized(size)):
        asked = ["--game", GAME, "--players", str(PLAYERS), "--rounds", str(ROUNDS), "--json"]
        assert main(asked) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    stacks = [one for one in told if (one["who"], one["what"]) == ("machine", "stack")]
    assert [one["delivered"] for one in stacks] == [size] * (PLAYERS + 1)
    order = [one["what"] for one in told if one["what"] in ("stack", "taken")]
    assert order == ["stack", "taken"] * (PLAYERS + 1)
    (rest,) = (
        one["delivered"] for one in told if (one["who"], one["what"]) == ("machine", "remainder")
    )
    assert rest == 52 - size * (PLAYERS + 1)
