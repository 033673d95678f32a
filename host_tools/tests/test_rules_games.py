"""Every game, both ways of delivery, on the simulated machine; how a game is chosen."""

from __future__ import annotations

import asyncio

import pytest

from host_tools import rigs
from host_tools.link.errors import Refused
from host_tools.play.story import Story
from host_tools.play.table import BACKS, Plan, Table, profile
from host_tools.rules.device import known, load_profile, make_profile, names, rule_of

KEY = bytes(range(32))
PAUSE_S = 90  # the motors are switched off after a minute


def play(plan: Plan, seed: int = 3) -> Table:
    """Rounds of a plan; the table afterwards."""
    wanted = rigs.Wanted(seed, {}, rigs.Setup(plan.game, plan.by_hand, plan.continuous))
    found: list[Table] = []

    async def body(rig: rigs.Rig) -> None:
        assert rig.dealer is not None
        table = Table(rig.client(), rig.dealer, Story(rig.now_ms), plan)
        found.append(table)
        await table.play()
        await table.close()

    rigs.in_process(wanted, body)
    return found[0]


@pytest.mark.parametrize("by_hand", [False, True], ids=["shoe", "stack"])
@pytest.mark.parametrize("game", names())
def test_every_game_is_played(game: str, by_hand: bool) -> None:
    """SH-2 SH-3 DS-1 DS-2 DS-3 DS-5 DS-6 DS-7 DS-13 CT-1 CT-2 CT-5 (in-process): all adds up."""
    if not profile(game, "hand" if by_hand else "shoe"):
        with pytest.raises(ValueError, match=f"{rule_of(game, 'shoe')}: shoe 0"):
            load_profile(make_profile(KEY, game, by_hand), KEY, known)
        return
    decks = 2 if profile(game, "two_decks") else 1
    players = profile(game, "players")
    played = play(Plan(game, 2, players, decks, by_hand, 3)).played
    assert not played.wrong
    assert played.rounds == 2
    cards = profile(game, "cards")
    assert [text for _, text in played.counts] == [f"{cards} of {cards}"] * 2
    if by_hand:
        assert not played.stacks
    else:
        sizes = {profile(game, "stack"), profile(game, "dealer_stack")} - {0}
        assert sizes <= set(played.stacks)
    if not by_hand and profile(game, "rest"):
        assert [stub for stub, _, _ in played.stubs] == [4, 4]


def test_continuous_play_goes_on_after_a_pause() -> None:
    """SH-7 CT-1 (in-process): all cards are counted after each round; the motors have been off."""

    async def body(rig: rigs.Rig) -> Table:
        assert rig.dealer is not None
        plan = Plan("plain", 1, 7, 1, continuous=True)
        table = Table(rig.client(), rig.dealer, Story(rig.now_ms), plan)
        await table.hello()
        await table.all_in("red", new=True)
        for number in (1, 2):
            await asyncio.sleep(PAUSE_S)
            await table.round(number, "red")
            await asyncio.sleep(PAUSE_S)
            await table.all_in("red")
        await table.close()
        return table

    played = rigs.in_process(rigs.Wanted(4, setup=rigs.Setup("plain", False, True)), body).played
    assert not played.wrong
    assert [text for _, text in played.counts] == ["52 of 52"] * 3
    assert played.stacks == [2] * 16


def test_the_order_of_the_cards_is_not_told() -> None:
    """EL-1 SH-1 (in-process): two shuffles that differ are told alike, but for the times."""

    def heard(seed: int) -> list[str]:
        table = play(Plan(rounds=2, players=2, decks=1), seed)
        lines: list[str] = []
        for event in table.heard.events:
            event.uptime_ms = 0
            event.shuffle_done.took_ms = 0
            lines.append(str(event))
        return lines

    assert heard(11) == heard(12)


def test_a_deck_of_another_colour_stops_the_machine() -> None:
    """TD-2 (in-process): the first card whose back is not the declared deck's."""

    async def body(rig: rigs.Rig) -> str:
        assert rig.dealer is not None
        client = rig.client()
        await client.hello()
        await rig.dealer.load("blue")
        await client.load(BACKS["red"])
        await client.shuffle(BACKS["red"])
        async for event in client.events():
            if event.HasField("fault"):
                return event.fault.name
        return ""

    assert rigs.in_process(rigs.Wanted(5), body) == "foreign back"


def test_a_game_with_one_deck_refuses_a_second() -> None:
    """TD-1 (in-process): the second deck is refused by its rule."""
    with pytest.raises(Refused, match="TD-1"):
        play(Plan("pai_gow_poker", 2, 2, 2))


def test_a_configuration_is_signed() -> None:
    """EL-2: one that is not, or not for this machine, is refused."""
    blob = make_profile(KEY, "double_draw", 1)
    found = load_profile(blob, KEY, known)
    assert (found.game, found.by_hand, found.cards) == ("double_draw", 1, 54)
    for i in range(len(blob)):
        bent = bytearray(blob)
        bent[i] ^= 1
        with pytest.raises(ValueError, match="configuration"):
            load_profile(bytes(bent), KEY)
    for wrong in (b"", blob[:-1], blob + b"x", b"DVP1"):
        with pytest.raises(ValueError, match="configuration"):
            load_profile(wrong, KEY)
    with pytest.raises(ValueError, match="configuration"):
        load_profile(blob, bytes(32))
    with pytest.raises(ValueError, match="no service key"):
        load_profile(blob, b"")
    for game, cards, words in (
        ("whist", 0, "no game whist"),
        ("let_it_ride", 54, "CT-2: cards 54"),
    ):
        with pytest.raises(ValueError, match=words):
            load_profile(make_profile(KEY, game, 0, 0, cards), KEY, known)
