"""What must hold of the mechanics' numbers: ranges of each, and what ties them to each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt, tau
from typing import Any

AXES = ("pick", "feed", "wheel", "eject", "deal")
ROLLERS = ("pick", "feed", "deal")
STEPS_S = 30303  # the step rate at which hil_tests/test_hal_motion.py drives all axes at once
STOP_MS = 110  # the wheel must stand 120 ms after a lid; 10 are left for who notices
COUNTS = 4095  # of the converter
RAMP_US = 65535  # the longest step period that a ramp can hold
# The firmware's own slow moves, in microseconds a step: an axis that is slower can't make them.
SLOW_US = {
    "pick": 200,  # from stations/feeder.py: _CAREFUL_US
    "feed": 200,  # from stations/feeder.py: _CAREFUL_US
    "wheel": 50,  # from stations/wheel.py: FAST_US
    "eject": 500,  # from stations/ejector.py: _SLOW_US
    "deal": 200,  # from stations/shoe.py: _CAREFUL_US
}
SLOWEST = {axis: 1_000_000 // us for axis, us in SLOW_US.items()}  # steps a second
# The wheel is rocked by so many, with a card in its mouth
ROCK_STEPS = 9  # from stations/wheel.py: _ROCK
# A card is driven past its seat; it may lie short of its place
PAST_UM = 2000  # from stations/feeder.py: _PAST_UM
SHORT_UM = 14000  # from stations/feeder.py: _SHORT_UM
# So far before the mouth ends a move that nobody has let go on
SHY_UM = 1500  # from stations/feeder.py: _SHY_UM
READ_MS = 20  # so long after it stands the deal roller's firmware may need to read the thickness
WINDOW_UM = 4000  # a beam's edge may be off its place by so much
# The firmware waits so long for a card in the chute: beam, then tray
BEAM_MS = 160  # from stations/shoe.py: _CHUTE_MS
FALL_MS = 100  # from stations/tray.py: _FALL_MS
# By how many counts a good board's sensor is off these levels at most: sim/traits.py draws it so.
# The calibration refuses a dirty sensor, which has less than 30 hundredths of its room left: with
# less room than OFF * 100 / 70 it would refuse good boards, or a card would not be told from none.
NOISE = 8  # of a reading
OFF = {
    "BEAM_FREE": 150 + NOISE,
    "BEAM_DARK": 80 + NOISE,
    "SEEN": 150 + NOISE,
    "ABSENT": 80 + NOISE,
    "BACK_DARK": 40 + NOISE,
    "BACKS": 60 + NOISE,
}
LEFT = 30  # hundredths
LOST_STEPS = 2320  # counts of the motor supply: 17.4 V, at which steps are lost

Table = dict[str, Any]
IN_ORDER = (
    "ENTRY_BEAM_UM",
    "FEED_NIP_UM",
    "COUNT_BEAM_UM",
    "STAGED_UM",
    "WHEEL_MOUTH_UM",
    "SEATED_UM",
)

# Beyond these no number can be of a machine for cards, whatever the others are.
RANGES: dict[str, tuple[int, int, str]] = {
    "CARD_LENGTH_UM": (50_000, 100_000, "a playing card"),
    "SLOTS": (54, 200, "a slot for each card of a deck with jokers"),
    "STAGE_UM": (2000, 15_000, "the roller turns on until a card has surely left it, no further"),
    "REST_HALF_STEPS": (2, COUNTS, "the crank is brought to the middle of its rest"),
    "ALIGN_STEPS": (ROCK_STEPS + 1, COUNTS, f"the wheel is rocked by {ROCK_STEPS}"),
    "EXIT_BEAM_UM": (WINDOW_UM + 1, 100_000, "an edge may be off by 4 mm"),
    "ROLLER_MAX_UM_S": (100_000, 3_000_000, "metres a second, in millionths"),
    "ROLLER_MAX_UM_S2": (1_000_000, 100_000_000, "a card slides under ten times its weight"),
    "WHEEL_MAX_REV_S": (1, 10, "revolutions a second"),
    "WHEEL_MAX_RAD_S2": (1, 1000, "radians a second, each second"),
    "STROKE_MIN_MS": (20, 500, "a stroke of a crank"),
    "THICKNESS_CARD": (200, COUNTS, "sensors and cards differ by a good part of it"),
    "BACK_HALF": (100, COUNTS, "sensors and backs differ by so much"),
    "SUPPLY_MIN": (LOST_STEPS, 3000, "above where steps are lost, below what 24 V read"),
}


@dataclass(frozen=True)
class Rule:
    """What must hold of the number that a key names; the words say what was found."""

    key: str
    holds: Callable[[Table], bool]
    words: Callable[[Table], str]


def _stroke_ms(t: Table) -> float:
    speed, accel = t["AXES"]["eject"]
    steps = t["STROKE_STEPS"]
    if steps * accel <= speed * speed:
        return 2000 * sqrt(steps / accel)
    return 1000 * (steps / speed + speed / accel)


def _stop_ms(t: Table) -> float:
    speed, accel = t["AXES"]["wheel"]
    return 1000 * speed / accel


def _wheel_steps(t: Table, revs: float) -> int:
    return round(revs * t["WHEEL_STEPS_REV"])


def _roller_steps(t: Table, um: int) -> int:
    return um * t["ROLLER_STEPS_M"] // 1_000_000


def _rise(t: Table, name: str) -> int:
    """Steps up its ramp."""
    speed, accel = t["AXES"][name]
    return ceil(speed * speed / (2 * accel))


def _longest(t: Table, name: str) -> int:
    """The longest move that the firmware plans."""
    seat = t["SEATED_UM"] + PAST_UM - t["STAGED_UM"] + SHORT_UM
    return {
        "pick": lambda: _roller_steps(t, t["FEED_NIP_UM"]) + _rise(t, "pick"),
        "feed": lambda: max(
            _roller_steps(t, t["STAGED_UM"]), _roller_steps(t, seat) + _rise(t, "feed")
        ),
        "wheel": lambda: t["WHEEL_STEPS_REV"] + t["SLOT_STEPS"],
        "eject": lambda: t["STROKE_STEPS"],
        "deal": lambda: _roller_steps(t, t["CARD_LENGTH_UM"] + t["STAGE_UM"]),
    }[name]()


def _let_go_ms(t: Table) -> float:
    """How long before the deal roller stands it has let a card go."""
    return 1000 * sqrt(2 * _roller_steps(t, t["STAGE_UM"]) / t["AXES"]["deal"][1])


def _in_beam_ms(t: Table) -> float:
    """How long a card that was let go is in the deal beam at least, in a quick chute."""
    return 950 * t["DEAL_BEAM_UM"] / t["CHUTE_UM_S"]


def _reach(name: str) -> list[Rule]:
    """What a move may be long: all that are planned, and not much more, or it guards nothing."""
    of = (
        "ROLLER_STEPS_M" if name in ROLLERS else "SLOT_STEPS" if name == "wheel" else "STROKE_STEPS"
    )

    def said(t: Table) -> str:
        return f"{name}: {t['REACH'][name]} steps"

    return [
        Rule(
            "REACH",
            lambda t: t["REACH"][name] >= _longest(t, name),
            lambda t: f"{said(t)}, at least {_longest(t, name)}: its longest move ({of})",
        ),
        Rule(
            "REACH",
            lambda t: t["REACH"][name] <= 3 * _longest(t, name),
            lambda t: f"{said(t)}, at most {3 * _longest(t, name)}: thrice its longest move ({of})",
        ),
    ]


def _axis(name: str) -> list[Rule]:
    """An axis stays under what its mechanics and its step pulses stand."""
    place = 0 if name in ROLLERS else 1 if name == "wheel" else 2

    def most(t: Table) -> tuple[int, int]:
        return (
            (_roller_steps(t, t["ROLLER_MAX_UM_S"]), _roller_steps(t, t["ROLLER_MAX_UM_S2"])),
            (
                _wheel_steps(t, t["WHEEL_MAX_REV_S"]),
                _wheel_steps(t, t["WHEEL_MAX_RAD_S2"] / tau),
            ),
            (STEPS_S, 10**9),
        )[place]

    def speed(t: Table) -> int:
        return min(most(t)[0], STEPS_S)

    limits = (
        "ROLLER_MAX_UM_S, ROLLER_MAX_UM_S2, ROLLER_STEPS_M",
        "WHEEL_MAX_REV_S, WHEEL_MAX_RAD_S2, WHEEL_STEPS_REV",
        "step pulses",
    )[place]

    def ramp_us(t: Table) -> float:
        return 1e6 * sqrt(2 / t["AXES"][name][1])

    return [
        Rule(
            "AXES",
            lambda t: 0 < t["AXES"][name][0] <= speed(t),
            lambda t: f"{name}: {t['AXES'][name][0]} steps/s, at most {speed(t)} ({limits})",
        ),
        Rule(
            "AXES",
            lambda t: 0 < t["AXES"][name][1] <= most(t)[1],
            lambda t: f"{name}: {t['AXES'][name][1]} steps/s², at most {most(t)[1]} ({limits})",
        ),
        Rule(
            "AXES",
            lambda t: t["AXES"][name][0] >= SLOWEST[name],
            lambda t: (
                f"{name}: {t['AXES'][name][0]} steps/s, at least {SLOWEST[name]}: its slow moves"
            ),
        ),
        Rule(
            "AXES",
            lambda t: ramp_us(t) <= RAMP_US,
            lambda t: f"{name}: first step after {ramp_us(t):.0f} us, at most {RAMP_US}",
        ),
    ]


def _after(key: str, before: str) -> Rule:
    return Rule(
        key, lambda t: t[key] > t[before], lambda t: f"{t[key]}, but {before} is {t[before]}"
    )


def _under(key: str, limit: str, most: Callable[[Table], int]) -> Rule:
    return Rule(key, lambda t: t[key] <= most(t), lambda t: f"{t[key]}, at most {most(t)}: {limit}")


def _at_least(key: str, why: str, least: Callable[[Table], int]) -> Rule:
    return Rule(
        key, lambda t: t[key] >= least(t), lambda t: f"{t[key]}, at least {least(t)}: {why}"
    )


def _room(key: str) -> int:
    """The least room of a level to the reading with which its sensor fails."""
    return ceil(OFF[key] * 100 / (100 - LEFT))


def _apart_from(key: str, below: str, level: str) -> Rule:
    """Room enough for the boards of which this level is one."""
    why = f"boards are off {level} by {OFF[level]}, and {LEFT} of 100 must be left ({below})"
    return _at_least(key, why, lambda t: t[below] + _room(level))


def _within(key: str) -> Rule:
    least, most, why = RANGES[key]
    return Rule(
        key, lambda t: least <= t[key] <= most, lambda t: f"{t[key]}, {least} to {most}: {why}"
    )


RULES: list[Rule] = [
    *(_within(key) for key in RANGES),
    Rule(
        "SLOT_STEPS",
        lambda t: t["SLOTS"] * t["SLOT_STEPS"] == t["WHEEL_STEPS_REV"],
        lambda t: (
            f"{t['SLOT_STEPS']}: {t['SLOTS']} slots of it are {t['SLOTS'] * t['SLOT_STEPS']} "
            f"steps, the wheel has {t['WHEEL_STEPS_REV']} (SLOTS, WHEEL_STEPS_REV)"
        ),
    ),
    _under("TICK_HALF_STEPS", "a quarter of a slot (SLOT_STEPS)", lambda t: t["SLOT_STEPS"] // 4),
    _under(
        "ALIGN_STEPS", "less than the tick (TICK_HALF_STEPS)", lambda t: t["TICK_HALF_STEPS"] - 1
    ),
    _under("HOME_HALF_STEPS", "half a slot (SLOT_STEPS)", lambda t: t["SLOT_STEPS"] // 2),
    _after("HOME_HALF_STEPS", "ALIGN_STEPS"),
    _at_least("EXIT_SLOTS", "an eighth of SLOTS from the mouth", lambda t: t["SLOTS"] // 8),
    _under(
        "EXIT_SLOTS", "an eighth of SLOTS from the mouth", lambda t: t["SLOTS"] - t["SLOTS"] // 8
    ),
    *(_after(key, before) for before, key in pairwise(IN_ORDER)),
    _under(
        "STAGED_UM",
        "a waiting card still darkens the entry beam (ENTRY_BEAM_UM, CARD_LENGTH_UM)",
        lambda t: t["ENTRY_BEAM_UM"] + t["CARD_LENGTH_UM"] - 2000,
    ),
    _at_least(
        "STAGED_UM",
        "a card that lies short of its place is in the count station (COUNT_BEAM_UM)",
        lambda t: t["COUNT_BEAM_UM"] + SHORT_UM,
    ),
    _at_least(
        "WHEEL_MOUTH_UM",
        "a card that leans forward, and lies as far on as it may, stops before it (STAGED_UM)",
        lambda t: t["STAGED_UM"] + SHY_UM + WINDOW_UM,
    ),
    _at_least(
        "SEATED_UM",
        "its end has left the mouth (WHEEL_MOUTH_UM, CARD_LENGTH_UM)",
        lambda t: t["WHEEL_MOUTH_UM"] + t["CARD_LENGTH_UM"],
    ),
    _under(
        "SEATED_UM",
        "its end lies just within (WHEEL_MOUTH_UM, CARD_LENGTH_UM)",
        lambda t: t["WHEEL_MOUTH_UM"] + t["CARD_LENGTH_UM"] + 10_000,
    ),
    _under(
        "EXIT_BEAM_UM",
        "before the shoe (SHOE_UM, CARD_LENGTH_UM)",
        lambda t: t["SHOE_UM"] - t["CARD_LENGTH_UM"],
    ),
    _under("SHOE_UM", "within the push (PUSH_UM)", lambda t: t["PUSH_UM"]),
    _under("PUSH_UM", "not far past the shoe (SHOE_UM)", lambda t: t["SHOE_UM"] + 20_000),
    _under(
        "REST_HALF_STEPS",
        "a hundredth of the stroke (STROKE_STEPS)",
        lambda t: t["STROKE_STEPS"] // 100,
    ),
    _under(
        "DEAL_BEAM_UM",
        "under the card in the roller (CARD_LENGTH_UM)",
        lambda t: t["CARD_LENGTH_UM"],
    ),
    _under(
        "STAGE_UM",
        "before the deal beam by twice what an edge may be off (DEAL_BEAM_UM)",
        lambda t: t["DEAL_BEAM_UM"] - 2 * WINDOW_UM,
    ),
    _at_least(
        "CHUTE_UM_S",
        f"a card slides out of the beam in {BEAM_MS} ms (DEAL_BEAM_UM)",
        lambda t: t["DEAL_BEAM_UM"] * 1000 // BEAM_MS,
    ),
    _at_least(
        "CHUTE_UM_S",
        "quicker than the firmware's slow moves (ROLLER_STEPS_M)",
        lambda t: SLOWEST["deal"] * 1_000_000 // t["ROLLER_STEPS_M"] + 1,
    ),
    _under(
        "CHUTE_UM_S", "no quicker than rollers (ROLLER_MAX_UM_S)", lambda t: t["ROLLER_MAX_UM_S"]
    ),
    _at_least(
        "TRAY_UM",
        "a card there has left the deal beam (DEAL_BEAM_UM, CARD_LENGTH_UM)",
        lambda t: t["DEAL_BEAM_UM"] + t["CARD_LENGTH_UM"],
    ),
    _under(
        "TRAY_UM",
        f"there {FALL_MS} ms after the deal beam (CHUTE_UM_S, DEAL_BEAM_UM, CARD_LENGTH_UM)",
        lambda t: t["DEAL_BEAM_UM"] + t["CARD_LENGTH_UM"] + t["CHUTE_UM_S"] * FALL_MS // 1000,
    ),
    *(rule for name in AXES for rule in _axis(name)),
    Rule(
        "AXES",
        lambda t: t["AXES"]["pick"] == t["AXES"]["feed"],
        lambda t: (
            f"pick: {t['AXES']['pick']}, feed: {t['AXES']['feed']}: they must be alike, "
            "both hold the card"
        ),
    ),
    Rule(
        "AXES",
        lambda t: t["AXES"]["deal"][0] >= _roller_steps(t, t["CHUTE_UM_S"]),
        lambda t: (
            f"deal: {t['AXES']['deal'][0]} steps/s, at least "
            f"{_roller_steps(t, t['CHUTE_UM_S'])}: no slower than the chute "
            "(CHUTE_UM_S, ROLLER_STEPS_M)"
        ),
    ),
    Rule(
        "AXES",
        lambda t: _let_go_ms(t) + READ_MS <= _in_beam_ms(t),
        lambda t: (
            f"deal: stands {_let_go_ms(t):.0f} ms after it has let a card go, at most "
            f"{_in_beam_ms(t) - READ_MS:.0f}: its thickness is read in the beam "
            "(STAGE_UM, DEAL_BEAM_UM, CHUTE_UM_S, ROLLER_STEPS_M)"
        ),
    ),
    *(rule for name in AXES for rule in _reach(name)),
    Rule(
        "AXES",
        lambda t: _stop_ms(t) <= STOP_MS,
        lambda t: f"wheel: stops within {_stop_ms(t):.0f} ms, at most {STOP_MS}",
    ),
    Rule(
        "AXES",
        lambda t: round(_stroke_ms(t), 3) >= t["STROKE_MIN_MS"],
        lambda t: (
            f"eject: a stroke of {_stroke_ms(t):.1f} ms, at least "
            f"{t['STROKE_MIN_MS']} (STROKE_MIN_MS, STROKE_STEPS)"
        ),
    ),
    _apart_from("BEAM_FREE", "BEAM_MIN", "BEAM_FREE"),
    _apart_from("BEAM_MIN", "BEAM_DARK", "BEAM_DARK"),
    _apart_from("SEEN", "PRESENT", "SEEN"),
    _apart_from("PRESENT", "ABSENT", "ABSENT"),
    _apart_from("BACK_NONE", "BACK_DARK", "BACK_DARK"),
    Rule(
        "THICKNESS_CARD",
        lambda t: t["THICKNESS_BASE"] + 4 * t["THICKNESS_CARD"] <= COUNTS,
        lambda t: (
            f"{t['THICKNESS_CARD']}: four layers read "
            f"{t['THICKNESS_BASE'] + 4 * t['THICKNESS_CARD']}, the converter gives at most "
            f"{COUNTS} (THICKNESS_BASE)"
        ),
    ),
    *(
        _under(key, "what the converter gives", lambda t: COUNTS)
        for key in ("BEAM_FREE", "SEEN", "FACE", "SUPPLY_MIN")
    ),
    _under("BACK_HALF", "half the way between the two backs (BACKS)", lambda t: _apart(t) // 2),
    _under(
        "BACK_NONE",
        f"less than any back reads on a board that is off by {OFF['BACKS']} (BACKS, BACK_HALF)",
        lambda t: min(t["BACKS"].values()) - t["BACK_HALF"] - OFF["BACKS"] - 1,
    ),
    _at_least(
        "FACE",
        "more than any back reads (BACKS, BACK_HALF)",
        lambda t: max(t["BACKS"].values()) + 2 * t["BACK_HALF"] + 1,
    ),
]


def _apart(t: Table) -> int:
    red, blue = sorted(t["BACKS"].values())
    return blue - red
