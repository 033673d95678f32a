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
    assert t.no("remove_deck", RED, 0, 1) == "CT-3"
    t.do("tray_seen")
    assert t.no("remove_deck", RED) == "CT-3"
    t.do("taken")
    t.do("remove_deck", RED)
    assert t.at(RED) == decks.BARRED
    assert t.no("load", RED, 0, 1) == "CT-3"
    assert t.no("remove_deck", RED) == "CT-3"
    t.do("power", 0, 0)
    assert t.no("load", RED, 2, 1) == "SH-11"
    t.do("load", RED, 1, 1)


def test_a_new_deck_is_the_supervisors_word():
    """SH-11: and it takes the place of one that was removed, never of one that is at the table."""
    t = Try()
    assert t.no("load", RED, 2, 1) == "SH-11"
    assert t.no("load", RED, 1, 1) == "CT-3"
    t.do("remove_deck", RED)
    assert t.no("load", RED, 2, 1) == "SH-11"
    t.do("load", RED, 1, 1)


def test_removing_a_deck_does_not_end_the_alternation():
    """TD-4: the deck that was dealt last, or one that is declared in its place, is not dealt again before the other."""
    t = Try()
    t.ready(RED)
    t.bets_closed()
    t.shuffled(BLUE)
    dealt = t.stacks()
    t.do("remainder", 0, 1)
    t.do("rest_out", 0, 52, 52 - dealt)
    t.do("taken")
    t.do("close", 0, 1)
    t.do("remove_deck", RED)
    t.do("moved")
    t.do("emptied", 0, 52, 52)
    t.shuffled(RED, 1)
    t.do("give_back")
    t.do("rest_out", 0, 52, 52)
    t.do("taken")
    t.do("moved")
    t.do("emptied", 0, 52, 52)
    assert t.no("open", 0, 2, 1) == "TD-4"
    t.do("power", 0, 0)
    t.cleared()
    t.ready(RED)
    assert t.no("open", 0, 2, 1) == "TD-4"
    t.do("remove_deck", BLUE, 1)  # the supervisor's word
    t.open()


def test_a_game_of_one_deck_has_no_turns():
    """TD-1 TD-4: after a game of two decks, and after a deck of the other colour has come."""
    t = Try()
    for deck in (BLUE, RED):
        t.ready(deck)
        t.whole_round()
    one = Try("three_card_poker")
    one.book.state, one.book.number = t.book.state, t.book.number
    one.ready(RED)
    assert one.at(layout.PAIR)
    one.open()
    one = Try("three_card_poker")
    one.ready(BLUE)
    one.whole_round()
    one.do("remove_deck", BLUE)
    one.ready(RED)
    one.whole_round()
    one.ready(RED)
    one.open()


def test_poker_is_put_in_suit_and_sequence():
    """CL-5: after two hours the deck is neither loaded nor dealt before that was done."""
    t = Try("poker", by_hand=1)
    t.do("age", RED, 3)
    assert t.no("load", RED, 0, 1) == "CL-5"
    t.do("load", RED, 0, 1, 2)
    t.do("age", RED, 0)
    t.do("shuffle", RED)


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
        "REMOVE": decks.BARRED,
    }
    for gone in (decks.GONE, decks.BARRED):
        found = [event for event in decks.EVENTS if decks.step(gone, event) not in (None, gone)]
        assert found == ["RENEW"]
        assert decks.step(gone, "POWER") == gone


