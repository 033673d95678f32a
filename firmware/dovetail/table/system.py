# The machine as a table of transitions: (state, event) to state and actions, or to a refusal. Pure.
#
# TABLE is read top down. An event has reasons to refuse that it shares with others (COMMON), then rows of its own:
#   (conditions, rule, text)        refused by this rule
#   (conditions, changes, actions)  done: (field, value) one after the other, then the machine acts
# Conditions are names of questions (conditions.py) that must all hold; the first row that applies counts. A field in
# capitals is one of layout.py, or of OF_DECK: a fact that is kept for each deck. "zero" sets the fields of a group to
# nothing, and comes first; any other in small letters names decks, and the value what happens to them. A value is a
# number, a name in layout.py in capitals, or a function of values.py in small letters.

import micropython
from dovetail.table import conditions, decks, layout, values
from dovetail.table.layout import AGE_RED, BLUE, CLOCK_RED, LAST, ORDER_RED, RED, SHOE, WHEEL
from dovetail.table import rows_deal, rows_deck, rows_machine, rows_round

LATER = "LATER"

COMMON = (
    ("stopped", "EL-2", "{fault}"),
    ("out", "SH-5", "out of service: empty the machine, then back in service"),
    ("unsafe", "DS-12", "{unsafe}"),
    ("void", "DS-8", "round {round} is void: return all cards, load and shuffle"),
    ("closed", "SH-1", "no round is open"),
    ("another_round", "DS-4", "the open round is {round}"),
    ("bets", "DS-4", "no more bets has not been declared for round {round}"),
    ("released", "DS-6", "the remainder of round {round} is out"),
    ("by_hand", "SH-2", "the deck was delivered as a single stack: it is dealt from the hand"),
    ("taking", "LATER", "discards are going back in"),
    ("job", "LATER", "the last stack has not been taken"),
    ("tray", "LATER", "cards lie in the tray"),
)
TABLE = (rows_deck.ROWS, rows_round.ROWS, rows_deal.ROWS, rows_machine.ROWS)
ENTRIES = {entry[0]: entry for part in TABLE for entry in part}
# A fact that is kept for each deck: its name in a row, where that of the red deck lies, and whose is meant
OF_DECK = {
    "AGE_OF": (AGE_RED, "deck"), "ORDER_OF": (ORDER_RED, "deck"), "CLOCK_OF": (CLOCK_RED, "deck"),
    "ORDER_IN": (ORDER_RED, "wheel"), "CLOCK_IN": (CLOCK_RED, "wheel"), "CLOCK_LAST": (CLOCK_RED, "last"),
}  # fmt: skip


class NoSuch(Exception):
    """An event, or a deck's transition, that the table does not have: an error in the program, never of a user."""


def step(p, s, event, d=0, a=0, b=0, c=0):
    """(state, actions, None), or (the same state, (), (rule, text)). p: a Profile, s: a state, d a b c: see rows."""
    return decide(ENTRIES[event], p, s, d, a, b, c)


# Native, and with what is looked up again and again at hand: a decision is to take less than a millisecond.
@micropython.native
def decide(entry, p, s, d, a, b, c):
    ask = conditions.__dict__  # by name, without a call for each
    for name in entry[1]:
        if ask[name](p, s, d, a, b, c):
            for row in COMMON:
                if row[0] == name:
                    return s, (), row[1:]
    for row in entry[2]:
        for name in row[0]:
            if not ask[name](p, s, d, a, b, c):
                break
        else:
            if isinstance(row[1], str):
                return s, (), row[1:]
            return change(row[1], p, s, d, a, b, c), row[2], None
    raise NoSuch(entry[0])


@micropython.native
def change(changes, p, s, d, a, b, c):
    """The state after these changes. All values are taken from the state before them: their order means nothing."""
    t, number, known = bytearray(s), int, layout.__dict__
    for field, value in changes:
        at = known.get(field)
        if at is None:
            if field == "zero":
                for at in known[value]:
                    t[at] = 0
                continue
            at = _of_deck(field, p, s, d)
            if not at:
                if field == "both":
                    _deck(t, RED, value)
                    _deck(t, BLUE, value)
                else:
                    _deck(t, _whose(field, p, s, d), value)
                continue
        if not isinstance(value, number):
            new = known.get(value)
            if new is None:
                new = values.__dict__[value](p, s, d, a, b, c)
            t[at] = new
        else:
            t[at] = value
    return bytes(t)


@micropython.native
def _of_deck(field, p, s, d):
    """Return the place of a fact that is kept for each deck, or 0 when the field is none."""
    kept = OF_DECK.get(field)
    return kept[0] - RED + _whose(kept[1], p, s, d) if kept else 0


@micropython.native
def _whose(which, p, s, d):
    """Return the number of a deck that a row names."""
    if which == "deck":
        return d
    if which == "next":
        return conditions.waiting(p, s)
    if which == "wheel":
        return s[WHEEL]
    if which == "shoe":
        return s[SHOE]
    if which == "last":
        return s[LAST]
    return RED if s[RED] == decks.HAND else BLUE


@micropython.native
def _deck(t, number, event):
    after = decks.step(t[number], event) if number else None
    if after is None:
        raise NoSuch("%s of a deck that is %s" % (event, decks.NAMES[t[number]] if number else "not there"))
    t[number] = after
