"""Mutants of the rules' tables that no property finds, each with its reason.

The names are those of seed 1. Most of them a test finds all the same: `dovetail rules --mutants
--all` plants each under the test that is named for it. The others harm nothing. As for mutants of
the code (`host_tools/mutate/explained.py`), one without a reason has no place here.
"""

from __future__ import annotations

DEAL, LIFE = "firmware/tests/test_table_deal.py::", "firmware/tests/test_life.py::"
CUT_SHORT = f"{DEAL}test_a_round_that_is_cut_short_keeps_the_position_that_was_drawn"
WRONG_TIME = f"{LIFE}test_a_wrong_time_is_refused_for_its_own_reason"
ROUND = "firmware/tests/test_table_round.py::"
OTHERS = f"{ROUND}test_what_is_done_with_one_deck_leaves_what_is_owed_for_the_other"
TAKEN_OUT = f"{ROUND}test_a_declared_deck_is_told_to_be_taken_out_first"
NO_PAIR = "No bound of the hunt has two decks dealt, and one of them counted by hand or removed."
OF_TWO = (
    "load: row 13, ('CLOCK', 'clock_left') becomes ('CLOCK', 0)",
    "load: row 13, ('LAST', 'last_left') becomes ('LAST', 0)",
    "remove_deck: row 0, ('PAIR', 0) becomes ('PAIR', 1)",
    "remove_deck: row 0, ('CLOCK', 'clock_left') becomes ('CLOCK', 0)",
    "remove_deck: row 0, ('LAST', 'last_left') becomes ('LAST', 0)",
    "remove_deck: row 0, ('TURN', 'turn_left') becomes ('TURN', 0)",
    "remove_deck: row 6, ('CLOCK', 'clock_left') becomes ('CLOCK', 0)",
    "remove_deck: row 6, ('LAST', 'last_left') becomes ('LAST', 0)",
    "remove_deck: row 6, ('TURN', 'turn_left') becomes ('TURN', 0)",
    "stub_counted: row 4, ('CLOCK', 'clock_left') becomes ('CLOCK', 0)",
    "stub_counted: row 6, ('CLOCK', 'clock_left') becomes ('CLOCK', 0)",
    "stub_counted: row 6, ('CLOCK_OF', 0) becomes ('CLOCK_OF', 1)",
    "stub_counted: row 6, ('DOUBT', 'undoubted') becomes ('DOUBT', 0)",
)
ON_TABLE = "found: row 4, ('ORDER_BLUE', 'order_of_blue') becomes ('ORDER_BLUE', 0)"
NO_TIME = "No explored state knows the controller's time, so that no property can miss the refusal."

# The mutant's name: why no property finds it
ALIVE: dict[str, str] = {
    "emptied: row 1, ('START', 'start_left') becomes ('START', 0)": (
        "No bound in which a starting position is drawn has counts that disagree."
    ),
    "lock: row 0, ('START', 'start_left') becomes ('START', 0)": (
        "No bound in which a starting position is drawn has a deck locked out."
    ),
    "opened: row 2, ('START', 'start_left') becomes ('START', 0)": (
        "No bound in which a starting position is drawn has the lid opened."
    ),
    "out_of_service: row 2, ('START', 'start_left') becomes ('START', 0)": (
        "No bound in which a starting position is drawn has the machine taken out of service."
    ),
    "rest_out: row 4, ('INSIDE', 'left_inside') becomes ('INSIDE', 0)": (
        "No deep bound delivers a single stack while the other deck is inside."
    ),
    "time: row 0, @life left out": NO_TIME,
    "time: row 1, @life left out": NO_TIME,
    "filled: row 5, ('START', 'start_left') becomes ('START', 0)": (
        "No bound in which a starting position is drawn has a wrong deck."
    ),
    "filled: row 1, ('START', 'start_left') becomes ('START', 0)": (
        "The row is of continuous play, and the one game that is played so draws no start."
    ),
    "draw_start: row 4, SH-5 left out": (
        "Out of service has made the round void, so DS-8 refuses the request before this row."
    ),
    **dict.fromkeys(OF_TWO, NO_PAIR),
    "remove_deck: row 2, TD-3 left out": (
        "The last row refuses by the same rule, in words that name another way too."
    ),
    ON_TABLE: "No bound of the hunt has one deck interrupted and the other a single stack.",
}
# The mutant's name: the test that finds it
TESTED: dict[str, str] = {
    "emptied: row 1, ('START', 'start_left') becomes ('START', 0)": CUT_SHORT,
    "lock: row 0, ('START', 'start_left') becomes ('START', 0)": CUT_SHORT,
    "opened: row 2, ('START', 'start_left') becomes ('START', 0)": CUT_SHORT,
    "out_of_service: row 2, ('START', 'start_left') becomes ('START', 0)": CUT_SHORT,
    "filled: row 5, ('START', 'start_left') becomes ('START', 0)": CUT_SHORT,
    "rest_out: row 4, ('INSIDE', 'left_inside') becomes ('INSIDE', 0)": (
        f"{DEAL}test_a_single_stack_leaves_the_other_deck_inside"
    ),
    **dict.fromkeys(OF_TWO, OTHERS),
    "remove_deck: row 2, TD-3 left out": TAKEN_OUT,
    ON_TABLE: (
        "firmware/tests/test_table_deck.py::"
        "test_what_lies_on_the_table_keeps_its_order_while_cards_are_taken_out"
    ),
    "time: row 0, @life left out": WRONG_TIME,
    "time: row 1, @life left out": WRONG_TIME,
}
HARMLESS = {what: why for what, why in ALIVE.items() if what not in TESTED}
