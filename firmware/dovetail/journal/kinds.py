# The one table of record kinds: (number, name, payload as struct has it, its fields, what counts on which meter).
# Numbers grow by one and are never used again. A meter counts one, or the field that is named beside it; meters.py has
# what is less plain. Kinds that are events of the link too have the event's name and fields.

import struct
import micropython
from micropython import const

PAYLOAD = const(24)
_PAYLOAD_AT = const(20)  # in a record

# The name in a "setting" record: of the first three keys the number of the role
_CALIBRATION = const(4)
_PROFILE = const(5)
_SUPERVISOR = const(6)  # its key
_KEYS_WIPED = const(7)  # all of them: the image is of another variant

KINDS = (
    (1, "started", "<BHBBBBH12s",
     ("cause", "last_fault", "last_state", "self_test", "journal", "inside", "damage", "image"),
     (("boots", ""),)),
    (2, "damage", "<BIHHIH",
     ("what", "segment", "offset", "bytes", "first", "records"),
     (("journal_damages", ""),)),
    (3, "clock", "<IIiB", ("before", "after", "jump_s", "taken"), ()),
    (4, "declared", "<BIBBBB", ("back", "deck", "new", "brought", "sorted", "role"),
     (("decks_declared", "new"), ("decks_brought", "brought"))),
    (5, "shuffle_begun", "<BIB", ("back", "deck", "service"), ()),
    (6, "shuffle_done", "<BBBIBB",
     ("back", "counted_in", "expected", "took_ms", "picked", "order"),
     (("cards_pick", "picked"), ("cards_feed", "picked"))),
    (7, "ready", "<BBBBB",
     ("back", "counted_in", "counted_out", "expected", "order"),
     (("cards_eject", "counted_out"),)),
    (8, "opened", "<IBBBBB", ("round", "players", "positions", "back", "owes", "pair"), (("rounds", ""),)),
    (9, "no_more_bets", "<IB", ("round", "by_hand"), ()),
    (10, "stack", "<IBBBBBB",
     ("round", "position", "ordered", "delivered", "from_table", "verdict", "ejected"),
     (("stacks", ""), ("cards_deal", "delivered"), ("cards_eject", "ejected"))),
    (11, "remainder", "<IBBBBBB",
     ("round", "delivered", "dealt", "expected", "stub", "inside", "found"),
     (("remainders", ""), ("cards_deal", "delivered"))),
    (12, "closed", "<I", ("round",), (("rounds_closed", ""),)),
    (13, "round_void", "<IBHBBBB",
     ("round", "complete", "fault", "stand", "provisional", "reason", "standing"),
     ()),
    (14, "fault", "<HHHBBBB",
     ("fault", "card", "inside", "locks", "picked", "ejected", "dealt"),
     (("faults", ""), ("cards_pick", "picked"), ("cards_feed", "picked"), ("cards_eject", "ejected"),
      ("cards_deal", "dealt"))),
    (15, "locked_out", "<BII", ("back", "deck", "round"), (("decks_locked_out", ""),)),
    (16, "cleared", "<H", ("fault",), (("clearings", ""),)),
    (17, "removed", "<BIBB", ("back", "deck", "barred", "role"), (("decks_removed", ""), ("decks_barred", "barred"))),
    (18, "out_of_service", "<BH", ("on", "inside"), ()),
    (19, "setting", "<BI", ("name", "generation"), ()),
    (20, "auth", "<BBH", ("role", "reason", "failures"), (("authentication_failures", "failures"),)),
    (21, "session", "<BB", ("role", "begun"), ()),
    (22, "service", "<B", ("what",), (("service_tests", ""),)),
    (23, "retry", "<HHBB",
     ("fault", "card", "tries", "recovered"),
     (("retries", "tries"), ("recoveries", "recovered"))),
    (24, "start_drawn", "<IB", ("round", "position"), (("positions_drawn", ""),)),
    (25, "alive", "<I", ("free",), ()),
    (26, "stub_counted", "<BB", ("back", "right"), (("stubs_counted", ""),)),
    (27, "sensor", "<BBHH", ("sensor", "quality", "reading", "wanted"), ()),
    (28, "calibration", "<BB", ("stage", "inside"), ()),
    (29, "whole_deck", "<BBBBB",
     ("back", "cards", "expected", "inside", "order"),
     (("remainders", ""), ("cards_deal", "cards"))),
    (30, "idle", "<B", ("decks",), (("idles", ""),)),
    # a session has asked for so many records beyond its budget: they were not made
    (31, "spared", "<I", ("records",), (("records_spared", "records"),)),
    # somebody stood at the machine, lid and shoe door open
    (32, "keys_renewed", "<B", ("role",), (("keys_renewed", ""),)),
    (33, "face_up", "<IB", ("round", "position"), ()),
)


@micropython.native
def row(name):
    """Of a kind, or None. A search: a dict of them would cost 300 bytes of heap."""
    for one in KINDS:
        if one[1] == name:
            return one
    return None


@micropython.native
def pack(kind, values, buf, at):
    """Write kind and length to buf[at], the payload to its place behind them. Every field of the row must be given."""
    number, _, form, names, _ = kind
    buf[at] = number
    buf[at + 1] = struct.calcsize(form)
    struct.pack_into(form, buf, at + _PAYLOAD_AT, *[values[field] for field in names])


def unpack(buf, at):
    """(row, dict) of a record at buf[at]; a kind of a newer image has no row and no fields."""
    number = buf[at]
    if number > len(KINDS):
        return None, {}
    one = KINDS[number - 1]
    return one, dict(zip(one[3], struct.unpack_from(one[2], buf, at + _PAYLOAD_AT)))
