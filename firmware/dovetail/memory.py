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
        self._work = clock.Flag()
        self._set_s = self._set_ms = 0  # the controller's time, and our uptime when it told it
        self._refused = False
        self._last_ms = 0

    # ---- tell ----------------------------------------------------------------------------------

    def tell(self, kind, fields, more=None, say=True):
        """A record, an event of the link, or both. more: what only the record has."""
        recorded = kinds.row(kind)
        if not recorded and not self.waiting:
            self.say(kind, fields)
            return
        self.told += recorded is not None
        self.waiting.append([kind, fields, more, say, self.uptime_ms(), 0])
        self._work.set()

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

    def set_time(self, seconds):
        """The controller says what time it is. A clock that jumps is taken, and told."""
        now_ms = self.uptime_ms()
        before = self.time(now_ms)
        last = before or self.journal.state.time
        jump = seconds - last if before or seconds < last else 0
        self._refused = False
        if not before or abs(jump) > _JUMP_S:
            self._set_s, self._set_ms = seconds, now_ms
            self._tell_clock(last, seconds, jump)

    def time_refused(self, seconds):
        """A clock that runs backwards is not taken. It is told once, until it is right again."""
        if not self._refused:
            self._refused = True
            before = self.time(self.uptime_ms()) or self.journal.state.time
            self._tell_clock(before, seconds, seconds - before)

    def _tell_clock(self, before, after, jump):
        jump = max(min(jump, 0x7FFFFFFF), -0x7FFFFFFF)
        self.tell("clock", {"before": before, "after": after, "jump_s": jump}, say=False)

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
