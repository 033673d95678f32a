"""`dovetail emulate` and `dovetail flash` against each other: ptys, and a directory for a drive."""

from __future__ import annotations

import hashlib
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from pathlib import Path
from queue import SimpleQueue

import pytest
import serial

from host_tools.build import uf2
from host_tools.build.tell import ROOT
from host_tools.link.blocking import Blocking
from host_tools.link.errors import LinkError
from host_tools.tests import patience
from sim.tests.images import image

pytestmark = pytest.mark.slow


class Emulator:
    """The command as another process; paths as it printed them."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-u", "-m", "host_tools.emulate", *options]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        self.first = self.line()

    def _read(self) -> None:
        """Take its lines as they come; an empty one stands for the end."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip())
        self.lines.put("")

    def wait(self, done: Callable[[], bool], what: str) -> None:
        """Wait as long as the emulator lives and has not worked in vain."""
        patience.wait(self.process, done, what)

    def line(self) -> str:
        """Return the next line that it prints."""
        ended = self.process.poll
        self.wait(lambda: not self.lines.empty() or ended() is not None, "a line")
        return self.lines.get()  # at the end an empty one comes for sure

    def path(self, what: str) -> str:
        """From the next line that begins so."""
        while not (line := self.line()).startswith(f"{what}: "):
            assert line, "it has ended"
        return line.removeprefix(f"{what}: ")

    def end(self) -> tuple[int, str]:
        """Ctrl-C; its status and what it complained of."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        assert self.process.stderr is not None
        complaints = self.process.stderr.read()
        return self.process.wait(), complaints


Start = Callable[..., Emulator]


@pytest.fixture
def start() -> Generator[Start]:
    emulators: list[Emulator] = []

    def one(*options: str) -> Emulator:
        emulators.append(Emulator(*options))
        return emulators[-1]

    yield one
    for emulator in emulators:
        emulator.process.kill()
        emulator.process.wait()


def flash(*options: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "host_tools.flash", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def mpremote(port: str, *words: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", port, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_mpremote_works_at_the_prompt_and_ctrl_c_ends(start: Start, tmp_path: Path) -> None:
    emulator = start("--image", str(image()))
    assert emulator.first.startswith("link: ")
    assert emulator.path("sha256") == hashlib.sha256(image().read_bytes()).hexdigest()
    port = emulator.path("prompt")
    assert mpremote(port, "exec", "print('one', 1 + 1)") == "one 2\n"
    assert "MicroPython" in mpremote(port, "soft-reset", "exec", "import sys; print(sys.version)")
    assert "boards" not in mpremote(port, "ls")
    assert emulator.end() == (0, "")
    assert not Path(port).exists()


def test_a_prompt_says_that_the_link_is_silent_and_a_reset_ends_that(start: Start) -> None:
    emulator = start("--image", str(image()), "--decks", "0")
    link = emulator.first.removeprefix("link: ")
    prompt = emulator.path("prompt")
    with serial.Serial(prompt, timeout=0) as port:
        port.write(b"\x03")
        said = read_until(emulator, port, b">>> ")
    assert b"bench image: whoever sits at this prompt can read the keys of the machine" in said
    assert b"the machine is stopped: its link is silent until machine.reset()\r\n" in said
    with pytest.raises(LinkError, match="no answer"):
        Blocking(link)
    mpremote(prompt, "reset")
    greeted(emulator)


def read_until(emulator: Emulator, port: serial.Serial, end: bytes) -> bytes:
    """Return what comes from the port, up to this end."""
    said = bytearray()

    def came() -> bool:
        said.extend(port.read(1024))
        return end in said

    emulator.wait(came, f"{end!r} from the port")
    return bytes(said)


def greeted(emulator: Emulator) -> None:
    """Wait until its hello is answered: how long a start takes hangs on how busy the host is."""
    link = emulator.first.removeprefix("link: ")

    def answered() -> bool:
        try:
            Blocking(link).__exit__()
        except LinkError:
            return False
        return True

    emulator.wait(answered, "an answer to hello")


def test_a_file_system_is_made_on_request(start: Start, tmp_path: Path) -> None:
    """As the README has it: our own boot never formats."""
    emulator = start("--image", str(image()), "--decks", "0")
    port = emulator.path("prompt")
    (file := tmp_path / "notes.txt").write_text("kept")
    with pytest.raises(subprocess.CalledProcessError):
        mpremote(port, "fs", "cp", str(file), ":")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (make,) = re.findall(r'exec "\n(.*?)"\n', readme, re.DOTALL)
    mpremote(port, "exec", make)
    mpremote(port, "reset")
    greeted(emulator)  # its prompt is there again by then
    mpremote(port, "fs", "cp", str(file), ":")
    assert mpremote(port, "fs", "cat", ":notes.txt") == "kept"


def test_the_link_speaks_first_and_the_production_image_has_no_prompt(start: Start) -> None:
    emulator = start("--image", str(image(variant="production")), "--quiet")
    link = emulator.first.removeprefix("link: ")
    with serial.Serial(link, timeout=0) as port:
        port.write(b"\x00")
        assert read_until(emulator, port, b"\x00").endswith(b"\x00")
    assert not (Path(link).parent / "prompt").exists()  # USB would be there long before
    assert emulator.end() == (0, "")
    assert emulator.line() == ""  # it had nothing more to say


def test_an_image_goes_on_and_is_checked(start: Start) -> None:
    emulator = start("--image", str(image()), "--decks", "0")
    port = emulator.path("prompt")
    status, said, complaints = flash("--port", port, "--board", "shuffler_rp2040")
    assert (status, complaints) == (0, "")
    assert f"sha256: {hashlib.sha256(image().read_bytes()).hexdigest()}" in said
    assert "before: Dovetail shuffler RP2040 with RP2040, image of shuffler_rp2040" in said
    assert "bytes of flash are those of the image" in said
    assert "ok     axis wheel" in said
    assert "failed" not in said
    assert "self-test passed" in said
    assert "flash: done" in said
    assert Path(emulator.path("drive")).name == "RPI-RP2"


def test_a_board_with_cards_in_it_fails_its_self_test(start: Start) -> None:
    emulator = start("--image", str(image()), "--decks", "1")
    port = emulator.path("prompt")
    status, said, complaints = flash("--port", port, "--board", "shuffler_rp2040")
    assert status == 1
    assert "failed infeed: a card lies there: take it out" in said
    assert "flash: the board has failed its self-test" in complaints
    assert "flash: done" not in said


def test_a_board_in_its_bootloader_takes_an_image_through_its_drive(
    start: Start, tmp_path: Path
) -> None:
    drive = tmp_path / "drive"
    emulator = start("--image", str(image()), "--drive", str(drive), "--decks", "0")
    port = emulator.path("prompt")
    mpremote(port, "bootloader")
    assert emulator.path("drive") == str(drive)
    assert "Board-ID: RPI-RP2" in (drive / "INFO_UF2.TXT").read_text()
    assert not Path(port).exists()
    status, said, complaints = flash("--port", port, "--drive", str(drive))
    assert (status, complaints) == (0, "")
    assert "before" not in said
    assert not list(drive.iterdir())


def test_the_drive_takes_no_image_for_another_chip(start: Start, tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    emulator = start("--image", str(image()), "--drive", str(drive))
    port = emulator.path("prompt")
    mpremote(port, "bootloader")
    emulator.path("drive")
    (drive / "a.uf2").write_bytes(image(board="shuffler_rp2350").read_bytes())
    (drive / "b.uf2").write_bytes(image().read_bytes())
    assert emulator.path("drive") == "gone"
    emulator.wait(Path(port).exists, "the prompt")
    assert mpremote(port, "exec", "import image; print(image.BOARD)") == "shuffler_rp2040\n"


def test_what_does_not_fit_is_refused_in_one_line_and_nothing_is_written(
    start: Start, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.uf2"
    cut.write_bytes(image().read_bytes()[: 512 * 600])
    production = image(variant="production")
    other = image(board="shuffler_rp2350")
    strange = tmp_path / "strange.uf2"
    strange.write_bytes(uf2.encode(b"another program" * 1000, "rp2040"))
    emulator = start("--image", str(image()))
    port = emulator.path("prompt")
    link = emulator.first.removeprefix("link: ")
    nobody = str(tmp_path / "ttyNone")
    for options, why in {
        ("--port", port, "--board", "nonsense"): "there is: shuffler_rp2040, shuffler_rp2350",
        ("--port", port, "--board", "shuffler_rp2350"): "with RP2040 is no rp2350",
        ("--port", port, "--image", str(other)): "made for an rp2350, and this is an rp2040",
        ("--port", port, "--image", str(cut)): "truncated UF2: 600 of",
        ("--port", port, "--image", str(production)): "a production image has no prompt",
        ("--port", port, "--image", str(strange)): "not an image of shuffler_rp2040",
        ("--port", port, "--image", str(tmp_path / "no.uf2")): "No such file",
        ("--port", nobody): "there is no such port",
        ("--port", link): "no MicroPython prompt answers there",
        ("--port", str(cut)): "that is no serial port",
        (): "which port",
    }.items():
        status, _, complaint = flash(*options)
        assert status == 2, options
        assert why in complaint
        assert complaint.count("\n") == 1
    with serial.Serial(port, exclusive=True):
        status, _, complaint = flash("--port", port)
    assert (status, complaint) == (2, f"flash: {port}: another program has it open\n")
    assert not (Path(port).parent / "RPI-RP2").exists()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--board", "nonsense"], "there is: shuffler_rp2040, shuffler_rp2350"),
        (["--variant", "nonsense"], "there is: bench, production"),
        (["--board", "shuffler_rp2350"], "only the rp2040 can be emulated"),
        (["--image", "nothing.uf2"], "nothing.uf2: No such file or directory"),
        (["--seed", "-1"], "--seed"),
    ],
)
def test_emulate_refuses_in_one_line(options: list[str], why: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "host_tools.emulate", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
