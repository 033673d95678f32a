# Sessions: hello and its proof, tags, counters, what ends a session, and what a wrong tag costs.
# One is open at a time; one more may have been asked for. It opens with its first tagged frame.

import micropython
import struct

from dovetail.hal import wire
from dovetail.link import frame
from dovetail.link.auth import CONTROLLER, NONCE, hmac, session_secret
from dovetail.link.roles import NAMES, TABLE
from micropython import const

VERSION = const(1)
SILENCE_MS = const(5000)
_TRIES = const(3)  # wrong tags in a row, then hellos are held off
_HOLD_MS = const(1000)
_LONGEST_MS = const(60000)
_WRONG_TAG = const(1)  # reason of a failure, as the journal has it

_DONE = const(1)  # from link/link.proto: DONE
_REFUSED = const(2)  # from link/link.proto: REFUSED
_NOT_NOW = const(3)  # from link/link.proto: NOT_NOW
_BAD = const(4)  # from link/link.proto: BAD
_FAILED = const(7)  # from link/link.proto: FAILED

_NO_VERSION = const((_BAD, "", "version: only 1 is spoken here"))
_NO_LENGTH = const((_BAD, "", "nonce: 16 bytes are asked for, new ones for each hello"))
_NO_ROLE = const((_BAD, "", "role: one of 0 none, 1 table, 2 service, 3 audit, 4 supervisor"))
_NO_NONCE = const((_FAILED, "", "journal and noise have failed: no session can begin"))
_NO_KEYS = const("no keys yet: provision them")
_NO_KEY = const("no key of this role yet")
_HELD = const((_NOT_NOW, "", "too many wrong tags: wait"))


class Session:
    def __init__(self, role, secret, nonce, own, id, now_ms):
        self.role = role
        self.key = wire.key(secret)
        self.secret = bytearray(secret)  # 16 bytes of heap less than as bytes
        self.nonce = bytearray(nonce)  # the controller's
        self.own = bytearray(own)  # the machine's
        self.since_ms = now_ms  # of its hello
        self.last = -1  # counter of its last frame
        self.floor = id  # ids up to this one are answered again only if the answer is kept
        self.answered = 0  # requests


class Sessions:
    """guard: what the link asks of the machine, keys.py."""

    def __init__(self, guard, uptime_ms, bad):
        self.guard = guard
        self.uptime_ms = uptime_ms
        self.bad = bad  # the receiver's counts
        self.open = None
        self.asked = None  # the one that a hello has asked for
        self.heard_ms = 0  # the last good frame
        self.wrong = 0  # wrong tags in a row
        self.failures = 0  # wrong tags since power-on
        self.untold = 0  # of these, what the journal has not
        self.told_ms = 0
        self.hold_ms = _HOLD_MS  # how long hellos are held off next time
        self.held_until = 0
        self.drawn = 0  # nonces since power-on

    # ---- hello

    def hello(self, id, fields, identity):
        """(answer, session or None): the session's key tags the answer."""
        role, nonce = fields["role"], fields["nonce"]
        if fields["version"] != VERSION:
            return _NO_VERSION, None
        if len(nonce) != NONCE:
            return _NO_LENGTH, None
        if role >= len(NAMES):
            return _NO_ROLE, None
        identity = dict(identity)
        keyed = identity["keyed"] = self.guard.key(TABLE) is not None
        if not role:
            return {"outcome": _DONE, "identity": identity}, None
        if not keyed:
            return {"outcome": _REFUSED, "rule": "KEYS", "text": _NO_KEYS, "identity": identity}, None
        now_ms = self.uptime_ms()
        session = self._known(role, nonce, id, now_ms)
        if session is None:
            if now_ms < self.held_until:
                return _HELD, None
            no = self.guard.hinder(role)
            if no:
                return no, None
            secret = self.guard.key(role)
            if secret is None:  # a machine that was given its keys before there was this role
                return {"outcome": _REFUSED, "rule": "KEYS", "text": _NO_KEY, "identity": identity}, None
            try:
                own = self._draw(secret)
            except OSError:
                return _NO_NONCE, None
            session = Session(role, session_secret(secret, role, nonce, own), nonce, own, id, now_ms)
            self.asked = session
        identity["nonce"] = bytes(session.own)
        return {"outcome": _DONE, "identity": identity}, session

    def _known(self, role, nonce, id, now_ms):
        """The session that this hello asked for, when it came again as it was and nobody has opened it yet.

        No other: who has no key could have the open one's key tag an answer, "done", to an id of their choice.
        """
        session = self.asked
        if session is None or session.role != role or session.nonce != nonce or session.floor != id:
            return None
        session.since_ms = now_ms
        return session

    def _draw(self, secret):
        """A nonce that never comes again, and that nobody without the key can know before. Raises OSError."""
        self.drawn += 1
        count = struct.pack("<II", self.drawn, self.uptime_ms() & 0xFFFFFFFF)
        return hmac(secret, b"dovetail nonce 1" + count, self.guard.fresh())[:NONCE]

    # ---- frames

    @micropython.native
    def any(self):
        """Return whether one is open or asked for: else a tagged frame is no frame of anybody's."""
        if self.asked is not None and self.uptime_ms() - self.asked.since_ms > SILENCE_MS:
            self.asked = None
        return self.open is not None or self.asked is not None

    @micropython.native
    def check(self, received):
        """(session, refusal) of a tagged frame; no session: it is dropped and counted."""
        now_ms = self.uptime_ms()
        session = self._tagged(received)
        if session is None:
            self._failed(now_ms)
            return None, None
        counter = received.counter
        if counter <= session.last:
            self.bad[frame.OLD] += 1
            return None, None
        self.wrong = 0
        self.hold_ms = _HOLD_MS
        session.last = counter
        if session is self.asked:
            no = self.guard.hinder(session.role)  # it may have changed since the hello
            if no:
                return session, no
            self.asked = None
            self.end()
            if self.untold:
                self._tell(session, now_ms)
            self.open = session
            self.guard.began(session.role)
        self.heard_ms = now_ms
        return session, None

    @micropython.native
    def _tagged(self, received):
        for session in (self.open, self.asked):  # whoever says hello without a key makes no answer later
            if session is not None and received.signed(session.key, CONTROLLER):
                return session
        return None

    def _failed(self, now_ms):
        self.bad[frame.WRONG_TAG] += 1
        self.failures += 1
        self.wrong += 1
        self.untold += 1
        # the first, second, fourth, eighth, and what a minute brings: a flood does not wash the journal away
        if self.failures & (self.failures - 1) == 0 or now_ms - self.told_ms >= _LONGEST_MS:
            self._tell(self.asked or self.open, now_ms)
        if self.wrong % _TRIES == 0:
            self.asked = None
            self.held_until = now_ms + self.hold_ms
            self.hold_ms = min(2 * self.hold_ms, _LONGEST_MS)

    def _tell(self, session, now_ms):
        self.guard.failed(session.role, _WRONG_TAG, self.untold)
        self.untold = 0
        self.told_ms = now_ms

    # ---- the end

    def silent_in(self):
        """Milliseconds until the open session ends if nothing more is heard; None when none is open."""
        if self.open is None:
            return None
        return max(SILENCE_MS - (self.uptime_ms() - self.heard_ms), 0)

    def end(self):
        """The open session is over."""
        session, self.open = self.open, None
        if session is not None:
            self.guard.ended(session.role)
