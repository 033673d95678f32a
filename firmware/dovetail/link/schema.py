# Made from link.proto by host_tools/build/schema.py: change that file, not this one.

from micropython import const

FINGERPRINT = b"\xa4\xa4\x5f\x43\xb4\x64\x30\x13"

# Role
ROLE_NONE = const(0)
ROLE_TABLE = const(1)
ROLE_SERVICE = const(2)
ROLE_AUDIT = const(3)

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

# Quality
QUALITY_UNKNOWN = const(0)
GOOD = const(1)
MARGINAL = const(2)
DIRTY = const(3)
QUALITY_FAILED = const(4)

# State
STATE_UNKNOWN = const(0)
STARTING = const(1)
IDLE = const(2)
WORKING = const(3)
READY = const(4)
DEALING = const(5)
STOPPED = const(6)
UNAVAILABLE = const(7)
OUT_OF_SERVICE = const(8)
SERVICE = const(9)

# Place
PLACE_NONE = const(0)
INFEED = const(1)
WHEEL = const(2)
SHOE = const(3)
TABLE = const(4)
REMOVED = const(5)

# Verdict
AS_ORDERED = const(0)
ONE_MORE = const(1)
TO_COMPLETE = const(2)
HAND_VOID = const(3)
MISDEALT = const(4)
CUT_SHORT = const(5)
NOT_COUNTED = const(6)

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
DrawStart = const(14)
FaceUp = const(15)
GiveBack = const(16)
Deliver = const(17)
VoidRound = const(18)
StubCounted = const(19)
OutOfService = const(20)
InService = const(21)
EmptyOut = const(22)
SelfTest = const(23)
Jog = const(24)
ReadSensors = const(25)
Provision = const(26)
Heartbeat = const(27)
SetBaud = const(28)
Verify = const(29)
ReadJournal = const(30)
GetMeters = const(31)
SetClock = const(32)
Calibrate = const(33)
GetCalibration = const(34)
Configure = const(35)
Report = const(36)
Answer = const(37)
Identity = const(38)
Replayed = const(39)
Beat = const(40)
Verified = const(41)
JournalPart = const(42)
Calibration = const(43)
Sensor = const(44)
Meters = const(45)
Sensors = const(46)
Deck = const(47)
Status = const(48)
Event = const(49)
Started = const(50)
ShuffleDone = const(51)
ReadyToDeal = const(52)
StackDealt = const(53)
StackTaken = const(54)
RemainderDone = const(55)
FaultRaised = const(56)
Trying = const(57)
Calibrated = const(58)
Emptied = const(59)
Checked = const(60)
SelfTested = const(61)
Jogged = const(62)
FaultCleared = const(63)
RoundVoid = const(64)
StartDrawn = const(65)
DeckAge = const(66)
WholeDeck = const(67)
Progress = const(68)

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
        (15, "provision", 21, 26),
        (16, "heartbeat", 21, 27),
        (17, "set_baud", 21, 28),
        (18, "verify", 21, 29),
        (20, "read_journal", 21, 30),
        (21, "meters", 21, 31),
        (22, "set_clock", 21, 32),
        (30, "draw_start", 21, 14),
        (31, "face_up", 21, 15),
        (32, "give_back", 21, 16),
        (33, "deliver", 21, 17),
        (34, "void_round", 21, 18),
        (35, "stub_counted", 21, 19),
        (36, "out_of_service", 21, 20),
        (37, "in_service", 21, 21),
        (50, "empty_out", 21, 22),
        (51, "self_test", 21, 23),
        (52, "jog", 21, 24),
        (54, "calibrate", 21, 33),
        (55, "calibration", 21, 34),
        (53, "read_sensors", 21, 25),
        (56, "configure", 21, 35),
    ),
    (  # Hello
        (1, "version", 0, 0),
        (2, "nonce", 4, 0),
        (3, "role", 2, 0),
    ),
    (),  # GetStatus
    (  # Load
        (1, "back", 2, 0),
        (2, "new_deck", 1, 0),
        (3, "shuffled", 1, 0),
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
    (  # DrawStart
        (1, "round", 0, 0),
    ),
    (  # FaceUp
        (1, "round", 0, 0),
        (2, "position", 0, 0),
    ),
    (),  # GiveBack
    (),  # Deliver
    (  # VoidRound
        (1, "round", 0, 0),
    ),
    (  # StubCounted
        (1, "back", 2, 0),
        (2, "cards", 0, 0),
    ),
    (),  # OutOfService
    (),  # InService
    (),  # EmptyOut
    (),  # SelfTest
    (  # Jog
        (1, "axis", 3, 0),
        (2, "steps", 0, 0),
        (3, "reverse", 1, 0),
        (4, "slow_us", 0, 0),
    ),
    (),  # ReadSensors
    (  # Provision
        (1, "table_key", 4, 0),
        (2, "service_key", 4, 0),
        (3, "audit_key", 4, 0),
    ),
    (  # Heartbeat
        (1, "digest", 0, 0),
    ),
    (  # SetBaud
        (1, "baud", 0, 0),
    ),
    (  # Verify
        (1, "challenge", 4, 0),
    ),
    (  # ReadJournal
        (1, "segment", 0, 0),
        (2, "offset", 0, 0),
    ),
    (),  # GetMeters
    (  # SetClock
        (1, "time", 0, 0),
    ),
    (),  # Calibrate
    (),  # GetCalibration
    (  # Configure
        (1, "profile", 4, 0),
    ),
    (  # Report
        (1, "answer", 21, 37),
        (2, "event", 21, 49),
    ),
    (  # Answer
        (1, "id", 0, 0),
        (2, "outcome", 2, 0),
        (3, "rule", 3, 0),
        (4, "fault", 0, 0),
        (5, "text", 3, 0),
        (6, "identity", 21, 38),
        (7, "status", 21, 48),
        (8, "replayed", 21, 39),
        (9, "beat", 21, 40),
        (10, "verified", 21, 41),
        (20, "journal", 21, 42),
        (21, "meters", 21, 45),
        (50, "sensors", 21, 46),
        (51, "calibration", 21, 43),
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
        (10, "nonce", 4, 0),
        (11, "keyed", 1, 0),
    ),
    (  # Replayed
        (1, "first", 0, 0),
    ),
    (  # Beat
        (1, "digest", 0, 0),
        (2, "next_event", 0, 0),
        (3, "uptime_ms", 0, 0),
        (4, "status", 5, 48),
    ),
    (  # Verified
        (1, "done", 0, 0),
        (2, "size", 0, 0),
        (3, "digest", 4, 0),
    ),
    (  # JournalPart
        (1, "segment", 0, 0),
        (2, "offset", 0, 0),
        (3, "data", 4, 0),
        (4, "oldest", 0, 0),
        (5, "newest", 0, 0),
        (6, "next_record", 0, 0),
    ),
    (  # Calibration
        (1, "state", 3, 0),
        (2, "sensors", 13, 44),
    ),
    (  # Sensor
        (1, "name", 3, 0),
        (2, "quality", 2, 0),
        (3, "empty", 0, 0),
        (4, "empty_wanted", 0, 0),
        (5, "card", 0, 0),
        (6, "card_wanted", 0, 0),
    ),
    (  # Meters
        (1, "boots", 0, 0),
        (2, "watchdog_resets", 0, 0),
        (3, "seconds", 0, 0),
        (4, "shuffles", 0, 0),
        (5, "shuffles_broken", 0, 0),
        (6, "service_shuffles", 0, 0),
        (7, "service_shuffles_broken", 0, 0),
        (8, "cards_shuffled", 0, 0),
        (9, "cards_last_shuffle", 0, 0),
        (10, "rounds", 0, 0),
        (11, "rounds_closed", 0, 0),
        (12, "stacks", 0, 0),
        (13, "short_stacks", 0, 0),
        (14, "remainders", 0, 0),
        (15, "voids", 0, 0),
        (16, "voids_feeder", 0, 0),
        (17, "voids_wheel", 0, 0),
        (18, "voids_ejector", 0, 0),
        (19, "voids_shoe", 0, 0),
        (20, "voids_tray", 0, 0),
        (21, "voids_count", 0, 0),
        (22, "voids_interlock", 0, 0),
        (23, "voids_power", 0, 0),
        (24, "voids_other", 0, 0),
        (25, "faults", 0, 0),
        (26, "misfeeds", 0, 0),
        (27, "jams_feeder", 0, 0),
        (28, "jams_ejector", 0, 0),
        (29, "jams_shoe", 0, 0),
        (30, "wheel_lost", 0, 0),
        (31, "double_feeds", 0, 0),
        (32, "wrong_decks", 0, 0),
        (33, "counts_disagree", 0, 0),
        (34, "interlocks", 0, 0),
        (35, "clearings", 0, 0),
        (36, "retries", 0, 0),
        (37, "recoveries", 0, 0),
        (38, "authentication_failures", 0, 0),
        (39, "rng_failures", 0, 0),
        (40, "journal_damages", 0, 0),
        (41, "clock_jumps", 0, 0),
        (42, "decks_declared", 0, 0),
        (43, "decks_locked_out", 0, 0),
        (44, "cards_pick", 0, 0),
        (45, "cards_feed", 0, 0),
        (46, "cards_eject", 0, 0),
        (47, "cards_deal", 0, 0),
        (48, "service_tests", 0, 0),
        (49, "positions_drawn", 0, 0),
    ),
    (  # Sensors
        (1, "entry", 1, 0),
        (2, "count", 1, 0),
        (3, "home", 1, 0),
        (4, "tick", 1, 0),
        (5, "exit", 1, 0),
        (6, "deal", 1, 0),
        (7, "lid", 1, 0),
        (8, "door", 1, 0),
        (9, "mount", 1, 0),
        (10, "read_thickness_in", 0, 0),
        (11, "read_thickness_out", 0, 0),
        (12, "read_back", 0, 0),
        (13, "read_supply", 0, 0),
        (14, "read_infeed", 0, 0),
        (15, "read_shoe", 0, 0),
        (16, "read_tray", 0, 0),
        (17, "read_crank", 0, 0),
        (18, "level_entry", 0, 0),
        (19, "level_count", 0, 0),
        (20, "level_exit", 0, 0),
        (21, "level_deal", 0, 0),
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
        (12, "decks", 13, 47),
        (13, "may_be_inside", 1, 0),
        (14, "next_event", 0, 0),
        (15, "bad_frames", 0, 0),
        (16, "uptime_ms", 0, 0),
        (17, "free_heap", 0, 0),
        (18, "lost_events", 0, 0),
        (24, "digest", 0, 0),
        (25, "session", 2, 0),
    ),
    (  # Event
        (1, "number", 0, 0),
        (2, "uptime_ms", 0, 0),
        (3, "started", 21, 50),
        (4, "shuffle_done", 21, 51),
        (5, "ready", 21, 52),
        (6, "stack", 21, 53),
        (7, "taken", 21, 54),
        (8, "remainder", 21, 55),
        (9, "fault", 21, 56),
        (10, "cleared", 21, 63),
        (11, "round_void", 21, 64),
        (12, "progress", 21, 68),
        (30, "start_drawn", 21, 65),
        (31, "whole_deck", 21, 67),
        (32, "deck_age", 21, 66),
        (33, "trying", 21, 57),
        (50, "emptied", 21, 59),
        (51, "checked", 21, 60),
        (52, "self_tested", 21, 61),
        (54, "sensor", 21, 44),
        (55, "calibrated", 21, 58),
        (53, "jogged", 21, 62),
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
        (5, "from_table", 0, 0),
        (6, "verdict", 2, 0),
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
        (7, "cards", 3, 0),
        (8, "remove", 3, 0),
    ),
    (  # Trying
        (1, "fault", 0, 0),
        (2, "name", 3, 0),
        (3, "station", 3, 0),
        (4, "card", 0, 0),
        (5, "tries", 0, 0),
    ),
    (  # Calibrated
        (1, "passed", 1, 0),
        (2, "text", 3, 0),
    ),
    (  # Emptied
        (1, "from_wheel", 0, 0),
        (2, "from_shoe", 0, 0),
    ),
    (  # Checked
        (1, "name", 3, 0),
        (2, "wrong", 3, 0),
        (3, "reading", 0, 0),
    ),
    (  # SelfTested
        (1, "checks", 0, 0),
        (2, "failed", 0, 0),
        (3, "took_ms", 0, 0),
    ),
    (  # Jogged
        (1, "axis", 3, 0),
        (2, "steps", 0, 0),
    ),
    (  # FaultCleared
        (1, "fault", 0, 0),
    ),
    (  # RoundVoid
        (1, "round", 0, 0),
        (2, "complete", 0, 0),
        (3, "fault", 0, 0),
        (4, "stand", 0, 0),
    ),
    (  # StartDrawn
        (1, "round", 0, 0),
        (2, "position", 0, 0),
    ),
    (  # DeckAge
        (1, "back", 2, 0),
        (2, "level", 0, 0),
        (3, "minutes", 0, 0),
        (4, "rule", 3, 0),
    ),
    (  # WholeDeck
        (1, "back", 2, 0),
        (2, "cards", 0, 0),
        (3, "expected", 0, 0),
        (4, "cut_required", 1, 0),
    ),
    (  # Progress
        (1, "back", 2, 0),
        (2, "in_wheel", 0, 0),
        (3, "in_shoe", 0, 0),
    ),
)
