"""`dovetail journal` at the emulated board's port, with its key file, as an auditor uses it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from host_tools import key_file
from host_tools.journal import command
from host_tools.link.keys import drawn
from sim.tests.images import image


@pytest.fixture(scope="module")
def port() -> Iterator[Path]:
    """The link of a board that `dovetail emulate` runs; its key file lies beside it."""
    image("production")
    words = [sys.executable, "-m", "host_tools.cli", "emulate", "--variant", "production"]
    board = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert board.stdout is not None
    name, path = board.stdout.readline().split()
    assert name == "link:"
    yield Path(path)
    board.send_signal(signal.SIGINT)
    board.communicate()


def keys_at(port: Path) -> Path:
    """The key file that emulate wrote."""
    return port.with_name(key_file.BESIDE)


def test_a_journal_is_read_and_proven_over_the_link(
    port: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The key file beside the port is found; the chain is proven with the key in it."""
    assert command.main(["--port", str(port), "--verify"]) == 0
    out = capsys.readouterr().out
    assert "the journal is whole" in out
    export = tmp_path / "journal.jsonl"
    words = ["--port", str(port), "--keys", str(keys_at(port))]
    assert command.main([*words, "--export", "jsonl", "--out", str(export)]) == 0
    kinds = [json.loads(line).get("kind") for line in export.read_text().splitlines()]
    assert kinds[1] == "started"
    assert kinds.count("setting") == 4
    assert kinds[-1] == "session"  # this one
    keys = ["--keys", str(keys_at(port))]
    assert command.main(["--export-file", str(export), "--verify", *keys]) == 0
    out = capsys.readouterr().out
    count = sum(kind is not None for kind in kinds)
    assert f"{count} read, {count} proven" in out


def test_the_bundle_of_a_board_holds_no_key(port: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "support.zip"
    assert command.main(["--port", str(port), "--bundle", str(bundle)]) == 0
    with zipfile.ZipFile(bundle) as opened:
        content = b"".join(opened.read(name) for name in opened.namelist())
    (keys,) = key_file.read(keys_at(port)).values()
    for key in (keys.table, keys.service, keys.audit, keys.supervisor):
        assert key not in content
        assert key.hex().encode() not in content


def test_without_the_key_nothing_is_read(
    port: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file, no keys of this machine in it, another audit key: one line, exit 2."""
    ((serial, keys),) = key_file.read(keys_at(port)).items()
    none, others, wrong = (tmp_path / name for name in ("none", "others", "wrong"))
    key_file.write(others, {"00" * 8: keys})
    key_file.write(wrong, {serial: replace(keys, audit=drawn().audit)})
    for path in (none, others, wrong):
        with pytest.raises(SystemExit) as end:
            command.main(["--port", str(port), "--keys", str(path), "--meters"])
        assert end.value.code == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert len(printed.err.splitlines()) == 1, printed.err
