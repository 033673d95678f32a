"""Tables of double draw (13:69F-42), pai gow poker (19:47-11), three card poker (20), poker (14).

The text of pai gow poker has 11.6 to 11.8A(f) alone, that of poker ends within 14.6(e), and of
three card poker there are only titles and the life of its cards.
"""

from __future__ import annotations

from host_tools.oracle.rules import HOUR_S, GameRules, Limit, Misdeal, Stage, Step, Stub, Way

CUT_TOP = 10  # every text asks for at least so many cards
# 42.10(a) asks for five cards at one time where an automatic shuffler is used; 42.8(b)4 asks for
# single cards from the hand. Both orders pass where cards come from the hand.
FIVE_AT_ONCE = (Step("players", 5),)
ONE_BY_ONE = (Step("players", 1),) * 5


def draw_stages(order: str) -> tuple[Stage, ...]:
    """Return the two draws; `order` is the paragraph that has them go clockwise."""
    return (
        Stage(
            "42.10(e)",
            draws=Limit(3, "42.10(d)"),
            order=order,
            decided="42.10(b)",
            bets="42.10(c)",
            face_up=Limit(0, "42.10(e)"),
        ),
        Stage(
            "42.10(i)",
            draws=Limit(1, "42.10(h)"),
            order=order,
            decided="42.10(f)",
            bets="42.10(g)",
            face_up=Limit(0, "42.10(i)"),
        ),
    )


DOUBLE_DRAW = GameRules(
    shuffle="42.4(a)",
    preshuffled="42.4(a)",
    cards=Limit(54, "42.7(f)1"),
    jokers=Limit(2, "42.2(a)"),
    jokers_allowed=True,
    seats=Limit(6, "13:69E-1.13Y(a)"),
    one_deck="42.2(a)",
    two_decks="42.2(b)",
    idle="42.4(e)",
    cut="42.4(b)2",
    cut_depth=Limit(CUT_TOP, "42.4(c)1"),
    recut="42.4(d)",
    shuffle_jam="42.12(d)",
    other_shuffle="42.12(f)",
    other_deal="42.12(f)",
    face_up="42.12(a)",
    face_up_voids=True,
    error_card="42.12(b)",
    ways={
        "automated_shoe": Way(
            stages=(
                Stage(
                    "42.10(a)",
                    plans=(FIVE_AT_ONCE,),
                    bets="42.9(b)2",
                    face_up=Limit(0, "42.10(a)"),
                ),
                *draw_stages("42.9(c)"),
            ),
            further=False,
            misdeal=Misdeal("42.12(c)"),
            life=Limit(8 * HOUR_S, "13:69E-1.18(g)2"),
            stub=Stub(
                Limit(5, "42.9(d)"), wrong="42.7(f)2", excuse="42.9(e)", device_wrong="42.9(e)"
            ),
            cut_after=frozenset({"hand", "preshuffled"}),
            deal_jam="42.12(e)",
        ),
        "single_stack": Way(
            stages=(
                Stage(
                    "42.10(a)",
                    plans=(FIVE_AT_ONCE, ONE_BY_ONE),
                    bets="42.8(b)3",
                    face_up=Limit(0, "42.10(a)"),
                ),
                *draw_stages("42.8(c)"),
            ),
            further=False,
            misdeal=Misdeal("42.12(c)"),
            life=Limit(4 * HOUR_S, "13:69E-1.18(g)3"),
            cut_after=frozenset({"hand", "preshuffled"}),
            no_hand_shuffle="42.8(b)1",
        ),
    },
    refused={"continuous": "42.4(a)"},
)

# Seven rows, from left to right and from right to left in turn: 11.8A(c).
SEVEN_STACKS = tuple(
    Step(stack, 1)
    for row in range(7)
    for stack in (range(1, 8) if row % 2 == 0 else range(7, 0, -1))
)
PAI_GOW_POKER = GameRules(
    shuffle="11.6(a)",
    jokers_allowed=True,  # 13:69E-1.17(h)
    idle="11.6(f)",
    cut="11.6(b)2",
    cut_depth=Limit(CUT_TOP, "11.6(e)"),
    cut_from_both_ends=True,
    ways={
        "automated_shoe": Way(
            life=Limit(8 * HOUR_S, "13:69E-1.18(g)2"),
            cut_after=frozenset({"hand"}),
        ),
        "single_stack": Way(
            stages=(
                Stage(
                    "11.8A(c)",
                    plans=(SEVEN_STACKS,),
                    bets="11.8A(b)2",
                    face_up=Limit(0, "11.8A(b)2"),
                ),
            ),
            further=False,
            misdeal=Misdeal("11.8A(d)2"),
            life=Limit(4 * HOUR_S, "13:69E-1.18(g)3"),
            cut_after=frozenset({"hand"}),
            remainder=Limit(4, "11.8A(d)2"),
            start_after_deal="11.8A(e)",
        ),
    },
    refused={"continuous": "11.6(a)"},
)

THREE_CARD_POKER = GameRules(
    shuffle=None,
    ways={
        "automated_shoe": Way(life=Limit(8 * HOUR_S, "13:69E-1.18(g)2")),
        "single_stack": Way(life=Limit(4 * HOUR_S, "13:69E-1.18(g)3")),
        "continuous": Way(),
    },
    refused={},
)

POKER = GameRules(
    shuffle="14.5(a)",
    cards=Limit(52, "14.2(b)"),
    seats=Limit(11, "14.6(b)"),
    fewest_players=Limit(2, "14.6(b)"),
    one_deck="14.2(a)",
    rotates=True,
    idle="14.5(c)",
    cut="14.5(b)",
    cut_depth=Limit(CUT_TOP, "14.5(b)"),
    suit_order=Limit(2 * HOUR_S, "14.2(b)"),
    ways={
        "single_stack": Way(
            life=Limit(4 * HOUR_S, "14.2(b)"),
            cut_after=frozenset({"device", "hand"}),
        ),
    },
    refused={"automated_shoe": "14.6(e)1", "continuous": "14.6(e)1"},
)
