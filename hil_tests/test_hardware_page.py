"""Every number of docs/hardware.md is what mechanics, board, firmware and simulated machine say.

What none of them has (a resistor, the crystal, a card's width) stands here once more, so that
nobody changes it unseen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from math import acos, degrees, log, pi
from pathlib import Path
from struct import calcsize
from typing import Any

from dovetail import faults

from boards import mechanics as M
from boards.shuffler_rp2040 import board as rp2040
from boards.shuffler_rp2350 import board as rp2350
from hil_tests.watch import ROLLERS_MS, WHEEL_MS
from host_tools.build.mechanics_rules import LEFT, LOST_STEPS, NOISE, OFF
from sim import card, supply
from sim.bound import move_s, roller_steps
from sim.hal import Store
from sim.plants.card import WRONG
from sim.traits import Traits

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "hardware.md"
NUMBER = re.compile(r"(?<![\w.\-])\d+(?:,\d{3})*(?:\.\d+)?")


def units(page: str) -> Iterator[tuple[str, int, str]]:
    """Each table row and each paragraph: its key, where it begins, its text.

    A row's key is its section, the first word of its table's head, and its own first cell in words.
    """
    heading = head = ""
    for found in re.finditer(r"^#+ .*$|^\|.*$|(?:^[^|#\n].*\n?)+", page, re.M):
        text, at = found[0], found.start()
        if text.startswith("#"):
            heading = text.strip("# ").split()[0]
        elif text.startswith("|"):
            label = next((c.strip(" `") for c in text.split("|") if re.search("[A-Za-z]", c)), "")
            if not page[:at].endswith("|\n"):
                head = label.split()[0]
            yield f"{heading}/{head}/{label.replace('`', '')}", at, text
        else:
            yield f"{heading}/{' '.join(text.split()[:2]).strip('*.,')}", at, text


def dovetail(module: str, name: str) -> Any:
    """A number of the firmware."""
    return getattr(import_module(f"dovetail.{module}"), name)


def written(path: str, pattern: str) -> int:
    """A number in a source that no host can import."""
    found = re.search(pattern, (ROOT / path).read_text(encoding="utf-8"))
    assert found, f"{path}: {pattern}"
    return int(found[1])


def mm(um: float) -> str:
    """Micrometres as millimetres."""
    return f"{um / 1000:g}"


# ---- what follows from what ----------------------------------------------------------------------

AMPS = (supply.STANDS_A, supply.RUNS_A["pick"], supply.SWINGS_A["pick"])
ADC, VOLTS = 4095, 3.3
FULL = supply.COUNTS_V * supply.SOURCE_V
CARD, HALF = M.CARD_LENGTH_UM, M.STROKE_STEPS // 2
ROOM = M.BEAM_FREE - M.BEAM_MIN
RATE, ACCEL = M.AXES["feed"]
TURN = M.WHEEL_STEPS_REV
FASTEST_US = round(1e6 / RATE)
ROD_UM = M.PUSH_UM / HALF
IN_UM = written("firmware/dovetail/stations/feeder.py", r"Window\(m, (\d+)\)")  # an edge's window
EDGE_UM = written("firmware/dovetail/stations/shoe.py", r"Window\(m, (\d+)\)")
assert written("firmware/dovetail/stations/ejector.py", r"Window\(m, (\d+)\)") == EDGE_UM
GOOD = written("firmware/dovetail/calibration.py", r"GOOD if left >= (\d+)")
MARGINAL = written("firmware/dovetail/calibration.py", r"MARGINAL if left >= (\d+)")
TWO = written("firmware/dovetail/stations/shoe.py", r"cards == 2 and off <= (\d+)")
LOGIC_MS = written("hil_tests/test_safety.py", r"LOGIC_MS = (\d+)")
BLINK_MS = 1 << written("firmware/dovetail/lamps.py", r"uptime_ms\(\) >> (\d+) & 1")
SETTLE_US = written("firmware/dovetail/hal/rp2.py", r"sleep_us\((\d+)\)")
HIGH_US = 1 + written("firmware/dovetail/hal/rp2_step.py", r"\.side\(1\) \[(\d+)\]")
NOTED = written("hil_tests/test_hal_motion.py", r"0 <= steps <= (\d+) for")
_program = (ROOT / "firmware/dovetail/hal/rp2_step.py").read_text(encoding="utf-8")
BEFORE_US = _program.partition('label("start")')[2].partition("nop()")[0].count(".side(0)")
WATCHDOG_S = written("firmware/main.py", r"hal\.watch\((\d+)\)") / 1000
SHORT_UM = dovetail("stations.feeder", "_SHORT_UM")
BACK_UM = dovetail("stations.feeder", "_BACK_UM")
SLACK = M.ALIGN_STEPS // 2
CHUTE_MS = M.DEAL_BEAM_UM * 1000 // M.CHUTE_UM_S
SLOW_MM_S = 1e9 / dovetail("stations.shoe", "_CAREFUL_US") / M.ROLLER_STEPS_M
KOHM = SETTLE_US * 1e-6 / log(ADC + 1) / 470e-12 / 1000
DECK = max(dovetail("cards.profile", "_DECKS"))
FLICKER, CRANK_FLICKER = round(roller_steps(1000) + 0.01), 1000 * HALF // M.PUSH_UM + 1
EXIT_STEPS = EDGE_UM * HALF // M.PUSH_UM
LEAD_STEP = M.EXIT_BEAM_UM * HALF // M.PUSH_UM
TRAIL_STEP = (M.EXIT_BEAM_UM + CARD) * HALF // M.PUSH_UM
DROP_STEP = M.SHOE_UM * HALF // M.PUSH_UM
SLIDER_STEP = HALF * acos(1 - 2 * M.EXIT_BEAM_UM / M.PUSH_UM) / pi
LET_GO = roller_steps(M.STAGE_UM)  # steps before the end of a deal
LET_GO_S = (2 * LET_GO / ACCEL) ** 0.5
LATEST_MS = CHUTE_MS * 0.95 - 1000 * LET_GO_S
SKEW = degrees(acos(CARD / (CARD + IN_UM)))
RED, BLUE = M.BACKS["red"], M.BACKS["blue"]
FALL_MS = 1000 * (
    move_s(M.STROKE_STEPS, *M.AXES["eject"])
    - (M.AXES["eject"][0] / M.AXES["eject"][1] / 2 + DROP_STEP / M.AXES["eject"][0])
)


def last_ms(um: float) -> float:
    """The time of so much way at the end of a roller's move."""
    ramp = RATE * RATE / ACCEL / 2
    return 1000 * (RATE / ACCEL + (roller_steps(um) - ramp) / RATE)


