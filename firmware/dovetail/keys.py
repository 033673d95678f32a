# Keys of the roles, and who may begin a session when: what the link asks of the machine.

import micropython
import struct
from micropython import const
from dovetail.cards.configuration import signed_anew
from dovetail.journal import mount
from dovetail.link.auth import KEY, same
from dovetail.link.roles import AUDIT, SERVICE, SUPERVISOR, TABLE
from dovetail.table.layout import CLOSED, INSIDE, ROUND, VOID

_NAMES = (None, "key.table", "key.service", "key.audit", "key.supervisor")
_VARIANT = "variant"  # of the image that was given them
_FIELDS = ("table_key", "service_key", "audit_key", "supervisor_key")  # in the order of the roles

_SUPERVISORS = const(6)  # in a "setting" record; from journal/kinds.py: _SUPERVISOR
_WIPED = const(7)  # from journal/kinds.py: _KEYS_WIPED
_DONE = const(1)  # from link/link.proto: DONE
_REFUSED = const(2)  # from link/link.proto: REFUSED
_NOT_NOW = const(3)  # from link/link.proto: NOT_NOW
_BAD = const(4)  # from link/link.proto: BAD
_FAILED = const(7)  # from link/link.proto: FAILED
_SAMPLES = const(256)  # 128 bits at the least, by docs/randomness.md's claim

_NO_KEYS = const((_BAD, "", "four keys of 32 bytes, all different, are asked for"))
_OTHERS = const((_REFUSED, "KEYS", "the machine has other keys: who renews them opens lid and shoe door"))
_CARDS = const((_REFUSED, "KEYS", "cards may be inside: they come out before keys are renewed"))
_LOST = const((_REFUSED, "KEYS", "the journal has failed: keys would not be kept"))
_NOT_KEPT = const((_FAILED, "", "memory refuses writes"))
_BUSY = const((_NOT_NOW, "", "the machine is at work"))
_ON_TRIAL = const((_REFUSED, "SERVICE", "service has shuffled a deck: it must come out first"))
_PLAYED = const((_REFUSED, "SERVICE", "a round is open, or cards are inside"))


def wipe_foreign(machine):
    """Take away keys that were given to an image of another variant, and the profile that they signed.

    A bench image shows its keys to whoever sits at its prompt: they are worth nothing at a table. So they go also where
    the journal has failed. Raises OSError. The variant goes last and alone: until then a start does all of it again.
    """
    settings, journal = machine.settings, machine.journal
    given = settings.get(_VARIANT)
    if given is None or given == machine.image["variant"].encode():
        return
    gone = {"profile": None, "key.audit.before": None}
    for name in _NAMES[1:]:
        gone[name] = None
    if journal.status != mount.FAILED:
        try:
            journal.set_key(None, gone)  # this keeps the audit key for a power cut
        except OSError:
            pass  # the journal has failed now: the keys go all the same
    settings.put(gone)
    settings.put({_VARIANT: None})
    machine.note("setting", {"name": _WIPED, "generation": settings.generation})


class Keys:
    def __init__(self, machine):
        self.machine = machine
        self.settings = machine.settings
        self.boots = machine.state.boots + 1
        self.program = machine.hal.program
        self.program_size = machine.hal.program_size

    def key(self, role):
        """Of a role; None until all are there. The last one to be written counts."""
        return self.settings.get(_NAMES[role]) if self.settings.get(_NAMES[AUDIT]) else None

    def fresh(self):
        """Never the same again: the number of this start, the journal's last tag. Raises OSError.

        Where the journal has failed both may be as they were: there it is raw noise, which is for the deck else.
        """
        machine = self.machine
        start = struct.pack("<I", self.boots) + machine.journal.before
        if machine.journal.status != mount.FAILED:
            return start
        samples = bytearray(_SAMPLES)
        machine.hal.noise.bits(samples)
        if len(set(samples)) != 2:
            raise OSError("noise")
        return start + bytes(samples)

    def provision(self, fields):
        """Four keys, once, all or none; on flash when this returns. The same again is done: its answer may be lost."""
        keys = [fields[name] for name in _FIELDS]
        if [len(key) for key in keys] != [KEY] * 4 or len(set(keys)) != 4 or bytes(KEY) in keys:
            return _NO_KEYS
        machine, settings = self.machine, self.settings
        if machine.journal.status == mount.FAILED:
            return _LOST
        renewed = self.key(TABLE) is not None
        if renewed:
            before = [settings.get(_NAMES[1 + i]) for i in range(4)]
            if [old is not None and same(old, keys[i]) for i, old in enumerate(before)] == [True] * 4:
                return {"outcome": _DONE}
            # nobody at the far end of a line opens a door
            if machine.hal.switch("lid") or machine.hal.switch("door"):
                return _OTHERS
            if machine.rules.at(INSIDE):
                return _CARDS
        if machine.busy() or machine.motors.moving():
            return _BUSY
        others = {_NAMES[TABLE]: keys[0], _NAMES[SERVICE]: keys[1], _NAMES[SUPERVISOR]: keys[3]}
        others[_VARIANT] = machine.image["variant"].encode()
        if renewed:
            machine.note("keys_renewed", {"role": SUPERVISOR})  # the last record in the chain of the old key
            machine.memory.at_once()
            if settings.get("profile"):
                others["profile"] = signed_anew(settings.get("profile"), self.key(SERVICE), keys[1])
        try:
            machine.journal.set_key(keys[2], others)
        except OSError:
            machine.memory_failed()
            return _NOT_KEPT
        for name in (TABLE, SERVICE, AUDIT, _SUPERVISORS):
            machine.note("setting", {"name": name, "generation": settings.generation})
        machine.memory.at_once()  # the new segment has room
        return _NOT_KEPT if machine.journal.status == mount.FAILED else {"outcome": _DONE}

    def hinder(self, role):
        """Why a session of this role can't begin now, or None."""
        machine = self.machine
        if machine.on_trial() and role != AUDIT:  # it is never played: only service goes on with it
            return None if role == SERVICE else _ON_TRIAL
        if machine.at_bench and role != AUDIT:
            return _BUSY
        if role == SERVICE and machine.journal.status == mount.FAILED and not machine.busy():
            return None  # nothing is played on such a machine: it is for service only
        if role == SERVICE:
            rules = machine.rules
            if rules.at(ROUND) not in (CLOSED, VOID) or rules.at(INSIDE) or machine.tray.holds() or machine.busy():
                return _PLAYED
        elif role != AUDIT and machine.service and machine.motors.moving():
            return _BUSY
        return None

    @micropython.native
    def recorded(self):
        """Return how many records were told since power-on; numbers of their own from when the journal has failed."""
        told = self.machine.memory.told
        return told if self.machine.journal.status != mount.FAILED else -1 - told

    async def settled(self):
        """When all that was told so far is on flash; False when flash has refused it."""
        await self.machine.settled()
        return self.machine.journal.status != mount.FAILED

    def began(self, role):
        self._changed(role, 1)

    def ended(self, role):
        self._changed(role, 0)

    def _changed(self, role, begun):
        machine = self.machine
        machine.role = machine.memory.role = role if begun else 0
        if not begun and role == SERVICE and not machine.busy() and not machine.motors.moving():
            machine.motors.power_down()  # what it has left under current
        machine.note("session", {"role": role, "begun": begun})
        machine.show()

    def failed(self, role, reason, failures):
        self.machine.note("auth", {"role": role, "reason": reason, "failures": min(failures, 0xFFFF)})
