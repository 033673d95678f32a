# What happens is told here: to the journal first, and to the link once it is on flash. Flash is written between two
# cards, when the gate is shut; only a stop writes at once, and that takes no erase.

from micropython import const
from dovetail import clock
from dovetail.alive import MEMORY
from dovetail.journal import kinds
from dovetail.journal.journal import Journal
from dovetail.journal.mount import FAILED

_QUIET_MS = const(1000)     # nothing was told for so long: time to erase ahead
_ALIVE_MS = const(3600000)  # a record at least so often, so that the hours are known
_NUMBER = const(5)  # in what waits
# I-12: what the sessions of a role can have recorded without playing, so that no flood washes the records of play
# away. So many at once, and one more in so long: 115 a day, and of all four roles less than a twentieth of the 10,528
# records that the smallest chip keeps. What is bound to play by itself, as a right count of a stub, is not in here.
_SAID = ("session", "auth", "clock", "setting", "service")
_DROPPED = ("session", "auth", "clock", "service")  # changes nothing, but a clock that is taken: told as a number
_MOST_SAID = const(43)
_MOST_DROPPED = const(35)  # these leave room: who only begins sessions, or has no key, keeps nobody from an order
_ROLES = const(5)
_TABLE = const(1)  # from link/link.proto: ROLE_TABLE
_EARN_MS = const(1200000)
# what a "clock" record tells: not taken; a table's, the first since power-on; the supervisor's or service's, whenever
_REFUSED = const(0)
_FIRST = const(1)
_VOUCHED = const(2)
_JUMP_S = const(2)          # how far the controller's clock may be from ours; from cards/life.py: _BACK_S