def spread(level: str, trait: str) -> int:
    """By how much the simulated boards are off a level, and that the rules say so too."""
    most = OFF[level] - NOISE
    of_all = {"free": M.BEAM_FREE, "dark": M.BEAM_DARK}[trait]
    for seed in range(50):
        reads: dict[str, int] = getattr(Traits(seed), trait)
        assert all(abs(count - of_all) <= most for count in reads.values())
    return most


FREE_OFF, DARK_OFF = spread("BEAM_FREE", "free"), spread("BEAM_DARK", "dark")


def fault(*names: str) -> str:
    """Numbers of the table of faults."""
    return " ".join(str(getattr(faults, name)) for name in names)


def turn(steps: float) -> str:
    """Steps of the wheel in degrees."""
    return f"{steps * 360 / TURN:.2f}"


# ---- what the page must say: the numbers of each unit, in their order ----------------------------

PINS: dict[str, str] = {f"Pins/GPIO/{name}": f"{pin}" for name, pin in rp2040.PINS.items()}
for _name, _more in {
    "uart_tx": f"{rp2040.UART_BAUD} 8",
    "enable": "10 3.3",
    "mux": f"{rp2040.PINS['mux'] - 26} 0 3.3",
    **{f"mux_{bit}": f"{bit}" for bit in range(4)},
}.items():
    PINS[f"Pins/GPIO/{_name}"] += f" {_more}"

CHANNELS = {f"Analog/channel/{name}": f"{channel}" for name, channel in rp2040.MUX.items()}
for _name in rp2040.MUX:
    CHANNELS[f"Analog/channel/{_name}"] += {
        "thickness_in": f" {M.THICKNESS_BASE} {M.THICKNESS_CARD}",
        "thickness_out": "",
        "back": f" {RED} {BLUE} {M.BACK_HALF} {M.BACK_NONE} {M.FACE}",
        "supply": f" {supply.SOURCE_V:g} {FULL:g} {M.SUPPLY_MIN}",
    }.get(_name, f" {M.BEAM_MIN if _name.startswith('level') else M.PRESENT}")

