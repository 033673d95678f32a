"""All of the HAL but motion, measured at the pins of the emulated board."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from boards.shuffler_rp2040 import board as pins
from hil_tests.hal_bench import SECOND_NS, Bench, Fresh
from sim.emulated.raw import RawError
from sim.emulated.wiring import SWITCHES


def test_levels(bench: Bench) -> None:
    """Every channel of the multiplexer reads what lies on it, to the count."""
    bench.levels = {name: 64 + 250 * number for name, number in pins.MUX.items()}
    names = list(pins.MUX)
    found = bench.ask(f"print([hal.level(name) for name in {names}])")
    assert found == [bench.levels[name] for name in names]


def test_switches_lamps_and_enable(bench: Bench) -> None:
    """Inputs are safe when low; outputs do what is asked; a changed switch sets the flag."""
    for name in SWITCHES:
        bench.run("hal.interlock.clear()")
        seen: list[int] = []
        for _ in range(2):
            bench.inputs[name].turn()
            asked = f"print([hal.switch('{name}'), hal.interlock.state])"
            seen += bench.ask(asked)
        assert seen == [1, 1, 0, 1], name
    for on in (True, False):
        bench.run(f"hal.enable({on})\nhal.buzzer({on})")
        for name in ("green", "amber", "red"):
            bench.run(f"hal.lamp('{name}', {on})")
            assert bench.lamps[name] is on
        assert bench.enabled is on
        assert bench.lamps["buzzer"] is on


def test_uart_echo(bench: Bench) -> None:
    """4000 bytes there and back, without a pause on the line, lose nothing."""
    sent = Random(4).randbytes(4000)
    back = bytearray()
    bench.board.line.on_bytes = back.extend
    bench.prompt.start("""
async def echo(n):
    buf = bytearray(300)
    while n:
        got = await hal.uart.read(buf)
        await hal.uart.write(buf, got)
        n -= got
    await asyncio.sleep_ms(200)
asyncio.run(echo(4000))
print('done')
""")
    bench.board.line.write(sent)
    assert bench.prompt.result() == "done"
    assert bytes(back) == sent


def test_uart_waits_aside(bench: Bench) -> None:
    """A long write and a short read leave the loop to others: a fifth of what I-6 gives rollers."""
    back = bytearray()
    bench.board.line.on_bytes = back.extend
    bench.prompt.start("""
longest = 0
data = bytes(i & 255 for i in range(4000))
async def others():
    global longest
    while True:
        t = time.ticks_us()
        await asyncio.sleep_ms(1)
        longest = max(longest, time.ticks_diff(time.ticks_us(), t))
async def talk():
    beside = asyncio.create_task(others())
    await asyncio.sleep_ms(5)
    await hal.uart.write(data, 4000)
    buf = bytearray(500)
    n = 0
    while n < 3: n += await hal.uart.read(buf)
    await asyncio.sleep_ms(200)
    beside.cancel()
asyncio.run(talk())
print(longest)
""")
    bench.board.line.write(b"abc")
    assert int(bench.prompt.result()) < 10_000
    assert bytes(back) == bytes(i & 255 for i in range(4000))


def test_store(bench: Bench) -> None:
    """Sectors are erased, pages programmed; what lies outside is refused."""
    printed = bench.run("""
s = hal.store
page = bytes(i ^ 0x5A for i in range(256))
last = s.size // s.SECTOR - 1
buf = bytearray(600)
for sector in (0, last):
    s.erase(sector)
    s.program(sector * s.SECTOR + 512, page)
    s.read(sector * s.SECTOR + 400, buf)
    print(buf == bytes([255]) * 112 + page + bytes([255]) * 232)
for bad in (lambda: s.erase(last + 1), lambda: s.program(1, page), lambda: s.program(0, page[1:]),
            lambda: s.read(s.size - 1, buf), lambda: s.program(-256, page)):
    try: bad()
    except ValueError: print('refused')
""")
    assert printed.split() == ["True"] * 2 + ["refused"] * 5


def test_noise(bench: Bench) -> None:
    """The bits are the ring oscillator's, in order, and at least 10 us apart."""
    random = Random(5)
    given: list[int] = []
    at: list[int] = []

    def bit() -> int:
        given.append(random.getrandbits(1))
        at.append(bench.board.now_ns())
        return given[-1]

    bench.board.noise(bit)
    found = bench.ask("buf = bytearray(500)\nhal.noise.bits(buf)\nprint(list(buf))")
    assert found == given
    assert min(b - a for a, b in pairwise(at)) >= 10_000


def test_wipe(bench: Bench) -> None:
    """A secret's bytes are overwritten where they lay."""
    printed = bench.run("""
secret = bytes(bytearray(b'not for the log'))
alias = memoryview(secret)
hal.wipe(secret)
print(bytes(alias) == bytes(15))
""")
    assert printed == "True"


def test_watchdog_and_reset_causes() -> None:
    """Each way to start is told from the others, and a hung loop is restarted."""
    bench = Bench()  # its prompt answers before main.py has a hal: this is the first
    assert bench.run("print(hal.reset_cause, len(hal.unique_id))") == "power 8"
    bench.prompt.fresh()
    assert bench.run("print(hal.reset_cause)") == "reset"
    bench.prompt.start("""
hal.watch(300)
for _ in range(9):
    time.sleep_ms(200)
    hal.feed()
print('hung')
while True: pass
""")
    with pytest.raises(RawError, match="hung"):
        bench.prompt.result(SECOND_NS * 19 // 10)
    bench.board.advance(bench.board.now_ns() + SECOND_NS)
    assert Fresh(bench.board).run("print(hal.reset_cause)") == "watchdog"
    bench.board.chip.reset()
    assert Fresh(bench.board).run("print(hal.reset_cause)") == "reset"
