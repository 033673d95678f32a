"""The images: the same bytes anywhere, no prompt in production, and clear words for bad input."""

import hashlib
import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from host_tools.build import board_files, image
from host_tools.build.sources import tree
from host_tools.build.tell import BUILD, ROOT, BuildError, alone, output_of
from host_tools.build.told import Tell
from host_tools.evidence.drawn import whole
from host_tools.evidence.record import load
from host_tools.tests.needs import needs
from sim.emulated.board import EmulatedBoard

pytestmark = [pytest.mark.slow, pytest.mark.spends(1200)]  # first time, six images are built

BOARDS = board_files.board_names()
SECOND_NS = 1_000_000_000

# Every way to a person's hands on the program: none may be in a production image.
PROMPT = (
    "pyexec_friendly_repl",
    "pyexec_raw_repl",
    "readline",
    "mp_repl_continue_with_input",
    "mp_sched_keyboard_interrupt",
    "mp_compile",
    "mp_parse",
    "mp_usbd_init",
    "tud_task_ext",
    "mp_uart_init",
)
# A main.py that greets, listens for a while, and then ends as no main.py should.
BAD_MAIN = """
import machine, sys, time
uart = machine.UART(0, 115200)
uart.write("hello %d %s\\n" % (machine.reset_cause(), sys.path))
time.sleep_ms(100)
while uart.any():
    uart.write(uart.read())
time.sleep_ms(20)
raise ENDING
"""
ENDING = {"production": "SystemExit", "bench": "ValueError"}


def _run_image(*arguments: str, cwd: Path = ROOT, **extra: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "BOARD": "", "VARIANT": "", **extra}
    command = [sys.executable, "-m", "host_tools.build.image", *arguments]
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def _symbols(elf: Path) -> set[str]:
    listing = subprocess.run(
        ["arm-none-eabi-nm", elf], capture_output=True, text=True, check=True
    ).stdout
    return {line.split()[-1] for line in listing.splitlines()}


@pytest.fixture(scope="session")
def built() -> Callable[[str, str], Path]:
    """Folder of an up-to-date image."""

    def build(board: str, variant: str) -> Path:
        needs("image")
        order = image.Order(board, variant)
        with alone():
            image.build(order)
        return order.out

    return build


def _test_image(variant: str) -> Path:
    """An image whose main.py ends; made once, in a folder of its own."""
    needs("image")
    folder = BUILD / f"test-{variant}"
    firmware = folder / "firmware"
    with alone():
        firmware.mkdir(parents=True, exist_ok=True)
        (firmware / "main.py").write_text(BAD_MAIN.replace("ENDING", ENDING[variant]))
        image.build(image.Order("shuffler_rp2040", variant, firmware, folder))
    return folder / "dovetail.uf2"


@pytest.mark.parametrize(
    ("board", "variant", "choices"),
    [
        ("shuffler_rp2041", "bench", BOARDS),
        ("../boards/shuffler_rp2040", "bench", BOARDS),
        ("", "bench", BOARDS),
        ("shuffler_rp2040", "debug", ["bench", "production"]),
    ],
)
def test_unknown_names(board: str, variant: str, choices: list[str]) -> None:
    """One line that names the choices, exit 2; also while something else is built."""
    with alone():
        result = _run_image("--board", board, "--variant", variant)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert all(choice in result.stderr for choice in choices)


@pytest.mark.parametrize(
    ("version", "words"),
    [(None, "not a MicroPython tree"), ("1.24", "is 1.24"), ("1.25", "lacks ports/rp2/main.c")],
)
def test_tree_that_will_not_do(tmp_path: Path, version: str | None, words: str) -> None:
    """MICROPYTHON that is something else: one line, exit 2, and nothing written there."""
    if version:
        major, minor = version.split(".")
        (tmp_path / "py").mkdir()
        (tmp_path / "py" / "mpconfig.h").write_text(
            f"#define MICROPY_VERSION_MAJOR {major}\n#define MICROPY_VERSION_MINOR {minor}\n"
        )
    before = sorted(tmp_path.rglob("*"))
    given = ("--board", "shuffler_rp2040", "--variant", "bench", "--out", str(BUILD / "test-none"))
    with alone():
        result = _run_image(*given, MICROPYTHON=str(tmp_path))
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert str(tmp_path) in result.stderr
    assert words in result.stderr
    assert sorted(tmp_path.rglob("*")) == before


