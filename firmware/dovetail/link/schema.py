# Made from link.proto by host_tools/build/schema.py: change that file, not this one.

from micropython import const

FINGERPRINT = b"\x9f\xf0\x27\xdd\x4f\xe3\x3b\x8f"

# Outcome
OUTCOME_UNKNOWN = const(0)
DONE = const(1)
REFUSED = const(2)
NOT_NOW = const(3)
BAD = const(4)
NO_SESSION = const(5)
UNHEARD = const(6)
FAILED = const(7)

# Back
BACK_NONE = const(0)
RED = const(1)
BLUE = const(2)

# State
STATE_UNKNOWN = const(0)
STARTING = const(1)
IDLE = const(2)
WORKING = const(3)
READY = const(4)
DEALING = const(5)
STOPPED = const(6)
UNAVAILABLE = const(7)

# Place
PLACE_NONE = const(0)
INFEED = const(1)
WHEEL = const(2)
SHOE = const(3)
TABLE = const(4)
REMOVED = const(5)

# Messages, by their place in MESSAGES
Request = const(0)
Hello = const(1)
GetStatus = const(2)
Load = const(3)
Shuffle = const(4)
OpenRound = const(5)
NoMoreBets = const(6)
Deal = const(7)
Remainder = const(8)
CloseRound = const(9)
Acknowledge = const(10)
Replay = const(11)
RemoveDeck = const(12)
Cleared = const(13)
Report = const(14)
Answer = const(15)
Identity = const(16)
Replayed = const(17)
Deck = const(18)
Status = const(19)
Event = const(20)
Started = const(21)
ShuffleDone = const(22)
ReadyToDeal = const(23)
StackDealt = const(24)
StackTaken = const(25)
RemainderDone = const(26)
FaultRaised = const(27)
FaultCleared = const(28)
RoundVoid = const(29)
Progress = const(30)

