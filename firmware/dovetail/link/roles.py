# Who may ask what. docs/protocol.md has the same table, and a test holds the two together.
# Written out: what is put together at a start would lie on the heap.

from micropython import const

TABLE = const(1)  # from link/link.proto: ROLE_TABLE
SERVICE = const(2)  # from link/link.proto: ROLE_SERVICE
AUDIT = const(3)  # from link/link.proto: ROLE_AUDIT
SUPERVISOR = const(4)  # from link/link.proto: ROLE_SUPERVISOR
NAMES = ("", "table", "service", "audit", "supervisor")

MAY = (
    (),
    (
        "status", "heartbeat", "set_baud",
        "load", "shuffle", "open_round", "no_more_bets", "deal", "remainder", "close_round", "draw_start", "face_up",
        "give_back", "deliver", "void_round", "stub_counted",
        "acknowledge", "replay", "remove_deck", "cleared", "set_clock", "out_of_service", "in_service",
        "empty_out", "recall", "idle",
    ),
    (
        "status", "heartbeat", "set_baud",
        "load", "shuffle", "give_back",  # a deck that is shuffled for a trial, and not dealt
        "acknowledge", "replay", "remove_deck", "cleared", "set_clock", "out_of_service", "in_service",
        "empty_out", "recall",
        "self_test", "jog", "calibrate", "calibration", "read_sensors", "configure",
        "meters", "verify",
    ),
    ("status", "heartbeat", "set_baud", "read_journal", "meters", "verify", "calibration"),
    (
        "status", "heartbeat", "set_baud",
        "load", "remove_deck", "stub_counted", "void_round", "idle",  # what a floorperson sees and says
        "acknowledge", "replay", "recall", "cleared", "set_clock", "out_of_service", "in_service", "empty_out",
        "meters", "verify",
    ),
)  # fmt: skip

# These order nothing, so they are done however many events wait
READING = (
    "status", "heartbeat", "set_baud", "acknowledge", "replay", "read_journal", "meters", "verify", "calibration",
    "read_sensors", "recall",
)  # fmt: skip

HEARS = (TABLE, SERVICE, SUPERVISOR)  # to whom events are sent
