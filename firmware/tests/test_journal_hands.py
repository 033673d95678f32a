# What the records of a round say by themselves, whichever is the last before the power goes.

from journal_store import Store, boot, opened, void, write


def test_the_hands_that_stand_are_those_that_no_record_speaks_against():
    """DS-9 DS-10 DS-11: a card too many is the next stack's; a replaced card makes whole again; a misdeal voids all."""
    j = boot(Store())
    write(j, "opened", opened(1))
    for position, verdict, good in ((1, 0, 1), (2, 1, 3), (3, 3, 3), (4, 0, 11), (2, 6, 9), (5, 5, 9), (6, 4, 0)):
        said = {"round": 1, "position": position, "ordered": 3, "delivered": 3, "verdict": verdict}
        write(j, "stack", dict(said, from_table=0, ejected=0))
        assert j.state.good == good
    write(j, "opened", opened(2))
    assert (j.state.dealt, j.state.good) == (0, 0)
    write(j, "stack", dict(said, verdict=0, position=1, from_table=0, ejected=0))
    write(j, "face_up", {"round": 2, "position": 1})
    j = boot(j.store)
    assert (j.state.good, j.state.facing) == (1, 1)
    write(j, "stack", dict(said, verdict=0, position=1, from_table=0, ejected=0))
    assert (j.state.good, j.state.facing) == (1, 0)


def test_a_remainder_tells_by_itself_what_follows_from_it():
    """CT-3 I-7: the power may keep the records of the lock-out and of the void from being written."""
    for found, locks, state in ((0, 0, 3), (1, 2, 2), (2, 4, 2), (3, 0, 2)):
        j = boot(Store())
        write(j, "opened", opened(1))
        write(j, "no_more_bets", {"round": 1, "by_hand": 0})
        hand = {"round": 1, "position": 1, "ordered": 3, "delivered": 3, "from_table": 0, "verdict": 0, "ejected": 0}
        write(j, "stack", hand)
        rest = {"round": 1, "delivered": 42, "dealt": 9, "expected": 52, "stub": 1, "inside": 0, "found": found}
        write(j, "remainder", rest)
        j = boot(j.store)
        assert (j.state.locks, j.state.unlocked, j.state.round_state) == (locks, locks, 0 if found == 0 else state)
        assert j.state.good == (0 if found else 1)
        write(j, "locked_out", {"back": 1, "deck": 1, "round": 0})
        assert j.state.unlocked == locks & ~2
    write(j, "remainder", dict(rest, found=0, round=0))  # a deck that was given back
    assert j.state.round_state == 3


def test_a_lock_out_that_voids_a_round_says_so_until_that_is_told():
    """CT-3: 24.7(f)2."""
    j = boot(Store())
    write(j, "opened", opened(1))
    write(j, "closed", {"round": 1})
    write(j, "locked_out", {"back": 1, "deck": 1, "round": 1})
    j = boot(j.store)
    assert j.state.round_state == 5
    write(j, "round_void", void(0, 0))
    assert j.state.round_state == 4


def test_whose_turn_it_was_outlives_the_power():
    """TD-4: by a stack that was told, from the hand by the end of the bets; not by a round that was only opened."""
    j = boot(Store())
    for number, back, by_hand, turn in ((1, 1, 0, 0), (2, 2, 1, 2), (3, 1, 0, 2)):
        write(j, "opened", opened(number, back))
        write(j, "no_more_bets", {"round": number, "by_hand": by_hand})
        j = boot(j.store)
        assert j.state.turn == turn
    stack = {"round": 3, "position": 1, "ordered": 3, "delivered": 3, "from_table": 0, "verdict": 0, "ejected": 0}
    write(j, "stack", stack)
    assert j.state.turn == 1
    write(j, "removed", {"back": 1, "deck": 1, "barred": 0, "role": 1})
    assert (j.state.turn, j.state.last_back) == (1, 1)
    write(j, "removed", {"back": 1, "deck": 1, "barred": 0, "role": 4})
    assert (j.state.turn, j.state.last_back) == (0, 0)
