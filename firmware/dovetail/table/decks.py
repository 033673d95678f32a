# A deck's way through the machine, as a table of transitions. Nothing else changes a deck's state.

import micropython
from micropython import const

AWAY = const(0)       # on the table; to be loaded
DECLARED = const(1)   # in the infeed
SHUFFLING = const(2)  # infeed to wheel
HELD = const(3)       # in the wheel, counted once
MOVING = const(4)     # wheel to shoe
READY = const(5)      # in the shoe, counted twice
DEALING = const(6)    # a round is played with it
BROKEN = const(7)     # interrupted: every card must come out
LOCKED = const(8)     # wrong number of cards: may not be played again
GONE = const(9)       # removed from the table
WHOLE = const(10)     # on the table as a single stack, counted, to be dealt from the hand
HAND = const(11)      # a round is dealt with it from the hand
MIXED = const(12)     # continuous play: lies in the wheel, counted, cards come and go
TAKING = const(13)    # continuous play: discards go back into the wheel
BARRED = const(14)    # removed from the table after a lock-out

NAMES = (
    "away", "declared", "shuffling", "held", "moving", "ready", "dealing", "broken", "locked out", "gone",
    "a single stack", "dealt from the hand", "in continuous play",
    "taking its discards back", "removed after a lock-out",
)

# (what happens, (from, to), ...). What is not here is refused.
WAYS = (
    ("LOAD", (AWAY, DECLARED), (WHOLE, DECLARED)),
    ("SHUFFLE", (DECLARED, SHUFFLING)),
    ("LOADED", (SHUFFLING, HELD)),
    ("MOVE", (HELD, MOVING)),
    ("COUNTED", (MOVING, READY)),
    ("OPEN", (READY, DEALING), (WHOLE, HAND), (MIXED, MIXED)),
    ("RELEASED", (DEALING, AWAY), (HAND, AWAY)),
    ("RETURN", (READY, AWAY)),
    ("UNLOAD", (DECLARED, AWAY)),
    ("GIVE", (READY, WHOLE)),
    # SH-7
    ("MIX", (SHUFFLING, MIXED)),
    ("RETURNING", (MIXED, TAKING)),
    ("BACK", (TAKING, MIXED)),
    # I-5: after any interruption the only way on is remove, count, reshuffle. What lies outside is not interrupted
    (
        "BREAK",
        (AWAY, AWAY), (DECLARED, BROKEN), (SHUFFLING, BROKEN), (HELD, BROKEN), (MOVING, BROKEN), (READY, BROKEN),
        (DEALING, BROKEN), (BROKEN, BROKEN), (LOCKED, LOCKED), (GONE, GONE), (WHOLE, WHOLE), (HAND, HAND),
        (MIXED, BROKEN), (TAKING, BROKEN), (BARRED, BARRED),
    ),
    # CT-3
    (
        "WRONG",
        (AWAY, LOCKED), (DECLARED, LOCKED), (SHUFFLING, LOCKED), (HELD, LOCKED), (MOVING, LOCKED), (READY, LOCKED),
        (DEALING, LOCKED), (BROKEN, LOCKED), (LOCKED, LOCKED), (GONE, GONE), (WHOLE, LOCKED), (HAND, LOCKED),
        (MIXED, LOCKED), (TAKING, LOCKED), (BARRED, BARRED),
    ),
    ("REMOVE", (LOCKED, BARRED), (AWAY, GONE), (WHOLE, GONE)),
    ("RENEW", (GONE, DECLARED), (BARRED, DECLARED)),
    (
        "CLEAR",
        (BROKEN, AWAY), (LOCKED, LOCKED), (GONE, GONE), (AWAY, AWAY), (WHOLE, WHOLE), (HAND, HAND),
        (BARRED, BARRED),
    ),
    # EL-3: what was inside is found by looking; a deck that was locked out or removed is so still
    (
        "POWER",
        (AWAY, AWAY), (DECLARED, AWAY), (SHUFFLING, AWAY), (HELD, AWAY), (MOVING, AWAY), (READY, AWAY),
        (DEALING, AWAY), (BROKEN, AWAY), (LOCKED, LOCKED), (GONE, GONE), (WHOLE, AWAY), (HAND, AWAY), (MIXED, AWAY),
        (TAKING, AWAY), (BARRED, BARRED),
    ),
)
EVENTS = ("LOAD", "SHUFFLE", "LOADED", "MOVE", "COUNTED", "OPEN", "RELEASED", "RETURN", "UNLOAD", "GIVE", "MIX",
          "RETURNING", "BACK", "BREAK", "WRONG", "REMOVE", "RENEW", "CLEAR", "POWER")


@micropython.native
def step(state, event):
    """The next state, or None when the table refuses."""
    for row in WAYS:
        if row[0] == event:
            for way in row:  # the first is the event: no state is like its first letter
                if way[0] == state:
                    return way[1]
            return None
    return None
