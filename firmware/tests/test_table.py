# The rules of rounds and decks, one by one. The first words of a docstring are the rules that it tries.

from dovetail.table import decks, layout
from dovetail.table.layout import BLUE, FAULT, INSIDE, LAST, OUT, RED, ROUND, SHOE, STACKS, VOID
from play_rules import Try


def test_nothing_is_dealt_before_no_more_bets():
    """DS-4: one declaration, of this round, before any card."""
    t = Try()
    assert t.no("deal", 0, 1, 1) == "SH-1"
    t.ready()
    t.open()
    assert t.no("deal", 0, 1, 1) == "DS-4"
    assert t.no("remainder", 0, 1) == "DS-4"
    assert t.no("no_more_bets", 0, 0) == "DS-4"
    assert t.book.of_round("no_more_bets", 7) == ("DS-4", "the open round is 1")
    t.do("no_more_bets", 0, 1)
    assert t.book.of_round("no_more_bets", 1) == ("DS-4", "no more bets has been declared for round 1 already")
    t.do("deal", 0, 1, 1)


def test_stacks_go_in_the_order_of_the_positions():
    """DS-5 DS-1: position by position, of the game's size, the dealer's last."""
    t = Try()
    t.ready()
    t.bets_closed(2)
    assert t.no("deal", 0, 1, 2) == "DS-5"
    assert t.no("deal", 0, 1, 0) == "DS-5"
    assert t.no("deal", 0, 1, 1, 4) == "DS-1"
    t.do("deal", 0, 1, 1, 3)
    assert t.no("deal", 0, 1, 1) == "LATER"
    t.do("delivered", 0, 3, 3)
    assert t.no("deal", 0, 1, 2) == "LATER"  # not taken yet
    t.do("taken")
    assert t.no("remainder", 0, 1) == "DS-6"
    t.stacks()
    assert t.at(STACKS) == 3
    assert t.no("deal", 0, 1, 4) == "DS-5"


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


def test_the_remainder_is_released_once_and_counted():
    """DS-6 CT-6: after the last stack; a round is closed only when it is out."""
    t = Try()
    t.ready()
    t.bets_closed()
    dealt = t.stacks()
    assert t.no("close", 0, 1) == "DS-6"
    assert t.do("remainder", 0, 1) == ("rest",)
    assert t.no("close", 0, 1) == "LATER"
    t.do("rest_out", 0, 52, 52 - dealt)
    t.do("close", 0, 1)
    assert t.no("close", 0, 1) == "SH-1"


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


def test_pai_gow_leaves_exactly_four():
    """CT-5 DS-3: seven stacks of seven, whatever the number of wagers, and four cards."""
    t = Try("pai_gow_poker")
    t.ready()
    t.bets_closed(1)
    assert t.at(layout.OWED) == 7
    assert t.stacks() == 49
    t.do("remainder", 0, 1)
    assert t.do("rest_out", 0, 53, 4) == ("released",)
    t = Try("pai_gow_poker")
    t.ready()
    t.bets_closed(1)
    t.stacks()
    t.do("remainder", 0, 1)
    assert t.do("rest_out", 0, 53, 5) == ("misdeal",)


def test_the_starting_position_is_drawn():
    """DS-13: after no more bets, once, before the first stack; the stacks follow it clockwise."""
    t = Try("pai_gow_poker")
    t.ready()
    t.open(6)
    assert t.no("draw_start", 0, 1) == "DS-4"
    t.do("no_more_bets", 0, 1)
    assert t.no("deal", 0, 1, 1) == "DS-13"
    assert t.do("draw_start", 0, 1) == ("draw",)
    assert t.no("deal", 0, 1, 1) == "DS-13"
    assert t.no("start_drawn", 0, 8) == "DS-13"
    t.do("start_drawn", 0, 6)
    assert t.no("draw_start", 0, 1) == "DS-13"
    assert t.no("start_drawn", 0, 1) == "DS-13"
    order = []
    for _ in range(7):
        order.append(t.position())
        t.stack()
    assert order == [6, 7, 1, 2, 3, 4, 5]
    assert Try().no("draw_start", 0, 1) == "SH-1"
    t = Try()
    t.ready()
    t.open()
    assert t.no("draw_start", 0, 1) == "DS-13"


