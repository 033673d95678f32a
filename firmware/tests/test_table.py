# The rules of decks and rounds, as an inspector would try them.

from dovetail.cards.ledger import REMAINDER, SHOE, STACK, WHEEL, Ledger
from dovetail.cards.profiles import GAMES
from dovetail.table import decks
from dovetail.table.rounds import RELEASED, VOID, Round

PROFILE = GAMES["let_it_ride"]


def _open(rnd, number=1, back="red", two=False, players=5):
    return rnd.open(number, players, back, True, two)


def _dealt(rnd, number):
    assert rnd.no_more_bets(number) is None
    for position in range(1, rnd.positions + 1):
        assert rnd.may_deal(number, position, 0) is None
        rnd.stacks += 1
    assert rnd.may_release(number) is None
    rnd.state = RELEASED


def test_nothing_is_dealt_before_no_more_bets():
    rnd = Round(PROFILE)
    assert rnd.may_deal(1, 1, 0)[0] == "SH-1"  # no round
    assert _open(rnd) is None
    assert rnd.may_deal(1, 1, 0)[0] == "DS-4"
    assert rnd.may_release(1)[0] == "DS-4"
    assert rnd.no_more_bets(2)[0] == "DS-4"  # of another round
    assert rnd.no_more_bets(1) is None
    assert rnd.no_more_bets(1)[0] == "DS-4"  # one declaration serves one round
    assert rnd.may_deal(1, 1, 0) is None


def test_stacks_go_in_the_order_of_the_game():
    rnd = Round(PROFILE)
    _open(rnd)
    rnd.no_more_bets(1)
    assert rnd.may_deal(1, 2, 0)[0] == "DS-5"
    assert rnd.may_deal(1, 0, 0)[0] == "DS-5"
    assert rnd.may_deal(1, 1, 4)[0] == "DS-1"
    assert rnd.may_deal(1, 1, 3) is None
    assert rnd.may_release(1)[0] == "DS-6"
    rnd.stacks = rnd.positions
    assert rnd.may_deal(1, 7, 0)[0] == "DS-5"


def test_one_round_from_one_shuffle():
    rnd = Round(PROFILE)
    assert rnd.open(1, 5, "", False, False)[0] == "SH-1"
    _open(rnd)
    assert _open(rnd, 2)[0] == "DS-4"  # the first is still open
    _dealt(rnd, 1)
    assert rnd.may_deal(1, 1, 0)[0] == "DS-6"
    assert rnd.may_release(1)[0] == "DS-6"
    assert rnd.may_close(1) is None
    rnd.state = 0
    assert _open(rnd, 1)[0] == "SH-1"  # a number serves once


def test_two_decks_alternate():
    rnd = Round(PROFILE)
    _open(rnd, 1, "red", True)
    _dealt(rnd, 1)
    rnd.state = 0
    assert _open(rnd, 2, "red", True)[0] == "TD-4"
    assert _open(rnd, 2, "blue", True) is None


def test_a_void_round_only_ends():
    rnd = Round(PROFILE)
    _open(rnd)
    assert rnd.void()
    assert not rnd.void()
    for no in (rnd.no_more_bets(1), rnd.may_deal(1, 1, 0), rnd.may_release(1), rnd.may_close(1)):
        assert no[0] == "DS-8"
    assert rnd.state == VOID
    assert _open(rnd, 2) is None


def test_players_within_the_table():
    rnd = Round(PROFILE)
    assert _open(rnd, players=0)[0] == "DS-12"
    assert _open(rnd, players=8)[0] == "DS-12"


def test_from_every_deck_state_an_interruption_leads_only_to_clearing():
    for state in range(10):
        broken = decks.step(state, decks.BREAK)
        assert broken is not None
        if broken == decks.BROKEN:
            ways = [event for event in range(12) if decks.step(broken, event) is not None]
            assert ways == [decks.BREAK, decks.CLEAR, decks.WRONG]


def test_a_locked_deck_comes_back_only_as_a_new_one():
    ways = {}
    for event in range(12):
        after = decks.step(decks.LOCKED, event)
        if after is not None:
            ways[event] = after
    assert ways == {
        decks.CLEAR: decks.LOCKED,
        decks.BREAK: decks.LOCKED,
        decks.WRONG: decks.LOCKED,
        decks.REMOVE: decks.GONE,
    }
    assert decks.step(decks.GONE, decks.LOAD) is None
    assert decks.step(decks.GONE, decks.RENEW) == decks.DECLARED


def test_ready_only_through_both_counts():
    for (state, _), after in decks.STEPS.items():
        if after == decks.READY:
            assert state == decks.MOVING
        if after == decks.DEALING:
            assert state == decks.READY


def test_the_ledger_never_goes_below_nothing():
    ledger = Ledger()
    ledger.seated()
    ledger.ejected()
    assert (ledger.at[WHEEL], ledger.at[SHOE], ledger.inside()) == (0, 1, 1)
    assert ledger.given(STACK)
    assert not ledger.given(REMAINDER)  # a card that was never counted in
    assert ledger.dealt == 2
    assert ledger.at[REMAINDER] == 0


def test_every_value_of_a_profile_cites_its_rule():
    for name, profile in GAMES.items():
        for key, (value, rule) in profile.items():
            assert rule == "HOUSE" or rule[:3] in ("CT-", "DS-", "TD-", "SH-"), (name, key)
            assert isinstance(value, (int, bool))
