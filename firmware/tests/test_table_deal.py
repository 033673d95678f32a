# What leaves the shoe: stacks, draws, the starting position, the remainder.
# The first words of a docstring are the rules that it tries.

from dovetail.cards import profiles
from dovetail.table import layout
from dovetail.table.layout import ROUND, STACKS, TRAY, VOID
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


def _sized(size):
    """Let it ride with stacks of this size, and as many players as 52 cards allow of the largest."""
    now = {"stack": size, "dealer_stack": size, "players": 6}
    return [(key, now.get(key, number), rule) for key, number, rule in profiles.rows("let_it_ride")]


def test_stacks_of_every_size():
    """DS-1 DS-2 DS-3: n of 1 to 7; nothing more leaves the shoe before the last stack was taken."""
    for size in range(1, 8):
        t = Try(rows=_sized(size))
        t.ready()
        t.bets_closed(6)
        for position in range(1, 8):
            assert t.no("deal", 0, 1, position, size + 1) == "DS-1"
            t.do("deal", 0, 1, position, size)
            t.do("delivered", 0, size, size)
            assert t.at(TRAY)
            assert t.no("deal", 0, 1, position + 1) == "LATER"
            assert t.no("remainder", 0, 1) == "LATER"
            t.do("taken")
            assert not t.at(TRAY)
        t.do("remainder", 0, 1)
        t.do("rest_out", 0, 52, 52 - 7 * size)


def test_nothing_is_dealt_onto_what_the_tray_sees():
    """DS-5 I-3: cards that lie there, whosever they are, are taken first."""
    t = Try()
    t.ready()
    t.do("tray_seen")
    assert t.no("give_back", 0, 1) == "LATER"
    t.do("taken")
    t.bets_closed(1)
    for position in (1, 2):
        t.do("tray_seen")
        assert t.no("deal", 0, 1, position) == "LATER"
        t.do("taken")
        t.stack()
    t.do("tray_seen")
    assert t.no("remainder", 0, 1) == "LATER"
    t.do("taken")
    t.do("remainder", 0, 1)


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


def test_a_round_that_is_cut_short_keeps_the_position_that_was_drawn():
    """DS-13 DS-8 SH-5: whatever ends it, the status of its round tells where it began; a draw under way is given up."""
    for event, deck in (("stop", 0), ("lock", layout.RED), ("down", 0), ("opened", 0), ("out_of_service", 0)):
        t = Try("pai_gow_poker")
        t.ready()
        t.bets_closed(6)  # 3 is drawn
        t.stack()
        t.do(event, deck)
        assert (t.at(layout.ROUND), t.at(layout.START)) == (layout.VOID, 3), event
        t = Try("pai_gow_poker")
        t.ready()
        t.open(6)
        t.do("no_more_bets", 0, 1)
        t.do("draw_start", 0, 1)
        t.do(event, deck)
        assert (t.at(layout.ROUND), t.at(layout.START)) == (layout.VOID, 0), event
    for counted_in in (53, 52):  # the next deck's count is wrong; the void round is told still
        t = Try("pai_gow_poker")
        t.ready()
        t.bets_closed(6)
        t.stack()
        t.do("void_round", 0, 1)
        t.do("remainder", 0, 1)
        t.do("rest_out", 0, 53, 46)
        t.do("taken")
        t.do("load", layout.RED, 0, 1)
        t.do("shuffle", layout.RED)
        if counted_in == 53:
            t.do("filled", 0, 53)
            t.do("moved")
            assert t.do("emptied", 0, 53, 52) == ("disagree",)
        else:
            assert t.do("filled", 0, 52) == ("wrong_deck",)
        assert (t.at(layout.ROUND), t.at(layout.START)) == (layout.VOID, 3)


def test_a_single_stack_leaves_the_other_deck_inside():
    """SH-2 EL-3 TD-3: the tray has one deck whole, the wheel has the other: cards are inside still."""
    for in_wheel in (0, 1):
        t = Try("let_it_ride", by_hand=1)
        t.ready(layout.RED)
        if in_wheel:
            t.shuffled(layout.BLUE)
        t.do("deliver")
        assert t.do("rest_out", 0, 52, 52) == ("whole",)
        assert t.at(layout.INSIDE) == in_wheel


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


def test_a_card_face_up_is_of_a_position_that_was_dealt_to():
    """DS-9 DS-5: the next position has nothing yet that could be replaced."""
    t = Try("boston_5")
    t.ready()
    t.bets_closed()
    t.stack()
    assert t.no("face_up", 0, 1, 2) == "DS-5"
    assert t.no("face_up", 0, 1, 3) == "DS-5"
    t.do("face_up", 0, 1, 1)
    t = Try("pai_gow_poker")
    t.ready()
    t.bets_closed()
    t.stack()  # to position 3, which was drawn
    assert t.no("face_up", 0, 1, 1) == "DS-5"
    t.do("face_up", 0, 1, 3)
