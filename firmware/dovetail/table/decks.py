# A deck's way through the machine, as a table of transitions. Nothing else changes a deck's state.

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

NAMES = ("away", "declared", "shuffling", "held", "moving", "ready", "dealing", "broken", "locked out", "gone")

# events
LOAD, SHUFFLE, LOADED, MOVE, COUNTED, OPEN, RELEASED, BREAK, CLEAR, WRONG, REMOVE, RENEW = range(12)

# (state, event): next state. What is not here is refused.
STEPS = {
    (AWAY, LOAD): DECLARED,
    (DECLARED, SHUFFLE): SHUFFLING,
    (SHUFFLING, LOADED): HELD,
    (HELD, MOVE): MOVING,
    (MOVING, COUNTED): READY,
    (READY, OPEN): DEALING,
    (DEALING, RELEASED): AWAY,
    (GONE, RENEW): DECLARED,
    (LOCKED, REMOVE): GONE,
    (BROKEN, CLEAR): AWAY,
    (LOCKED, CLEAR): LOCKED,
    (GONE, CLEAR): GONE,
    (AWAY, CLEAR): AWAY,
    (DECLARED, CLEAR): AWAY,
}
for _state in (DECLARED, SHUFFLING, HELD, MOVING, READY, DEALING, BROKEN):
    STEPS[_state, BREAK] = BROKEN  # I-5: after any interruption the only way on is remove, count, reshuffle
    STEPS[_state, WRONG] = LOCKED  # CT-3
STEPS[AWAY, BREAK] = AWAY
STEPS[AWAY, WRONG] = LOCKED        # found when the stub was counted
STEPS[LOCKED, BREAK] = STEPS[LOCKED, WRONG] = LOCKED
STEPS[GONE, BREAK] = GONE


def step(state, event):
    """The next state, or None when the table refuses."""
    return STEPS.get((state, event))
