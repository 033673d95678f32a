# Counters for the inspector: a fold of the records, never reset. No data of a card.
# NAMES: their places in a segment's header, so new ones go to the end. What counts where: kinds.py, and below.

import micropython
from dovetail.hal.lasting import lasting_array
from micropython import const

_ROOM = const(64)

NAMES = (
    "boots", "watchdog_resets", "seconds",
    "shuffles", "shuffles_broken", "service_shuffles", "service_shuffles_broken",
    "cards_shuffled", "cards_last_shuffle",
    "rounds", "rounds_closed", "stacks", "short_stacks", "remainders",
    "voids", "voids_feeder", "voids_wheel", "voids_ejector", "voids_shoe", "voids_tray", "voids_count",
    "voids_interlock", "voids_power", "voids_other",
    "faults", "misfeeds", "jams_feeder", "jams_ejector", "jams_shoe", "wheel_lost", "double_feeds", "wrong_decks",
    "counts_disagree", "interlocks", "clearings", "retries", "recoveries",
    "authentication_failures", "rng_failures", "journal_damages", "clock_jumps", "decks_declared", "decks_locked_out",
    "cards_pick", "cards_feed", "cards_eject", "cards_deal", "service_tests", "positions_drawn",
    "decks_removed", "decks_barred", "decks_brought", "stubs_counted", "idles", "keys_renewed", "records_spared",
)  # fmt: skip

# fault, meter; a station's faults are a hundred (faults.py)
_FAULTS = (
    (101, "misfeeds"),  # from faults.py: MISFEED
    (401, "misfeeds"),  # from faults.py: DEAL_MISFEED
    (102, "jams_feeder"),  # from faults.py: FEED_JAM
    (106, "jams_feeder"),  # from faults.py: PATH_BLOCKED
    (301, "jams_ejector"),  # from faults.py: EXIT_JAM
    (302, "jams_ejector"),  # from faults.py: SLOT_EMPTY
    (303, "jams_ejector"),  # from faults.py: EXIT_BLOCKED
    (304, "jams_ejector"),  # from faults.py: ROD_LOST
    (402, "jams_shoe"),  # from faults.py: DEAL_JAM
    (404, "jams_shoe"),  # from faults.py: DEAL_BLOCKED
    (103, "double_feeds"),  # from faults.py: DOUBLE_FEED
    (403, "double_feeds"),  # from faults.py: DEAL_DOUBLE
    (201, "wheel_lost"),  # from faults.py: WHEEL_LOST
    (202, "wheel_lost"),  # from faults.py: WHEEL_HOME
    (203, "wheel_lost"),  # from faults.py: LOST_STEPS
    (601, "wrong_decks"),  # from faults.py: WRONG_DECK
    (602, "counts_disagree"),  # from faults.py: COUNTS_DISAGREE
    (701, "interlocks"),  # from faults.py: LID_OPEN
    (702, "interlocks"),  # from faults.py: DOOR_OPEN
    (703, "interlocks"),  # from faults.py: NOT_MOUNTED
    (704, "interlocks"),  # from faults.py: SUPPLY_LOST
    (801, "rng_failures"),  # from faults.py: NOISE
)
_POWER = const(706)  # cards were inside when the power came back; from faults.py: INSIDE
_VOIDS = (
    "", "voids_feeder", "voids_wheel", "voids_ejector", "voids_shoe", "voids_tray", "voids_count", "voids_interlock",
)  # fmt: skip
_BY_SERVICE = const(128)  # from journal/state.py: _BY_SERVICE
_BROUGHT = const(2)  # from link/link.proto: BROUGHT
_VOID = const(4)  # from journal/state.py: _VOID
_AGAIN = const(6)  # from journal/state.py: _AGAIN
_WATCHDOG = const(1)  # from journal/state.py: _WATCHDOG


class Meters:
    def __init__(self):
        self.at = lasting_array("I", _ROOM)

    def __getitem__(self, name):
        return self.at[NAMES.index(name)]

    def named(self):
        return {NAMES[i]: self.at[i] for i in range(len(NAMES))}

    @micropython.native
    def add(self, name, n=1):
        i = NAMES.index(name)
        self.at[i] = (self.at[i] + n) & 0xFFFFFFFF

    @micropython.native
    def apply(self, kind, f, state):
        """One more record, of a row of kinds.py; state as it was before it."""
        for meter, field in kind[4]:
            n = f[field] if field else 1
            if n:  # to look a meter up takes time
                self.add(meter, n)
        name = kind[1]
        if name == "ready":
            if f["order"] != _BROUGHT:  # SH-6: that was no shuffle of this machine's
                self.add("service_shuffles" if state.turning & _BY_SERVICE else "shuffles")
                self.add("cards_shuffled", f["counted_in"])
                self.at[NAMES.index("cards_last_shuffle")] = f["counted_in"]
        elif name == "stack":
            if f["verdict"]:
                self.add("short_stacks")
        elif name == "started":
            self._broken(state)
            if f["cause"] == _WATCHDOG:
                self.add("watchdog_resets")
        elif name == "clock":
            if f["jump_s"]:
                self.add("clock_jumps")
        elif name == "round_void":
            if state.round_state in (_VOID, _AGAIN) or f["round"] != state.round:
                return  # it is told again, now that its deck was counted
            self.add("voids")
            station = f["fault"] // 100
            self.add(
                "voids_power" if f["fault"] == _POWER else _VOIDS[station] if 1 <= station <= 7 else "voids_other"
            )
        elif name == "fault":
            self._broken(state)
            self._at_station(f["fault"])
        elif name == "retry" and f["recovered"]:  # else its fault has a record of its own
            self._at_station(f["fault"])

    def _at_station(self, number):
        for fault, meter in _FAULTS:
            if fault == number:
                self.add(meter)

    def _broken(self, state):
        """A shuffle was under way and will never be complete."""
        if state.turning:
            self.add("service_shuffles_broken" if state.turning & _BY_SERVICE else "shuffles_broken")