def test_stacks_of_five_and_draws():
    """DS-2 DS-7 DS-4: no more bets before each draw; up to three cards, then up to one, in turn."""
    t = Try("double_draw")
    t.ready()
    t.bets_closed(3)
    assert t.no("deal", 0, 1, 1, 3) == "DS-2"
    assert t.no("no_more_bets", 0, 1) == "DS-4"
    assert t.stacks() == 15
    assert t.no("deal", 0, 1, 1, 3) == "DS-5"
    t.do("no_more_bets", 0, 1)
    for wrong in (0, 4):
        assert t.no("deal", 0, 1, 1, wrong) == "DS-7"
    t.do("deal", 0, 1, 2, 3)
    t.do("delivered", 0, 3, 3)
    t.do("taken")
    for late in (1, 2, 4):
        assert t.no("deal", 0, 1, late, 1) == "DS-5"
    t.do("no_more_bets", 0, 1)
    assert t.no("deal", 0, 1, 1, 2) == "DS-7"
    t.do("deal", 0, 1, 1, 1)
    t.do("delivered", 0, 1, 1)
    t.do("taken")
    assert t.no("no_more_bets", 0, 1) == "DS-4"
    t.do("remainder", 0, 1)


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


def test_a_card_face_up_is_replaced_and_a_second_voids():
    """DS-9: one more card to that position; the second voids the round."""
    t = Try()
    t.ready()
    t.bets_closed()
    assert t.no("face_up", 0, 1, 1) == "DS-5"
    t.stack()
    assert t.do("face_up", 0, 1, 1) == ("deal",)
    t.do("delivered", 0, 1, 1)
    assert t.no("face_up", 0, 1, 1) == "LATER"
    t.do("taken")
    assert t.do("face_up", 0, 1, 1) == ("void",)
    assert t.at(ROUND) == VOID
    t.do("remainder", 0, 1)
    t.do("rest_out", 0, 52, 48)


def test_a_card_too_many_is_the_first_of_the_next_stack():
    """DS-10: told, kept, and gone with the next stack."""
    t = Try()
    t.ready()
    t.bets_closed()
    t.do("deal", 0, 1, 1)
    t.do("delivered", 0, 3, 3, 1)
    assert t.at(layout.EXTRA) == 1
    assert t.at(STACKS) == 1
    t.do("taken")
    t.stack()
    assert t.at(layout.EXTRA) == 0


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


def test_power_lost_is_never_forgotten():
    """EL-3: cards may be inside; the deal is not resumed; a lock-out stays."""
    t = Try()
    t.ready()
    t.bets_closed()
    t.do("power", 0, 0)
    assert t.at(INSIDE)
    assert t.at(FAULT)
    assert t.no("deal", 0, 1, 1) == "DS-8"
    t.cleared()
    assert not t.at(INSIDE)
    assert t.no("open", 0, 2, 1) == "SH-1"


def test_failed_randomness_is_final():
    """EL-4: until power-on; nothing else clears it."""
    t = Try()
    t.do("down")
    assert t.no("cleared") == "EL-2"
    assert t.no("in_service") is None
    assert t.no("load", RED, 0, 1) == "EL-2"
    t.do("power", 0, 1)
    assert t.no("load", RED, 0, 1) == "EL-2"
    t.do("power", 0, 0)
    t.do("load", RED, 0, 1)


def test_out_of_service_ends_only_empty():
    """SH-5: latched over power, refused by its rule, back only after a look that found nothing."""
    t = Try()
    t.ready()
    t.do("out_of_service")
    t.do("power", 0, 0)
    for event in ("load", "shuffle", "open", "give_back"):
        assert t.no(event, RED, 2, 1) in ("SH-5", "EL-2")
    assert t.no("cleared") == "SH-5"
    t.do("in_service")
    t.do("found", 0, 3)
    assert t.at(OUT)
    t.do("in_service")
    t.do("found", 0, 0)
    assert not t.at(OUT)
    assert t.at(SHOE) == 0
    t.ready()


def test_nothing_moves_with_the_lid_open():
    """DS-12: and it stops what is inside; players within the table."""
    t = Try()
    t.do("opened")
    assert t.no("load", RED, 0, 1) == "DS-12"
    t.do("closed_again")
    t.ready()
    for players in (0, 8):
        assert t.no("open", 0, players, 1) == "DS-12"
    t.bets_closed()
    assert t.do("opened") == ("stop",)
    assert t.no("cleared") == "DS-12"
    assert t.at(ROUND) == VOID
    t = Try("double_draw")
    t.ready()
    assert t.no("open", 0, 7, 1) == "DS-12"
    t.open(6)


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


def test_refusals_say_what_is_so():
    """EL-2: a reason has the names and numbers of the case."""
    t = Try()
    t.ready()
    t.bets_closed()
    assert t.book.of_round("remainder", 1) == ("DS-6", "0 of 3 stacks are dealt")
    assert t.book.of_round("deal", 1, 3) == ("DS-5", "the next stack belongs to position 1")
    assert t.book.ask("load", RED, 0, 1) == ("TD-3", "the red deck is dealing")
