"""Records in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dovetail import faults
from dovetail.calibration import SENSORS
from dovetail.calibration import WORDS as QUALITIES
from dovetail.journal import mount
from dovetail.journal.mount import NAMES as FOUND
from dovetail.journal.state import CAUSES, CONDITIONS
from dovetail.link import roles

from host_tools.journal.export import iso
from host_tools.journal.segments import Record
from host_tools.link import link_pb2
from host_tools.link.verdicts import verdict

BACKS: dict[int, str] = {link_pb2.BACK_NONE: "no", link_pb2.RED: "red", link_pb2.BLUE: "blue"}
STARTS = {"power": "power-on", "watchdog": "watchdog reset"}  # where it is not the cause's own word
ROLES = ("nobody", *roles.NAMES[1:])
SETTINGS = {
    0: "?",
    roles.TABLE: "the table key",
    roles.SERVICE: "the service key",
    roles.AUDIT: "the audit key",
    4: "calibration",  # from journal/kinds.py: _CALIBRATION
    5: "the profile",  # from journal/kinds.py: _PROFILE
    6: "the supervisor key",  # from journal/kinds.py: _SUPERVISOR
}
SERVICE = {
    0: "?",
    1: "the self-test passed",  # from bench.py: _PASSED
    2: "THE SELF-TEST FAILED",  # from bench.py: _FAILED
}
TESTS = ("chance", "journal", "settings", "interlocks", "motor supply", "calibration")
NAMES = [name for name, _ in SENSORS]
STAGES = {
    0: "calibration ?",
    1: "calibration begins",  # from calibrating.py: BEGUN
    2: "calibration has passed",  # from calibrating.py: PASSED
    3: "calibration has failed",  # from calibrating.py: FAILED
    4: "a card is sent through for the self-test",  # from calibrating.py: TESTING
    5: "that card has been sent",  # from calibrating.py: TESTED
}
WIPED = 7  # from journal/kinds.py: _KEYS_WIPED
# Why a round is void; BY_FAULT has the words of its fault, where the record knows it
VOIDED = {
    int(link_pb2.BY_DEALER): "declared void at the table",
    int(link_pb2.EXPOSED): "a card of the dealer's was seen too early",
    int(link_pb2.BY_FAULT): "a fault before the power went",
    int(link_pb2.FACE_UP_TWICE): "a second card lay face up",
    int(link_pb2.WRONG_STUB): "the stub, counted by hand, was a wrong number",
    int(link_pb2.POWER_LOST): "the power went",
}
ORDERS = {
    int(link_pb2.ORDER_NONE): ", not shuffled",
    int(link_pb2.SHUFFLED): ", shuffled by this machine",
    int(link_pb2.BROUGHT): ", carried over as it was brought",
    int(link_pb2.IDLED): ", to be shuffled again: the table was idle",
}
CLOCKS = {  # what became of a time that was told
    0: "it is not taken",  # from memory.py: _REFUSED
    1: "it is taken on a table's word, the first since power-on",  # from memory.py: _FIRST
    2: "it is taken on the supervisor's or service's word",  # from memory.py: _VOUCHED
}
DAMAGES = {
    0: "?",
    mount.TORN: "a write that the power cut was cut off",
    mount.MENDED: "one flipped bit was put right",
    mount.GONE: "{records} records from {first} on cannot be read",
    mount.HEADER_BAD: "the header of a segment is damaged",
    mount.REFUSED: "a page did not take what was written, the next one did",
    mount.SEGMENTS: "up to {records} records cannot be found",
    mount.SETTINGS: "one of the two copies of the settings was damaged",
}

# One sentence a kind, of its fields and of what told() adds
SENTENCES = {
    "started": "started after {why}; journal {found}; the last fault: {what}; "
    "before that the machine was: {was}{failing}{inside_words}; image {image}",
    "damage": "damage in segment {segment}, byte {offset}: {damage}",
    "clock": "the controller says that it is {now}{jumped}: {clock_taken}",
    "declared": "the {colour} deck lies in the infeed: {newness}deck {deck}"
    "{was_brought}{in_order}",
    "shuffle_begun": "the {colour} deck begins to go into the wheel{by_service}: "
    "cards may be inside",
    "shuffle_done": "the {colour} deck is in the wheel: {counted_in} of {expected}"
    "{how_ordered}, {took_ms} ms",
    "ready": "the {colour} deck is ready: {counted_in} in, {counted_out} out, of {expected}"
    "{how_ordered}",
    "opened": "round {round} is open: {players} players, {positions} stacks, "
    "the {colour} deck{paired}{owing}",
    "no_more_bets": "no more bets in round {round}",
    "stack": "round {round}, position {position}: {delivered} of {ordered} cards{verdict}",
    "remainder": "round {round}, the rest: {delivered} + {dealt} dealt, of {expected}{left_inside}",
    "closed": "round {round} is closed",
    "whole_deck": "the {colour} deck lies in the tray as a single stack: "
    "{cards} of {expected}{how_ordered}{left_inside}",
    "round_void": "ROUND {round} IS VOID: {what}; {complete} stacks were complete, "
    "{standing_hands}",
    "fault": "FAULT {fault}: {what}, card {card}; {inside} inside{locking}. To do: {action}",
    "locked_out": "the {colour} deck (deck {deck}) is locked out",
    "cleared": "cleared of fault {fault}, {what}: every slot pushed out, sensors clear",
    "removed": "the {colour} deck (deck {deck}) is off the table for good{after_lock}, "
    "said by the {role_name}",
    "out_of_service": "{out}",
    "setting": "{setting}, generation {generation}",
    "auth": "authentication of {role_name} failed ({failures} times)",
    "session": "session of {role_name} {began}",
    "service": "service: {done}",
    "retry": "{what}, card {card}: {tries} tries, {recovering}",
    "face_up": "round {round}: a card of position {position} lay face up, another comes for it",
    "start_drawn": "round {round}: the starting position drawn is {position}",
    "stub_counted": "the stub of the {colour} deck was counted by hand: {counted}",
    "sensor": "sensor {sensor_name} is {quality_word}: it reads {reading}, "
    "by its calibration {wanted}",
    "calibration": "{stage_word}{card_inside}",
    "idle": "nobody has played for a while: {idled}",
    "spared": "{records} records more than its budget were asked for by a session, "
    "and were not made",
    "keys_renewed": "the keys are renewed, the {role_name}'s too: "
    "somebody stood at the machine, lid and shoe door open",
    "alive": "still here, {free} bytes of heap free",
}  # fmt: skip


def fault_words(number: int) -> tuple[str, str]:
    """Name with station, and what to do."""
    if number == 0:
        return "none", ""
    row: Any = faults.row(number)  # pyright: ignore[reportUnknownMemberType]
    return f"{row[1]} ({row[2]})", str(row[4])


def _pick(words: Sequence[str] | Mapping[int, str], n: int) -> str:
    known = words if isinstance(words, Mapping) else dict(enumerate(words))
    return known.get(n, str(n))


def _setting(name: int) -> str:
    """Say what was set, or taken away."""
    if name == WIPED:
        return "every key and the profile were taken away: the image is of another variant"
    return f"{_pick(SETTINGS, name)} was set"


def _newness(role: int) -> str:
    """Say that a deck is new, and who said so: the first of its colour needs no supervisor."""
    return "a new one, as the supervisor said: " if role == roles.SUPERVISOR else "a new one: "


def _standing(stand: int, positions: int, provisional: bool) -> str:
    """Say which hands of a void round stand, and until when."""
    if not stand:
        return "none stands"
    places = ", ".join(str(i + 1) for i in range(8) if positions >> i & 1)
    until = "until the deck is counted" if provisional else "for good"
    return f"{stand} stand {until}: position {places}"


def told(record: Record) -> str:
    """What a record says, in a sentence."""
    if record.kind not in SENTENCES:
        return f"{record.kind}: written by a newer image: {record.fields}"
    get = record.get
    what, action = fault_words(get("last_fault") if record.kind == "started" else get("fault"))
    if record.kind == "round_void":
        by_fault = get("reason") == link_pb2.BY_FAULT and get("fault")
        what = what if by_fault else _pick(VOIDED, get("reason"))
    idled = [BACKS[back] for back in (link_pb2.RED, link_pb2.BLUE) if get("decks") >> back & 1]
    failing = [name for bit, name in enumerate(TESTS) if not get("self_test") >> bit & 1]
    locks = [BACKS[back] for back in (link_pb2.RED, link_pb2.BLUE) if get("locks") >> back & 1]
    cause = _pick(CAUSES, get("cause"))
    words: dict[str, object] = {
        **record.fields,
        "colour": _pick(BACKS, get("back")),
        "what": what,
        "done": _pick(SERVICE, get("what")),
        "action": action,
        "why": STARTS.get(cause, cause),
        "found": _pick(FOUND, get("journal")),
        "was": _pick(CONDITIONS, get("last_state")),
        "failing": f"; self-test failed: {', '.join(failing)}" if failing else "",
        "inside_words": "; CARDS MAY BE INSIDE" if get("inside") else "",
        "left_inside": "; the other deck is inside" if get("inside") else "; the machine is empty",
        "locking": f"; locked out: {' and '.join(locks)}" if locks else "",
        "damage": _pick(DAMAGES, get("what")).format(records=get("records"), first=get("first")),
        "verdict": verdict(get("verdict"), get("delivered"), get("from_table")),
        "now": iso(get("after")),
        "jumped": f", a jump of {get('jump_s')} s" if get("jump_s") else "",
        "newness": _newness(get("role")) if get("new") else "",
        "was_brought": ", brought in an order made before" if get("brought") else "",
        "in_order": ", put in suit and sequence" if get("sorted") and not get("new") else "",
        "how_ordered": _pick(ORDERS, get("order")),
        "clock_taken": _pick(CLOCKS, get("taken")),
        "paired": ", two decks alternate" if get("pair") else "",
        "owing": ", its stub is owed a count by hand" if get("owes") else "",
        "after_lock": ", after a lock-out" if get("barred") else "",
        "standing_hands": _standing(get("stand"), get("standing"), bool(get("provisional"))),
        "idled": f"the {' and the '.join(idled)} deck is shuffled again before it is dealt"
        if idled
        else "no shuffled deck was waiting",
        "by_service": " for service" if get("service") else "",
        "out": "taken out of service" if get("on") else "back in service",
        "setting": _setting(get("name")),
        "role_name": _pick(ROLES, get("role")),
        "began": "begins" if get("begun") else "ends",
        "counted": "all there" if get("right") else "a wrong number",
        "sensor_name": _pick(NAMES, get("sensor")),
        "quality_word": _pick(QUALITIES, get("quality")),
        "stage_word": _pick(STAGES, get("stage")),
        "card_inside": ": its card may be inside" if get("inside") else "",
        "recovering": "recovered" if get("recovered") else "not recovered",
    }
    return SENTENCES[record.kind].format_map(words)


def line(record: Record) -> str:
    """A record as `dovetail journal` prints it."""
    when = iso(record.time) or f"start {record.boot} + {record.uptime_ms / 1000:.3f} s"
    return f"{record.number:>7}  {when:<22} {told(record)}"
