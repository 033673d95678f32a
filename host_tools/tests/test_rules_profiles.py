"""Every value of every game's profile, against the oracle's tables, which owe it nothing.

What the oracle knows from a paragraph is taken from there. The rest is what no paragraph says, and
stands here a second time: what the house has chosen, a game at a time.
"""

from __future__ import annotations

import pytest

from host_tools.oracle.games import GAMES
from host_tools.oracle.rules import HOUR_S, GameRules, Limit, Stub, Way
from host_tools.rules.device import KEYS, names, profile, value

NOTHING = Way()
# What a machine does where neither a text nor the house says more: seven seats and a dealer who
# gets a stack like a player's, one wager, no draws, one deck, nothing carried over, nothing stands.
PLAIN = {
    "cards": 52,
    "players": 7,
    "fewest": 1,
    "fixed": 0,
    "dealer": 1,
    "stages": 1,
    "stub": 1,
    "draws_first": 0,
    "draws_later": 0,
    "start": 0,
    "rest": 0,
    "cut": 0,
    "cut_brought": 0,
    "brought": 0,
    "two_decks": 0,
    "shoe": 1,
    "hand": 1,
    "stub_shoe": 0,
    "stub_hand": 0,
    "sorted": 0,
    "keeps": 0,
    "continuous": 0,
    "hand_only": 0,
}
# What the house or a summary of the texts says, and no table of the oracle.
HOUSE: dict[str, dict[str, int]] = {
    "let_it_ride": {"dealer_stack": 3},  # the three cards of all
    "three_card_poker": {"stack": 3, "dealer_stack": 3},  # 20.9, by its title
    "boston_5": {
        "dealer_stack": 3,
        "stages": 2,  # 24.9(d): the second wagers
        "stub": 0,  # 24.9(d): two cards more come from the remainder
    },
    "caribbean_stud": {"dealer_stack": 5},  # 16.1: a hand has five
    "double_down_stud": {
        "dealer_stack": 4,  # 17.8(b): four for all
        "stages": 2,  # 17.8(d): again before the hole card
        "life_shoe": 24,  # 17.3(e): a manual shoe
        "shoe": 0,  # 17.8(b): one card face up, which no shoe of ours can do
    },
    # the players play against a pay table
    "double_draw": {
        "dealer": 0,
        "dealer_stack": 0,
        "stages": 3,
        "stub_hand": 1,  # 42.7(f) asks it of a manual shoe, which no machine tells from a hand
    },
    "pai_gow_poker": {
        "cards": 53,  # seven stacks of seven, and four
        "stack": 7,
        "players": 6,
        "dealer_stack": 7,
        "fixed": 1,  # 11.8A(f): wager or not
        "rest": 4,  # 11.8(d)
        "start": 1,  # 11.8(b)
    },
    # 14.2(a): two decks; what is dealt from the hand is the dealer's to know
    "poker": {"stack": 2, "dealer": 0, "dealer_stack": 0, "two_decks": 1, "life_shoe": 4},
    # a game that the house has an approval for: the strictest of everything
    "plain": {
        "stack": 2,
        "dealer_stack": 2,
        "cut": 1,
        "two_decks": 1,
        "continuous": 1,
        "life_shoe": 4,
        "life_hand": 4,
    },
}


def of_limit(key: str, limit: Limit | None, unit: int = 1) -> dict[str, int]:
    return {} if limit is None else {key: limit.number // unit}


def owes_stub(stub: Stub | None) -> int:
    """A stub is counted by hand where no count by the device excuses it."""
    return 1 if stub is not None and stub.excuse is None else 0


def from_the_texts(rules: GameRules) -> dict[str, int]:
    """What the oracle's table of a game says of the keys of a profile."""
    shoe, hand = (rules.ways.get(way, NOTHING) for way in ("automated_shoe", "single_stack"))
    said = of_limit("cards", rules.cards) | of_limit("players", rules.seats)
    said |= of_limit("fewest", rules.fewest_players) | of_limit("stack", rules.hand)
    said |= of_limit("sorted", rules.suit_order, HOUR_S)
    said |= of_limit("life_shoe", shoe.life, HOUR_S) | of_limit("life_hand", hand.life, HOUR_S)
    for stage in (shoe.stages or hand.stages)[:1]:
        said |= of_limit("stack", stage.stack)
        for plan in stage.plans[:1]:
            cards = sum(step.cards for step in plan if step.to == "players")
            said |= {"stack": cards} if cards else {}
    draws = [stage.draws.number for stage in shoe.stages if stage.draws is not None]
    said |= dict(zip(("draws_first", "draws_later"), draws, strict=False))
    said["two_decks"] = 1 if rules.two_decks else 0
    said["shoe"] = 0 if "automated_shoe" in rules.refused else 1
    said["cut"] = 1 if "device" in hand.cut_after else 0
    said["cut_brought"] = 1 if "preshuffled" in shoe.cut_after else 0
    said["brought"] = 1 if rules.preshuffled else 0
    said["stub_shoe"], said["stub_hand"] = owes_stub(shoe.stub), owes_stub(hand.stub)
    said["keeps"] = 1 if shoe.jam_spares else 0
    said["hand_only"] = 1 if shoe.misdeal is not None and shoe.misdeal.player_alone else 0
    return said


def expected(game: str) -> dict[str, int]:
    rules = {str(name): table for name, table in GAMES.items()}.get(game)
    return PLAIN | (from_the_texts(rules) if rules else {}) | HOUSE[game]


@pytest.mark.parametrize("game", names())
def test_a_profile_says_what_the_texts_say(game: str) -> None:
    """CL-1 CL-2 CL-3 CL-4 CL-5 CL-7 CT-1 CT-2 CT-5 CT-6 CD-1 DS-1 DS-2 DS-3 DS-5 DS-7 DS-8 DS-11
    DS-12 DS-13 DS-15 SH-2 SH-3 SH-6 SH-7 TD-1: by another reading of the texts, and no more."""
    assert {key: value(game, key) for key in KEYS} == expected(game)


@pytest.mark.parametrize("game", names())
def test_a_deck_lives_as_long_as_its_game_and_way_of_dealing_allow(game: str) -> None:
    """CL-1 CL-2 CL-3 CL-4 CL-5 CL-7: the hours that the machine asks its profile for."""
    hours = expected(game)
    if hours["shoe"]:
        assert profile(game).life()[0] == hours["life_shoe"]
    assert profile(game, 1).life()[0] == hours["life_hand"]