# Of each message its fields: number, name, kind (codec.py), place of its message
MESSAGES = (
    (  # Request
        (1, "id", 0, 0),
        (2, "hello", 21, 1),
        (3, "status", 21, 2),
        (4, "load", 21, 3),
        (5, "shuffle", 21, 4),
        (6, "open_round", 21, 5),
        (7, "no_more_bets", 21, 6),
        (8, "deal", 21, 7),
        (9, "remainder", 21, 8),
        (10, "close_round", 21, 9),
        (11, "acknowledge", 21, 10),
        (12, "replay", 21, 11),
        (13, "remove_deck", 21, 12),
        (14, "cleared", 21, 13),
    ),
    (  # Hello
        (1, "version", 0, 0),
        (2, "nonce", 4, 0),
    ),
    (),  # GetStatus
    (  # Load
        (1, "back", 2, 0),
        (2, "new_deck", 1, 0),
    ),
    (  # Shuffle
        (1, "back", 2, 0),
    ),
    (  # OpenRound
        (1, "round", 0, 0),
        (2, "players", 0, 0),
    ),
    (  # NoMoreBets
        (1, "round", 0, 0),
    ),
    (  # Deal
        (1, "round", 0, 0),
        (2, "position", 0, 0),
        (3, "cards", 0, 0),
    ),
    (  # Remainder
        (1, "round", 0, 0),
    ),
    (  # CloseRound
        (1, "round", 0, 0),
    ),
    (  # Acknowledge
        (1, "number", 0, 0),
    ),
    (  # Replay
        (1, "number", 0, 0),
    ),
    (  # RemoveDeck
        (1, "back", 2, 0),
    ),
    (),  # Cleared
    (  # Report
        (1, "answer", 21, 15),
        (2, "event", 21, 20),
    ),
    (  # Answer
        (1, "id", 0, 0),
        (2, "outcome", 2, 0),
        (3, "rule", 3, 0),
        (4, "fault", 0, 0),
        (5, "text", 3, 0),
        (6, "identity", 21, 16),
        (7, "status", 21, 19),
        (8, "replayed", 21, 17),
    ),
    (  # Identity
        (1, "version", 0, 0),
        (2, "schema", 4, 0),
        (3, "board", 3, 0),
        (4, "variant", 3, 0),
        (5, "image", 3, 0),
        (6, "game", 3, 0),
        (7, "serial", 4, 0),
        (8, "boots", 0, 0),
        (9, "first_event", 0, 0),
    ),
    (  # Replayed
        (1, "first", 0, 0),
    ),
    (  # Deck
        (1, "back", 2, 0),
        (2, "place", 2, 0),
        (3, "counted_in", 0, 0),
        (4, "counted_out", 0, 0),
        (5, "expected", 0, 0),
        (6, "locked_out", 1, 0),
        (7, "shuffled", 1, 0),
    ),
    (  # Status
        (1, "state", 2, 0),
        (2, "fault", 0, 0),
        (3, "round", 0, 0),
        (4, "no_more_bets", 1, 0),
        (5, "stacks", 0, 0),
        (6, "shoe", 0, 0),
        (7, "wheel", 0, 0),
        (8, "tray", 1, 0),
        (9, "lid", 1, 0),
        (10, "door", 1, 0),
        (11, "mount", 1, 0),
        (12, "decks", 13, 18),
        (13, "may_be_inside", 1, 0),
        (14, "next_event", 0, 0),
        (15, "bad_frames", 0, 0),
        (16, "uptime_ms", 0, 0),
        (17, "free_heap", 0, 0),
        (18, "lost_events", 0, 0),
    ),
    (  # Event
        (1, "number", 0, 0),
        (2, "uptime_ms", 0, 0),
        (3, "started", 21, 21),
        (4, "shuffle_done", 21, 22),
        (5, "ready", 21, 23),
        (6, "stack", 21, 24),
        (7, "taken", 21, 25),
        (8, "remainder", 21, 26),
        (9, "fault", 21, 27),
        (10, "cleared", 21, 28),
        (11, "round_void", 21, 29),
        (12, "progress", 21, 30),
    ),
    (  # Started
        (1, "boots", 0, 0),
        (2, "cause", 3, 0),
        (3, "may_be_inside", 1, 0),
        (4, "last_fault", 0, 0),
        (5, "condition", 3, 0),
        (6, "self_test", 0, 0),
        (7, "journal", 3, 0),
    ),
    (  # ShuffleDone
        (1, "back", 2, 0),
        (2, "counted_in", 0, 0),
        (3, "expected", 0, 0),
        (4, "took_ms", 0, 0),
    ),
    (  # ReadyToDeal
        (1, "back", 2, 0),
        (2, "counted_in", 0, 0),
        (3, "counted_out", 0, 0),
        (4, "expected", 0, 0),
        (5, "text", 3, 0),
        (6, "cut_required", 1, 0),
    ),
    (  # StackDealt
        (1, "round", 0, 0),
        (2, "position", 0, 0),
        (3, "ordered", 0, 0),
        (4, "delivered", 0, 0),
    ),
    (  # StackTaken
        (1, "round", 0, 0),
        (2, "position", 0, 0),
    ),
    (  # RemainderDone
        (1, "round", 0, 0),
        (2, "delivered", 0, 0),
        (3, "dealt", 0, 0),
        (4, "expected", 0, 0),
        (5, "stub", 1, 0),
    ),
    (  # FaultRaised
        (1, "fault", 0, 0),
        (2, "name", 3, 0),
        (3, "station", 3, 0),
        (4, "card", 0, 0),
        (5, "action", 3, 0),
        (6, "inside", 0, 0),
    ),
    (  # FaultCleared
        (1, "fault", 0, 0),
    ),
    (  # RoundVoid
        (1, "round", 0, 0),
        (2, "complete", 0, 0),
        (3, "fault", 0, 0),
    ),
    (  # Progress
        (1, "back", 2, 0),
        (2, "in_wheel", 0, 0),
        (3, "in_shoe", 0, 0),
    ),
)
