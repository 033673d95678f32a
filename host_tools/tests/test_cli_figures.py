"""`dovetail figures`: a bound is a bound, and what is printed is what is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from host_tools import (
    figures,
    measure,
    measure_alarms,
    measure_chance,
    measure_journal,
    measure_link,
    measure_motion,
    measure_others,
    measure_play,
    measure_rules,
)
from host_tools.certify import speed
from host_tools.figures import Figure, show
from host_tools.link.errors import LinkError


@pytest.mark.parametrize(
    ("value", "least", "most", "met"),
    [(1.0, 1.0, None, True), (0.99, 1.0, None, False), (0, None, 0, True), (1, None, 0, False)],
)
def test_a_bound_is_kept_or_not(
    value: float, least: float | None, most: float | None, met: bool
) -> None:
    figure = Figure("speed", value, "s", least, most)
    assert figure.met is met
    assert show(figure).endswith("   met" if met else "NOT MET")


def prepared(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build folder with images in it, and measurements that are quick."""
    monkeypatch.setattr(figures, "BUILD", folder)
    monkeypatch.setattr(measure, "BUILD", folder)
    for variant in ("bench", "production"):
        image = folder / f"shuffler_rp2040-{variant}" / "dovetail.uf2"
        image.parent.mkdir()
        image.write_bytes(variant.encode())
        image.with_name("size.json").write_text('{"flash_bytes": 1234}')

    def image_path(variant: str) -> Path:
        return folder / f"shuffler_rp2040-{variant}" / "dovetail.uf2"

    monkeypatch.setattr(figures.rigs, "image_path", image_path)
    monkeypatch.setattr(measure, "emulated_factor", lambda: 0.7)
    monkeypatch.setattr(measure, "in_process_factor", lambda: 801.3)
    monkeypatch.setattr(measure, "pulse_timing", lambda: (0.2, 0))
    monkeypatch.setattr(measure, "link_ready_ms_and_free_heap", lambda: (700, 130 * 1024))
    monkeypatch.setattr(measure, "room_beside_the_heap", lambda: (26_000, 26_624, 0))
    shuffled = measure_motion.Shuffled(17.5, 16.0, [0, 1])
    busy = measure_motion.Busy(0, 700, 100 * 1024, 600.0, 13.0)
    monkeypatch.setattr(measure_motion, "quiet", lambda seed: (shuffled, shuffled, 550.0))  # type: ignore[reportUnknownLambdaType]
    monkeypatch.setattr(measure_motion, "stop_and_go_s", lambda slots: 23.0)  # type: ignore[reportUnknownLambdaType]
    monkeypatch.setattr(measure_motion, "busy", lambda: busy)
    monkeypatch.setattr(measure_motion, "lid_ms", lambda: (5.0, 103.0, 5.0, 103.0))
    monkeypatch.setattr(measure_chance, "draw_ms", lambda: (4.0, 3.2))
    monkeypatch.setattr(measure_chance, "seeding_ms", lambda: 240.0)
    monkeypatch.setattr(measure_chance, "growth_bytes", lambda: 0)
    rates = {"device_decks_s": 60_000.0, "ratio": 3.0}
    monkeypatch.setattr(speed, "measure", lambda cards: rates)  # type: ignore[reportUnknownLambdaType]
    monkeypatch.setattr(speed, "orders_s", lambda count, workers: 40.0)  # type: ignore[reportUnknownLambdaType]
    alarms = measure_alarms.Alarms(40_000, 180, ["seed 3: fault 102"])
    monkeypatch.setattr(measure_alarms, "count", lambda: alarms)
    monkeypatch.setattr(figures, "campaign", lambda count, seed, cores: None)  # type: ignore[reportUnknownLambdaType]
    monkeypatch.setattr(measure_rules, "decision_us", lambda: (300.0, 900, 200, 1100))
    monkeypatch.setattr(measure_rules, "heap_bytes", lambda: (30_000, 1000))
    monkeypatch.setattr(measure_journal, "mounted", lambda: (None, 60_000, 210.0, 3000))
    monkeypatch.setattr(measure_journal, "repaired_ms", lambda: 300.0)
    monkeypatch.setattr(measure_journal, "append_ms", lambda bench: (1.1, 9.0))  # type: ignore[reportUnknownLambdaType]
    monkeypatch.setattr(measure_journal, "littlefs", lambda: (4.0, 2.0, 0.5))
    axes = {"pick": 248, "wheel": 181, "eject": 65}
    took = measure_link.Latency({"status": [1.0, 3.0]}, {"status": (34, 82)}, axes)
    asked = measure_others.Asked(8, 37, 9_000_000, 8_000_000)
    monkeypatch.setattr(measure_link, "latency", lambda: took)
    monkeypatch.setattr(measure_link, "download", lambda baud, segments: 0.9)  # type: ignore[reportUnknownLambdaType]
    monkeypatch.setattr(measure_link, "heap_bytes", lambda: (5000, 7000, 3000))
    monkeypatch.setattr(measure_link, "uart_bytes", lambda: (100, 2600))
    monkeypatch.setattr(measure_link, "receiving_bytes", lambda: 0)
    answered = [measure_play.Took("status", 2.5, 0.0, 1), measure_play.Took("load", 160.0, 0.0, 1)]
    played = measure_play.Played(answered, answered, 0, 300, ["deal"], ["eject"])
    monkeypatch.setattr(measure_play, "play", lambda spoilt=False: played)  # type: ignore[reportUnknownLambdaType]
    monkeypatch.setattr(measure_others, "modbus", lambda: asked)
    monkeypatch.setattr(measure_others, "raw_prompt", lambda: asked)
    monkeypatch.setattr(measure_others, "status_at_prompt", lambda: asked)


