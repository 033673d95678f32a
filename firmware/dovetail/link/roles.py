# Who may ask what. docs/protocol.md has the same table, and a test holds the two together.

from dovetail.link.schema import ROLE_AUDIT, ROLE_SERVICE, ROLE_TABLE

NAMES = ("", "table", "service", "audit")

_ALL = ("status", "heartbeat", "set_baud")
_OPERATE = (
    "acknowledge", "replay", "remove_deck", "cleared", "set_clock", "out_of_service", "in_service", "empty_out",
)  # fmt: skip
_PLAY = (
    "load", "shuffle", "open_round", "no_more_bets", "deal", "remainder", "close_round", "draw_start", "face_up",
    "give_back", "deliver", "void_round", "stub_counted",
)  # fmt: skip
_TRY = ("load", "shuffle", "give_back")  # a deck that is shuffled for a trial, and not dealt
_BENCH = ("self_test", "jog", "calibrate", "calibration", "read_sensors", "configure")

MAY = {
    ROLE_TABLE: _ALL + _PLAY + _OPERATE,
    ROLE_SERVICE: _ALL + _TRY + _OPERATE + _BENCH + ("meters", "verify"),
    ROLE_AUDIT: _ALL + ("read_journal", "meters", "verify", "calibration"),
}

# These order nothing, so they are done however many events wait
READING = (
    "status", "heartbeat", "set_baud", "acknowledge", "replay", "read_journal", "meters", "verify", "calibration",
    "read_sensors",
)  # fmt: skip

HEARS = (ROLE_TABLE, ROLE_SERVICE)  # to whom events are sent
