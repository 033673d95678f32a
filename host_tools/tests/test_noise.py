"""`dovetail noise --raw`: every sample in its place, in files that others' tools read."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from host_tools import noise
from host_tools.prompt import PromptError
from host_tools.tests.needs import needs
from sim.emulated.noise import biased, good
from sim.tests.images import image

SEED = 4


@pytest.fixture(scope="module")
def ports() -> Iterator[tuple[str, str]]:
    """Link and prompt of an emulated board that runs beside the tests."""
    words = [sys.executable, "-u", "-m", "host_tools.emulate", "--image", str(image())]
    words += ["--quiet", "--seed", str(SEED)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as board:
        assert board.stdout is not None
        lines = [board.stdout.readline().split(": ") for _ in range(2)]
        assert [what for what, _ in lines] == ["link", "prompt"]
        yield lines[0][1].strip(), lines[1][1].strip()
        board.terminate()


def test_every_sample_of_a_block_is_there_and_in_order(
    ports: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "noise.bin"
    count = noise.BLOCK + 5000
    assert noise.main(["--raw", "--port", ports[1], "--bits", str(count), "--out", str(out)]) == 0
    assert f"{out}: {count:,} samples, " in capsys.readouterr().out
    source = good(SEED)  # what the board's own noise part gives, from power-on
    given = bytes(source() for _ in range(3 * noise.BLOCK))
    samples = out.read_bytes()
    first, second = samples[: noise.BLOCK], samples[noise.BLOCK :]
    assert len(second) == 5000
    assert 0 <= given.find(first) < given.find(second)
    assert list(tmp_path.iterdir()) == [out]


def test_more_is_put_behind_what_is_there(ports: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "noise.u32"
    words = ["--raw", "--port", ports[1], "--out", str(out), "--format", "packed", "--append"]
    for count in (64, 96):
        before = out.read_bytes() if out.exists() else b""
        assert noise.main([*words, "--bits", str(count)]) == 0
        assert out.read_bytes().startswith(before)
        assert len(out.read_bytes()) == len(before) + count // 8


def test_a_port_without_a_prompt_is_one_line(
    ports: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for port, why in (
        (ports[0], "no MicroPython prompt answers there"),
        ("/dev/none", "no such port"),
    ):
        with pytest.raises(SystemExit) as leaving:
            noise.main(["--raw", "--port", port, "--out", str(tmp_path / "noise.bin")])
        assert leaving.value.code == 2
        said = capsys.readouterr().err
        assert said.startswith(f"noise: {port}: ")
        assert why in said
        assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--bits", "33", "--format", "packed"], "a multiple of 32"),
        (["--bits", "0"], "'0' is no number of 1 or more"),
        (["--out", "no/such/folder/noise.bin"], "no such folder"),
        (["--out", "."], "a folder itself"),
        (["--format", "text"], "invalid choice"),
    ],
)
def test_what_makes_no_sense_is_refused(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as leaving:
        noise.main(["--raw", "--port", "/dev/none", "--out", "noise.bin", *words])
    assert leaving.value.code == 2
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1


def test_a_board_that_goes_away_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Lost:
        def __init__(self, port: str) -> None:
            self.left = 2

        def run(self, source: str) -> str:
            self.left -= 1
            if self.left < 0:
                raise PromptError("/dev/ttyACM0: the board went away or gave no answer")
            return bytes(noise.BLOCK // 8).hex()

        def close(self) -> None:
            pass

    monkeypatch.setattr(noise, "Prompt", Lost)
    out = tmp_path / "noise.bin"
    out.write_bytes(b"kept")
    with pytest.raises(SystemExit) as leaving:
        noise.main(["--raw", "--port", "/dev/ttyACM0", "--out", str(out)])
    assert leaving.value.code == 2
    assert capsys.readouterr().err == (
        "noise: /dev/ttyACM0: the board went away or gave no answer\n"
    )
    assert out.read_bytes() == b"kept"
    assert list(tmp_path.iterdir()) == [out]


# -- what others read ----------------------------------------------------------------------


def test_the_two_formats() -> None:
    """One byte a sample, as NIST's tool reads it; 32 samples a number, as dieharder reads it."""
    source = good(1)
    bits = [source() for _ in range(96)]
    samples = np.array(bits, np.uint8)
    assert noise.encoded(samples, "samples") == bytes(bits)
    numbers = np.frombuffer(noise.encoded(samples, "packed"), "<u4")
    assert [int(number) for number in numbers] == [
        sum(bit << i for i, bit in enumerate(bits[at : at + 32])) for at in (0, 32, 64)
    ]


def test_dieharder_reads_the_file_and_knows_good_from_bad(tmp_path: Path) -> None:
    needs("dieharder")
    verdicts: list[str] = []
    for source in (good(1), biased(1, 0.52)):
        samples = np.array([source() for _ in range(320_000)], np.uint8)
        file = tmp_path / "noise.u32"
        file.write_bytes(noise.encoded(samples, "packed"))
        words = ["dieharder", "-g", "201", "-f", str(file), "-d", "100", "-t", "10000", "-p", "1"]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        verdicts.append(
            next(x for x in done.stdout.splitlines() if "sts_monobit" in x).split("|")[-1]
        )
    assert [verdict.strip() for verdict in verdicts] == ["PASSED", "FAILED"]
