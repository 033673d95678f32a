"""Each trait of the emulator that the emulated board relies on."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest

from sim.emulated import noise
from sim.emulated.board import EmulatedBoard
from sim.emulated.metronome import LOOK_NS
from sim.emulated.raw import RawPrompt
from sim.tests.emulated_bench import MS, SECOND, at_prompt, bench, make, run_for
from sim.tests.images import image

WATCHDOG_SCRATCH = 0x4005_800C
IDLE_CHANNEL = 0x50000000 + 0x40 * 11  # of the DMA
STEPPERS = """
from array import array
from dovetail.motion.ramp import ramp
up, down = ramp(30303, 1020000)
axes = {name: hal.stepper(name, up, down) for name in ("pick", "feed", "deal")}
wup, wdown = ramp(22222, 222817)
axes["wheel"] = hal.stepper("wheel", wup, wdown)
"""


def planned_us(prompt_text: str, m: int, k: int, period_us: int) -> list[int]:
    up, down = (list(map(int, line.split())) for line in prompt_text.splitlines())
    return up[:m] + [period_us] * k + down[len(down) - m :]


SLEEPING = "time.sleep_ms(600)"
WAKING = "[time.sleep_us(50) or time.sleep_ms(1) for _ in range(400)]"
BUSY = "for _ in range(60000): pass"


@pytest.mark.parametrize("cpu", [SLEEPING, WAKING, BUSY], ids=["sleeping", "waking", "busy"])
def test_steps_from_pio_and_a_chain_of_dma_blocks_keep_their_periods(cpu: str) -> None:
    board, notes, prompt = bench()
    prompt.run(STEPPERS)
    plan = planned_us(prompt.run("print(*up)\nprint(*down)"), 300, 4000, 33)
    wheel = planned_us(prompt.run("print(*wup)\nprint(*wdown)"), 200, 3000, 45)
    prompt.start(
        "import time\n"
        "for name in ('pick', 'feed', 'deal'): axes[name].run(name == 'deal', 300, 4000, 33)\n"
        f"axes['wheel'].run(False, 200, 3000, 45)\n{cpu}\n"
        "while any(axis.busy() for axis in axes.values()): time.sleep_ms(1)\n"
        "print(*(axes[name].steps() for name in ('pick', 'feed', 'deal', 'wheel')))"
    )
    assert prompt.result() == "4600 4600 4600 3400"
    run_for(board, 5 * MS)
    assert not board.metronome.running
    for name, periods in {"pick": plan, "feed": plan, "deal": plan, "wheel": wheel}.items():
        axis = notes.axes[name]
        assert len(axis.at_ns) == len(periods), name
        assert axis.reverse == [name == "deal"] * len(periods)
        worst = max(
            abs(real - due) / due for real, due in zip(axis.periods_us(), periods, strict=False)
        )
        assert worst < 0.01, name


def test_the_metronome_ticks_on_after_the_last_word_for_the_dma() -> None:
    """It may not have reached its state machine when a look comes that an earlier one began."""
    board, _, _ = bench()
    run_for(board, 5 * MS)
    for _ in range(3):
        board.chip.mcu.write_uint32(IDLE_CHANNEL, 0)
        run_for(board, LOOK_NS - MS // 10)
        assert board.metronome.running
    run_for(board, MS)
    assert not board.metronome.running


def test_a_stopped_axis_knows_its_position() -> None:
    board, notes, prompt = bench()
    prompt.run(STEPPERS)
    counted = 0
    for sleep_us in (40, 777, 5003, 50011):
        steps = int(
            prompt.run(
                "import time\n"
                f"axes['feed'].run(False, 300, 4000, 33)\ntime.sleep_us({sleep_us})\n"
                "axes['feed'].halt()\nprint(axes['feed'].steps())"
            )
        )
        run_for(board, 5 * MS)
        assert len(notes.axes["feed"].at_ns) - counted == steps
        counted += steps
    assert counted > 500


def test_a_hard_interrupt_for_each_edge() -> None:
    board, notes, prompt = bench()
    prompt.run("""
seen = bytearray(4)
def edge(pin):
    seen[0] += 1
    seen[1] += pin()
from machine import Pin
Pin(board.PINS["count"], Pin.IN, Pin.PULL_UP).irq(edge, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)
import time
""")
    count = notes.inputs["count"]
    start = board.now_ns() + 20 * MS
    for i in range(200):  # every 40 us, less than two wheel ticks at full speed
        board.at(start + i * 40_000, partial(count.set, i % 2 == 0))
    prompt.run("time.sleep_ms(50)")
    assert prompt.run("print(seen[0], seen[1])") == "200 100"


def test_interlocks_read_safe_when_dark() -> None:
    _, notes, prompt = bench()
    read = "print(hal.switch('lid'), hal.switch('door'), hal.switch('mount'))"
    assert prompt.run(read) == "1 1 1"
    notes.inputs["lid"].set(False)
    notes.inputs["mount"].set(False)
    assert prompt.run(read) == "0 1 0"


def test_the_converter_sees_the_selected_channel() -> None:
    _, notes, prompt = bench()
    notes.levels = {"thickness_in": 1000, "tray": 3000, "level_deal": 77, "supply": 3200}
    assert prompt.run(
        "print(*map(hal.level, ('tray', 'thickness_in', 'supply', 'level_deal')))"
    ) == ("3000 1000 3200 77")
    assert notes.asked == ["tray", "thickness_in", "supply", "level_deal"]


def test_outputs_reach_the_machine_and_let_go_at_a_reset() -> None:
    board, notes, prompt = bench()
    notes.enabled.clear()
    prompt.run("hal.enable(True); hal.lamp('red', True); hal.buzzer(True)")
    assert notes.enabled == [True]
    assert notes.lamps["red"] is notes.lamps["buzzer"] is True
    board.chip.reset()
    assert notes.enabled[-1] is False
    assert not any(notes.lamps.values())


BITS = "b = bytearray(64)\nhal.noise.bits(b)\nprint(*b, sep='')"


def test_noise_is_what_the_run_says() -> None:
    board, _, prompt = bench()
    first = prompt.run(BITS)
    board.noise(noise.stuck(1))
    assert prompt.run(BITS) == "1" * 64
    board.noise(noise.alternating())
    assert prompt.run(BITS) in ("01" * 32, "10" * 32)
    board.noise(noise.vanishing(3, after=20))
    gone = prompt.run(BITS)
    assert len(set(gone[20:])) == 1
    assert len(set(gone[:20])) == 2
    board.noise(noise.biased(3, 0.9))
    assert prompt.run(BITS).count("1") > 40
    _, _, again = bench()
    assert again.run(BITS) == first


def test_the_serial_line_carries_bytes_at_its_rate_both_ways() -> None:
    board, _, prompt = bench()
    prompt.start("""
