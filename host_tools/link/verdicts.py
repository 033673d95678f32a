"""What a stack's verdict means, for people."""

from __future__ import annotations

from host_tools.link import link_pb2

ON_THE_TABLE = "; with the one on the table {all}"
WORDS = {
    link_pb2.AS_ORDERED: "",
    link_pb2.ONE_MORE: "; ONE TOO MANY: lay one aside, face down, it is the next card (DS-10)",
    link_pb2.HAND_VOID: "; A WRONG NUMBER: this hand is void, the round goes on (DS-11)",
    link_pb2.MISDEALT: "; A WRONG NUMBER: all hands are void (DS-11)",
    link_pb2.CUT_SHORT: "; cut short",
    link_pb2.NOT_COUNTED: "; cut short, MORE MAY LIE THERE: count the tray",
}
# Cards of a stack that stands, beyond what was ordered
BEYOND = {link_pb2.ONE_MORE: 1}


def verdict(number: int, delivered: int, from_table: int) -> str:
    """What follows the count of a stack."""
    before = ON_THE_TABLE.format(all=delivered + from_table) if from_table else ""
    known = {int(one): words for one, words in WORDS.items()}
    return before + known.get(number, f"; verdict {number}")
