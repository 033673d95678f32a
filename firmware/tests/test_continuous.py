# Continuous play: discards go back in during play, and every card is drawn for itself.

import asyncio

import chance_bench
from dovetail.cards.ledger import Ledger
from dovetail.continuous import Slots, drawn
from dovetail.requests import rounds
from dovetail.table import decks, layout
from dovetail.table.layout import CLOCK, FAULT, RED, ROUND, STACKS, VOID, WHEEL
from play_rules import Try


def shuffled():
    t = Try("plain", continuous=1)
    t.ready()
    assert t.at(RED) == decks.MIXED
    return t


def dealt(t, players=1):
    t.bets_closed(players)
    while t.at(STACKS) < t.at(layout.OWED):
        t.stack()


def test_discards_go_back_in_during_play():
    """SH-7: while a round is open too, but not while a card is on its way out."""
    t = shuffled()
    t.bets_closed(1)
    t.do("deal", 0, 1, 1)
    assert t.no("shuffle", RED, 0, 1) == "LATER"
    t.do("delivered", 0, 2, 2)
    assert t.no("shuffle", RED, 0, 1) == "LATER"  # not taken yet
    t.do("taken")
    assert t.no("shuffle", RED, 0, 0) == "LATER"  # nothing lies there
    assert t.do("shuffle", RED, 0, 1) == ("fill",)
    assert t.no("deal", 0, 1, 2) == "LATER"
    assert t.no("shuffle", RED, 0, 1) == "LATER"
    t.do("filled", 0, 52)
    t.stack()
    assert t.no("remainder", 0, 1) == "SH-7"
    t.do("close", 0, 1)
    assert t.at(WHEEL) == RED


def test_too_few_cards_or_cards_of_a_void_round_outside():
    """SH-7 DS-8: a round is opened when all its stacks can be dealt, after a void one when all cards are inside."""
    t = shuffled()
    dealt(t)
    t.do("close", 0, 1)
    assert t.book.open(2, 7, 2)[0] == "SH-7"
    assert t.book.open(2, 1, 1) is None
    t.do("no_more_bets", 0, 1)
    t.do("void_round", 0, 1)
    assert t.at(ROUND) == VOID
    assert t.book.open(3, 1, 1)[0] == "DS-8"
    assert t.book.open(3, 1, 0) is None


def test_all_cards_inside_once_in_five_rounds():
    """SH-7 CT-1: that is the count; a count by hand does not take its place."""
    t = shuffled()
    for n in range(1, 6):
        assert t.at(CLOCK) == n - 1
        assert t.book.open(n, 1, 1) is None
        t.do("no_more_bets", 0, 1)
        while t.at(STACKS) < t.at(layout.OWED):
            t.stack()
        t.do("close", 0, 1)
    assert t.book.open(6, 1, 1) == (
        "CT-1", "five rounds without a count that is trusted: put all cards back in"
    )
    assert t.no("stub_counted", RED, 1) == "SH-7"
    t.do("shuffle", RED, 0, 1)
    t.do("filled", 0, 51)
    assert t.book.open(6, 1, 1)[0] == "CT-1"
    t.do("shuffle", RED, 0, 1)
    t.do("filled", 0, 52)
    assert t.book.open(6, 1, 0) is None


def test_more_than_the_deck_is_a_wrong_deck():
    """SH-7 CT-3: locked out, and the machine stops."""
    t = shuffled()
    t.do("shuffle", RED, 0, 1)
    assert t.do("filled", 0, 53) == ("wrong_deck",)
    assert t.at(RED) == decks.LOCKED
    assert t.at(FAULT)


def test_continuous_play_knows_one_deck():
    """SH-7 TD-1: whatever the game permits otherwise."""
    t = shuffled()
    assert t.no("load", layout.BLUE, 0, 1) == "TD-1"


def test_every_card_inside_can_be_drawn():
    """SH-7: the k-th of those inside, whichever slots hold them; a card goes to the next free slot of the plan."""
    slots = Slots(6)
    slots.full()
    assert [slots.draw(k) for k in (6, 1, 2)] == [5, 0, 2]
    assert slots.inside() == 3
    assert [slots.draw(1) for _ in range(3)] == [1, 3, 4]
    plan, at, put = bytes((4, 0, 5, 1, 2, 3)), 0, []
    for _ in range(6):
        slot, at = slots.put(plan, at)
        put.append(slot)
    assert put == [4, 0, 5, 1, 2, 3]
    assert slots.put(plan, at) == (None, 6)
    assert slots.draw(3) == 2
    assert slots.put(plan, 0) == (2, 5)


class Wheel:
    """Stand for the machine in a draw: its own chance, a wheel of 52 slots, no fault."""

    def __init__(self):
        self.fault = 0
        self.chance = chance_bench.started()
        self.slots = Slots(52)
        self.cards = 52
        self.profile = Try("plain", continuous=1).profile


def test_the_machine_draws_from_all_that_are_inside():
    """SH-7: by its own chance; from a full wheel, and from one that lacks every other card.

    Of 120 draws a quarter of the wheel has 30 by chance, and fewer than 7 once in a million such runs.
    """
    wheel = Wheel()
    quarters = [0] * 4
    for _ in range(120):
        wheel.slots.full()
        slot = asyncio.run(drawn(wheel))
        assert not wheel.slots.taken[slot]
        assert wheel.slots.inside() == 51
        quarters[slot // 13] += 1
    assert min(quarters) >= 7
    there = list(range(1, 52, 2))
    for slot in range(52):
        wheel.slots.taken[slot] = slot & 1
    assert sorted(asyncio.run(drawn(wheel)) for _ in there) == there  # each once, and no empty slot
    assert wheel.slots.inside() == 0


def test_a_round_needs_a_card_more_inside_than_all_its_stacks():
    """SH-7 DS-9: of plain's stacks of two, three players' and the dealer's are eight cards, and one may lie face up."""
    wheel = Wheel()
    for inside, outside in ((52, 0), (51, 1), (9, 1), (8, 2), (7, 2)):
        wheel.slots.taken[:] = bytes([1] * inside + [0] * (52 - inside))
        assert rounds._outside(wheel, 3) == outside


def test_what_is_kept_of_a_deck_tells_no_order():
    """EL-1: how many cards are where, and which slots hold one; never which card."""
    kept = []
    for step in (5, 9):  # two orders in which the slots are filled
        slots, ledger = Slots(52), Ledger()
        at, plan = 0, [i * step % 52 for i in range(52)]
        for _ in range(52):
            slot, at = slots.put(plan, at)
            assert slot is not None
            ledger.seated()
        kept.append((bytes(slots.taken), bytes(ledger.at), ledger.counted_in, bytes(ledger.passed)))
    assert kept[0] == kept[1]
