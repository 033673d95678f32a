# Rounds: one from a shuffle, void, misdealt.
# The first words of a docstring are the rules that it tries.

from dovetail.table import decks
from dovetail.table.layout import RED, ROUND, STACKS, VOID
from play_rules import Try


def test_one_round_from_one_shuffle():
    """SH-1: a shuffle before every round; a round's number serves once."""
    t = Try()
    assert t.book.open(1, 2)[0] == "SH-1"
    t.ready()
    t.open()
    assert t.no("open", 0, 2, 1) == "DS-4"
    t.do("no_more_bets", 0, 1)
    dealt = t.stacks()
    t.do("remainder", 0, 1)
    t.do("rest_out", 0, 52, 52 - dealt)
    assert t.no("deal", 0, 1, 1) == "DS-6"
    assert t.no("remainder", 0, 1) == "DS-6"
    t.do("close", 0, 1)
    assert t.no("open", 0, 2, 1) == "SH-1"
    t.ready()
    assert t.book.open(1, 2) == ("SH-1", "round 1 is not after round 1")


def test_five_rounds_without_a_trusted_count():
    """CT-1: then the stub must be counted; a count that is wrong locks the deck out."""
    t = Try()
    t.shuffled()
    t.do("moved")
    t.do("emptied", 0, 52, 51)
    t.cleared()
    for _ in range(5):
        t.ready()
        t.whole_round()
    t.ready()
    assert t.no("open", 0, 2, 1) == "CT-1"
    t.do("stub_counted", RED, 1)
    t.open()
    t = Try()
    t.ready()
    t.whole_round()
    assert t.do("stub_counted", RED, 0) == ("lock",)
    assert t.no("load", RED, 0, 1) == "CT-3"


def test_a_misdeal_is_void_but_the_deck_stays():
    """CT-4 DS-11: a stack that is not what was ordered voids the round; the deck is counted again."""
    t = Try()
    t.ready()
    t.bets_closed()
    t.do("deal", 0, 1, 1)
    assert t.do("delivered", 0, 2, 3) == ("misdeal",)
    assert t.at(ROUND) == VOID
    assert t.at(RED) == decks.BROKEN
    t.cleared()
    assert t.at(RED) == decks.AWAY
    t.ready()


def test_the_dealer_declares_a_misdeal():
    """CT-4: void by the dealer, the rest is released and counted: all there, so it is only shuffled again."""
    t = Try()
    t.ready()
    t.bets_closed()
    t.stack()
    assert t.do("void_round", 0, 1) == ("void",)
    assert t.no("deal", 0, 1, 2) == "DS-8"
    assert t.no("open", 0, 2, 1) == "DS-8"
    t.do("remainder", 0, 1)
    t.do("rest_out", 0, 52, 49)
    t.do("taken")
    assert t.at(RED) == decks.AWAY
    assert t.at(ROUND) == VOID
    t.ready()
    t.open()


def test_a_shoe_that_jams_voids_the_round():
    """DS-8: void; only removing, counting and shuffling lead on."""
    t = Try()
    t.ready()
    t.bets_closed()
    t.stack()
    t.do("deal", 0, 1, 2)
    t.do("stop")
    assert t.at(ROUND) == VOID
    assert t.at(STACKS) == 1
    assert t.at(RED) == decks.BROKEN
    for event in ("deal", "no_more_bets", "close", "remainder", "void_round"):
        assert t.no(event, 0, 1, 2) == "DS-8"
    t.cleared()
    assert t.no("open", 0, 2, 1) == "SH-1"
    t.ready()
    t.open()


def test_boston_keeps_its_complete_hands():
    """DS-8: only its profile lets complete stacks stand."""
    keeping = [game for game in ("let_it_ride", "boston_5", "double_draw") if Try(game).profile.keeps]
    assert keeping == ["boston_5"]


def test_a_single_stack_is_dealt_by_hand():
    """SH-2 SH-3: the whole deck in one release, one round with it; the machine deals nothing of it."""
    t = Try("double_down_stud", by_hand=1)
    t.ready()
    assert t.no("open", 0, 2, 1) == "SH-1"
    t.do("deliver")
    assert t.do("rest_out", 0, 52, 52) == ("whole",)
    t.do("taken")
    t.bets_closed()
    assert t.no("deal", 0, 1, 1) == "SH-2"
    assert t.no("remainder", 0, 1) == "SH-2"
    t.do("close", 0, 1)
    assert t.at(RED) == decks.AWAY
    assert t.no("open", 0, 2, 1) == "SH-1"
    t = Try()
    t.ready()
    assert t.no("deliver") == "SH-2"
    owed = {game: Try(game).profile.cut for game in ("double_down_stud", "let_it_ride", "pai_gow_poker")}
    assert owed == {"double_down_stud": 1, "let_it_ride": 0, "pai_gow_poker": 0}


def test_refusals_say_what_is_so():
    """EL-2: a reason has the names and numbers of the case."""
    t = Try()
    t.ready()
    t.bets_closed()
    assert t.book.of_round("remainder", 1) == ("DS-6", "0 of 3 stacks are dealt")
    assert t.book.of_round("deal", 1, 3) == ("DS-5", "the next stack belongs to position 1")
    assert t.book.ask("load", RED, 0, 1) == ("TD-3", "the red deck is dealing")
