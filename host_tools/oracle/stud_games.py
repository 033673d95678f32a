"""Tables of Boston 5 (19:47-24), let it ride (18), double down stud (17), Caribbean stud (16).

The text of let it ride ends within 18.9(b)1, that of Caribbean stud within 16.5(b).
"""

from __future__ import annotations

from host_tools.oracle.rules import (
    HOUR_S,
    Exposure,
    GameRules,
    Limit,
    Misdeal,
    Stage,
    Step,
    Stub,
    Way,
)

CUT_TOP = 10  # every text asks for at least so many cards

# 24.9(d) takes the last two cards from the shoe's deck, but from the hand: 13:69E-1.18(g)2 and 3
# could both mean this table, so the longer life binds.
BOSTON_LAST_TWO = (Step("players", 2), Step("dealer", 2))
BOSTON_MISDEAL = Misdeal("24.12(d)", player_alone=True, dealer_may_lack=1)
BOSTON_5 = GameRules(
    shuffle="24.4(a)",
    preshuffled="24.4(a)",
    cards=Limit(52, "24.7(f)1"),
    one_deck="24.2(a)",
    two_decks="24.2(b)",
    idle="24.4(c)",
    shuffle_jam="24.12(e)",
    other_shuffle="24.12(g)",
    other_deal="24.12(g)",
    face_up="24.12(b)",
    face_up_voids=True,
    error_card="24.12(c)",
    qualifying=Limit(3, "24.12(a)"),
    exposure=Exposure("dealer", 1, "24.12(a)", spares=True, ends_with="decided"),
    ways={
        "automated_shoe": Way(
            stages=(
                Stage(
                    "24.9(c)",
                    plans=((Step("players", 3), Step("dealer", 3)),),
                    bets="24.9(b)2",
                    face_up=Limit(0, "24.9(c)"),
                ),
                Stage(
                    "24.10(d)",
                    plans=(BOSTON_LAST_TWO,),
                    decided="24.9(d)",
                    by_hand="24.9(d)",
                    face_up=Limit(0, "24.10(d)"),
                ),
            ),
            further=False,
            misdeal=BOSTON_MISDEAL,
            life=Limit(8 * HOUR_S, "13:69E-1.18(g)2"),
            stub=Stub(
                Limit(5, "24.9(e)"),
                wrong="24.7(f)2",
                excuse="24.9(f)",
                device_wrong="24.9(f)",
                hands_differ="24.12(d)",
            ),
            deal_jam="24.12(f)",
            jam_spares=True,
            no_hand_shuffle="24.4(a)",
            remainder_after_decisions="24.9(d)",
        ),
        "single_stack": Way(
            stages=(
                Stage(
                    "24.8(c)",
                    plans=((Step("players", 3), Step("dealer", 3)),),
                    bets="24.8(b)4",
                    face_up=Limit(0, "24.8(c)"),
                ),
                Stage(
                    "24.10(d)",
                    plans=(BOSTON_LAST_TWO,),
                    decided="24.10(d)",
                    face_up=Limit(0, "24.10(d)"),
                ),
            ),
            further=False,
            misdeal=BOSTON_MISDEAL,
            life=Limit(4 * HOUR_S, "13:69E-1.18(g)3"),
            stub=Stub(Limit(5, "24.8(e)"), wrong="24.7(f)2", hands_differ="24.12(d)"),
            no_hand_shuffle="24.4(a)",
        ),
    },
    refused={"continuous": "24.4(a)"},
)

LET_IT_RIDE = GameRules(
    shuffle="18.5(a)",
    cards=Limit(52, "18.7(e)1"),
    one_deck="18.2(a)",
    two_decks="18.2(b)",
    idle="18.5(d)",
    cut="18.5(b)2",
    cut_depth=Limit(CUT_TOP, "18.5(c)"),
    ways={
        "automated_shoe": Way(
            stages=(Stage("18.9(a)", stack=Limit(3, "18.9(a)")),),
            life=Limit(8 * HOUR_S, "18.4(e)"),
            cut_after=frozenset({"hand"}),
        ),
        "single_stack": Way(
            stages=(
                Stage(
                    "18.8(c)",
                    plans=((Step("players", 1), Step("community", 1)) * 3,),
                    bets="18.8(b)3",
                    face_up=Limit(0, "18.8(c)"),
                ),
            ),
            further=False,
            life=Limit(4 * HOUR_S, "18.4(e)"),
            stub=Stub(
                Limit(5, "18.8(e)"), wrong="18.7(e)2", excuse="18.7(f)", device_wrong="18.7(f)"
            ),
            cut_after=frozenset({"hand"}),
            no_hand_shuffle="18.8(b)1",
        ),
    },
    refused={"continuous": "18.5(a)"},
)

DOUBLE_DOWN_PLAN = ((Step("players", 1), Step("community", 4)),)
DOUBLE_DOWN_STUD = GameRules(
    shuffle="17.4(a)",
    cards=None,  # 17.2(a) says one deck, and no number
    one_deck="17.2(a)",
    two_decks="17.2(b)",
    idle="17.4(g)",
    cut="17.4(b)2",
    cut_depth=Limit(CUT_TOP, "17.4(e)"),
    cut_from_both_ends=True,
    recut="17.4(f)",
    shuffle_jam="17.11(e)",
    other_shuffle="17.11(f)",
    face_up="17.11(b)",
    face_up_voids=True,
    error_card="17.11(c)",
    exposure=Exposure("community", 1, "17.11(a)"),
    ways={
        # 17.3(e) names the manual shoe and the hand: it sets no life for an automated shoe.
        "automated_shoe": Way(
            stages=(
                Stage("17.8(b)", DOUBLE_DOWN_PLAN, bets="17.8(a)", face_up=Limit(1, "17.8(b)")),
            ),
            further=False,
            misdeal=Misdeal("17.11(d)"),
            cut_after=frozenset({"hand"}),
        ),
        "single_stack": Way(
            stages=(
                Stage("17.8(b)", DOUBLE_DOWN_PLAN, bets="17.8(a)2", face_up=Limit(1, "17.8(b)")),
            ),
            further=False,
            misdeal=Misdeal("17.11(d)"),
            life=Limit(8 * HOUR_S, "17.3(e)"),
            cut_after=frozenset({"device", "hand"}),
        ),
    },
    refused={"continuous": "17.4(a)"},
)

CARIBBEAN_STUD = GameRules(
    shuffle="16.4(a)",
    one_deck="16.2(a)",
    two_decks="16.2(b)",
    idle="16.4(d)",
    cut="16.4(b)2",
    cut_depth=Limit(CUT_TOP, "16.4(c)"),
    hand=Limit(5, "16.1"),
    ways={
        "automated_shoe": Way(
            life=Limit(8 * HOUR_S, "16.3(e)"),
            cut_after=frozenset({"hand"}),
        ),
        "single_stack": Way(
            life=Limit(4 * HOUR_S, "13:69E-1.18(g)3"),
            cut_after=frozenset({"hand"}),
        ),
    },
    refused={"continuous": "16.4(a)"},
)
