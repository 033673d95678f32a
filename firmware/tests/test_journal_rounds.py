# A void round and the rounds after it, as they come back after the power; decks that were brought, put in order, lost.

from dovetail.journal.state import CONDITIONS, State
from dovetail.journal.journal import Journal
from journal_store import ID, Store, boot, copy, declared, fault, opened, write

RED, BLUE = 1, 2
NOON = 1700000000
BY_FAULT = 2  # from link/link.proto: BY_FAULT
VOID = 4  # from journal/state.py: _VOID
BETS = 1  # from journal/state.py: _BETS
SHUFFLED = 1  # from link/link.proto: SHUFFLED
BROUGHT = 2  # from link/link.proto: BROUGHT


def void(n, standing=0, provisional=0, reason=BY_FAULT):
    stand = sum([standing >> i & 1 for i in range(8)])
    return {
        "round": n, "complete": 3, "fault": 402, "stand": stand, "provisional": provisional, "reason": reason,
        "standing": standing,
    }  # fmt: skip


def shuffled(j, back, deck, order):
    """Write the records of a deck that went through the wheel."""
    write(j, "shuffle_begun", {"back": back, "deck": deck, "service": 0})
    done = {"back": back, "counted_in": 52, "expected": 52, "took_ms": 17000, "picked": 52, "order": order}
    write(j, "shuffle_done", done)
    write(j, "ready", {"back": back, "counted_in": 52, "counted_out": 52, "expected": 52, "order": order})


def void_then_another(j):
    """Round 1 of the red deck is void for now; round 2 of the blue deck is open when the red deck is counted."""
    write(j, "opened", opened(1, RED))
    write(j, "no_more_bets", {"round": 1, "by_hand": 0})
    write(j, "round_void", void(1, 5, 1))
    write(j, "opened", opened(2, BLUE))
    write(j, "round_void", void(1, 5))


def test_a_round_whose_deck_is_counted_later_leaves_the_round_that_is_open_alone():
    """TD-1: one deck is counted while the other is dealt. The round that the power ends then is told as void."""
    j = boot(Store())
    void_then_another(j)
    assert (j.state.round, j.state.round_state) == (2, BETS)
    assert Journal(copy(j.store), ID).state.round_state == BETS


def test_a_void_round_is_on_the_meter_once_also_when_another_is_open():
    j = boot(Store())
    void_then_another(j)
    assert j.meters["voids"] == 1


def test_hands_that_stand_for_now_stay_those_of_their_own_round():
    """The machine tells hands of round 1 and the red deck after a power cut, though round 2 was opened since."""
    j = boot(Store())
    write(j, "opened", opened(1, RED))
    write(j, "round_void", void(1, 5, 1))
    write(j, "opened", opened(2, BLUE))
    write(j, "round_void", void(2))
    assert j.state.stood[RED][1] == 5


def test_lost_records_leave_no_hand_standing():
    """Both decks are locked out then, so that neither will ever be counted: CT-3."""
    j = boot(Store())
    write(j, "opened", opened(1, RED))
    write(j, "round_void", void(1, 5, 1))
    write(j, "alive", {"free": 0})
    at = j.ring.at(j.segment) + j.at - 64
    for _ in range(5):
        write(j, "alive", {"free": 0})
    for i in (10, 30, 50):
        j.store.cells[at + i] ^= 0x55
    again = Journal(j.store, ID)
    assert (again.state.locks, again.state.clock, again.state.pair) == (6, 5, 1)
    assert (again.state.clocks[RED], again.state.clocks[BLUE]) == (5, 5)
    assert again.state.doubt == 6
    assert again.state.stood[RED][1] == 0


def test_a_deck_that_is_locked_out_or_removed_leaves_no_hand_of_its_round_standing():
    """CT-3: also when the power goes before the void round is told again."""
    removed = ("removed", {"back": RED, "deck": 1, "barred": 0, "role": 1})
    for kind, fields in (("locked_out", {"back": RED, "deck": 1, "round": 0}), ("fault", fault(601, locks=2)), removed):
        j = boot(Store())
        write(j, "opened", opened(1, RED))
        write(j, "round_void", void(1, 5, 1))
        write(j, "locked_out", {"back": BLUE, "deck": 2, "round": 0})
        assert j.state.stood[RED][1] == 5
        write(j, kind, fields)
        j = boot(j.store)
        assert j.state.stood[RED][1] == 0, kind


def test_a_right_stub_is_known_until_the_next_round_also_after_the_power():
    j = boot(Store())
    write(j, "opened", opened(1, RED, 1))
    write(j, "remainder", {"round": 1, "delivered": 43, "dealt": 9, "expected": 52, "stub": 1, "inside": 0, "found": 0})
    write(j, "closed", {"round": 1})
    write(j, "stub_counted", {"back": RED, "right": 1})
    j = boot(j.store)
    assert (j.state.stub, j.state.clock, j.state.clocks[RED]) == (1, 0, 0)
    write(j, "opened", opened(2, RED, 1))
    j = boot(j.store)
    assert j.state.stub == 0


