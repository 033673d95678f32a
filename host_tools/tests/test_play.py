"""Rounds in process: every count adds up, the same seed tells the same story, a fault is told."""

from __future__ import annotations

import json
import os
import pty
import struct
import subprocess
import sys
from fcntl import ioctl
from hashlib import sha256
from termios import TIOCSWINSZ

import pytest
from dovetail.stations import feeder

import sim.hands
from host_tools import rigs
from host_tools.evidence.drawn import whole
from host_tools.link import link_pb2
from host_tools.link.errors import Faulted
from host_tools.play import command
from host_tools.play.result import Times, result_lines
from host_tools.play.story import Record, Story
from host_tools.play.table import Plan, Played, Table
from sim.tests.images import image

PLAY = [sys.executable, "-m", "host_tools.play.command"]


def story_of(capsys: pytest.CaptureFixture[str], *words: str) -> list[Record]:
    """The JSON lines of a run, without the fields that tell of the wall clock."""
    assert command.main([*words, "--json"]) == 0
    told: list[Record] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all("wall_ms" in record for record in told)
    return [{k: v for k, v in r.items() if not k.startswith("wall_")} for r in told]


def test_three_rounds_end_in_a_plain_result(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--no-view"]) == 0
    result = capsys.readouterr().out.split("let it ride, 5 players")[1]
    assert "rounds     3 of 3" in result
    assert "3: red 52 of 52, blue 52 of 52, red 52 of 52" in result
    assert "stacks     18 of 3 cards" in result
    for number in (1, 2, 3):
        assert f"round {number}: 34 + 18 dealt = 52" in result
    assert result.endswith("every count adds up\n")


@pytest.mark.parametrize(("players", "decks"), [(1, 1), (7, 2)])
def test_any_table(players: int, decks: int, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--players", str(players), "--decks", str(decks), "--rounds", "2"]
    result = story_of(capsys, *words)[-1]
    dealt = 3 * (players + 1)
    assert result["good"] is True
    assert result["stubs"] == [[52 - dealt, dealt, 52]] * 2


def test_the_same_seed_tells_the_same_story(capsys: pytest.CaptureFixture[str]) -> None:
    first, again, other = (story_of(capsys, "--seed", seed) for seed in ("7", "7", "8"))
    assert first == again
    assert first != other


@pytest.mark.slow
@pytest.mark.proof(name="board_story")
@pytest.mark.skipif(not whole(), reason="two whole rounds at the pins: make prove plays them")
def test_the_emulated_board_tells_the_same_story_twice(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "--image",
        str(image("production")),
        "--depth",
        "emulated",
        "--rounds",
        "1",
        "--players",
        "1",
        "--decks",
        "1",
    ]
    first, again = (story_of(capsys, *words) for _ in range(2))
    assert first == again
    assert first[0]["sha256"] == sha256(image("production").read_bytes()).hexdigest()


def test_the_story_tells_order_and_time(capsys: pytest.CaptureFixture[str]) -> None:
    told = story_of(capsys, "--rounds", "1")
    times = [int(str(record["ms"])) for record in told]
    assert times == sorted(times)
    kinds = [f"{record['who']} {record['what']}" for record in told]
    bets = kinds.index("controller no_more_bets")
    assert bets < kinds.index("controller deal")
    positions = [r["position"] for r in told if r["what"] == "stack"]
    assert positions == [1, 2, 3, 4, 5, 6]


def test_a_stop_is_told_with_its_reason_and_gone_on_from(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command.main(["--no-view", "--fault", "path.jam=20"]) == 1
    told = capsys.readouterr().out
    assert "FAULT 102 at feeder, card 20: jam" in told
    assert "stopped    fault 102 jam, feeder: open the lid" in told
    assert told.endswith(
        "result     stopped as it must: fault 102 jam, feeder; "
        "3 of 3 rounds played, and every count of theirs adds up\n"
    )


def test_a_machine_that_stops_again_and_again_is_given_up(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command.main(["--no-view", "--fault", "path.jam=0.5"]) == 1
    told = capsys.readouterr().out
    assert told.count("  stopped    fault 102") == command.STOPS + 1
    assert told.endswith("; 0 of 3 rounds played\n")


def test_a_stop_for_nothing_is_not_as_it_should_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sim.hands.Hands, "load", _one_too_few)
    assert command.main(["--no-view"]) == 1
    told = capsys.readouterr().out
    assert "stopped    fault 601 wrong number of cards" in told
    assert "and nothing has struck\n" in told
    assert told.endswith("result     not as it should be\n")


def test_a_stop_by_a_wrong_name_is_not_as_it_should_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was planted: harmless, or a double feed that is called a card face up."""
    monkeypatch.setattr(feeder, "DOUBLE_FEED", 108)
    plants = ("--fault", "infeed.double_feed=5", "--fault", "entry.flicker=3")
    assert command.main(["--no-view", "--rounds", "1", *plants]) == 1
    told = capsys.readouterr().out
    assert "wrong      fault 108 card face up" in told
    assert "not what entry.flicker, infeed.double_feed is" in told
    assert told.endswith("result     not as it should be\n")


@pytest.mark.parametrize("plant", ["tray.dead=2", "supply.lost=17", "wheel.stall=504"])
def test_what_is_mended_is_told(capsys: pytest.CaptureFixture[str], plant: str) -> None:
    """Taking the cards out mends nothing."""
    assert command.main(["--no-view", "--rounds", "1", "--fault", plant]) == 1
    told = capsys.readouterr().out
    assert told.index("FAULT") < told.index("has it seen to") < told.index("takes every card out")


def test_what_a_clearing_finds_is_a_stop_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--no-view", "--rounds", "1", "--fault", "hands.forget=1"]) == 1
    told = capsys.readouterr().out
    assert "stopped    fault 102 jam" in told
    assert "stopped    fault 706 cards may be inside" in told


_load = sim.hands.Hands.load


def _one_too_few(hands: sim.hands.Hands, back: str) -> int:
    hands.lose(back)
    return _load(hands, back)


def test_at_a_real_machine_nobody_knows_whether_it_had_to_stop() -> None:
    played = Played(rounds=1, stops=["fault 102 jam, feeder: open the lid"])
    rig = rigs.Rig("real", _Nowhere(), None, None)
    lines = result_lines(Plan(), 7, rig, played, Times(None, 1.0), "")
    assert "  stopped    fault 102 jam, feeder: open the lid" in lines
    assert lines[-1].startswith("  result     stopped: fault 102 jam, feeder; 1 of 3 rounds")


def test_in_continuous_play_too(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "plain", "--delivery", "continuous", "--rounds", "2", "--no-view"]
    assert command.main([*words, "--fault", "path.jam=60"]) == 1
    assert "; 2 of 2 rounds played" in capsys.readouterr().out


def test_what_is_left_in_the_tray_is_not_taken(capsys: pytest.CaptureFixture[str]) -> None:
    told = story_of(capsys, "--rounds", "1", "--fault", "hands.left=2")
    takes = [r["cards"] for r in told if r["what"] == "takes"]
    assert takes == [3, 2, 3, 3, 3, 3, 34]
    kinds = [r["what"] for r in told]
    found = kinds.index("finds")
    assert (told[found]["cards"], told[found]["position"]) == (1, 2)
    assert kinds[found - 2 : found] == ["takes", "taken"]
    assert int(str(told[found]["ms"])) - int(str(told[found - 2]["ms"])) > 3000
    assert told[-1]["wrong"] == []


def test_a_round_that_is_over_is_not_closed(capsys: pytest.CaptureFixture[str]) -> None:
    """The fault was told while the dealer had the stub in the hand: nothing is said after it."""
    assert command.main(["--json", "--rounds", "1", "--fault", "shoe.lost=20"]) == 1
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    kinds = [record["what"] for record in told]
    assert "refuses" not in kinds
    assert kinds.index("fault") < kinds.index("clears") < kinds.index("close_round")
    assert [r["round"] for r in told if r["what"] == "open_round"] == [1, 2]
    assert told[-1]["wrong"] == []


def test_a_card_too_few_ends_the_run() -> None:
    async def body(rig: rigs.Rig) -> None:
        assert rig.dealer is not None
        assert rig.hands is not None
        await rig.hands.lose("red")
        table = Table(rig.client(), rig.dealer, Story(rig.now_ms), Plan())
        with pytest.raises(Faulted, match="wrong number of cards"):
            await table.play()
        await table.close()
        assert table.played.counts == []

    rigs.in_process(rigs.Wanted(seed=1), body)


@pytest.mark.parametrize("counts", [(51, 52, 52, "52 of 52"), (52, 52, 52, "51 of 52")])
def test_a_count_that_does_not_add_up_is_wrong(counts: tuple[int, int, int, str]) -> None:
    counted_in, counted_out, expected, text = counts

    async def body(rig: rigs.Rig) -> list[str]:
        assert rig.dealer is not None
        table = Table(rig.client(), rig.dealer, Story(rig.now_ms), Plan())
        said = link_pb2.ReadyToDeal(
            counted_in=counted_in, counted_out=counted_out, expected=expected, text=text
        )
        table.count("red", said)
        said = link_pb2.ReadyToDeal(counted_in=52, counted_out=52, expected=52, text="52 of 52")
        table.count("blue", said)
        await table.heard.close()
        return table.played.wrong

    wrong = rigs.in_process(rigs.Wanted(), body)
    assert len(wrong) == 1
    assert "red deck" in wrong[0]
    played = Played(wrong=wrong)
    lines = result_lines(
        Plan(), 7, rigs.Rig("real", _Nowhere(), None, None), played, Times(None, 1.0), ""
    )
    assert lines[-1].endswith("not as it should be")


class _Nowhere:
    """A line to nothing."""

    def __init__(self) -> None:
        self.on_bytes = self.on_lost = lambda _: None  # pyright: ignore

    def write(self, data: bytes) -> None:
        """Gone."""

    def set_baud(self, baud: int) -> None:
        """Gone."""

    def close(self) -> None:
        """Gone."""


def in_terminal(columns: int, rows: int, *words: str) -> str:
    """What a run sends to a terminal of this size."""
    near, far = pty.openpty()
    ioctl(far, TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))
    env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    for name in ("NO_COLOR", "COLUMNS", "LINES"):  # the terminal itself says how large it is
        env.pop(name, None)
    env["PYTHONPATH"] = os.pathsep.join(sys.path)
    with subprocess.Popen([*PLAY, *words], stdin=far, stdout=far, stderr=far, env=env) as run:
        os.close(far)
        shown = bytearray()
        while True:
            try:
                data = os.read(near, 65536)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            shown += data
        assert run.wait() == 0
    os.close(near)
    return shown.decode()


def test_a_terminal_gets_a_picture_and_then_the_result() -> None:
    shown = in_terminal(80, 24, "--rounds", "1", "--speed", "90")
    before, _, rest = shown.partition("\x1b[?1049h")
    picture, left, after = rest.partition("\x1b[?1049l")
    assert before.strip() == ""
    assert left
    assert "let it ride" in picture
    assert "player 5" in picture
    assert after.splitlines()[1].startswith("let it ride") or after.startswith("let it ride")
    assert "every count adds up" in after


def test_a_small_terminal_gets_the_story() -> None:
    shown = in_terminal(60, 20, "--rounds", "1")
    assert "\x1b[?1049h" not in shown
    assert "machine    red is ready: 52 of 52" in shown


@pytest.mark.parametrize(
    ("fault", "decks", "says"),
    [
        ("path.jam=20", "2", []),
        ("deal.torn=2", "1", ["remove_deck", "renews", "new_deck"]),
        ("card.foreign=4", "2", ["remove_deck", "renews", "new_deck"]),
        ("shoe.lost=20", "2", ["remove_deck", "renews", "new_deck"]),
        ("hands.forget=1", "2", ["clears"]),
    ],
)
def test_a_story_ends_with_the_round_that_was_to_be_played(
    fault: str, decks: str, says: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Cleared, a deck that is spoilt or locked out changed for a new one, shuffled and dealt."""
    assert command.main(["--json", "--rounds", "2", "--decks", decks, "--fault", fault]) == 1
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [record["what"] for record in records]
    after = told[told.index("clears") + 1 :]
    assert [
        what for what in after if what in ("clears", "remove_deck", "renews", "new_deck")
    ] == says
    assert [what for what in told if what in ("gathers", "result")] == [
        *["gathers"] * 2,
        "result",
    ]
    assert (records[-1]["rounds"], records[-1]["wrong"], records[-1]["good"]) == (2, [], False)


def told_of(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    """The JSON lines of a run, however it ends."""
    command.main([*words, "--json", "--rounds", "1"])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_plant_is_told_with_its_size_when_it_strikes(capsys: pytest.CaptureFixture[str]) -> None:
    told = told_of(capsys, "--fault", "wheel.slip@60=100", "--fault", "card.long@20000=30")
    rig = [record for record in told if record["what"] == "planted"]
    assert [(one["name"], one["passage"]) for one in rig] == [
        ("wheel.slip", 100),
        ("card.long", 30),
    ]
    assert "loses 60 steps of its turn" in str(rig[0]["says"])
    assert "83.5 mm pass" in str(rig[1]["says"])
    times = [int(str(record["ms"])) for record in told]
    assert times == sorted(times)
    kinds = [str(record["what"]) for record in told]
    assert kinds.index("planted") < kinds.index("trying") < kinds.index("fault")
    late = times[kinds.index("fault")] - times[told.index(rig[1])]
    assert 0 < late < 1000  # not when the round is over


def test_what_strikes_and_is_got_over_is_told_then(capsys: pytest.CaptureFixture[str]) -> None:
    told = told_of(capsys, "--fault", "exit.hold=20")
    kinds = [str(record["what"]) for record in told]
    assert kinds.index("planted") < kinds.index("trying") < kinds.index("ready")


def test_a_plant_that_never_struck_is_told_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    """Every count adds up, as it is told; so does who had waited for a fault."""
    words = ["--fault", "infeed.misfeed=9999", "--fault", "path.jam_at=entry:300"]
    said = [
        "infeed.misfeed=9999 never struck: only 52 passages came",
        "path.jam_at=entry:300 never struck: only 52 passages came",
    ]
    told = told_of(capsys, *words)
    assert (told[-1]["unstruck"], told[-1]["good"]) == (said, True)
    assert command.main([*words, "--rounds", "1", "--no-view"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  planted    {line}\n" in shown for line in said)
    assert shown.endswith("every count adds up\n")


def test_a_hand_that_the_machine_voids_itself_is_no_fault_of_the_machine(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """DS-11 (in-process): three cards at once in Boston 5; what was told is what lay there."""
    words = ("--game", "boston_5", "--rounds", "1", "--fault", "deal.triple_feed=3")
    records = story_of(capsys, *words)
    stack = next(r for r in records if r["what"] == "stack" and r["verdict"] == link_pb2.HAND_VOID)
    assert stack["delivered"] != stack["ordered"]
