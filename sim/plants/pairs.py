"""Two plants at once that are another thing together than each alone."""

from __future__ import annotations

from dovetail import faults

BENT = "card.bent"  # an old card may be bent since an earlier trouble

# Two that make each other good: nothing is wrong in the end, and nothing has to be told.
EVEN: dict[frozenset[str], str] = {
    frozenset(("shoe.lost", "shoe.extra")): "one card out, one in: the count is right",
}
# Two that do so where they strike the same card.
EVEN_AT_ONE: dict[frozenset[str], str] = {
    frozenset(("deal.torn", "deal.double_feed")): "a whole card covers the short one's end",
    frozenset(
        ("deal.torn", "deal.overlap")
    ): "a whole card close behind covers the short one's end",
    frozenset(("deal.torn", "deal.triple_feed")): "two whole cards cover the short one's end",
}
# Two that together are a fault of another number than each alone.
TOGETHER: dict[frozenset[str], tuple[int, str]] = {
    frozenset(("thickness_in.drift", BENT)): (
        faults.DOUBLE_FEED,
        "a third too much of a third too much reads as two",
    ),
    frozenset(("thickness_out.drift", BENT)): (
        faults.DEAL_DOUBLE,
        "a quarter too much of a third too much is neither one card nor two",
    ),
    frozenset(("deal.double_feed", BENT)): (
        faults.DEAL_DOUBLE,
        "two, one of which reads a third too much, are not clearly two",
    ),
    frozenset(("deal.triple_feed", BENT)): (
        faults.DEAL_DOUBLE,
        "three, one of which reads a third too much, are not clearly three",
    ),
    frozenset(("infeed.dead", "infeed.stuck")): (
        faults.WRONG_DECK,
        "nothing is seen there, and nothing comes: a deck that ends looks the same",
    ),
    frozenset(("pick.lost", "infeed.creep")): (
        faults.SLIP,
        "late in the pick and late in the nip: more than the window in all",
    ),
}