AXES = {
    f"The/axis/{name}": f"{speed} {accel} {what} {M.REACH[name]}"
    for name, (speed, accel) in M.AXES.items()
    for what in [
        f"{speed / TURN:.2f} {accel / TURN * 2 * pi:.0f}"
        if name == "wheel"
        else f"{speed / M.STROKE_STEPS:.0f} {1000 * move_s(M.STROKE_STEPS, speed, accel):.0f}"
        if name == "eject"
        else f"{speed / M.ROLLER_STEPS_M:.2f} {accel / M.ROLLER_STEPS_M:.0f}"
    ]
}

SAYS: dict[str, str] = {
    **PINS,
    **CHANNELS,
    **AXES,
    "Pins/All 30": f"{len(rp2040.PINS)} 3.3",
    "Pins/broken/lid door mount": fault("LID_OPEN", "DOOR_OPEN", "NOT_MOUNTED"),
    "Pins/broken/entry or count": fault("BEAM_BLIND", "MISFEED"),
    "Pins/broken/exit": f"{fault('SLOT_EMPTY')} {1 + dovetail('recovery', 'remedy')(302)[1]}",
    "Pins/broken/deal": fault("DEAL_BLIND"),
    "Pins/broken/home": f"{fault('WHEEL_HOME', 'WHEEL_LOST')} 0",
    "Pins/broken/tick": fault("LOST_STEPS", "WHEEL_LOST"),
    "Pins/broken/step_pick or enable": fault("MISFEED"),
    "Pins/broken/step_feed": fault("FEED_JAM"),
    "Pins/broken/step_wheel": fault("WHEEL_HOME"),
    "Pins/broken/step_eject": f"{fault('SLOT_EMPTY')} {1 + dovetail('recovery', 'remedy')(302)[1]}",
    "Pins/broken/step_deal": f"{fault('DEAL_MISFEED')} "
    f"{1 + dovetail('recovery', 'remedy')(401)[1]}",
    "Pins/Switches** close": f"{dovetail('supervision', '_BOUNCE_MS')} 3.3",
    "Pins/Infeed and": f"{WHEEL_MS}",
    "Analog/A 16-way": f"16 0 {SETTLE_US} {ADC + 1} {log(ADC + 1):.1f} {KOHM:.2f} 470 1 "
    f"{KOHM - 1:.2f} {max(rp2040.MUX.values()) + 1} 15 {VOLTS} {ADC} "
    f"{supply.SOURCE_V / (FULL / ADC * VOLTS):.2f} 1 {dovetail('selftest', '_SUPPLY_MAX')} "
    f"{dovetail('selftest', '_SUPPLY_MAX') / supply.COUNTS_V:.2f}",
    "Analog/channel/channel": f"{ADC}",
    "Analog/Each input": f"{min(M.BACK_NONE, M.PRESENT, M.THICKNESS_BASE + M.THICKNESS_CARD // 2)}",
    "Analog/broken/thickness_in thickness_out": fault("THICKNESS", "DEAL_THICKNESS"),
    "Analog/broken/back": fault("BACK_UNREAD"),
    "Analog/broken/supply": fault("SUPPLY_LOST"),
    "Analog/broken/infeed": fault("INFEED_SENSOR"),
    "Analog/broken/shoe": fault("SHOE_SENSOR"),
    "Analog/broken/tray": fault("TRAY_BLIND"),
    "Analog/broken/crank": fault("ROD_LOST"),
    "Analog/Thickness.** A": f"{fault('DOUBLE_FEED', 'DEAL_DOUBLE', 'THICKNESS', 'DEAL_THICKNESS')}"
    f" 2 {TWO} 3 {dovetail('stations.shoe', '_SURE')} 5 {fault('DEAL_DOUBLE')} "
    f"4 {M.THICKNESS_BASE + 4 * M.THICKNESS_CARD} {last_ms(M.STAGED_UM - M.COUNT_BEAM_UM):.0f} "
    f"{last_ms(CARD + M.STAGE_UM - M.DEAL_BEAM_UM):.0f} {LATEST_MS:.0f} "
    f"{last_ms(CARD + M.STAGE_UM - M.DEAL_BEAM_UM):.0f}",
    "Analog/Colour** is": f"{M.BACK_NONE} {fault('BACK_UNREAD')} {M.BACK_HALF} "
    f"{fault('FOREIGN_BACK')} {M.FACE - M.BACK_HALF} {fault('FACE_UP')}",
    "Analog/Presence.** Over": f"{M.PRESENT}",
    "Analog/sensor/infeed": f"{mm(SHORT_UM)} {mm(M.STAGED_UM - SHORT_UM)} {mm(M.COUNT_BEAM_UM)}",
    "Analog/sensor/shoe": f"{mm(M.STAGE_UM + EDGE_UM)} {mm(M.DEAL_BEAM_UM)}",
    "Analog/sensor/tray": f"{DECK} {mm(M.TRAY_UM)}",
    "Analog/sensor/crank": f"{M.REST_HALF_STEPS} {M.REST_HALF_STEPS * 360 / M.STROKE_STEPS:g}",
    "Analog/The tray's": f"{dovetail('stations.tray', '_FALL_MS')} "
    f"{dovetail('stations.tray', '_EMPTY')} {fault('TRAY_BLIND')} {DECK} "
    f"{mm(DECK * card.CARD_UM)} {FALL_MS:.0f}",
    "Calibration/No two": fault("CALIBRATION"),
    "Calibration/sensor/entry count exit deal, light": f"{M.BEAM_FREE} {M.BEAM_DARK} "
    f"{M.BEAM_MIN} {M.BEAM_MIN}",
    "Calibration/sensor/infeed shoe tray": f"{M.ABSENT} {M.SEEN} {M.PRESENT}",
    "Calibration/sensor/thickness_in thickness_out": f"{M.THICKNESS_BASE} {M.THICKNESS_CARD}",
    "Calibration/sensor/back": f"{M.BACK_DARK} {RED} {BLUE} {M.BACK_HALF} "
    f"{M.BACK_NONE - M.BACK_DARK}",
    "Calibration/Of the": f"{GOOD} {MARGINAL} {calcsize(dovetail('calibration', '_FORMAT'))} "
    f"{OFF['BEAM_FREE']} {OFF['BEAM_DARK']} {OFF['BACK_DARK']} "
    f"{OFF['BACKS']} 100 {100 - LEFT}",
    "Calibration/Of a": f"{ADC}",
    "Calibration/drift/noise of a reading, ± 8 counts": f"{NOISE}",
    "Calibration/drift/dust: a free beam loses light": f"{ROOM * 40 // 100} {ROOM * 70 // 100} "
    f"{ROOM - FREE_OFF} {ROOM + FREE_OFF} {fault('PATH_BLOCKED', 'EXIT_BLOCKED', 'DEAL_BLOCKED')}",
    "Calibration/drift/ambient light: a blocked beam gains some": f"{ROOM * 40 // 100} "
    f"{ROOM * 70 // 100} {ROOM - DARK_OFF} {ROOM + DARK_OFF} "
    f"{fault('BEAM_BLIND', 'SLOT_EMPTY', 'DEAL_BLIND')}",
    "How/what/misfeed": fault("MISFEED", "DEAL_MISFEED"),
    "How/what/slip": f"{mm(SHORT_UM)} {mm(EDGE_UM)} {fault('SLIP', 'DEAL_SLIP')}",
    "How/what/jam": fault("FEED_JAM", "EXIT_JAM", "DEAL_JAM"),
    "How/what/double feed": f"{LATEST_MS:.0f} {CHUTE_MS} {fault('DOUBLE_FEED', 'DEAL_DOUBLE')}",
    "How/what/short, torn": f"{mm(IN_UM)} {mm(CARD)} {mm(EDGE_UM)} 10 "
    f"{fault('WRONG_LENGTH', 'EXIT_JAM', 'DEAL_LENGTH')}",
    "How/what/long, overlapped": fault("WRONG_LENGTH", "EXIT_JAM", "DEAL_JAM"),
    "How/what/foreign back, face up": fault("FOREIGN_BACK", "FACE_UP"),
    "How/A **skewed": f"{mm(CARD)} {SKEW:.1f} {mm(IN_UM)} {CHUTE_MS} 5 4 10",
    "Where/path/in, from the pick nip": mm(M.ENTRY_BEAM_UM),
    "Where/path/feed nip": mm(M.FEED_NIP_UM),
    "Where/path/count beam, thickness and colour": mm(M.COUNT_BEAM_UM),
    "Where/path/where a card waits for its slot": mm(M.STAGED_UM),
    "Where/path/the wheel's mouth": mm(M.WHEEL_MOUTH_UM),
    "Where/path/seated in its slot": mm(M.SEATED_UM),
    "Where/path/out, from the slot": mm(M.EXIT_BEAM_UM),
    "Where/path/falls into the shoe": mm(M.SHOE_UM),
    "Where/path/deal, from the deal nip": mm(M.DEAL_BEAM_UM),
    "Where/path/lies in the tray": mm(M.TRAY_UM),
    "Where/on/a slot, from middle to middle": f"{M.SLOT_STEPS} {turn(M.SLOT_STEPS)}",
    "Where/on/the home mark, around the middle of slot 0": f"0 {M.HOME_HALF_STEPS} "
    f"{turn(M.HOME_HALF_STEPS)}",
    "Where/on/when it is crossed slowly it measures": f"{2 * M.HOME_HALF_STEPS} "
    f"{dovetail('stations.wheel', '_WIDTH')} {turn(2 * M.HOME_HALF_STEPS)} "
    f"{turn(dovetail('stations.wheel', '_WIDTH'))}",
    "Where/on/the slot tick, around the middle of each slot": f"{M.TICK_HALF_STEPS} "
    f"{turn(M.TICK_HALF_STEPS)}",
    "Where/on/an edge of either, with its comparator's delay and its noting": f"{SLACK} "
    f"{turn(SLACK)}",
    "Where/on/a card meets the wall when the wheel stands off by more than": f"{M.ALIGN_STEPS} "
    f"{turn(M.ALIGN_STEPS)}",
    "Where/Home mark": f"{M.SLOTS} 0 {1e6 / M.AXES['wheel'][0]:.0f} {NOTED} {SLACK - NOTED} "
    f"{(SLACK - NOTED) * 1e6 / M.AXES['wheel'][0]:.0f}",
    "The/what/a card": f"{mm(CARD)} 88.9 {card.CARD_UM / 1000:.2f}",
    "The/what/the wheel": f"{M.SLOTS} {TURN} {M.EXIT_SLOTS}",
    "The/what/rollers: pick, feed, deal": f"{M.ROLLER_STEPS_M / 1000:g} "
    f"{1000 / M.ROLLER_STEPS_M:.3f}",
    "The/what/the crank": f"{M.STROKE_STEPS}",
    "The/what/the rod": f"{mm(M.PUSH_UM)} {mm(ROD_UM)} {ROD_UM * M.AXES['eject'][0] / 1e6:.2f}",
    "The/what/the next card stands out of the deal nip when the roller stops": mm(M.STAGE_UM),
    "The/The rollers": f"{M.ROLLER_MAX_UM_S / 1e6:g} {M.ROLLER_MAX_UM_S2 / 1e6:g} "
    f"{M.WHEEL_MAX_REV_S} {M.WHEEL_MAX_RAD_S2} {M.STROKE_MIN_MS}",
    "The/Gears.** Steps": f"{M.ROLLER_STEPS_M / 1000:g} {TURN} {M.STROKE_STEPS} 200 8 "
    f"{200 * 8e3 / M.ROLLER_STEPS_M / pi:.2f} 16 {200 * 16e3 / M.ROLLER_STEPS_M / pi:.2f} "
    f"{mm(M.STAGED_UM)} {M.STAGED_UM / 1e5:.1f} {mm(IN_UM)}",
    "The/Nips.** One": f"{mm(M.FEED_NIP_UM)} {mm(M.SEATED_UM - CARD - M.WHEEL_MOUTH_UM)} "
    f"{mm(dovetail('stations.feeder', '_PAST_UM'))} {mm(BACK_UM)} {SLOW_MM_S / 1000:.1f} "
    f"{mm(BACK_UM + CARD - M.STAGED_UM)} {ACCEL / M.ROLLER_STEPS_M:.0f} "
    f"{card.GRIP_MM_S2 / 1000:g} {WRONG['card.slick'][1]['grip_mm_s2'] / 1000:g} "
    f"{card.Card('red', 0, 600, grip_mm_s2=30000).slides_um('deal') / 1000:.0f} "
    f"{fault('DEAL_SLIP')} {card.APART_MN / 1000:g} {card.TACK_MN / 1000:g}",
    "The/The chute": f"{ACCEL * LET_GO_S / M.ROLLER_STEPS_M:.2f} {SLOW_MM_S / 1000:.1f} "
    f"{M.CHUTE_UM_S / 1e6:g}",
    "What/what/step edge to step edge, rollers at full speed": f"{FASTEST_US}",
    "What/what/beam edge to its note": f"{NOTED}",
    "What/what/lid, door or mount open to rollers still": f"{ROLLERS_MS} "
    f"{dovetail('supervision', '_BOUNCE_MS')}",
    "What/what/the same to the wheel still, by its own ramp": f"{WHEEL_MS} "
    f"{1000 * M.AXES['wheel'][0] / M.AXES['wheel'][1]:.0f}",
    f"What/what/motor supply under {M.SUPPLY_MIN} to stop": f"{M.SUPPLY_MIN} "
    f"{dovetail('supervision', '_LOOK_MS')}",
    "What/what/a stroke of the ejector": f"{1000 * move_s(M.STROKE_STEPS, *M.AXES['eject']):.0f}",
    "What/what/a card from the deal nip to the tray": f"{(M.TRAY_UM - CARD) * 1e3 / 5e5:.0f} "
    f"{M.CHUTE_UM_S / 1e6:g} 5",
    "What/what/processor stuck": f"{WATCHDOG_S:g}",
    "Motors/driver/STEP high": f"{HIGH_US}",
    "Motors/driver/STEP low": f"{FASTEST_US - HIGH_US}",
    "Motors/driver/DIR before the first rising edge of a move": f"{BEFORE_US}",
    "Motors/driver/ENABLE after the last work": f"{dovetail('motors', '_HOLD_MS') // 1000}",
    "Motors/A hard": f"{int(roller_steps(IN_UM) + 0.5)} {EXIT_STEPS}",
    "Motors/Without current": f"{supply.FOLLOWS} {supply.PULLS} {supply.FULL_V:g} "
    f"{supply.FOLLOWS} {supply.PULLS} 2 {DECK}",
    "Motors/The crank": f"{mm(M.PUSH_UM)} {HALF} {HALF}",
    "Motors/the/rest: the rod is out of the slots": f"{M.STROKE_STEPS - M.REST_HALF_STEPS} "
    f"{M.REST_HALF_STEPS} {M.REST_HALF_STEPS * ROD_UM / 1000:.1f}",
    "Motors/the/the card's front meets the exit beam": f"{LEAD_STEP} {EXIT_STEPS} "
    f"{mm(M.EXIT_BEAM_UM)} {mm(EDGE_UM)}",
    "Motors/the/its end leaves the exit beam": f"{TRAIL_STEP} {EXIT_STEPS} "
    f"{mm(M.EXIT_BEAM_UM + CARD)} {mm(EDGE_UM)}",
    "Motors/the/it falls into the shoe": f"{DROP_STEP} {mm(M.SHOE_UM)}",
    "Motors/the/furthest out": f"{HALF} {mm(M.PUSH_UM)}",
    "Motors/A slider-crank": f"{SLIDER_STEP:.1f} {fault('EXIT_JAM')} {LEAD_STEP} {TRAIL_STEP} "
    f"{mm(M.SHOE_UM)} {mm(EDGE_UM)} {M.REST_HALF_STEPS} {fault('ROD_LOST')} "
    f"{dovetail('stations.ejector', '_INCH')} {dovetail('stations.ejector', '_SLOW_US') / 1000:g}",
    "Beams/One receiver": f"{M.BEAM_MIN} {M.BEAM_MIN / ADC * VOLTS:.2f} {M.BEAM_MIN} "
    f"{ROOM * LEFT // 100}",
    "Beams/what/one edge of a card, with all its chatter": f"1 {FLICKER} {CRANK_FLICKER}",
    "Beams/what/edges in one move": f"{dovetail('hal', 'EDGES')}",
    "Beams/what/dust": f"35 {M.BEAM_FREE * 35 // 100} {M.BEAM_FREE}",
    "Beams/what/ambient light": f"{ROOM - DARK_OFF}",
    f"Beams/what/a delay of {FASTEST_US} µs": f"{FASTEST_US} {1000 / M.ROLLER_STEPS_M:.3f}",
    "Beams/So the": "1",
    "The/Chip.** An": f"{len(rp2350.PINS)} 0 {rp2350.PINS['mux']} 2 23 24 25 29 12",
    "The/Flash** has": f"{rp2040.FLASH_BYTES >> 20} 2 {Store.SECTOR} {Store.PAGE}",
    "The/UART.** 3.3": f"3.3 {dovetail('link.answers', 'BAUDS')[0]} "
    f"{dovetail('link.answers', 'BAUDS')[-1]} 10",
    "The/Supply.** 24": f"{supply.SOURCE_V:g} 0.5 {' '.join(f'{a:g}' for a in AMPS)} "
    f"{supply.RUNS_A['wheel']:g} {supply.SWINGS_A['wheel']:g} "
    f"{sum(supply.SWINGS_A.values()):.1f} {supply.FULL_V:g} {5 * supply.STANDS_A:g} "
    f"{sum(supply.RUNS_A.values()):.1f} {supply.FULL_V:g} {LOST_STEPS / supply.COUNTS_V:g} "
    f"{M.SUPPLY_MIN / supply.COUNTS_V:g} {LOGIC_MS} "
    f"{dovetail('supervision', '_LOOK_MS')} 2",
    "The/Outputs.** Lamps": f"10 {dovetail('safe', '_CALL_MS') / 1000:g} {BLINK_MS}",
}
# The first word of a pin's level, and where the firmware has it from.
LOW_IS_FORWARD = r"self\.direction\((reverse)\)"
LEVELS: dict[str, tuple[str, str, str]] = {
    **{f"dir_{axis}": ("low", "hal/rp2_step.py", LOW_IS_FORWARD) for axis in M.AXES},
    "enable": ("low", "hal/rp2.py", r"self\.drivers\((not on)\)"),
    **dict.fromkeys(
        ("lamp_green", "lamp_amber", "lamp_red"),
        ("high", "hal/rp2.py", r'self\.outputs\["lamp_" \+ name\]\((on)\)'),
    ),
    "buzzer": ("high", "hal/rp2.py", r'self\.outputs\["buzzer"\]\((on)\)'),
    **dict.fromkeys(
        ("entry", "count", "home", "tick", "exit", "deal"),
        ("low", "hal/rp2_edge.py", r"return (1 - self\.pin\(\))"),
    ),
    **dict.fromkeys(
        ("lid", "door", "mount"), ("low", "hal/rp2.py", r"return (1 - self\.switches\[name\]\(\))")
    ),
}
del LEVELS["dir_eject"]


