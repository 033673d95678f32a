# Rounds: one from a shuffle, void, misdealt.
# The first words of a docstring are the rules that it tries.

from dovetail.table import decks
from dovetail.table.layout import (
    BLUE, CLOCK, CLOCK_BLUE, CLOCK_RED, DOUBT, LAST, PAIR, RED, ROUND, STACKS, TURN, VOID,
)
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
    assert t.no("load", RED, 0, 1) == "CT-1"
    t.do("stub_counted", RED, 1)
    t.ready()
    t.open()
    t = Try()
    t.ready()
    t.whole_round()
    assert t.do("stub_counted", RED, 0) == ("lock",)
    assert t.no("load", RED, 0, 1) == "CT-3"


def _counted_by_hand(t):
    """Return how many rounds are played before the stub has to be counted."""
    for n in range(11):
        if t.no("load", RED, 0, 1) == "CT-1":
            return n
        t.do("shuffle", RED)
        t.do("filled", 0, t.profile.cards)
        t.do("moved")
        t.do("emptied", 0, t.profile.cards, t.profile.cards)
        if t.profile.by_hand:
            t.do("deliver")
            t.do("rest_out", 0, t.profile.cards, t.profile.cards)
            t.do("taken")
            t.bets_closed()
            t.later_calls()
            t.do("close", 0, 1)
        else:
            t.whole_round()
    return None


def test_the_machines_count_excuses_the_stub_only_where_the_text_says_so():
    """CT-1: in Boston 5 from the hand it does not, 24.8(e); from the automated shoe it does, 24.9(f), 42.9(e)."""
    assert _counted_by_hand(Try("boston_5", by_hand=1)) == 5
    for game, by_hand in (("boston_5", 0), ("double_draw", 0), ("let_it_ride", 1)):
        assert _counted_by_hand(Try(game, by_hand)) is None


def test_a_count_of_another_deck_settles_nothing():
    """CT-1: the stub that is counted is that of the last round, of a deck that is at the table."""
    t = Try("boston_5", by_hand=1)
    assert _counted_by_hand(t) == 5
    assert t.no("stub_counted", BLUE, 1) == "CT-1"  # no round was played with it
    t.do("remove_deck", RED)
    assert t.no("stub_counted", RED, 1) == "CT-3"
    t.do("load", BLUE, 0, 1)
    assert t.no("stub_counted", BLUE, 1) == "TD-3"
    assert t.at(CLOCK) == 5


def test_a_new_deck_ends_the_five_rounds_of_the_one_that_is_gone():
    """CT-1 SH-11: nobody can count that stub any more, and a supervisor has seen the new deck inspected."""
    for supervised in (0, 1):
        t = Try("boston_5", by_hand=1)
        assert _counted_by_hand(t) == 5
        t.do("remove_deck", RED, supervised)
        assert t.at(CLOCK) == (0 if supervised else 5)
        t.do("load", RED, 1, 1)
        assert t.at(CLOCK) == 0
        t.do("shuffle", RED)


def test_a_deck_is_counted_by_hand_also_when_the_other_was_dealt_since():
    """CT-1: each deck has rounds of its own; the table's clock goes by the last round's."""
    t = Try("boston_5", by_hand=1)
    for deck in (RED, BLUE, RED, BLUE):
        t.stacked(deck)
        t.bets_closed()
        t.later_calls()
        t.do("close", 0, 1)
    assert (t.at(CLOCK), t.at(CLOCK_RED), t.at(CLOCK_BLUE)) == (4, 2, 2)
    t.do("stub_counted", RED, 1)
    assert (t.at(CLOCK), t.at(CLOCK_RED), t.at(CLOCK_BLUE)) == (4, 0, 2)
    assert t.no("stub_counted", RED, 1) == "CT-1"
    t.do("stub_counted", BLUE, 1)
    assert (t.at(CLOCK), t.at(CLOCK_RED), t.at(CLOCK_BLUE)) == (0, 0, 0)


def test_what_is_done_with_one_deck_leaves_what_is_owed_for_the_other():
    """CT-1 TD-4 CT-3: rounds, turn and doubt of the deck that was dealt last."""
    def both():
        t = Try("boston_5", by_hand=1)
        t.shuffled(RED)
        t.do("moved")
        t.do("emptied", 0, 52, 51)  # from then on no count of the machine's is trusted
        t.cleared()
        for deck in (RED, BLUE):
            t.stacked(deck)
            t.bets_closed()
            t.later_calls()
            t.do("close", 0, 1)
        return t

    def owed(t):
        return tuple(t.at(field) for field in (CLOCK, CLOCK_RED, CLOCK_BLUE, LAST, TURN, DOUBT, PAIR))

    assert owed(both()) == (2, 1, 1, BLUE, BLUE, 6, 1)
    cases = (
        ((("remove_deck", RED, 1),), (2, 1, 1, BLUE, BLUE, 6, 0)),
        ((("remove_deck", RED), ("remove_deck", RED, 1)), (2, 1, 1, BLUE, BLUE, 6, 0)),
        ((("remove_deck", RED), ("load", RED, 1, 1)), (2, 0, 1, BLUE, BLUE, 4, 1)),
        ((("stub_counted", RED, 0),), (2, 0, 1, BLUE, BLUE, 6, 1)),
        ((("stub_counted", RED, 1),), (2, 0, 1, BLUE, BLUE, 4, 1)),
        ((("stub_counted", BLUE, 1),), (0, 1, 0, BLUE, BLUE, 2, 1)),
        ((("remove_deck", BLUE, 1),), (0, 1, 1, 0, 0, 6, 0)),
        ((("remove_deck", BLUE), ("remove_deck", BLUE, 1)), (0, 1, 1, 0, 0, 6, 0)),
        ((("remove_deck", BLUE), ("load", BLUE, 1, 1)), (0, 1, 0, 0, BLUE, 2, 1)),
    )
    for said, left in cases:
        t = both()
        for event in said:
            t.do(event[0], *event[1:])
        assert owed(t) == left, said


