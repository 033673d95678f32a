"""Random and mutated frames at the device's link, by hypothesis and guided by coverage (atheris).

`make prove` sends a million of them, `make test` a share that is another one for each commit. After
every batch: no exception, nothing changed, no forged frame was believed, and the next good request
is answered. Bugs planted on purpose are found, so these tests can fail.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from dovetail.hal import wire as device_wire
from dovetail.link import answers as device_answers
from dovetail.link import codec as device_codec
from dovetail.link import frame as device_frame
from dovetail.link import sessions as device_sessions
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from host_tools.build.tell import ROOT
from host_tools.build.told import Tell
from host_tools.evidence.drawn import amount
from host_tools.evidence.drawn import seed as seed_of
from host_tools.tests.link_fuzz import Target
from host_tools.tests.link_mutate import STRANGER, Mutator

BATCH = 500
STRANGERS_FRAMES = amount(116_500, 5_000)  # of each of the six kinds
INSIDE_FRAMES = amount(101_000, 5_000)
GUIDED_FRAMES = amount(200_000, 10_000)
PLANTED_FRAMES = 10_000
PLANTED_GUIDED_FRAMES = 200_000
PHASES = (Phase.explicit, Phase.generate)  # a failing batch is named by its seed

codec: Any = device_codec  # the device's files have no types
answers: Any = device_answers
wire: Any = device_wire
frame: Any = device_frame
sessions: Any = device_sessions

no_atheris = pytest.mark.skipif(
    find_spec("atheris") is None, reason="atheris is not made for this machine"
)
seeds = st.integers(0, 2**32 - 1)
seasonings = st.binary(max_size=32)
Test = Callable[[int, bytes], None]


def each(examples: int, drawn: int) -> Callable[[Test], Test]:
    """Make a property of so many batches, made up from what is drawn."""

    def wrap(test: Test) -> Test:
        quiet = settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=PHASES,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        )
        return seed(drawn)(quiet(given(seeds, seasonings)(test)))

    return wrap


def attack(kind: str, frames: int, drawn: int) -> int:
    """Send that many frames of one kind from a stranger; return how many it were."""
    sent = [0]

    @each(frames // BATCH, drawn)
    def batches(base: int, seasoning: bytes) -> None:
        target = Target()
        try:
            mutator = Mutator(base, seasoning, target.heard)
            target.forge([STRANGER[kind](mutator) for _ in range(BATCH)])
            sent[0] += target.frames
        finally:
            target.close()

    batches()  # pyright: ignore[reportCallIssue]
    return sent[0]


def attack_inside(frames: int, drawn: int) -> int:
    """Send them from a controller with the key: any body, and fields without sense."""
    sent = [0]

    @each(frames // BATCH, drawn)
    def batches(base: int, seasoning: bytes) -> None:
        target = Target()
        try:
            mutator = Mutator(base, seasoning, target.heard)
            target.inside([mutator.body() for _ in range(BATCH)])
            sent[0] += target.frames
        finally:
            target.close()

    batches()  # pyright: ignore[reportCallIssue]
    return sent[0]


@pytest.mark.spends(3600)
@pytest.mark.proof(name="frames")
@pytest.mark.parametrize("kind", list(STRANGER))
def test_a_stranger_changes_nothing(kind: str, tell: Tell) -> None:
    frames = attack(kind, STRANGERS_FRAMES, seed_of(f"frames {kind}"))
    assert frames >= STRANGERS_FRAMES
    tell(f"link, CPython: {frames} frames of a stranger, {kind}")


@pytest.mark.spends(3600)
@pytest.mark.proof(name="frames")
def test_a_mad_controller_is_answered(tell: Tell) -> None:
    frames = attack_inside(INSIDE_FRAMES, seed_of("frames inside"))
    assert frames >= INSIDE_FRAMES
    tell(f"link, CPython: {frames} frames of a mad controller")


# ---- bugs planted on purpose


def believes_any_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    """One tag in 256 is right by its first byte."""

    def signed(self: Any, key: object, direction: int) -> bool:
        raw, end = bytes(self.raw), int(self.end)
        right = bytearray(raw)
        wire.sign(key, direction, right, 0, end)
        return right[end] == raw[end]

    monkeypatch.setattr(frame.Receiver, "signed", signed)


def forgets_the_counter(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame that came before is taken again."""
    whole = sessions.Sessions.check

    def check(self: Any, received: Any) -> Any:
        if self.open is not None:
            self.open.last = 0
        return whole(self, received)

    monkeypatch.setattr(sessions.Sessions, "check", check)


