"""The C client: compiled with every warning an error, golden vectors, a round on the board."""

from __future__ import annotations

import hashlib
import hmac
import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from host_tools.build import c_client
from host_tools.build.tell import ROOT
from host_tools.link.keys import ROLES, of_seed
from host_tools.tests.link_lengths import PAGE, filled, on_page
from host_tools.tests.needs import needs
from sim.tests.images import image

VECTORS: dict[str, Any] = json.loads((ROOT / "docs" / "vectors.json").read_text())


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    needs("c")
    return c_client.build(tmp_path_factory.mktemp("c_client"))


def lines() -> list[str]:
    """The vectors as check_vectors reads them."""
    made: list[str] = []
    for row in VECTORS["frames"]:
        made.append(f"frame {row['kind']} {row['counter']} {row['body'] or '-'} {row['frame']}")
        made.append(f"message {row['kind']} {row['body'] or '-'}")
    for row in VECTORS["bodies"]:
        made.append(f"frame 1 {row['counter']} {row['body'] or '-'} {row['frame']}")
    for row in VECTORS["bad"]:
        made.append(f"bad {row['counted'].replace(' ', '_')} {row['frame']}")
    for text in (b"", b"abc", bytes(55), bytes(range(64)), bytes(119), bytes(range(256)) * 2):
        made.append(f"sha256 {text.hex() or '-'} {hashlib.sha256(text).hexdigest()}")
        key = hashlib.sha256(text).digest()
        made.append(
            f"hmac {key.hex()} {text.hex() or '-'} {hmac.digest(key, text, 'sha256').hex()}"
        )
    return made


def check(program: Path, rows: list[str]) -> tuple[int, str]:
    ended = subprocess.run(
        [program], input="\n".join(rows) + "\n", capture_output=True, text=True, check=False
    )
    return ended.returncode, ended.stdout.splitlines()[-1]


def test_the_golden_vectors(programs: dict[str, Path]) -> None:
    rows = lines()
    assert check(programs["check_vectors"], rows) == (0, f"{len(rows)} right, 0 wrong")


def test_a_wrong_vector_is_seen(programs: dict[str, Path]) -> None:
    rows = lines()
    for what in ("frame", "message", "bad", "sha256", "hmac"):
        row = next(row for row in rows if row.startswith(what))
        spoilt = row[:-3] + f"{int(row[-3], 16) ^ 1:x}" + row[-2:]
        if what == "message":
            spoilt = row[:-2]
        elif what == "bad":
            spoilt = row.replace(row.split()[1], "wrong_crc" if "overrun" in row else "overrun")
        assert check(programs["check_vectors"], [spoilt])[0] == 1, what


def test_every_field_is_read_at_its_longest(programs: dict[str, Path]) -> None:
    """And written again: a field without a limit would be left out, one with less not be read."""
    most = on_page(PAGE.read_text())
    rows = [f"message {kind} {body.hex()}" for _, kind, body in filled(most)]
    assert check(programs["check_vectors"], rows) == (0, f"{len(rows)} right, 0 wrong")
    assert {name for name, _, _ in filled(most)} == set(most)
    for name, kind, body in filled(most, more=1):
        assert check(programs["check_vectors"], [f"message {kind} {body.hex()}"])[0] == 1, name


@contextmanager
def emulated(*options: str) -> Generator[str]:
    """The path of an emulated board's link."""
    command = [sys.executable, "-u", "-m", "host_tools.emulate", "--quiet", "--speed", "8"]
    command += options
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().removeprefix("link: ").rstrip()
        finally:
            process.terminate()


def key_file(folder: Path, seed: int = 1) -> Path:
    """The keys that `dovetail emulate` gives its board, as the programs read them."""
    keys = of_seed(seed)
    path = folder / "keys.txt"
    path.write_text("".join(f"{keys.of(role).hex()}\n" for role in ROLES.values()))
    return path


LEFT = ("ready: ", "round 1", "stack ")  # what it has said last when it is ended
PLAYERS = 2


@pytest.mark.slow
def test_rounds_on_the_emulated_board(programs: dict[str, Path], tmp_path: Path) -> None:
    """What another left is gone on with: a deck in the shoe is dealt, an open round played out.

    And a whole round after it, with the deck that the dealer has laid in meanwhile.
    """
    with emulated("--decks", "2", "--image", str(image())) as link:
        command = [programs["play_round"], "--bench", link, key_file(tmp_path), str(PLAYERS)]
        for said in LEFT:  # each time by somebody else
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                assert process.stdout is not None
                lines = iter(process.stdout.readline, "")
                assert any(line.startswith(said) for line in lines), said
                process.kill()
        command += ["blue"]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        told = ended.stdout
    assert ended.returncode == 0, told + ended.stderr
    assert told.count("round 1 is open: it is played to its end") == 1
    assert "round 2\n" in told
    assert told.count("ready: 52 of 52") == 1
    assert told.count("remainder: 43, dealt 9, of 52") == 2
    assert "round over: 3 stacks, 52 cards" in told


def test_what_is_no_line_is_one_clear_line(programs: dict[str, Path], tmp_path: Path) -> None:
    keys = key_file(tmp_path)
    for words in ([], [tmp_path / "nowhere"], [tmp_path / "nowhere", keys], [keys, keys]):
        ended = subprocess.run(
            [programs["play_round"], *words], capture_output=True, text=True, check=False
        )
        assert ended.returncode == 2
        assert ended.stderr.count("\n") == 1
