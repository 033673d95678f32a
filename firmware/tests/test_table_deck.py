# Decks: two of them, counted, locked out, over their time.
# The first words of a docstring are the rules that it tries.

from dovetail.table import decks, layout
from dovetail.table.layout import BLUE, FAULT, LAST, RED, ROUND, VOID
from play_rules import Try


def test_two_decks_alternate():
    """TD-4 TD-3: one is shuffled while the other is dealt, and then it is its turn."""
    t = Try()
    t.ready(RED)
    t.bets_closed()
    t.shuffled(BLUE)
    assert t.no("moved") == "LATER"
    dealt = t.stacks()
    t.do("remainder", 0, 1)
    t.do("rest_out", 0, 52, 52 - dealt)
    t.do("taken")
    t.do("close", 0, 1)
    t.do("opened")
    t.do("closed_again")
    t.cleared()
    t.ready(RED)
    assert t.no("open", 0, 2, 9) == "TD-4"
    t.do("give_back")
    t.do("rest_out", 0, 52, 52)
    t.do("taken")
    t.ready(BLUE)
    t.open()
    assert t.at(LAST) == BLUE


def test_a_deck_is_loaded_when_its_turn_has_come():
    """TD-3: the same deck twice, or one that is dealt, is refused."""
    t = Try()
    t.ready(RED)
    assert t.no("load", RED, 0, 1) == "TD-3"
    t.open()
    assert t.no("load", RED, 0, 1) == "TD-3"
    assert t.no("shuffle", BLUE) == "SH-1"


def test_cards_of_both_decks_are_not_taken_together():
    """TD-5: while one lies in the infeed the other is refused."""
    t = Try()
    t.do("load", RED, 0, 1)
    assert t.no("load", BLUE, 0, 1) == "TD-5"
    assert t.no("load", RED, 0, 1) == "TD-5"
    t.do("shuffle", RED)
    assert t.no("load", BLUE, 0, 1) == "LATER"


def test_a_second_deck_only_where_the_game_has_it():
    """TD-1: pai gow poker is played with one."""
    t = Try("pai_gow_poker")
    t.ready(RED)
    assert t.no("load", BLUE, 0, 1) == "TD-1"
    t = Try("boston_5")
    t.ready(RED)
    t.shuffled(BLUE)


def test_ready_only_with_both_counts():
    """CT-1 CT-2: counted in and counted out, 52, 53 or 54 by the game."""
    for game, cards in (("let_it_ride", 52), ("pai_gow_poker", 53), ("double_draw", 54)):
        t = Try(game)
        t.shuffled()
        t.do("moved")
        assert t.do("emptied", 0, cards, cards) == ("ready",)
        t = Try(game)
        t.shuffled()
        t.do("moved")
        assert t.do("emptied", 0, cards, cards - 1) == ("disagree",)
        assert t.at(FAULT)
        assert t.no("open", 0, 2, 1) == "EL-2"


def test_a_deck_with_a_wrong_number_is_locked_out():
    """CT-3: until it was removed and a new one declared, and nothing else."""
    t = Try()
    t.do("load", RED, 0, 1)
    t.do("shuffle", RED)
    assert t.do("filled", 0, 51) == ("wrong_deck",)
    t.cleared()
    assert t.no("load", RED, 0, 1) == "CT-3"
    assert t.no("load", RED, 1, 1) == "CT-3"
    t.do("power", 0, 0)
    assert t.no("load", RED, 1, 1) == "CT-3"
    t.do("remove_deck", RED)
    assert t.no("load", RED, 0, 1) == "CT-3"
    assert t.no("remove_deck", RED) == "CT-3"
    t.do("load", RED, 1, 1)


def test_a_wrong_stub_locks_the_deck_out():
    """CT-3 CT-4: right stacks and a wrong sum are a wrong deck; the round is void."""
    t = Try()
    t.ready()
    t.bets_closed()
    dealt = t.stacks()
    t.do("remainder", 0, 1)
    assert t.do("rest_out", 0, 51, 51 - dealt) == ("wrong_deck",)
    assert t.at(RED) == decks.LOCKED
    assert t.at(ROUND) == VOID


def test_an_interrupted_shuffle_gives_no_deck():
    """SH-4 EL-2: from every state of a deck inside, remove, count and shuffle."""
    for state in range(len(decks.NAMES)):
        broken = decks.step(state, "BREAK")
        assert broken is not None
        if broken == decks.BROKEN:
            ways = [event for event in decks.EVENTS if decks.step(broken, event) is not None]
            assert ways == ["BREAK", "WRONG", "CLEAR", "POWER"]
    t = Try()
    t.shuffled()
    t.do("stop")
    for event in ("load", "shuffle", "open"):
        assert t.no(event, RED, 2, 1) == "EL-2"
    assert t.no("moved") == "EL-2"
    t.cleared()
    assert t.no("shuffle", RED) == "SH-1"


def test_a_locked_deck_comes_back_only_as_a_new_one():
    """CT-3: the ways out of a lock-out, all of them."""
    ways = {event: decks.step(decks.LOCKED, event) for event in decks.EVENTS}
    found = {event: after for event, after in ways.items() if after is not None}
    assert found == {
        "BREAK": decks.LOCKED, "WRONG": decks.LOCKED, "CLEAR": decks.LOCKED, "POWER": decks.LOCKED,
        "REMOVE": decks.GONE,
    }
    found = [event for event in decks.EVENTS if decks.step(decks.GONE, event) not in (None, decks.GONE)]
    assert found == ["RENEW"]
    assert decks.step(decks.GONE, "POWER") == decks.GONE


def test_a_deck_over_its_time_is_refused():
    """CL-1 CL-2 CL-3 CL-4 CL-5: warned of, then neither loaded nor dealt, until a new one is declared."""
    for game, rule in (
        ("let_it_ride", "CL-1"), ("caribbean_stud", "CL-2"), ("double_down_stud", "CL-3"), ("boston_5", "CL-4"),
        ("plain", "CL-5"),
    ):
        t = Try(game)
        t.do("age", RED, 1)
        t.ready()
        t.do("age", RED, 2)
        assert t.no("open", 0, 2, 1) == rule
        t.do("give_back")
        t.do("rest_out", 0, 52, 52)
        t.do("taken")
        assert t.no("load", RED, 0, 1) == rule
        t.do("remove_deck", RED)
        t.do("load", RED, 1, 1)
        assert t.at(layout.AGE_RED) == 0


def test_a_deck_shuffled_before_is_counted():
    """SH-6: only the first shuffle of a new deck may be left out, never its count."""
    t = Try()
    assert t.no("load", RED, 1, 1, 1) == "SH-6"
    t.do("remove_deck", RED)
    assert t.no("load", RED, 0, 1, 1) == "CT-3"
    t.do("load", RED, 1, 1, 1)
    assert t.at(layout.ASIS) == RED
    t.do("shuffle", RED)
    assert t.do("filled", 0, 51) == ("wrong_deck",)


def test_a_card_of_another_deck_leaves_none_that_is_playable():
    """TD-2 TD-5: the feeder stops the shuffle; what was inside comes out, and is shuffled as a whole."""
    t = Try()
    t.do("load", RED, 0, 1)
    t.do("shuffle", RED)
    t.do("stop")
    assert t.at(RED) == decks.BROKEN
    assert t.no("filled", 0, 52) == "EL-2"
    assert t.no("open", 0, 2, 1) == "EL-2"
    t.cleared()
    assert t.no("shuffle", RED) == "SH-1"
    t.ready()
