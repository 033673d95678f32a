# How old a deck is, and what follows.

from dovetail.cards.life import AHEAD, BACK, FRESH, OVER, SOON, UNLIKELY, UNSORTED, age_s, jump, level
from dovetail.cards.profile import Profile
from dovetail.table.rulebook import Rulebook

T = 1_700_000_000
HOUR = 3600


def test_hours_by_the_controllers_time():
    """CL-1 CL-2 CL-3 CL-4 CL-5: a warning half an hour before, refused from the hour on."""
    for hours in (4, 8, 24):
        end = hours * HOUR
        for age, wanted in ((0, FRESH), (end - 1801, FRESH), (end - 1800, SOON), (end - 1, SOON), (end, OVER)):
            assert level(hours, age_s(T, T + age, 0, False)) == wanted
            assert level(hours, age_s(0, 0, age, True)) == wanted


def test_time_without_power_counts():
    """CL-1: the controller's clock has gone on."""
    assert level(8, age_s(T, T + 9 * HOUR, 60, False)) == OVER


def test_a_clock_set_back_makes_no_deck_younger():
    """CL-1 EL-2: it is refused; where service has done it, the deck's age is in doubt."""
    assert age_s(T, T - HOUR, 7 * HOUR, False) is None
    assert age_s(T, T - 2, 7 * HOUR, False) == 7 * HOUR
    for now, last in ((T, 0), (0, T)):
        assert jump(now, last, T - 3, 0) == BACK
        assert jump(now, last, T - 2, 0) == 0
        assert jump(now, last, T - 3, 1) == 0


def test_a_clock_jumps_ahead_only_while_the_power_is_off():
    """CL-1 EL-2: what the machine has counted itself is the measure; when it was off, 31 days.

    A second in 2,000 is ten times what the crystal of rev A may be wrong; no more is taken, however often it is told.
    """
    assert jump(T, 0, T + 2, 0) == 0
    assert jump(T, 0, T + 3, 0) == AHEAD
    assert jump(T, 0, T - 3, 0) == BACK
    assert jump(T, 0, T + 12, 0, 20000) == 0
    assert jump(T, 0, T + 13, 0, 20000) == AHEAD
    assert jump(T, 0, T - 13, 0, 20000) == BACK
    assert jump(T, 0, T + 61, 1) == 0
    month = 31 * 24 * HOUR
    assert jump(0, T, T + month, 0) == 0
    assert jump(0, T, T + month + 1, 0) == UNLIKELY
    assert jump(0, T, T + month + 1, 1) == 0
    assert jump(0, 0, T, 0) == 0


def test_a_time_that_cannot_be():
    """CL-1 EL-2: of before 2020 or after 2100, whoever says so, also the first that is ever told."""
    for said in (1, 1577836799, 4102444800, 0xFFFFFFFF):
        for service in (0, 1):
            assert jump(0, 0, said, service) == UNLIKELY
    assert jump(0, 0, 1577836800, 0) == 0
    assert jump(0, 0, 4102444799, 0) == 0


def test_a_wrong_time_is_refused_for_its_own_reason():
    """CL-1 EL-2: backwards, ahead, unlikely in itself; the table knows each by the number that it is given."""
    book = Rulebook(Profile("let_it_ride"))
    for now, said, word in ((T, T - 3, "backwards"), (T, T + 3, "ahead"), (0, 1, "2020 to 2100")):
        no = book.ask("time", 0, jump(now, 0, said, 0))
        assert no is not None
        rule, text = no
        assert rule == "CL-1"
        assert word in text
    assert book.ask("time", 0, jump(T, 0, T, 0)) is None


def test_a_fresh_deck_has_the_age_that_a_machine_begins_with():
    """CL-1 CL-5: 0; then soon, over and unsorted as the table and the link number them."""
    assert Rulebook(Profile("let_it_ride")).state[24:26] == bytes((FRESH, FRESH))  # AGE_RED, AGE_BLUE
    assert (FRESH, SOON, OVER, UNSORTED) == (0, 1, 2, 3)


def test_a_time_that_is_not_told_again_is_in_doubt():
    """EL-2 CL-1: not playable, until the controller says what time it is."""
    assert level(8, age_s(T, 0, 60, False)) == OVER


def test_a_machine_counts_the_hours_of_a_deck_that_it_saw_declared():
    """CL-1 CL-6: no controller has to tell the time for that; a deck of an earlier start is too old then."""
    assert level(8, age_s(0, 0, 7 * HOUR, True)) == FRESH
    assert level(8, age_s(T, T - HOUR, 8 * HOUR, True)) == OVER
    assert level(8, age_s(0, 0, 60, False)) == OVER
    assert level(8, age_s(0, T, 60, False)) == OVER
