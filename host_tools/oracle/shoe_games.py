"""Tables of the games of a whole shoe: blackjack (19:47-2), red dog (6) and minibaccarat (7).

Of blackjack there are 2.5, 2.6 and 2.20, of red dog all but 6.6, of minibaccarat 7.1 to 7.8(a). One
`deck` of the facts is here the whole set of cards that is shuffled together.
"""

from __future__ import annotations

from host_tools.oracle.rules import GameRules, Limit, Stage, Step, Way

CUT_ENDS = 10  # every text asks for at least so many cards from either end

BLACKJACK = GameRules(
    shuffle="2.5(a)",
    every_round=False,
    cut="2.5(b)",
    cut_depth=Limit(CUT_ENDS, "2.5(c)"),
    cut_from_both_ends=True,
    ways={
        "automated_shoe": Way(
            stages=(
                Stage(
                    "2.6(e)", plans=((Step("players", 1), Step("dealer", 1), Step("players", 1)),)
                ),
            ),
            cut_after=frozenset({"device", "hand"}),
        ),
        "continuous": Way(reshuffles_itself=True),  # 2.20: in lieu of 2.5 and 2.6
    },
    refused={"single_stack": "2.6(a)"},
)

RED_DOG_STAGES = (Stage("6.5(c)", plans=((Step("community", 2),),)),)
RED_DOG = GameRules(
    shuffle="6.3(a)",
    every_round=False,
    cut="6.3(b)",
    cut_depth=Limit(CUT_ENDS, "6.3(c)"),
    cut_from_both_ends=True,
    face_up="6.7(a)",
    error_card="6.7(b)",
    ways={
        "automated_shoe": Way(stages=RED_DOG_STAGES, cut_after=frozenset({"device", "hand"})),
        # 6.9: in lieu of 6.3 and 6.4
        "continuous": Way(stages=RED_DOG_STAGES, reshuffles_itself=True),
    },
    refused={"single_stack": "6.1(c)"},
)

MINIBACCARAT = GameRules(
    shuffle="7.5(a)",
    every_round=False,
    cut="7.5(b)",
    cut_depth=Limit(CUT_ENDS, "7.5(c)"),
    cut_from_both_ends=True,
    ways={
        "automated_shoe": Way(
            stages=(
                Stage("7.7(c)", plans=((Step("player", 1), Step("banker", 1)) * 2,), bets="7.7(b)"),
            ),
            cut_after=frozenset({"device", "hand"}),
        ),
        "continuous": Way(reshuffles_itself=True),  # 7.12: a title alone
    },
    refused={"single_stack": "7.6(a)"},
)
