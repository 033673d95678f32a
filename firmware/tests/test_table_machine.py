# The machine as a whole: power, noise, service, interlocks.
# The first words of a docstring are the rules that it tries.

from dovetail.table.layout import FAULT, INSIDE, OUT, RED, ROUND, SHOE, VOID
from play_rules import Try


def test_power_lost_is_never_forgotten():
    """EL-3: cards may be inside; the deal is not resumed; a lock-out stays."""
    t = Try()
    t.ready()
    t.bets_closed()
    t.do("power", 0, 0)
    assert t.at(INSIDE)
    assert t.at(FAULT)
    assert t.no("deal", 0, 1, 1) == "DS-8"
    t.cleared()
    assert not t.at(INSIDE)
    assert t.no("open", 0, 2, 1) == "SH-1"


def test_failed_randomness_is_final():
    """EL-4: until power-on; nothing else clears it."""
    t = Try()
    t.do("down")
    assert t.no("cleared") == "EL-2"
    assert t.no("in_service") is None
    assert t.no("load", RED, 0, 1) == "EL-2"
    t.do("power", 0, 1)
    assert t.no("load", RED, 0, 1) == "EL-2"
    t.do("power", 0, 0)
    t.do("load", RED, 0, 1)


def test_out_of_service_ends_only_empty():
    """SH-5: latched over power, refused by its rule, back only after a look that found nothing."""
    t = Try()
    t.ready()
    t.do("out_of_service")
    t.do("power", 0, 0)
    for event in ("load", "shuffle", "open", "give_back"):
        assert t.no(event, RED, 2, 1) in ("SH-5", "EL-2")
    assert t.no("cleared") == "SH-5"
    t.do("in_service")
    t.do("found", 0, 3)
    assert t.at(OUT)
    t.do("in_service")
    t.do("found", 0, 0)
    assert not t.at(OUT)
    assert t.at(SHOE) == 0
    t.ready()


def test_nothing_moves_with_the_lid_open():
    """DS-12: and it stops what is inside; players within the table."""
    t = Try()
    t.do("opened")
    assert t.no("load", RED, 0, 1) == "DS-12"
    t.do("closed_again")
    t.ready()
    for players in (0, 8):
        assert t.no("open", 0, players, 1) == "DS-12"
    t.bets_closed()
    assert t.do("opened") == ("stop",)
    assert t.no("cleared") == "DS-12"
    assert t.at(ROUND) == VOID
    t = Try("double_draw")
    t.ready()
    assert t.no("open", 0, 7, 1) == "DS-12"
    t.open(6)
