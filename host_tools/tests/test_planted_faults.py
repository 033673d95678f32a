"""Faults that a command plants: asked for once, told with their size, and missed at the end."""

from __future__ import annotations

import pytest

from host_tools import fault_options as planted
from host_tools import plant_page, service
from host_tools.build.tell import UsageError
from sim.faults import Faults
from sim.plants.catalogue import NAMES, SIZES


@pytest.mark.parametrize("name", SIZES)
def test_a_sentence_tells_the_size(name: str) -> None:
    """The usual one where the list of faults tells it, and no usual one of another size."""
    size = SIZES[name]
    usual, least = planted.says(name), planted.says(name, size.least)
    assert usual.startswith(NAMES[name])
    assert usual == planted.says(name, size.usual)
    assert (least == usual) == (size.least == size.usual)
    plain = f"{size.least} {size.unit}"
    amount = f"{size.least / 1000:g} mm" if size.unit == "um" else plain
    if name not in planted.GROWS:
        assert f" {amount}" in least


def test_the_page_of_plants_is_made_of_their_records() -> None:
    assert plant_page.PAGE.read_text(encoding="utf-8") == plant_page.text()


def test_a_card_is_told_by_what_passes() -> None:
    assert planted.says("card.long", 20000).endswith("83.5 mm pass")
    assert planted.says("card.short", 5000) == "the card is torn, 58.5 mm of it are left"
    assert planted.says("path.jam", 50000).endswith("the wheel's mouth, its front at 50 mm")
    assert planted.says("deal.stuck") == NAMES["deal.stuck"]


@pytest.mark.parametrize(
    "texts",
    [
        ("path.jam=0.02", "path.jam=0.3"),
        ("path.jam=3", "path.jam=0.3"),
        ("path.jam=0.3", "path.jam=3"),
    ],
)
def test_the_last_does_not_replace_the_first(texts: tuple[str, str]) -> None:
    with pytest.raises(UsageError, match=r"path\.jam is planted already: give passages") as refused:
        planted.asked(texts)
    assert str(refused.value).startswith(f"--fault {texts[1]}: ")
    assert planted.asked(("path.jam=3", "path.jam=9")) == {"path.jam": {3, 9}}


def test_what_never_struck_says_why() -> None:
    plants: planted.Plants = {
        "path.jam": {2, 7},
        "path.jam_at:entry": {3},
        "wheel.slip@60": {1},
        "deal.misfeed": 0.0001,
        "exit.dark": {1, 5},
        "deal.jam": {1},
    }
    faults = Faults(plants)
    for _ in range(4):
        for name in ("path.jam", "deal.misfeed", "exit.dark"):
            faults.strikes(name)
    faults.strikes("deal.jam", able=False)
    faults.strikes("wheel.slip")
    assert planted.never_struck(plants, faults) == [
        "path.jam=7 never struck: only 4 passages came",
        "path.jam_at=entry:3 never struck: no passage came",
        "deal.misfeed=0.0001 never struck: 4 passages came",
        "deal.jam=1 never struck: there was nothing to strike",
    ]


def test_a_self_test_says_what_it_could_not_meet(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["self-test", "--depth", "in-process", "--fault"]
    assert service.main([*words, "path.jam=1"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[-2].startswith("self-test passed")
    assert shown[-1] == "path.jam=1 never struck: no passage came"
    assert service.main([*words, "home.blind=1"]) == 1
    assert "never struck" not in capsys.readouterr().out


def test_a_self_test_takes_a_fault_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        service.main(["self-test", "--depth", "in-process", *["--fault", "home.blind=0.5"] * 2])
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "home.blind is planted already" in line
