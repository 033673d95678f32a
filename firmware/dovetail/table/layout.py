# What the rules know of the machine: one byte a fact. Index, what it says, its values.
# A state is a bytes object of SIZE; nothing but step() in system.py makes a new one.

ROUND = 0    # see below
RED = 1      # state of the deck with this back, decks.NAMES; the index is its number: from link/link.proto: RED
BLUE = 2     # from link/link.proto: BLUE
WHEEL = 3    # number of the deck that fills or lies in the wheel
SHOE = 4     # number of the deck in the shoe
TRAY = 5     # 1: cards lie in it
OWED = 6     # stacks of this round
STACKS = 7   # of them delivered, each counted and right
DRAWN = 8    # last position that has drawn in this phase
START = 9    # starting position; WANTED while it is drawn
FACES = 10   # cards found face up in this round
EXTRA = 11   # 1: a card too many lies on the table, the first of the next stack
JOB = 12     # what the deal lane does
FAULT = 13   # 1 stopped, 2 down until power-on
LOOK = 14    # 1: the machine looks whether it is empty
OUT = 15     # 1: out of service
OPEN = 16    # 1: lid, door or mount is not safe
INSIDE = 17  # 1: cards may be inside; survives the power
PAIR = 18    # 1: two decks alternate
LAST = 19    # deck of the last round, also of one that was opened and not dealt
DOUBT = 20   # bit a deck: the machine's own count of it is not trusted
CLOCK = 21   # rounds closed since a count of any deck that is trusted
CLOCK_RED = 22   # rounds closed with this deck since a count of it that is trusted
CLOCK_BLUE = 23
AGE_RED = 24   # 1: to be changed soon, 2: over its time, 3: to be put in suit and sequence
AGE_BLUE = 25
ORDER_RED = 26   # how the order that this deck has now was made, see below
ORDER_BLUE = 27
SPOILT = 28  # bit a position, from 0: this hand alone is void
STUB = 29    # 1: the stub of the last round was counted by hand, and was right
TURN = 30  # deck that was dealt last: a stack of it was ordered, or bets on a round from the hand were closed
SIZE = 31

NAMES = (
    "round", "red", "blue", "wheel", "shoe", "tray", "owed", "stacks", "drawn", "start", "faces", "extra", "job",
    "fault", "look", "out", "open", "inside", "pair", "last", "doubt", "clock",
    "clock_red", "clock_blue", "age_red", "age_blue", "order_red", "order_blue", "spoilt", "stub",
    "turn",
)

# written to zero together
OF_ROUND = bytes((OWED, STACKS, DRAWN, START, FACES, EXTRA, SPOILT))
OF_CARDS = bytes((WHEEL, SHOE, TRAY, JOB))

# of ROUND
CLOSED = 0
BETS = 1      # wagers may be placed
DEALT = 2     # no more bets: stacks may leave
CALL2 = 3     # no more bets for the second time: draws, or what the dealer does by hand
CALL3 = 4
RELEASED = 5  # the remainder is out
VOID = 6
ROUNDS = (
    "closed", "open for bets", "no more bets", "second no more bets", "third no more bets", "remainder released",
    "void",
)

# of JOB
NOTHING = 0
STACK = 1
DRAW = 2
CARD = 3      # one card in place of a card found face up
TAKE = 4      # delivered, to be taken
REST = 5      # the remainder of a round
BACK = 6      # a deck that was not played
WHOLE = 7     # the whole deck as a single stack
JOBS = (
    "nothing", "stack", "draw", "card", "to be taken", "remainder", "unplayed deck", "single stack",
)

# of ORDER_RED and ORDER_BLUE
NONE = 0      # from link/link.proto: ORDER_NONE
SHUFFLED = 1  # by the machine; from link/link.proto: SHUFFLED
BROUGHT = 2   # carried over as it was brought, SH-6; from link/link.proto: BROUGHT
IDLED = 3     # made before the table was idle, SH-9; from link/link.proto: IDLED

WANTED = 15   # of START
STOPPED = 1   # of FAULT
DOWN = 2
OVER = 2      # of AGE_*
UNSORTED = 3  # CL-5: to be put in suit and sequence
ROUNDS_PER_COUNT = 5  # CT-1


def first():
    """A machine that has never been used."""
    return bytes(SIZE)


def told(state):
    """A state in words, without what is zero."""
    return " ".join("%s=%d" % (NAMES[i], state[i]) for i in range(SIZE) if state[i])