buf = bytearray(64)
n = 0
while n < 600:
    got = hal.uart.uart.readinto(buf, min(64, hal.uart.uart.any()))
    if got:
        hal.uart.uart.write(buf, 0, got)
        n += got
print(n)
""")
    came: list[tuple[int, bytes]] = []
    board.line.on_bytes = lambda data: came.append((board.now_ns(), data))
    sent = bytes(i * 7 % 256 for i in range(600))
    start = board.now_ns()
    board.line.write(sent[:100])
    board.line.write(sent[100:])
    assert prompt.result() == "600"
    run_for(board, 60 * MS)
    assert b"".join(data for _, data in came) == sent
    byte_ns = 10 * SECOND // 115200
    assert came[0][0] >= start + 2 * byte_ns
    gaps = [b[0] - a[0] for a, b in pairwise(came)]
    assert min(gaps) > byte_ns * 0.98
    assert board.now_ns() >= start + 600 * byte_ns


def test_flash_outlives_power_and_a_snapshot_goes_back() -> None:
    board, _, prompt = bench()
    prompt.run("hal.store.erase(2); hal.store.program(8192, b'first' + bytes(251))")
    before = board.chip.snapshot()
    prompt.run("hal.store.erase(2); hal.store.program(8192, b'other' + bytes(251))")

    read = "b = bytearray(5)\nhal.store.read(8192, b)\nprint(b.decode())"
    board.power_off()
    run_for(board, SECOND)
    board.power_on()
    assert at_prompt(board).run(read) == "other"
    board.power_off()
    board.chip.restore(before)
    board.power_on()
    assert at_prompt(board).run(read) == "first"


def test_ram_does_not_outlive_power_but_a_reset() -> None:
    board, _, prompt = bench()
    prompt.run(
        "marker = bytearray(b'dove') + bytearray(b'tail-') + bytearray(str(31 ** 9).encode())"
    )
    marker = b"dovetail-" + str(31**9).encode()
    assert marker in bytes(board.chip.ram())
    board.power_off()
    board.power_on()
    assert marker not in bytes(board.chip.ram())


def causes(board: EmulatedBoard) -> list[str]:
    """What the hal of main.py says, and what one says that is made after a soft reset."""
    run_for(board, SECOND)
    read = "print(hal.reset_cause)"
    return [RawPrompt(board, anew=False).run(read), at_prompt(board).run(read)]


def test_reset_causes() -> None:
    board, _ = make(image())
    board.power_on()
    assert causes(board) == ["power", "reset"]
    prompt = at_prompt(board)
    prompt.start("import machine; machine.reset()")
    run_for(board, 10 * MS)
    assert causes(board) == ["reset", "reset"]
    prompt = at_prompt(board)
    prompt.start("import machine, time\nmachine.WDT(timeout=50)\ntime.sleep(1)")
    run_for(board, 200 * MS)
    # what the watchdog has done stays in its register until power or the RUN pin
    assert causes(board) == ["watchdog", "watchdog"]
    board.power_off()
    board.power_on()
    assert causes(board) == ["power", "reset"]
    board.chip.reset()
    assert causes(board) == ["reset", "reset"]


def test_the_mark_of_a_start_is_where_nobody_else_writes() -> None:
    """The boot ROM and the SDK use the watchdog's scratch registers 4 to 7, and not the first."""
    board, _ = make(image())
    board.power_on()
    assert board.chip.registers(WATCHDOG_SCRATCH, 8) == (0,) * 8
    run_for(board, SECOND)
    mark, *others = board.chip.registers(WATCHDOG_SCRATCH, 8)
    assert mark
    assert not any(others)


def test_the_bootloader_waits_for_an_image() -> None:
    board, _, prompt = bench()
    prompt.start("import machine; machine.bootloader()")
    run_for(board, 100 * MS)
    assert board.chip.bootsel
    assert not board.prompt.connected
    board.install(board.image)
    assert at_prompt(board).run("print(hal.reset_cause)") == "reset"


def test_idle_time_is_skipped() -> None:
    board, _, prompt = bench()
    prompt.run("import time\nt = time.time()")
    run_for(
        board, 30 * 86_400 * SECOND
    )  # a month: hours of emulation, if the emulator did not jump
    assert int(prompt.run("print(time.time() - t)")) == 30 * 86_400