def of_these_sources(order: image.Order, sha256: str) -> str:
    """Say what an image is made of, and what its bytes are."""
    compiler = output_of(["arm-none-eabi-gcc", "-dumpfullversion"])
    made_of = f"sources {image.sources_hash(order)}, gcc {compiler}, {tree().name}"
    return f"{order.board}-{order.variant}, {made_of}: {sha256}"


@pytest.mark.proof(name="same_bytes")
@pytest.mark.skipif(not whole(), reason="builds an image from scratch: make prove does it")
def test_same_bytes_in_another_folder(tmp_path: Path, tell: Tell) -> None:
    """A build from scratch in another folder gives the UF2 that was built here, step by step."""
    needs("image")
    here = image.Order(BOARDS[0], "production")
    with alone():
        image.build(here)  # brought up to date; an edit behind the copy does not matter any more
    copy = tmp_path / "a-copy" / "elsewhere"
    for name in ("boards", "firmware", "host_tools", "sim"):
        ignored = shutil.ignore_patterns("__pycache__", "tests", ".*")
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", copy)
    given = ("--board", BOARDS[0], "--variant", "production")
    result = _run_image(*given, cwd=copy, MICROPYTHON=str(tree()), PYTHONPATH=str(copy))
    assert result.returncode == 0, result.stderr
    there = copy / "build" / f"{BOARDS[0]}-production"
    assert (there / "dovetail.uf2").read_bytes() == (here.out / "dovetail.uf2").read_bytes()
    assert (there / "dovetail.elf").read_bytes() == (here.out / "dovetail.elf").read_bytes()
    tell(of_these_sources(here, hashlib.sha256((there / "dovetail.uf2").read_bytes()).hexdigest()))


def test_same_bytes_as_recorded(built: Callable[[str, str], Path]) -> None:
    """Built from the sources of the record, by its compiler, an image has the record's bytes."""
    order = image.Order(BOARDS[0], "production")
    folder = built(order.board, order.variant)
    sha256 = hashlib.sha256((folder / "dovetail.uf2").read_bytes()).hexdigest()
    last = load("same_bytes", "").last
    told: list[str] = [] if last is None else last.figures["told"]
    made_of = of_these_sources(order, "")
    alike = [line for line in told if line.startswith(made_of)]
    if not alike:
        pytest.skip(f"no record of {made_of.rstrip(': ')}; make prove ONLY=same_bytes makes one")
    assert alike == [of_these_sources(order, sha256)]


def of_this_machine(content: bytes, day: date) -> list[str]:
    """Return what of this machine's folders, and of a day, stands in an image."""
    folders = {str(ROOT), str(BUILD), str(tree())}
    days = {day.isoformat(), f"{day:%b} {day.day:2d} {day.year}", f"{day:%Y%m%d}"}
    return sorted(word for word in folders | days if word.encode() in content)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("variant", board_files.VARIANTS)
def test_an_image_names_no_folder_and_no_date(
    built: Callable[[str, str], Path], board: str, variant: str
) -> None:
    """With either no two builds were alike; this is seen without a second build."""
    folder = built(board, variant)
    made = datetime.fromtimestamp((folder / "dovetail.elf").stat().st_mtime, UTC).date()
    for name in ("dovetail.elf", "dovetail.bin"):
        assert of_this_machine((folder / name).read_bytes(), made) == [], name


@pytest.mark.parametrize("word", [str(ROOT / "boards" / "wire.c"), "Nov  5 2026", "2026-11-05"])
def test_a_folder_or_a_date_in_an_image_is_seen(word: str) -> None:
    """Such as the compiler puts into it for `__FILE__` and `__DATE__`."""
    needs("image")
    content = b"\x7fELF" + word.encode() + bytes(9)
    assert of_this_machine(content, date(2026, 11, 5))
    assert not of_this_machine(content, date(2026, 11, 6)) or str(ROOT) in word


@pytest.mark.parametrize("board", BOARDS)
def test_symbols(built: Callable[[str, str], Path], board: str) -> None:
    """What makes a prompt is linked into the bench image and not into the production image."""
    bench = _symbols(built(board, "bench") / "dovetail.elf")
    production = _symbols(built(board, "production") / "dovetail.elf")
    assert set(PROMPT) - bench == {"mp_uart_init"}, "a name in PROMPT means nothing"
    assert set(PROMPT) & production == set()
    assert "__wrap_pyexec_friendly_repl" in production
    assert "__wrap_pyexec_file_if_exists" in bench & production


