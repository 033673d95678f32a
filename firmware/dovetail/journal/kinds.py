# The one table of record kinds: (number, name, payload as struct has it, its fields). Numbers grow by one and are
# never used again.
# What a field means is in docs/memory.md. Kinds that are events of the link too have the event's name and fields.

import struct
import micropython
from micropython import const

PAYLOAD = const(24)

KINDS = (
    (1, "started", "<BHBBBBH12s",
     ("cause", "last_fault", "last_state", "self_test", "journal", "inside", "damage", "image")),
    (2, "damage", "<BIHHIH", ("what", "segment", "offset", "bytes", "first", "records")),
    (3, "clock", "<IIi", ("before", "after", "jump_s")),
    (4, "declared", "<BIB", ("back", "deck", "new")),
    (5, "shuffle_begun", "<BIB", ("back", "deck", "service")),
    (6, "shuffle_done", "<BBBI", ("back", "counted_in", "expected", "took_ms")),
    (7, "ready", "<BBBB", ("back", "counted_in", "counted_out", "expected")),
    (8, "opened", "<IBBB", ("round", "players", "positions", "back")),
    (9, "no_more_bets", "<I", ("round",)),
    (10, "stack", "<IBBB", ("round", "position", "ordered", "delivered")),
    (11, "remainder", "<IBBBBB", ("round", "delivered", "dealt", "expected", "stub", "inside")),
    (12, "closed", "<I", ("round",)),
    (13, "round_void", "<IBH", ("round", "complete", "fault")),
    (14, "fault", "<HHHB", ("fault", "card", "inside", "locks")),
    (15, "locked_out", "<BI", ("back", "deck")),
    (16, "cleared", "<H", ("fault",)),
    (17, "removed", "<BI", ("back", "deck")),
    (18, "out_of_service", "<BH", ("on", "inside")),
    (19, "setting", "<BI", ("name", "generation")),
    (20, "auth", "<BBH", ("role", "reason", "failures")),
    (21, "session", "<BB", ("role", "begun")),
    (22, "service", "<B", ("what",)),
    (23, "retry", "<HHBB", ("fault", "card", "tries", "recovered")),
    (24, "position", "<IB", ("round", "position")),
    (25, "alive", "<I", ("free",)),
)

_BY_NAME = {row[1]: row for row in KINDS}


def known(name):
    return name in _BY_NAME


@micropython.native
def pack(name, values, buf, at):
    """Kind and length to buf[at], the payload 20 bytes further. Every field of the kind must be given."""
    number, _, form, names = _BY_NAME[name]
    buf[at] = number
    buf[at + 1] = struct.calcsize(form)
    struct.pack_into(form, buf, at + 20, *[values[field] for field in names])


def unpack(buf, at):
    """(name, dict) of a record at buf[at]; a kind of a newer image has the name "" and no fields."""
    number = buf[at]
    if number > len(KINDS):
        return "", {}
    _, name, form, names = KINDS[number - 1]
    return name, dict(zip(names, struct.unpack_from(form, buf, at + 20)))
