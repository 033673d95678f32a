# Stacks that are not what was ordered: what is the next card, what is void, what stands.
# The first words of a docstring are the rules that it tries.

from dovetail.table import layout
from dovetail.table.layout import ROUND, STACKS, VOID
from play_rules import Try


def test_a_card_too_many_is_the_first_of_the_next_stack():
    """DS-10: told, kept on the table, and the first card of the next stack."""
    t = Try()
    t.ready()
    t.bets_closed()
    t.do("deal", 0, 1, 1)
    assert t.do("delivered", 0, 4, 3, 1) == ("one_more",)
    assert t.at(layout.EXTRA) == 1
    assert t.at(STACKS) == 1
    t.do("taken")
    t.do("deal", 0, 1, 2)
    assert t.do("delivered", 0, 3, 3, 2) == ()  # two from the shoe
    assert t.at(layout.EXTRA) == 0
    assert t.at(STACKS) == 2


def test_a_card_too_many_is_drawn_next():
    """DS-10 DS-7: where no stack follows, it goes to who draws next, or into the rest, which is counted with it."""
    t = Try("double_draw")
    t.ready()
    t.bets_closed(1)
    t.do("deal", 0, 1, 1)
    assert t.do("delivered", 0, 6, 5, 1) == ("one_more",)
    t.do("taken")
    t.do("no_more_bets", 0, 1)
    t.do("deal", 0, 1, 1, 1)
    assert t.do("delivered", 0, 1, 1, 1) == ()  # none from the shoe
    assert t.at(layout.EXTRA) == 0
    t.do("taken")
    t = Try("pai_gow_poker")
    t.ready()
    t.bets_closed()
    for _ in range(6):
        t.stack()
    t.do("deal", 0, 1, t.position())
    assert t.do("delivered", 0, 8, 7, t.position()) == ("one_more",)
    t.do("taken")
    t.do("remainder", 0, 1)
    assert t.do("rest_out", 0, 53, 3) == ("released",)


def test_a_wrong_number_is_judged_by_the_game():
    """DS-11: all hands are void, in Boston 5 the player's alone; one too many to the dealer is the next card."""
    for game, delivered, position, says in (
        ("let_it_ride", 2, 1, "misdeal"), ("let_it_ride", 5, 1, "misdeal"), ("let_it_ride", 5, 3, "misdeal"),
        ("boston_5", 2, 1, "hand_void"), ("boston_5", 5, 1, "hand_void"), ("boston_5", 4, 1, "one_more"),
        ("boston_5", 4, 3, "one_more"), ("boston_5", 2, 3, "misdeal"), ("boston_5", 5, 3, "misdeal"),
    ):  # fmt: skip
        t = Try(game)
        t.ready()
        t.bets_closed(2)
        while t.position() < position:
            t.stack()
        t.do("deal", 0, 1, position)
        assert t.do("delivered", 0, delivered, 3, position) == (says,), (game, delivered, position)
        void = says == "misdeal"
        assert (t.at(ROUND) == VOID) == void
        assert t.at(STACKS) == position - void
        assert t.at(layout.SPOILT) == (1 << position - 1 if says == "hand_void" else 0)
        assert t.at(layout.EXTRA) == (1 if says == "one_more" else 0)


def test_a_void_hand_is_not_dealt_anew():
    """DS-11 DS-8: the round goes on without it; a jam later does not make it stand."""
    t = Try("boston_5")
    t.ready()
    t.bets_closed(2)
    t.do("deal", 0, 1, 1)
    t.do("delivered", 0, 5, 3, 1)
    t.do("taken")
    assert t.no("deal", 0, 1, 1) == "DS-5"
    t.stack()
    t.do("stop")
    assert (t.at(STACKS), t.at(layout.SPOILT)) == (2, 1)
