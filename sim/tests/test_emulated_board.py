"""The emulated board as a world, with the real images and the simulated machine."""

from __future__ import annotations

import asyncio
import hashlib
import json

import pytest

from boards.shuffler_rp2040 import board as shuffler
from sim.emulated.board import EmulatedBoard
from sim.emulated.raw import RawError, RawPrompt
from sim.loop import run
from sim.machine import Machine
from sim.tests.emulated_bench import DOCS, MS, SECOND, make, run_for
from sim.tests.images import image

HELLO = next(
    bytes.fromhex(part["to"])
    for part in json.loads((DOCS / "vectors.json").read_text())["exchange"]
    if part["what"] == "who are you"
)


def first_bytes(seed: int) -> tuple[list[tuple[int, bytes]], list[int]]:
    """What the production image says when it is greeted, what it asks of the motors, and when."""
    board, notes = make(image("production"), seed)
    came: list[tuple[int, bytes]] = []
    board.line.on_bytes = lambda data: came.append((board.now_ns(), data))
    board.power_on()
    run_for(board, 3 * SECOND)
    board.line.write(HELLO)
    run_for(board, SECOND // 10)
    return came, notes.axes["wheel"].at_ns


def test_the_same_seed_gives_the_same_run() -> None:
    came, stepped = first_bytes(5)
    assert came
    assert (came, stepped) == first_bytes(5)


def test_the_image_is_the_file() -> None:
    path = image("production")
    board, _ = make(path)
    assert board.image.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    content = board.image.content()
    assert bytes(board.chip.flash()[: len(content)]) == content


def test_a_production_image_has_no_prompt() -> None:
    board, _ = make(image("production"))
    board.power_on()
    with pytest.raises(RawError, match="no prompt"):
        RawPrompt(board, 2 * SECOND)


def test_the_loop_stops_the_chip_where_a_callback_made_something_ready() -> None:
    board, _ = make(image())
    board.power_on()

    async def main() -> list[int]:
        rang = asyncio.Event()
        board.at(7_000_123, rang.set)
        await rang.wait()
        times = [board.now_ns()]
        await asyncio.sleep(0.000_01)
        times.append(board.now_ns())
        return times

    rang, slept = run(board, main())
    assert 0 <= rang - 7_000_123 < 1_000  # the instruction of that moment is carried out
    assert 0 <= slept - rang - 10_000 < 1_000


def test_a_cancelled_alarm_and_one_that_is_past() -> None:
    board, _ = make(image())
    board.power_on()
    rang: list[int] = []
    board.at(10**30, lambda: rang.append(30))  # further than the clock can look
    board.at(5 * MS, lambda: rang.append(5)).cancel()
    run_for(board, 10 * MS)
    board.at(3 * MS, lambda: rang.append(3))
    run_for(board, 1)
    assert rang == [3]


def test_time_passes_for_the_machine_while_the_power_is_off() -> None:
    board = EmulatedBoard(image(), shuffler)
    machine = Machine(board)
    board.wire(machine)
    board.power_on()
    run_for(board, 100 * MS)
    board.power_off()
    off = board.now_ns()
    rang: list[int] = []
    board.at(off + SECOND, lambda: rang.append(board.now_ns()))
    run_for(board, 2 * SECOND)
    assert rang == [off + SECOND]
    assert board.advance(None) is False  # nothing is left that could happen


def test_an_error_in_a_callback_comes_out() -> None:
    board, _ = make(image())
    board.power_on()

    def broken() -> None:
        raise ZeroDivisionError

    board.at(2 * MS, broken)
    with pytest.raises(ZeroDivisionError):
        board.advance(10 * MS)