def numbers(text: str) -> str:
    """All of them, in their order."""
    return " ".join(found[0].replace(",", "") for found in NUMBER.finditer(text))


def wrong(page: str) -> list[str]:
    """What the page says otherwise."""
    found = {key: text for key, _, text in units(page)}
    said = [
        f"{key}: {numbers(found.get(key, ''))}, not {SAYS.get(key, '')}"
        for key in {*found, *SAYS}
        if numbers(found.get(key, "")) != SAYS.get(key, "")
    ]
    for name, (word, _, _) in LEVELS.items():
        level = found.get(f"Pins/GPIO/{name}", "||").rstrip("| ").split("|")[-1]
        if level.split()[:1] not in ([word], [f"{word}:"]):
            said.append(f"{name}: {level}, not {word}")
    return said


def test_the_page_says_what_is_so() -> None:
    page = PAGE.read_text(encoding="utf-8")
    keys = [key for key, _, text in units(page) if numbers(text)]
    assert len(keys) == len(set(keys))
    assert wrong(page) == []
    assert rp2040.PINS == rp2350.PINS
    assert rp2040.MUX == rp2350.MUX
    for _, path, pattern in LEVELS.values():
        source = (ROOT / "firmware" / "dovetail" / path).read_text(encoding="utf-8")
        assert re.search(pattern, source), pattern


def test_no_number_can_be_falsified() -> None:
    """Each number of the page by one in its last digit, each level the other way round."""
    page = PAGE.read_text(encoding="utf-8")
    assert not wrong(page)
    falsified = [
        page[: end - 1] + str((int(page[end - 1]) + 1) % 10) + page[end:]
        for end in (found.end() for found in NUMBER.finditer(page))
    ]
    assert len(falsified) > 400
    for key, at, text in units(page):
        name = key.rpartition("/")[2]
        if key == f"Pins/GPIO/{name}" and name in LEVELS:
            word = LEVELS[name][0]
            other = {"low": "high", "high": "low"}[word]
            turned = text[::-1].replace(word[::-1], other[::-1], 1)[::-1]
            falsified.append(page[:at] + turned + page[at + len(text) :])
    for other in falsified:
        assert wrong(other), next(a for a in zip(page, other, strict=False) if a[0] != a[1])