def test_what_was_brought_is_on_no_meter_of_shuffles():
    """SH-6: it is never called shuffled, on the meters neither. It is counted in and out all the same."""
    j = boot(Store())
    write(j, "declared", declared(RED, 1, brought=1))
    shuffled(j, RED, 1, BROUGHT)
    assert (j.meters["decks_brought"], j.meters["cards_pick"], j.meters["cards_eject"]) == (1, 52, 52)
    assert (j.meters["shuffles"], j.meters["cards_shuffled"], j.meters["cards_last_shuffle"]) == (0, 0, 0)
    assert j.state.decks[RED].shuffles == 0
    shuffled(j, RED, 1, SHUFFLED)
    assert (j.meters["shuffles"], j.meters["cards_shuffled"], j.meters["cards_last_shuffle"]) == (1, 52, 52)
    assert j.state.decks[RED].shuffles == 1


def test_an_idle_table_is_on_its_meter_and_changes_nothing_that_survives():
    j = boot(Store())
    before = j.state.condition, j.state.inside, j.state.round_state
    write(j, "idle", {"decks": 2})
    assert j.meters["idles"] == 1
    assert (j.state.condition, j.state.inside, j.state.round_state) == before


def test_a_lock_of_both_decks_by_one_fault_is_kept_for_each():
    j = boot(Store())
    write(j, "fault", fault(602, locks=6))
    write(j, "removed", {"back": RED, "deck": 1, "barred": 1, "role": 1})
    j = boot(j.store)
    assert (j.state.locks, j.state.gone) == (6, 2)
    write(j, "declared", declared(RED, 3))
    j = boot(j.store)
    assert (j.state.locks, j.state.gone, j.state.doubt) == (4, 0, 4)


def test_a_clock_that_is_two_seconds_late_makes_no_deck_older():
    """CL-6 EL-2: so much may lie between two clocks; one second more, and nobody knows how old a deck is."""
    for late, since in ((2, NOON), (3, 0xFFFFFFFF)):
        state = State()
        state.apply("declared", declared(RED, 1), 1, 1000, NOON)
        state.apply("alive", {"free": 0}, 1, 3000, NOON - late)
        assert (state.decks[RED].since, state.decks[RED].sorted) == (since, since)


def test_a_new_deck_has_a_number_that_no_deck_has_had():
    """CT-3 CT-1: also after the power; what was in doubt of the old one of its colour is not its own."""
    state = State()
    state.doubt, state.locks, state.gone = 6, 6, 6
    state.clocks[:] = bytes((0, 3, 3))
    state.apply("declared", declared(RED, 7), 1, 1000, NOON)
    assert state.next_deck == 8
    assert (state.doubt, state.locks, state.gone, bytes(state.clocks)) == (4, 4, 4, bytes((0, 0, 3)))
    state.apply("declared", declared(BLUE, 3), 1, 1000, NOON)
    assert state.next_deck == 8
    assert (state.doubt, state.locks, state.gone, bytes(state.clocks)) == (0, 0, 0, bytes(3))


def test_a_segment_keeps_each_field_of_the_state_apart():
    """EL-3 CT-1 CL-6: what is packed comes back, each number in its own place."""
    state, again, buf = State(), State(), bytearray(256)
    for n, name in enumerate(NUMBERS):
        setattr(state, name, n + 1)
    state.clocks[:] = bytes((0, 41, 42))
    state.turn, state.unlocked = 2, 6
    for n, stood in enumerate(state.stood[1:]):
        stood[:] = [80 + 5 * n + i for i in range(5)]
    for n, deck in enumerate(state.decks[1:]):
        deck.number, deck.since, deck.shuffles, deck.sorted, deck.up = [60 + 5 * n + i for i in range(5)]
    state.pack_into(buf, 8)
    again.unpack_from(buf, 8)
    assert [getattr(again, name) for name in NUMBERS] == list(range(1, len(NUMBERS) + 1))
    assert (bytes(again.clocks), again.turn, again.unlocked) == (bytes((0, 41, 42)), 2, 6)
    assert state.stood == again.stood
    for deck, other in zip(state.decks[1:], again.decks[1:]):
        assert (deck.number, deck.since, deck.shuffles) == (other.number, other.since, other.shuffles)
        assert (deck.sorted, deck.up) == (other.sorted, other.up)


NUMBERS = (
    "boots", "seconds", "uptime_s", "time", "round", "next_deck", "inside", "locks", "gone", "out", "round_state",
    "positions", "stacks", "last_back", "fault", "condition", "turning", "down", "doubt", "clock", "owes", "pair",
    "stub", "dealt", "good", "facing",
)  # fmt: skip


def test_a_start_tells_what_the_machine_was_about():
    """EL-3: its last record says so, from the first card of a shuffle to the deck in the shoe."""
    state, told = State(), []
    steps = (
        ("shuffle_begun", {"back": RED, "service": 0}),
        ("shuffle_done", {"back": RED}),
        ("ready", {"back": RED, "order": SHUFFLED, "counted_out": 52}),
        ("fault", {"fault": 402, "locks": 0}),
        ("cleared", {"fault": 402}),
    )
    for name, fields in steps:
        state.apply(name, fields, 1, 1000, NOON)
        told.append(CONDITIONS[state.condition])
    assert told == ["shuffling", "deck in the wheel", "deck ready", "stopped", "idle"]