class Memory:
    """quiet(): whether nothing moves or soon will. failed(): flash refused."""

    def __init__(self, hal, gate, uptime_ms, quiet, failed, alive):
        self.journal = Journal(hal.store, hal.unique_id)
        self.gate, self.uptime_ms, self.quiet, self.failed = gate, uptime_ms, quiet, failed
        self.free = hal.free
        self.alive = alive
        self.say = _nobody  # the link's event(), set by start.py
        self.waiting = []  # [kind, fields, more, to be said, uptime_ms, number of the record] in their order
        self._given = 0  # so many of them the journal has taken, but nobody was told of yet
        self.told = 0  # so many records since power-on
        self.role = 0  # whose session is open
        self.said = bytearray(_ROLES)  # so many of them that each role has asked for, and not earned yet
        self.lent = 0  # of these, what the round costs that is open, until a card leaves in it
        self.spared = 0  # so many that were not made
        self._failures = 0  # in records of "auth" that were not made
        self._earned_ms = 0  # when all had one back
        self._work = clock.Flag()
        self._set_s = self._set_ms = 0  # the controller's time, and our uptime when it told it
        self._refused = False
        self.vouched = False  # whether somebody has told it who may say how long the power was off
        self._last_ms = 0

    # ---- tell ----------------------------------------------------------------------------------

    def tell(self, kind, fields, more=None, say=True):
        """A record, an event of the link, or both. more: what only the record has."""
        if kind in _SAID:
            role = fields.get("role", self.role) % _ROLES
            self._earn()
            if self.said[role] >= _MOST_DROPPED and kind in _DROPPED and not fields.get("taken"):
                self.spared += 1
                self._failures += fields.get("failures", 0)
                return
            if kind == "auth" and self._failures:  # every wrong tag counts, also one without a record
                fields["failures"] = min(fields["failures"] + self._failures, 0xFFFF)
                self._failures = 0
            self.spend(role, 1)
            if self.spared and self.said[role] < _MOST_DROPPED:
                records, self.spared = self.spared, 0
                self.spend(role, 1)
                self.tell("spared", {"records": records}, say=False)
        elif kind == "stack" and self.lent:
            self.said[_TABLE] = max(self.said[_TABLE] - self.lent, 0)
            self.lent = 0
        recorded = kinds.row(kind)
        if not recorded and not self.waiting:
            self.say(kind, fields)
            return
        self.told += recorded is not None
        self.waiting.append([kind, fields, more, say, self.uptime_ms(), 0])
        self._work.set()

    def _earn(self):
        earned = (self.uptime_ms() - self._earned_ms) // _EARN_MS
        if earned:
            self._earned_ms += earned * _EARN_MS
            for role in range(_ROLES):
                self.said[role] = max(self.said[role] - earned, 0)

    def spend(self, role, records):
        """So many that this role has asked for; more than it had, when they belong together, is earned later."""
        self.said[role] = min(self.said[role] + records, 255)

    def lend(self, records):
        """Charge the table for a round from which no card has left yet; its first stack pays that back."""
        self.spend(_TABLE, records)
        self.lent = records

    def wait_s(self):
        """For how long this session may have nothing more recorded that is no play; 0: now."""
        self._earn()
        if self.said[self.role] < _MOST_SAID:
            return 0
        more = self.said[self.role] - _MOST_SAID  # to be earned before the next one
        return (_EARN_MS - self.uptime_ms() + self._earned_ms + more * _EARN_MS) // 1000 + 1

    async def settled(self):
        """All that was told so far is on flash, or the machine is stopped. Not between a lane's gates."""
        if self.waiting:
            await self.gate.close()
            try:
                self._write(False)
            finally:
                self.gate.open()

    def at_once(self):
        """Now: nothing that moves is still watched. What has no room without an erase is written a little later."""
        self._write(True)

    def _write(self, urgent):
        """What an error cuts short goes on with the next call: each record once, in order, and then its event."""
        journal, waiting = self.journal, self.waiting
        try:
            while self._given < len(waiting):
                one = waiting[self._given]
                kind, fields, more, _, uptime_ms, _ = one
                if kinds.row(kind) and journal.status != FAILED:
                    if not journal.room(urgent):
                        if urgent:
                            break
                        journal.prepare()
                    one[_NUMBER] = journal.put(kind, _both(fields, more), uptime_ms, self.time(uptime_ms))
                    self._last_ms = uptime_ms
                self._given += 1
            journal.flush()
        except OSError:
            self._given = len(waiting)  # it is not kept, but it is told, and then why
            for one in waiting:
                one[_NUMBER] = 0
        while self._given:
            kind, fields, _, say, _, number = waiting.pop(0)
            self._given -= 1
            if say:
                self.say(kind, fields, number)
        self._tell_damage()
        if journal.status == FAILED:
            self.failed()

    def _tell_damage(self):
        journal = self.journal
        while journal.damage and journal.status != FAILED:
            self.tell("damage", journal.damage.pop(0), say=False)

    # ---- the controller's time -----------------------------------------------------------------

    def time(self, uptime_ms):
        """Seconds since 1970, 0 when it was not told since power-on."""
        # a record has 32 bits for it: a controller may say anything
        return min(self._set_s + (uptime_ms - self._set_ms) // 1000, 0xFFFFFFFF) if self._set_s else 0

    def counted_s(self):
        """Return for how many seconds the machine has counted the time itself since it was told."""
        return (self.uptime_ms() - self._set_ms) // 1000 if self._set_s else 0

    def set_time(self, seconds, trusted=False):
        """Take the time that is told: the first since power-on, and any that the supervisor or service tells.

        From then on the machine counts for itself. What a table tells later may not push it on, second by second.
        """
        now_ms = self.uptime_ms()
        before = self.time(now_ms)
        last = before or self.journal.state.time
        jump = seconds - last if before or seconds < last else 0
        self._refused = False
        if not before or (trusted and (not self.vouched or abs(jump) > _JUMP_S)):
            self._set_s, self._set_ms = seconds, now_ms
            self._tell_clock(last, seconds, jump, _VOUCHED if trusted else _FIRST)
        self.vouched = self.vouched or trusted

    def time_refused(self, seconds):
        """A clock that runs backwards is not taken. It is told once, until it is right again."""
        if not self._refused:
            self._refused = True
            before = self.time(self.uptime_ms()) or self.journal.state.time
            self._tell_clock(before, seconds, seconds - before, _REFUSED)

    def _tell_clock(self, before, after, jump, taken):
        jump = max(min(jump, 0x7FFFFFFF), -0x7FFFFFFF)
        self.tell("clock", {"before": before, "after": after, "jump_s": jump, "taken": taken}, say=False)

    # ---- run -----------------------------------------------------------------------------------

    async def lane(self):
        """Writes what waits; when all is quiet, makes the next segment ready."""
        while True:
            self.alive.idle(MEMORY)
            told = await clock.wait(self._work, _QUIET_MS)
            self.alive.at_work(MEMORY)
            await self.settled()
            if not told and self.quiet():
                if not self.journal.ahead:
                    await self.prepare()
                elif self.journal.look():
                    self._tell_damage()
            if self.journal.status != FAILED and self.uptime_ms() - self._last_ms > _ALIVE_MS:
                self.tell("alive", {"free": self.free()}, say=False)

    async def prepare(self):
        await self.gate.close()
        try:
            self.journal.prepare()
        except OSError:
            self.failed()
        finally:
            self.gate.open()


def _both(fields, more):
    if not more:
        return fields
    both = dict(fields)
    both.update(more)
    return both


def _nobody(kind, fields, record=0):
    return 0
