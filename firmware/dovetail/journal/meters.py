# Counters for the inspector: a fold of the records, never reset. No data of a card.
# NAMES: their places in a segment's header, so new ones go to the end. COUNTS: which record counts where.

from array import array
import micropython
from micropython import const

ROOM = const(64)

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
)  # fmt: skip

# kind: (meter, field that is added or None for one)
_COUNTS = {
    "started": (("boots", None),),
    "damage": (("journal_damages", None),),
    "declared": (("decks_declared", "new"),),
    "shuffle_done": (("cards_pick", "counted_in"), ("cards_feed", "counted_in")),
    "opened": (("rounds", None),),
    "stack": (("stacks", None), ("cards_deal", "delivered")),
    "remainder": (("remainders", None), ("cards_deal", "delivered")),
    "closed": (("rounds_closed", None),),
    "round_void": (("voids", None),),
    "fault": (("faults", None),),
    "locked_out": (("decks_locked_out", None),),
    "cleared": (("clearings", None),),
    "auth": (("authentication_failures", None),),
    "service": (("service_tests", None),),
    "retry": (("retries", "tries"), ("recoveries", "recovered")),
    "position": (("positions_drawn", None),),
}

# fault: meter; a station's faults are a hundred (faults.py)
FAULTS = {
    101: "misfeeds", 401: "misfeeds", 102: "jams_feeder", 301: "jams_ejector", 402: "jams_shoe",
    103: "double_feeds", 403: "double_feeds", 201: "wheel_lost", 202: "wheel_lost", 601: "wrong_decks",
    602: "counts_disagree", 701: "interlocks", 702: "interlocks", 703: "interlocks", 704: "interlocks",
    801: "rng_failures",
}  # fmt: skip
POWER = const(706)  # cards were inside when the power came back
_VOIDS = (
    "", "voids_feeder", "voids_wheel", "voids_ejector", "voids_shoe", "voids_tray", "voids_count", "voids_interlock",
)  # fmt: skip
_WATCHDOG = const(1)


_AT = {kind: [(NAMES.index(meter), field) for meter, field in _COUNTS[kind]] for kind in _COUNTS}


class Meters:
    def __init__(self):
        self.at = array("I", [0] * ROOM)

    def __getitem__(self, name):
        return self.at[NAMES.index(name)]

    def named(self):
        return {NAMES[i]: self.at[i] for i in range(len(NAMES))}

    def add(self, name, n=1):
        self._add(NAMES.index(name), n)

    @micropython.native
    def _add(self, place, n):
        self.at[place] = (self.at[place] + n) & 0xFFFFFFFF

    @micropython.native
    def apply(self, name, f, state):
        """One more record; state as it was before it."""
        for place, field in _AT.get(name, ()):
            self._add(place, f[field] if field else 1)
        step = _STEPS.get(name)
        if step:
            step(self, f, state)

    def _broken(self, state):
        """A shuffle was under way and will never be complete."""
        if state.turning:
            self.add("service_shuffles_broken" if state.turning & 128 else "shuffles_broken")

    def _started(self, f, state):
        self._broken(state)
        if f["cause"] == _WATCHDOG:
            self.add("watchdog_resets")

    def _clock(self, f, state):
        if f["jump_s"]:
            self.add("clock_jumps")

    def _ready(self, f, state):
        self.add("service_shuffles" if state.turning & 128 else "shuffles")
        self.add("cards_shuffled", f["counted_out"])
        self.add("cards_eject", f["counted_out"])
        self.at[NAMES.index("cards_last_shuffle")] = f["counted_out"]

    def _stack(self, f, state):
        if f["delivered"] != f["ordered"]:
            self.add("short_stacks")

    def _round_void(self, f, state):
        station = f["fault"] // 100
        name = "voids_power" if f["fault"] == POWER else _VOIDS[station] if 1 <= station <= 7 else "voids_other"
        self.add(name)

    def _fault(self, f, state):
        self._broken(state)
        name = FAULTS.get(f["fault"])
        if name:
            self.add(name)


_STEPS = {
    "started": Meters._started, "clock": Meters._clock, "ready": Meters._ready, "stack": Meters._stack,
    "round_void": Meters._round_void, "fault": Meters._fault,
}  # fmt: skip