@pytest.mark.parametrize("board", BOARDS)
def test_flash_map(board: str) -> None:
    """image.h and board.py divide flash in the same way."""
    table = board_files.board_table(board)
    text = (board_files.BOARDS / "image.h").read_text()
    found = re.search(r"#define DOVETAIL_PROGRAM_BYTES \((\w+)\)", text)
    assert found
    assert int(found[1], 0) == image.PROGRAM_BYTES == 1024 * 1024
    assert "STORAGE_BYTES (PICO_FLASH_SIZE_BYTES - DOVETAIL_PROGRAM_BYTES)\n" in text
    assert 0 < table["JOURNAL_BYTES"] < table["FLASH_BYTES"] - image.PROGRAM_BYTES
    assert table["JOURNAL_BYTES"] % 4096 == 0


@pytest.mark.parametrize("board", BOARDS)
def test_pins_agree(board: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """pins.csv says what board.py says, and a build stops when it does not."""
    board_files.check_pins(board)
    shutil.copytree(board_files.BOARDS / board, tmp_path / board)
    pins = tmp_path / board / "pins.csv"
    pins.write_text(pins.read_text().replace("ENABLE,GPIO11", "ENABLE,GPIO12"))
    monkeypatch.setattr(board_files, "BOARDS", tmp_path)
    with pytest.raises(BuildError, match=r"pin 'enable' is 11 in board\.py and 12 in pins\.csv"):
        board_files.check_pins(board)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("UART_BAUD", "SPARE = 7\nUART_BAUD", r"board\.py: SPARE = 7: nobody reads this key"),
        ('"buzzer": 15,', '"horn": 15,', r"PINS: buzzer is missing"),
        ('"crank": 7', '"crank": 7, "moon": 9', r"MUX: moon = 9: nobody reads"),
        ('"tray": 6', '"tray": 5', r"MUX: tray = 5: that is shoe already"),
        ('"enable": 11', '"enable": 31', r"PINS: enable = 31: a GPIO of 0 to 29 is wanted"),
    ],
)
def test_a_key_that_nobody_reads(
    board: str, old: str, new: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What board.py says must be read by somebody, and be there once."""
    board_files.check_keys(board)
    shutil.copytree(board_files.BOARDS / board, tmp_path / board)
    path = tmp_path / board / "board.py"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    monkeypatch.setattr(board_files, "BOARDS", tmp_path)
    with pytest.raises(BuildError, match=words):
        board_files.check_keys(board)


def _boot(uf2: Path) -> tuple[EmulatedBoard, bytearray, bytearray]:
    """The emulated board with an image, what it says on UART0, and what on USB."""
    board: Any = importlib.import_module("boards.shuffler_rp2040.board")
    emulated = EmulatedBoard(uf2, board)
    uart, usb = bytearray(), bytearray()
    emulated.line.on_bytes = uart.extend
    emulated.prompt.on_bytes = usb.extend
    emulated.power_on()
    return emulated, uart, usb


def test_production_resets_instead_of_asking() -> None:
    """Ctrl-C is a byte like any other, and a main.py that ends is followed by a reset."""
    emulated, uart, usb = _boot(_test_image("production"))
    emulated.advance(50_000_000)
    emulated.line.write(b"\x03\x03\x01\r\n")
    emulated.advance(SECOND_NS)
    emulated.prompt.write(b"\x03\x03\x01\r\n")
    emulated.advance(2 * SECOND_NS)
    lines = bytes(uart).split(b"hello ")
    assert lines[1] == b"1 ['.frozen']\n\x03\x03\x01\r\n"  # 1: power-on
    assert len(lines) > 5
    assert set(lines[2:-1]) == {b"3 ['.frozen']\n"}  # 3: the watchdog's reset
    assert not emulated.prompt.connected
    assert usb == b""


def test_bench_keeps_its_prompt() -> None:
    """After main.py a bench image asks on USB; a file system that is none is left as it was."""
    emulated, uart, usb = _boot(_test_image("bench"))
    flash = emulated.chip.flash()[image.PROGRAM_BYTES :]
    flash[:] = b"\x5a" * len(flash)
    emulated.advance(SECOND_NS)
    emulated.prompt.write(b"import rp2, sys\r\nrp2.Flash().ioctl(4, 0) * 4096\r\nsys.path\r\n")
    emulated.advance(2 * SECOND_NS)
    assert uart.startswith(b"hello 1")
    assert emulated.prompt.connected
    assert b">>> rp2.Flash().ioctl(4, 0) * 4096\r\n%d\r\n" % len(flash) in usb
    assert b">>> sys.path\r\n['.frozen']\r\n" in usb, "a file system was mounted"
    assert bytes(flash) == b"\x5a" * len(flash)
