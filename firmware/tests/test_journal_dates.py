# Since when a deck is there, and lies in order: by whose clock, and what of it outlives the power.

from journal_store import Store, boot, declared, write

RED, BLUE = 1, 2
NOON = 1700000000
REFUSED = 0  # from memory.py: _REFUSED
FIRST = 1  # from memory.py: _FIRST
VOUCHED = 2  # from memory.py: _VOUCHED
DOUBT = 0xFFFFFFFF  # later than any time: too old


def told(after, taken):
    return {"before": 0, "after": after, "jump_s": 0, "taken": taken}


def test_a_deck_of_this_start_is_dated_by_the_clock_that_holds():
    """CL-6: the first that is told says since when it is there; what is told later makes it no younger."""
    j = boot(Store())
    write(j, "declared", declared(RED, 1), 100000)
    write(j, "clock", told(1700000000, REFUSED), 300000)
    assert j.state.decks[RED].since == 0  # a time that was refused says nothing
    write(j, "clock", told(1700000000, FIRST), 400000, 1700000000)
    assert j.state.decks[RED].since == 1700000000 - 300
    write(j, "clock", told(1700009000, VOUCHED), 500000, 1700009000)
    assert j.state.decks[RED].since == 1700000000 - 300
    j = boot(j.store)
    write(j, "clock", told(1700090000, VOUCHED), 500000, 1700090000)
    assert j.state.decks[RED].since == 1700000000 - 300  # the power was off meanwhile


def test_a_clock_that_was_told_ahead_and_is_set_right_leaves_the_age_that_was_counted():
    j = boot(Store())
    write(j, "clock", told(1700020000, FIRST), 0, 1700020000)
    write(j, "declared", declared(RED, 1), 100000, 1700020100)
    write(j, "clock", told(1700000400, VOUCHED), 400000, 1700000400)
    assert j.state.decks[RED].since == 1700000400 - 300


def test_what_a_table_alone_has_dated_does_not_outlive_the_power():
    """CL-6: a clock that was told ahead would make a deck younger as soon as somebody tells the true time."""
    j = boot(Store())
    write(j, "clock", told(1700020000, FIRST), 1000, 1700020000)
    write(j, "declared", declared(RED, 1), 100000, 1700020099)
    j = boot(j.store)
    write(j, "clock", told(1700029000, VOUCHED), 1000, 1700029000)
    assert (j.state.decks[RED].since, j.state.decks[RED].sorted) == (DOUBT, DOUBT)
    write(j, "declared", declared(RED, 2), 100000, 1700029099)
    j = boot(j.store)
    assert j.state.decks[RED].since == 1700029099  # it was vouched for in that start


def test_a_deck_of_a_start_without_the_time_is_not_dated_by_a_later_start():
    j = boot(Store())
    write(j, "declared", declared(RED, 1), 100000)
    j = boot(j.store)
    write(j, "clock", told(1700000000, FIRST), 400000, 1700000000)
    assert j.state.decks[RED].since == DOUBT


def test_when_a_deck_was_put_in_order_is_kept_apart_from_its_age():
    j = boot(Store())
    write(j, "clock", told(1700000000, VOUCHED), 0, 1700000000)
    write(j, "declared", declared(RED, 1), 0, 1700000000)
    write(j, "declared", declared(RED, 1, new=0), 0, 1700003600)
    assert (j.state.decks[RED].since, j.state.decks[RED].sorted) == (1700000000, 1700000000)
    write(j, "declared", declared(RED, 1, new=0, in_order=1), 0, 1700007200)
    j = boot(j.store)
    assert (j.state.decks[RED].since, j.state.decks[RED].sorted) == (1700000000, 1700007200)


def test_an_order_that_a_table_alone_has_dated_does_not_outlive_the_power():
    """CL-5: the deck is as old as it was, and has to be put in order again."""
    j = boot(Store())
    write(j, "clock", told(1700000000, VOUCHED), 0, 1700000000)
    write(j, "declared", declared(RED, 1), 0, 1700000000)
    j = boot(j.store)
    write(j, "clock", told(1700003600, FIRST), 1000, 1700003600)
    write(j, "declared", declared(RED, 1, new=0, in_order=1), 2000, 1700003601)
    j = boot(j.store)
    assert (j.state.decks[RED].since, j.state.decks[RED].sorted) == (1700000000, DOUBT)


def test_a_deck_put_in_order_before_the_time_was_told_is_dated_back_as_its_age_is():
    """CL-5: else a deck of this start is out of order as soon as the time is told, by the time of an earlier start."""
    j = boot(Store())
    write(j, "clock", told(NOON - 86400, FIRST), 1000, NOON - 86400)
    j = boot(j.store)
    write(j, "declared", declared(RED, 1), 100000)
    write(j, "clock", told(NOON, VOUCHED), 400000, NOON)  # the supervisor: it outlives the power
    j = boot(j.store)
    assert j.state.decks[RED].since == NOON - 300
    assert j.state.decks[RED].sorted == NOON - 300


def test_a_clock_that_was_set_back_leaves_no_deck_with_an_age():
    """A deck of this start keeps the time that the machine has counted; one of an earlier start has none."""
    j = boot(Store())
    write(j, "declared", declared(RED, 1), 1000, NOON)
    j = boot(j.store)
    write(j, "declared", declared(BLUE, 2), 100000)
    write(j, "clock", told(NOON - 7200, FIRST), 400000, NOON - 7200)
    assert j.state.decks[RED].since > NOON + 86400
    assert j.state.decks[BLUE].since == NOON - 7200 - 300


def test_a_time_of_the_first_minutes_of_1970_makes_no_deck_older_than_time():
    j = boot(Store())
    write(j, "declared", declared(RED, 1), 100000)
    write(j, "clock", told(60, FIRST), 400000, 60)
    assert j.state.decks[RED].since == 0