def test_a_declared_deck_is_told_to_be_taken_out_first():
    """TD-3: what else there is of that rule would name no way out."""
    t = Try()
    t.do("load", RED, 0, 1)
    assert t.book.ask("remove_deck", RED) == ("TD-3", "the red deck lies in the infeed: take it out first")


def test_a_stub_that_is_counted_before_its_round_is_closed_counts_for_it():
    """CT-1: the five rounds begin after it."""
    t = Try("double_down_stud", by_hand=1)
    t.stacked(RED)
    t.bets_closed()
    t.later_calls()
    t.do("stub_counted", RED, 1)
    t.do("close", 0, 1)
    assert (t.at(CLOCK), t.at(CLOCK_RED)) == (0, 0)


def test_a_stub_is_counted_once():
    """CT-1: the second right count of a round says nothing new; a wrong one always does."""
    t = Try()
    t.ready()
    t.whole_round()
    t.do("stub_counted", RED, 1)
    assert t.no("stub_counted", RED, 1) == "CT-1"
    assert t.do("stub_counted", RED, 0) == ("lock",)


def test_a_wrong_stub_voids_its_round():
    """CT-3: while it is open, and after it was closed: 18.7(e)2, 24.7(f)2."""
    for closed in (0, 1):
        t = Try()
        t.ready()
        t.bets_closed()
        dealt = t.stacks()
        assert t.no("stub_counted", RED, 0) == "DS-6"
        t.do("remainder", 0, 1)
        t.do("rest_out", 0, 52, 52 - dealt)
        t.do("taken")
        if closed:
            t.do("close", 0, 1)
        assert t.do("stub_counted", RED, 0) == ("lock",)
        assert t.at(ROUND) == VOID
        assert t.at(RED) == decks.LOCKED


def test_no_more_bets_opens_one_stage():
    """DS-4 DS-6: Boston 5's remainder leaves after the second wagers, Double Draw's after its second draw."""
    for game, stages in (("let_it_ride", 1), ("boston_5", 2), ("double_draw", 3)):
        t = Try(game)
        t.ready()
        t.bets_closed()
        if stages > 1:
            assert t.no("no_more_bets", 0, 1) == "DS-4"
        dealt = t.stacks()
        for _ in range(stages - 1):
            assert t.no("remainder", 0, 1) == "DS-4"
            t.do("no_more_bets", 0, 1)
        assert t.no("no_more_bets", 0, 1) == "DS-4"
        if game == "boston_5":
            assert t.no("deal", 0, 1, 1, 1) == "DS-6"
        t.do("remainder", 0, 1)
        t.do("rest_out", 0, t.profile.cards, t.profile.cards - dealt)


def test_a_card_is_exposed_too_early_only_before_the_last_wagers():
    """DS-14: 24.12(a): before each player has folded or placed the second wager."""
    t = Try("boston_5")
    t.ready()
    t.bets_closed()
    t.stacks()
    t.do("no_more_bets", 0, 1)
    assert t.no("void_round", 0, 1, 1) == "DS-14"
    t = Try("boston_5")
    t.ready()
    t.bets_closed()
    t.stacks()
    assert t.do("void_round", 0, 1, 1) == ("void",)


def test_an_idle_table_has_its_deck_shuffled_again():
    """SH-9: what waited in the shoe or in the wheel is given back; not while a round is open."""
    t = Try()
    t.ready()
    t.open()
    assert t.no("idle") == "DS-4"
    t = Try()
    t.ready()
    t.do("idle")
    assert t.no("open", 0, 2, 1) == "SH-9"
    t.do("give_back")
    t.do("rest_out", 0, 52, 52)
    t.do("taken")
    t.ready()
    t.open()
    t = Try()
    t.shuffled()
    t.do("idle")
    t.do("moved")
    t.do("emptied", 0, 52, 52)
    assert t.no("open", 0, 2, 1) == "SH-9"
    t = Try("let_it_ride", by_hand=1)
    t.ready()
    t.do("idle")
    assert t.no("deliver") == "SH-9"


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
    assert t.no("close", 0, 1) == "DS-4"
    t.do("no_more_bets", 0, 1)
    t.do("close", 0, 1)
    assert t.at(RED) == decks.AWAY
    assert t.no("open", 0, 2, 1) == "SH-1"
    t = Try()
    t.ready()
    assert t.no("deliver") == "SH-2"
    owed = {game: Try(game, 1).profile.cut for game in ("double_down_stud", "let_it_ride", "pai_gow_poker")}
    assert owed == {"double_down_stud": 1, "let_it_ride": 0, "pai_gow_poker": 0}


def test_refusals_say_what_is_so():
    """EL-2: a reason has the names and numbers of the case."""
    t = Try()
    t.ready()
    t.bets_closed()
    assert t.book.of_round("remainder", 1) == ("DS-6", "0 of 3 stacks are dealt")
    assert t.book.of_round("deal", 1, 3) == ("DS-5", "the next stack belongs to position 1")
    assert t.book.ask("load", RED, 0, 1) == ("TD-3", "the red deck is dealing: end its round")
