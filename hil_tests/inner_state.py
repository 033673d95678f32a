"""All that a machine in this process knows: what must be the same before and after bad input."""

from __future__ import annotations

from typing import Any

from dovetail import start  # pyright: ignore[reportUnknownVariableType]: device code
from dovetail.requests import status

from hil_tests import blinking, power
from host_tools.rigs import Rig


def firmware() -> Any:
    """The firmware's own machine."""
    return start.machine


def link() -> Any:
    """Its end of the table link."""
    return firmware().memory.say.__self__


def flash() -> bytes:
    """Settings and journal."""
    return bytes(firmware().hal.store.view)


def lamps(rig: Rig) -> dict[str, bool]:
    """In service red and amber blink in turn: one of them is lit, and not for long."""
    assert rig.machine is not None
    assert rig.now_ns is not None
    lit = rig.machine.lamps
    turns = blinking.of(rig.machine, rig.now_ns)
    if not firmware().service:
        return dict(lit)
    one = lit["red"] != lit["amber"]
    return {"green": lit["green"], "one": one, "in turn": turns.goes_on()}


def standing(rig: Rig) -> dict[str, object]:
    """Rules, ledgers, cards, lamps, keys, events, session and rate."""
    assert rig.machine is not None
    machine, end = firmware(), link()
    events, session = end.events, end.sessions.open
    device: Any = status
    ledgers = [deck.ledger for deck in machine.decks[1:]]
    return {
        "digest": device.digest(machine, None),
        "rules": (bytes(machine.rules.state), machine.rules.number),
        "ledgers": [
            (bytes(one.at), one.counted_in, one.counted_out, one.dealt, bytes(one.passed))
            for one in ledgers
        ],
        "orders": (machine.order, bytes(machine.plan), machine.at_bench, machine.emptying),
        "fault": (machine.fault, machine.voids.due, machine.resting),
        "role": (machine.service, machine.trial, machine.guest),
        "settings": (machine.settings.generation, machine.settings.get("key.audit")),
        "cards": {place: list(map(id, row)) for place, row in rig.machine.cards().items()},
        "moving": rig.machine.moving(),
        "lamps": lamps(rig),
        "events": (events.number, events.count, events.lost, events.muted),
        "session": (id(session), session and session.role),
        "rate": (end.uart.baud, end.next_baud, end.old_baud),
    }


def escaped() -> list[object]:
    """Exceptions that a handler or the link has met."""
    return [one for one in (link().failure, firmware().error) if one is not None]


def records(before: bytes, after: bytes) -> list[str]:
    """Kinds of the records that flash has got; all else on it must be the same."""
    if before == after:
        return []
    old, new = power.records_of(before), power.records_of(after)
    assert new[: len(old)] == old, "records have changed"
    assert before[: 2 * 4096] == after[: 2 * 4096], "settings have changed"
    return [record.kind for record in new[len(old) :]]
