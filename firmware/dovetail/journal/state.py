# What must survive the power: a fold of the records. apply() is used in play and when the records are read at a boot,
# so what is known afterwards is what was known before. A segment's header carries a copy.

import struct
import micropython
from micropython import const

_FORMAT = "<IIIIIIBBBBBBBBHB3s8sIIIIII"
DELIVERED = const(8)

# round
CLOSED = const(0)
BETS = const(1)
DEALT = const(2)
RELEASED = const(3)
VOID = const(4)
RUNNING = (BETS, DEALT)

POWER_ON = const(0)   # cause of a start
CHANCE_OK = const(1)  # bit of self_test
NOISE = const(801)    # faults.py

# condition: what the machine was about at its last record
CONDITIONS = (
    "new", "idle", "shuffling", "deck in the wheel", "deck ready", "bets", "dealing", "stopped", "out of service",
)  # fmt: skip
IDLE, SHUFFLING, HELD, READY, BETTING, DEALING, STOPPED, OUT = range(1, 9)


class Identity:
    """One deck: its number at this machine, when it was declared (controller's time), how often it was shuffled."""

    def __init__(self):
        self.number = self.since = self.shuffles = 0


class State:
    def __init__(self):
        self.boots = 0
        self.seconds = 0      # powered, of all boots
        self.uptime_s = 0     # at the last record
        self.time = 0         # the controller's, at the last record that had it
        self.round = 0        # the last round that was opened: a number is never used twice
        self.next_deck = 1
        self.inside = 0       # 1: cards may be inside
        self.locks = 0        # bit a back colour: its deck is locked out
        self.gone = 0         # bit a back colour: its deck was removed from the table
        self.out = 0          # out of service
        self.round_state = CLOSED
        self.positions = 0    # stacks owed
        self.stacks = 0       # stacks delivered
        self.last_back = 0    # the deck of the last round
        self.fault = 0        # the last one
        self.condition = 0
        self.down = 0         # randomness failed: unavailable until a power-on whose tests pass
        self.turning = 0      # the deck whose shuffle is not complete; 128 more when service asked for it
        self.delivered = bytearray(DELIVERED)  # cards in each stack of this round
        self.decks = (None, Identity(), Identity())

    def pack_into(self, buf, at):
        a, b = self.decks[1:]
        struct.pack_into(
            _FORMAT, buf, at, self.boots, self.seconds, self.uptime_s, self.time, self.round, self.next_deck,
            self.inside, self.locks, self.gone, self.out, self.round_state, self.positions, self.stacks,
            self.last_back, self.fault, self.condition, bytes((self.turning, self.down, 0)), bytes(self.delivered),
            a.number, a.since, a.shuffles, b.number, b.since, b.shuffles,
        )  # fmt: skip

    def unpack_from(self, buf, at):
        a, b = self.decks[1:]
        (
            self.boots, self.seconds, self.uptime_s, self.time, self.round, self.next_deck,
            self.inside, self.locks, self.gone, self.out, self.round_state, self.positions, self.stacks,
            self.last_back, self.fault, self.condition, more, delivered,
            a.number, a.since, a.shuffles, b.number, b.since, b.shuffles,
        ) = struct.unpack_from(_FORMAT, buf, at)  # fmt: skip
        self.turning, self.down = more[0], more[1]
        self.delivered[:] = delivered

    def worst(self):
        """Records are lost: what they may have said is taken for said."""
        self.inside = 1
        self.locks = 6

    @micropython.native
    def apply(self, name, f, boot, uptime_ms, time):
        """One more record."""
        now_s = uptime_ms // 1000
        if boot == self.boots:
            self.seconds += max(now_s - self.uptime_s, 0)
        else:
            self.seconds += now_s
            self.boots = boot
        self.uptime_s = now_s
        if time:
            self.time = time
        step = _STEPS.get(name)
        if step:
            step(self, f)

    # ---- one function a kind -------------------------------------------------------------------

    def _started(self, f):
        self.inside |= f["inside"]  # after a torn write it is more than the records say
        if f["cause"] == POWER_ON and f["self_test"] & CHANCE_OK:
            self.down = 0
        self.turning = 0
        self.condition = OUT if self.out else STOPPED if self.inside else IDLE

    def _declared(self, f):
        back = f["back"]
        deck = self.decks[back]
        if f["deck"] != deck.number:
            deck.number, deck.since, deck.shuffles = f["deck"], self.time, 0
            self.next_deck = max(self.next_deck, f["deck"] + 1)
        self.locks &= ~(1 << back)
        self.gone &= ~(1 << back)

    def _shuffle_begun(self, f):
        self.inside = 1
        self.turning = f["back"] | (128 if f["service"] else 0)
        if self.condition <= IDLE:
            self.condition = SHUFFLING

    def _shuffle_done(self, f):
        if self.condition == SHUFFLING:
            self.condition = HELD

    def _ready(self, f):
        self.turning = 0
        self.decks[f["back"]].shuffles += 1
        self.condition = READY

    def _opened(self, f):
        self.round, self.positions, self.last_back = f["round"], f["positions"], f["back"]
        self.round_state, self.stacks = BETS, 0
        for i in range(DELIVERED):
            self.delivered[i] = 0
        self.condition = BETTING

    def _no_more_bets(self, f):
        self.round_state = DEALT
        self.condition = DEALING

    def _stack(self, f):
        place = f["position"] - 1
        if place < DELIVERED:
            self.delivered[place] = min(self.delivered[place] + f["delivered"], 255)
        if f["delivered"] == f["ordered"]:
            self.stacks += 1

    def _remainder(self, f):
        self.round_state = RELEASED
        self.inside = f["inside"]
        self.condition = SHUFFLING if f["inside"] else IDLE

    def _closed(self, f):
        self.round_state = CLOSED

    def _round_void(self, f):
        self.round_state = VOID

    def _fault(self, f):
        self.fault = f["fault"]
        self.locks |= f["locks"]
        if f["fault"] == NOISE:
            self.down = 1
        self.turning = 0
        self.condition = STOPPED

    def _locked_out(self, f):
        self.locks |= 1 << f["back"]

    def _cleared(self, f):
        self.inside = 0
        self.condition = OUT if self.out else IDLE

    def _removed(self, f):
        self.gone |= 1 << f["back"]

    def _out_of_service(self, f):
        self.out = f["on"]
        self.condition = OUT if f["on"] else STOPPED if self.inside else IDLE


_STEPS = {
    "started": State._started, "declared": State._declared, "shuffle_begun": State._shuffle_begun,
    "shuffle_done": State._shuffle_done, "ready": State._ready, "opened": State._opened,
    "no_more_bets": State._no_more_bets, "stack": State._stack, "remainder": State._remainder,
    "closed": State._closed, "round_void": State._round_void, "fault": State._fault,
    "locked_out": State._locked_out, "cleared": State._cleared, "removed": State._removed,
    "out_of_service": State._out_of_service,
}  # fmt: skip
