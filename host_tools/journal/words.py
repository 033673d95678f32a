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
VOIDED = {0: "declared void at the table", faults.INSIDE: "the power went"}  # why a round is
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
    "clock": "the controller says that it is {now}{jumped}",
    "declared": "the {colour} deck lies in the infeed: {newness}deck {deck}",
    "shuffle_begun": "the shuffle of the {colour} deck begins{by_service}: cards may be inside",
    "shuffle_done": "the {colour} deck is in the wheel: {counted_in} of {expected}, {took_ms} ms",
    "ready": "the {colour} deck is ready: {counted_in} in, {counted_out} out, of {expected}",
    "opened": "round {round} is open: {players} players, {positions} stacks, the {colour} deck",
    "no_more_bets": "no more bets in round {round}",
    "stack": "round {round}, position {position}: {delivered} of {ordered} cards{verdict}",
    "remainder": "round {round}, the rest: {delivered} + {dealt} dealt, of {expected}{left_inside}",
    "closed": "round {round} is closed",
    "whole_deck": "the {colour} deck lies in the tray as a single stack: "
    "{cards} of {expected}{left_inside}",
    "round_void": "ROUND {round} IS VOID: {what}; {complete} stacks were complete, {stand} stand",
    "fault": "FAULT {fault}: {what}, card {card}; {inside} inside{locking}. To do: {action}",
    "locked_out": "the {colour} deck (deck {deck}) is locked out",
    "cleared": "cleared of fault {fault}, {what}: every slot pushed out, sensors clear",
    "removed": "the {colour} deck (deck {deck}) is off the table for good",
    "out_of_service": "{out}",
    "setting": "{setting} was set, generation {generation}",
    "auth": "authentication of {role_name} failed ({failures} times)",
    "session": "session of {role_name} {began}",
    "service": "service: {done}",
    "retry": "{what}, card {card}: {tries} tries, {recovering}",
    "start_drawn": "round {round}: the starting position drawn is {position}",
    "stub_counted": "the stub of the {colour} deck was counted by hand: {counted}",
    "sensor": "sensor {sensor_name} is {quality_word}: it reads {reading}, "
    "by its calibration {wanted}",
    "calibration": "{stage_word}{card_inside}",
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


def told(record: Record) -> str:
    """What a record says, in a sentence."""
    if record.kind not in SENTENCES:
        return f"{record.kind}: written by a newer image: {record.fields}"
    get = record.get
    what, action = fault_words(get("last_fault") if record.kind == "started" else get("fault"))
    if record.kind == "round_void":
        what = VOIDED.get(get("fault"), what)
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
        "newness": "a new one, " if get("new") else "",
        "by_service": " for service" if get("service") else "",
        "out": "taken out of service" if get("on") else "back in service",
        "setting": _pick(SETTINGS, get("name")),
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