def test_what_is_measured_is_printed_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prepared(tmp_path, monkeypatch)
    assert figures.main([]) == 0
    shown = capsys.readouterr().out
    written = json.loads((tmp_path / "figures.json").read_text())
    met = {row["name"]: row["met"] for row in written["figures"]}
    assert not met.pop("emulated, all axes busy")
    assert len(met) == 73
    assert all(met.values())
    assert "0.7 × real time   at least 1     NOT MET" in shown
    assert "and 8.0 ms from its last byte, emulated USB included" in shown
    assert "and 5.1 ms beside the wire, 9.0 with it" in shown
    images = written["images"]
    assert images["shuffler_rp2040-production"]["flash_bytes"] == 1234
    assert images["shuffler_rp2040-production"]["sha256"] in shown


@pytest.mark.parametrize("steps", [{"pick": 248, "deal": 0}, {}])
def test_an_axis_that_stood_still_is_seen(
    steps: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(tmp_path, monkeypatch)
    took = measure_link.Latency({"status": [1.0]}, {"status": (34, 82)}, steps)
    monkeypatch.setattr(measure_link, "latency", lambda: took)
    assert not {row.name: row.met for row in figures.link()}["all axes moved meanwhile"]
    played = measure_play.play()
    played.still_in_deal = ["eject", "wheel"]
    monkeypatch.setattr(measure_play, "play", lambda spoilt=False: played)  # type: ignore[reportUnknownLambdaType]
    assert not {row.name: row.met for row in figures.played()}["in a deal and shuffle, axes"]


def test_no_image_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(figures.rigs, "image_path", tmp_path.joinpath)
    with pytest.raises(SystemExit) as leaving:
        figures.main([])
    assert leaving.value.code == 2
    assert "make image VARIANT=bench" in capsys.readouterr().err


def test_an_image_that_does_not_answer_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prepared(tmp_path, monkeypatch)

    def silent() -> tuple[int, int]:
        raise LinkError("hello: no answer")

    monkeypatch.setattr(measure, "link_ready_ms_and_free_heap", silent)
    with pytest.raises(SystemExit) as leaving:
        figures.main([])
    assert leaving.value.code == 1
    assert capsys.readouterr().err == "figures: the image does not work: hello: no answer\n"
    assert not (tmp_path / "figures.json").exists()
