# What must survive the power: a fold of the records. apply() is used in play and when the records are read at a boot,
# so what is known afterwards is what was known before. A segment's header carries a copy.

import struct
import micropython
from micropython import const

_FORMAT = "<IIIIIIBBBBBBBBHB4s4sIIIIIIIIIIIIBBBBBBIBBHIBBHBB"
_POSITIONS = const(8)

# round
_CLOSED = const(0)
_BETS = const(1)
_DEALT = const(2)
_RELEASED = const(3)
_VOID = const(4)
_UNTOLD = const(5)  # void by a stub that was counted wrong, and the record that says so is not there yet
_AGAIN = const(6)  # the same of a round that was void before
RUNNING = (_BETS, _DEALT)

# cause of a start
CAUSES = ("power", "watchdog", "reset")
_POWER_ON = const(0)
_WATCHDOG = const(1)

_CHANCE_OK = const(1)  # bit of self_test
_NOISE = const(801)  # from faults.py: NOISE
_DISAGREE = const(602)  # from faults.py: COUNTS_DISAGREE

_BACK_S = const(2)  # by so much the controller's clock may differ from ours; from cards/life.py: _BACK_S
_BY_SERVICE = const(128)
_MOST_ROUNDS = const(5)  # what more there are does not matter; from table/layout.py: ROUNDS_PER_COUNT
_DOUBT = const(0xFFFFFFFF)  # since when a deck is there, when that is not known: later than any time
_HAND_VOID = const(3)  # of a stack; what is less stands; from link/link.proto: HAND_VOID
_MISDEALT = const(4)  # all hands are void; from link/link.proto: MISDEALT
_MISDEAL = const(3)  # of a remainder; from lanes/deal.py: _MISDEAL

# a void round of a deck, and the hands that stand: until it is counted, then until the next round is opened
_NUMBER = const(0)
_STANDING = const(1)  # bit a position
_WHY = const(2)  # its reason, and these bits:
_COUNTED = const(64)  # the deck was counted right, and nobody has been told for good
_SETTLED = const(128)  # told for good; a wrong stub takes the hands back, and that is to be told
_FAULT = const(3)
_COMPLETE = const(4)

# condition: what the machine was about at its last record
CONDITIONS = (
    "new", "idle", "shuffling", "deck in the wheel", "deck ready", "bets", "dealing", "stopped", "out of service",
)  # fmt: skip
_IDLE = const(1)
_SHUFFLING = const(2)
_HELD = const(3)
_DECK_READY = const(4)
_BETTING = const(5)
_DEALING = const(6)
_STOPPED = const(7)
_OUT = const(8)


_BROUGHT = const(2)  # from link/link.proto: BROUGHT
_REFUSED = const(0)  # of a "clock" record; from memory.py: _REFUSED
_VOUCHED = const(2)  # from memory.py: _VOUCHED
_SUPERVISOR = const(4)  # from link/link.proto: ROLE_SUPERVISOR
_EARLIER = const(0xFFFFFFFF)  # before this start


class Identity:
    """Keep one deck's number at this machine and how often it was shuffled.

    since, sorted: when a controller declared it, and when the dealer last put it in suit and sequence, by the time
    that was told. up, sorted_up: the uptime of this start at those moments, in seconds.
    """

    def __init__(self):
        self.number = self.since = self.shuffles = self.sorted = 0
        self.up = self.sorted_up = _EARLIER