def test_a_deck_over_its_time_is_refused():
    """CL-1 CL-2 CL-4 CL-7: warned of, then neither loaded nor dealt, until a new one is declared."""
    for game, rule in (
        ("let_it_ride", "CL-1"), ("caribbean_stud", "CL-2"), ("boston_5", "CL-4"), ("plain", "CL-7"),
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


def test_a_deck_in_the_hand_lives_as_long_as_its_game_says():
    """CL-3 CL-5: double down stud and poker, which are dealt from the hand."""
    for game, rule in (("double_down_stud", "CL-3"), ("poker", "CL-5")):
        t = Try(game, by_hand=1)
        t.ready()
        t.do("deliver")
        t.do("rest_out", 0, 52, 52)
        t.do("taken")
        t.do("age", RED, 2)
        assert t.no("open", 0, 2, 1) == rule
        assert t.no("load", RED, 0, 1) == rule


def test_a_deck_shuffled_before_is_counted():
    """SH-6: only the first shuffle of a new deck may be left out, never its count; and in two games alone."""
    t = Try("boston_5")
    assert t.no("load", RED, 0, 1, 1) == "SH-6"
    t.do("remove_deck", RED)
    assert t.no("load", RED, 0, 1, 1) == "CT-3"
    assert t.no("load", RED, 2, 1, 1) == "SH-11"
    t.do("load", RED, 1, 1, 1)
    assert t.at(layout.ORDER_RED) == layout.BROUGHT
    t.do("shuffle", RED)
    assert t.do("filled", 0, 51) == ("wrong_deck",)


def test_a_deck_is_brought_shuffled_in_two_games():
    """SH-6 SH-3: 24.4(a), 42.4(a); Double Draw asks for a cut then, and the shoe leaves no moment for it."""
    taken = []
    games = ("let_it_ride", "three_card_poker", "boston_5", "caribbean_stud", "double_draw", "pai_gow_poker", "plain")
    for game in games:
        for by_hand in (0, 1):
            t = Try(game, by_hand)
            t.do("remove_deck", RED)
            if t.no("load", RED, 1, 1, 1) is None:
                taken.append((game, by_hand, t.profile.cut_owed(1)))
    assert taken == [("boston_5", 0, False), ("boston_5", 1, False), ("double_draw", 1, True)]


def test_the_order_that_was_brought_is_never_called_shuffled():
    """SH-6 I-11: from the moment of its declaration until the deck is loaded again."""
    t = Try("boston_5")
    t.do("remove_deck", RED)
    t.do("load", RED, 1, 1, 1)
    for event, d, a, b in (("shuffle", RED, 0, 0), ("filled", 0, 52, 0), ("moved", 0, 0, 0), ("emptied", 0, 52, 52)):
        t.do(event, d, a, b)
        assert t.at(layout.ORDER_RED) == layout.BROUGHT
    t.whole_round()
    t.ready()
    assert t.at(layout.ORDER_RED) == layout.SHUFFLED


def test_what_lies_on_the_table_keeps_its_order_while_cards_are_taken_out():
    """SH-6 SH-9: a single stack is dealt though the other deck's shuffle was cut short; that one has no order."""
    for lies, other in ((RED, BLUE), (BLUE, RED)):
        t = Try("let_it_ride", 1)
        t.ready(lies)
        t.do("deliver")
        t.do("rest_out", 0, 52, 52)
        t.do("taken")
        t.do("load", other, 0, 1)
        t.do("shuffle", other)
        t.do("stop")
        t.cleared()
        orders = {deck: t.at(layout.ORDER_RED - RED + deck) for deck in (RED, BLUE)}
        assert orders == {lies: layout.SHUFFLED, other: layout.NONE}
        t.open()


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


def test_two_decks_alternate_also_when_one_of_them_always_waits_on_the_table():
    """TD-4: what was dealt last is at the table until somebody takes it away, locked out or not."""
    t = Try()
    for deck in (RED, BLUE):
        t.ready(deck)
        t.whole_round()
    t.ready(BLUE)
    assert t.no("open", 0, 2, 3) == "TD-4"
    t.do("give_back")
    t.do("rest_out", 0, 52, 52)
    t.do("taken")
    t.do("power", 0, 0)  # it is no way round either
    t.ready(BLUE)
    assert t.no("open", 0, 2, 1) == "TD-4"
    t.do("remove_deck", RED)
    assert t.no("open", 0, 2, 1) == "TD-4"  # no table ends it
    t.do("remove_deck", RED, 1)
    t.open()


def test_a_game_of_one_deck_has_no_second_one_on_the_table():
    """TD-1: what was dealt last is taken away first."""
    t = Try("three_card_poker")
    t.ready(RED)
    t.whole_round()
    assert t.no("load", BLUE, 0, 1) == "TD-1"
    t.do("remove_deck", RED)
    t.do("load", BLUE, 0, 1)


def test_no_table_has_the_same_deck_dealt_again_by_taking_the_other_away_first():
    """TD-4: that the deck which was dealt last has left is the supervisor's word, also before the other one comes."""
    for supervised in (0, 1):
        t = Try()
        t.ready(RED)
        t.whole_round()
        t.do("remove_deck", RED, supervised)
        t.ready(BLUE)
        t.whole_round()
        t.ready(BLUE)
        assert t.no("open", 0, 2, 3) == (None if supervised else "TD-4")
    assert t.no("remove_deck", RED, 1) == "CT-3"  # it ends nothing any more


def test_a_deck_is_not_loaded_before_its_round_is_over():
    """SH-1: else its shuffle would come before the end of the round."""
    t = Try()
    t.ready(RED)
    t.bets_closed()
    dealt = t.stacks()
    t.do("remainder", 0, 1)
    t.do("rest_out", 0, 52, 52 - dealt)
    t.do("taken")
    assert t.no("load", RED, 0, 1) == "SH-1"
    t.do("close", 0, 1)
    t.do("load", RED, 0, 1)


def test_a_deck_that_was_brought_is_shuffled_after_an_idle_time():
    """SH-9 SH-6: it waits in the infeed, as it came."""
    t = Try("boston_5")
    t.do("remove_deck", RED)
    t.do("load", RED, 1, 1, 1)
    assert t.at(layout.ORDER_RED) == layout.BROUGHT
    t.do("idle")
    assert t.at(layout.ORDER_RED) == layout.NONE
    t.do("shuffle", RED)
    t.do("filled", 0, 52)
    assert t.at(layout.ORDER_RED) == layout.SHUFFLED


def test_the_supervisor_takes_away_the_deck_that_was_not_dealt_last():
    """TD-4 CT-1: what was dealt last stays known, for its stub is still to be counted."""
    t = Try()
    for deck in (BLUE, RED):
        t.ready(deck)
        t.whole_round()
    t.do("remove_deck", BLUE)
    t.do("remove_deck", BLUE, 1)
    assert (t.at(LAST), t.at(layout.PAIR)) == (RED, 0)
    t = Try()
    for deck in (BLUE, RED):
        t.ready(deck)
        t.whole_round()
    t.do("remove_deck", BLUE, 1)
    assert (t.at(LAST), t.at(layout.PAIR)) == (RED, 0)