def stumbles(monkeypatch: pytest.MonkeyPatch) -> None:
    """The codec reads behind the end of what it has."""
    whole = codec.decode

    def decode(message: int, data: bytes) -> Any:
        if data and data[-1] & 0x80:
            raise IndexError("behind the end")
        return whole(message, data)

    monkeypatch.setattr(answers.codec, "decode", decode)


def sets_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that nobody without a key may touch, changed by a frame that is refused."""
    whole = answers._outside

    def outside(link: Any, id: int, name: str, fields: Any, tagged: bool) -> Any:
        if name == "set_baud" and fields["baud"]:
            link.old_baud = fields["baud"]
        return whole(link, id, name, fields, tagged)

    monkeypatch.setattr(answers, "_outside", outside)


def uses_up_an_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong tag moves the session's own bookkeeping."""
    whole = sessions.Sessions._failed

    def failed(self: Any, now_ms: int) -> None:
        whole(self, now_ms)
        if self.open is not None:
            self.open.floor += 1

    monkeypatch.setattr(sessions.Sessions, "_failed", failed)


def obeys_untagged(monkeypatch: pytest.MonkeyPatch) -> None:
    """An order outside of a session is done."""

    def outside(link: Any, id: int, name: str, fields: Any, tagged: bool) -> Any:
        return answers.report(link, id, answers._do(link, None, name, fields)), None

    monkeypatch.setattr(answers, "_outside", outside)


Plant = Callable[[pytest.MonkeyPatch], None]
PLANTED: dict[Plant, str] = {
    believes_any_tag: "tagged",
    forgets_the_counter: "replayed",
    stumbles: "untagged",
    sets_the_rate: "untagged",
    uses_up_an_id: "tagged",
    obeys_untagged: "untagged",
}


@pytest.mark.parametrize("plant", list(PLANTED))
def test_a_planted_bug_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    Target().close()  # it does not show by itself
    with pytest.raises(AssertionError):
        attack(PLANTED[plant], PLANTED_FRAMES, 1)


def test_a_bug_that_only_the_key_reaches_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    stumbles(monkeypatch)
    with pytest.raises(AssertionError):
        attack_inside(PLANTED_FRAMES, 1)


def guided(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The coverage-guided fuzzer, in a process of its own: it never returns."""
    command = [sys.executable, "-m", "host_tools.tests.link_guided", str(folder), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.spends(3600)
@pytest.mark.proof(name="frames")
@no_atheris
def test_guided_by_coverage(tmp_path: Path, tell: Tell) -> None:
    drawn = str(seed_of("frames guided"))
    ended = guided(tmp_path, "--frames", str(GUIDED_FRAMES), "--seed", drawn)
    assert ended.returncode == 0, ended.stdout[-2000:] + ended.stderr[-4000:]
    frames = re.search(r"^frames (\d+), inputs \d+$", ended.stdout, re.MULTILINE)
    assert frames
    assert int(frames[1]) >= GUIDED_FRAMES
    tell(f"link, CPython: {frames[1]} frames guided by coverage")


@no_atheris
def test_guided_by_coverage_it_finds_a_planted_bug(tmp_path: Path) -> None:
    ended = guided(tmp_path, "--frames", str(PLANTED_GUIDED_FRAMES), "--plant", "--seed", "3")
    assert ended.returncode not in (0, 2)
    assert "IndexError('planted')" in ended.stdout + ended.stderr