class State:
    def __init__(self):
        self.boots = 0
        self.seconds = 0      # powered, of all boots
        self.uptime_s = 0     # at the last record
        self.time = 0         # the controller's, at the last record that had it
        self.vouched = 0      # who has told it since power-on: nobody, a table, somebody who vouches for it
        self.round = 0        # the last round that was opened: a number is never used twice
        self.next_deck = 1
        self.inside = 0       # 1: cards may be inside
        self.locks = 0        # bit a back colour: its deck is locked out
        self.gone = 0         # bit a back colour: its deck was removed from the table
        self.out = 0          # out of service
        self.round_state = _CLOSED
        self.positions = 0    # stacks owed
        self.stacks = 0       # stacks delivered
        self.last_back = 0    # the deck of the last round
        self.fault = 0        # the last one
        self.condition = 0
        self.down = 0         # randomness failed: unavailable until a power-on whose tests pass
        self.doubt = 0        # bit a back colour: the own count of its deck is not trusted
        self.clock = 0        # rounds closed since a count that is trusted, of any deck
        self.clocks = bytearray(3)  # rounds closed with a deck since such a count of it
        self.owes = 0         # 1: the round that is or was open leaves its deck to be counted by hand
        self.pair = 0         # 1: two decks alternate
        self.turn = 0         # the deck that was dealt last
        self.unlocked = 0     # bit a back colour: counted wrong, and the record of its lock-out is not there yet
        self.stub = 0         # 1: the stub of the last round was counted, and was right
        self.stood = (None, [0] * 5, [0] * 5)  # by deck, see above
        self.turning = 0      # the deck whose shuffle is not complete, with _BY_SERVICE when service asked for it
        # bits a position of this round: a stack was told; it is complete and not void
        self.dealt = self.good = 0
        self.facing = 0       # the position whose card lay face up, until another came in its place
        self.decks = (None, Identity(), Identity())

    def pack_into(self, buf, at):
        a, b = self.decks[1:]
        x, y = self.stood[1:]
        struct.pack_into(
            _FORMAT, buf, at, self.boots, self.seconds, self.uptime_s, self.time, self.round, self.next_deck,
            self.inside, self.locks, self.gone, self.out, self.round_state, self.positions, self.stacks,
            self.last_back, self.fault, self.condition,
            bytes((self.turning, self.down, self.doubt, self.vouched)),
            bytes((self.dealt, self.good, self.facing, self.turn | self.unlocked << 4)),
            a.number, a.since, a.shuffles, b.number, b.since, b.shuffles, a.sorted, b.sorted, a.up, b.up,
            a.sorted_up, b.sorted_up,
            self.clock, self.clocks[1], self.clocks[2], self.owes, self.pair, self.stub,
            x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3], x[4], y[4],
        )  # fmt: skip

    def unpack_from(self, buf, at):
        a, b = self.decks[1:]
        x, y = self.stood[1:]
        (
            self.boots, self.seconds, self.uptime_s, self.time, self.round, self.next_deck,
            self.inside, self.locks, self.gone, self.out, self.round_state, self.positions, self.stacks,
            self.last_back, self.fault, self.condition, more, hands,
            a.number, a.since, a.shuffles, b.number, b.since, b.shuffles, a.sorted, b.sorted, a.up, b.up,
            a.sorted_up, b.sorted_up,
            self.clock, self.clocks[1], self.clocks[2], self.owes, self.pair, self.stub,
            x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3], x[4], y[4],
        ) = struct.unpack_from(_FORMAT, buf, at)  # fmt: skip
        self.turning, self.down, self.doubt, self.vouched = more
        self.dealt, self.good, self.facing, turn = hands
        self.turn, self.unlocked = turn & 3, turn >> 4

    def worst(self):
        """Records are lost: what they may have said is taken for said."""
        self.inside = 1
        self.out = 1
        self.locks = 6
        self.doubt = 6
        self.clock = self.clocks[1] = self.clocks[2] = _MOST_ROUNDS
        self.pair = 1
        self.good = self.stood[1][_STANDING] = self.stood[2][_STANDING] = 0

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
            if time + _BACK_S < self.time:  # by service: how old a deck is, nobody knows now
                for deck in self.decks[1:]:
                    deck.since = deck.sorted = _DOUBT if deck.number else 0
            self.time = time
        if name == "closed" or (name == "started" and self.round_state == _RELEASED):
            # CT-1: what the power left open after its remainder was played
            self.round_state = _CLOSED
            back = self.last_back
            wanted = (self.owes or self.doubt >> back & 1) and not self.stub
            self.clock = min(self.clock + 1, _MOST_ROUNDS) if wanted else 0
            self.clocks[back] = min(self.clocks[back] + 1, _MOST_ROUNDS) if wanted else 0
        # one function for all kinds, not one a kind: that saves 700 bytes of heap. The most frequent one comes first
        if name == "stack":
            self._stack(f["position"] - 1, f["verdict"])
        elif name == "started":
            self.inside |= f["inside"]  # after a torn write it is more than the records say
            if f["cause"] == _POWER_ON and f["self_test"] & _CHANCE_OK:
                self.down = 0
            self.turning = 0
            self._outlive()
            self.condition = _OUT if self.out else _STOPPED if self.inside else _IDLE
        elif name == "clock":
            if f["taken"] != _REFUSED:
                for deck in self.decks[1:]:  # what is of this start is reckoned by the clock that now holds
                    if deck.up != _EARLIER:
                        deck.since = self._dated(f["after"], now_s - deck.up, deck.since)
                    if deck.sorted_up != _EARLIER:
                        deck.sorted = self._dated(f["after"], now_s - deck.sorted_up, deck.sorted)
                self.vouched = max(self.vouched, f["taken"])
        elif name == "declared":
            back = f["back"]
            deck = self.decks[back]
            if f["deck"] != deck.number:
                deck.number, deck.since, deck.shuffles, deck.sorted = f["deck"], self.time, 0, self.time
                deck.up = deck.sorted_up = now_s
                self.next_deck = max(self.next_deck, f["deck"] + 1)
            if self.gone >> back & 1:  # a new one in its place
                self.clocks[back] = 0
                self._no_stub(back)
                self.doubt &= ~(1 << back)
            if f["sorted"]:
                deck.sorted, deck.sorted_up = self.time, now_s
            self.locks &= ~(1 << back)
            self.unlocked &= ~(1 << back)
            self.gone &= ~(1 << back)
        elif name == "shuffle_begun":
            self.inside = 1
            self.turning = f["back"] | (_BY_SERVICE if f["service"] else 0)
            if self.condition <= _IDLE:
                self.condition = _SHUFFLING
        elif name == "shuffle_done":
            if self.condition == _SHUFFLING:
                self.condition = _HELD
        elif name == "ready":
            self.turning = 0
            self.decks[f["back"]].shuffles += f["order"] != _BROUGHT
            self.condition = _DECK_READY
            if self.stood[f["back"]][_NUMBER] and f["counted_in"] == f["counted_out"] == f["expected"]:
                self.stood[f["back"]][_WHY] |= _COUNTED
            if not f["counted_out"]:  # SH-7: all of it is inside
                self.clock = self.clocks[f["back"]] = 0
        elif name == "opened":
            self.round, self.positions, self.last_back = f["round"], f["positions"], f["back"]
            self.round_state, self.stacks = _BETS, 0
            self.owes, self.pair, self.stub = f["owes"], f["pair"], 0
            self.dealt = self.good = self.facing = 0
            for stood in self.stood[1:]:
                if stood[_WHY] & _SETTLED and stood[_STANDING]:
                    stood[_NUMBER] = stood[_STANDING] = 0
            self.condition = _BETTING
        elif name == "no_more_bets":
            self.round_state = _DEALT
            self.condition = _DEALING
            if f["by_hand"]:
                self.turn = self.last_back
        elif name == "face_up":
            self.facing = f["position"]
        elif name == "remainder":
            if f["found"]:  # what follows from it has records of its own, which the power may keep from being written
                self.good = 0
                if f["found"] != _MISDEAL:
                    self.locks |= 1 << f["found"]
                    self.unlocked |= 1 << f["found"]
            elif self.round_state in RUNNING:
                self.round_state = _RELEASED
            elif self.stood[self.last_back or 1][_NUMBER] == f["round"] and f["round"]:
                self.stood[self.last_back or 1][_WHY] |= _COUNTED
            self._out(f["inside"])
        elif name == "whole_deck":  # its round is still to be opened
            self._out(f["inside"])
        elif name == "round_void":
            if f["round"] == self.round:  # else one of before, whose deck was counted meanwhile
                self.round_state = _VOID
            for stood in self.stood[1:]:
                if stood[_NUMBER] == f["round"] and not f["standing"]:
                    stood[_STANDING] = stood[_NUMBER] = 0
                elif stood[_NUMBER] == f["round"] or (f["provisional"] and stood is self.stood[self.last_back]):
                    counted = stood[_WHY] & _COUNTED if stood[_NUMBER] == f["round"] else 0  # told again by a start
                    stood[_NUMBER], stood[_STANDING], stood[_FAULT] = f["round"], f["standing"], f["fault"]
                    stood[_WHY] = f["reason"] | (counted if f["provisional"] else _SETTLED)
                    stood[_COMPLETE] = f["complete"]
        elif name == "fault":
            self.fault = f["fault"]
            self.locks |= f["locks"]
            for back in (1, 2):
                if f["locks"] >> back & 1:
                    self.stood[back][_STANDING] = 0
            if f["fault"] == _NOISE:
                self.down = 1
            if f["fault"] == _DISAGREE:
                self.doubt = 6
            self.turning = 0
            self.condition = _STOPPED
        elif name == "calibration":  # its card goes in with "begun", and is out with "passed"
            self.inside = f["inside"]
        elif name == "locked_out":
            self.stood[f["back"]][_STANDING] = 0  # nobody will count it any more
            self.locks |= 1 << f["back"]
            self.unlocked &= ~(1 << f["back"])
            if f["round"]:
                self.round_state = _AGAIN if self.round_state == _VOID else _UNTOLD
        elif name == "cleared":
            self.inside = 0
            self.condition = _OUT if self.out else _IDLE
        elif name == "stub_counted":
            back = f["back"]
            self.clocks[back] = 0
            if f["right"]:
                self.doubt &= ~(1 << back)
            if back == self.last_back:
                self.clock, self.stub = 0, f["right"]
            elif not f["right"]:
                self.stub = 0
        elif name == "removed":  # its lock-out, if there is one, is kept: only the supervisor's new deck ends it
            self.stood[f["back"]][_STANDING] = 0
            self.gone |= 1 << f["back"]
            if f["role"] == _SUPERVISOR:
                self.pair = 0
                self._no_stub(f["back"])
                if self.turn == f["back"]:
                    self.turn = 0
        elif name == "out_of_service":
            self.out = f["on"]
            self.condition = _OUT if f["on"] else _STOPPED if self.inside else _IDLE

    def _dated(self, now, ago_s, before):
        """Since when, by a clock that says now. One that was told before in this start makes nothing younger."""
        since = now - min(ago_s, now)
        return min(since, before) if self.vouched else since

    def _outlive(self):
        """The power goes: since when, by a clock that a table alone has told, nobody knows then. CL-6."""
        for deck in self.decks[1:]:
            if self.vouched != _VOUCHED:
                if deck.up != _EARLIER:
                    deck.since = _DOUBT
                if deck.sorted_up != _EARLIER:
                    deck.sorted = _DOUBT
            deck.up = deck.sorted_up = _EARLIER
        self.vouched = 0

    def _no_stub(self, back):
        """The deck of the last round is gone for good, or that round is not known: its stub is not counted any more."""
        if self.last_back in (0, back):
            self.last_back = self.clock = 0

    def _out(self, inside):
        """A deck has left the shoe; inside: the other one has not."""
        self.inside = inside
        self.condition = _SHUFFLING if inside else _IDLE

    @micropython.native
    def _stack(self, place, verdict):
        """A draw, or a card in place of one found face up, goes where a stack lies already: it makes none."""
        bit = 1 << place if place < _POSITIONS else 0
        first, self.turn = not self.dealt & bit, self.last_back
        if verdict == _MISDEALT:
            self.good = 0
        elif verdict >= _HAND_VOID:
            self.good &= ~bit
        elif first:
            self.good |= bit
        self.dealt |= bit
        if self.facing == place + 1:
            self.facing = 0
        if first and bit and verdict < _HAND_VOID:
            self.stacks += 1
        elif verdict == _HAND_VOID and not first and self.stacks:
            self.stacks -= 1
