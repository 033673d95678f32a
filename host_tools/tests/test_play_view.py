"""The picture: what stands where, what is sent again, and that no face is in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boards import mechanics as M
from host_tools.play.canvas import Canvas
from host_tools.play.ring import draw_ring
from host_tools.play.scene import Scene
from host_tools.play.story import Record
from host_tools.play.view import BACKS, MIN_HEIGHT, MIN_WIDTH, View
from sim.card import Card
from sim.machine import Picture

ROWS = 17


def deck(back: str, count: int, reverse: bool = False) -> list[Card]:
    """Cards in the order of their faces, or in the opposite one."""
    faces = reversed(range(count)) if reverse else range(count)
    return [Card(back, face, 600) for face in faces]


def picture(reverse: bool = False) -> Picture:
    """Everything somewhere."""
    blue, red = deck("blue", 52, reverse), deck("red", 45, reverse)
    slots: list[list[Card]] = [[] for _ in range(M.SLOTS)]
    for i, card in enumerate(blue[:30]):
        slots[i * 17 % M.SLOTS].append(card)
    return Picture(
        ns=12_300_000_000,
        infeed=blue[31:],
        path=[(blue[30], 52_000.0)],
        angle=1234,
        slots=slots,
        pushed=([], 0.0),
        shoe=red[:40],
        dealing=(red[40], 45_000.0),
        chute=1,
        tray=red[41:43],
        lamps={"green": True, "amber": True, "red": False, "buzzer": False},
        enabled=True,
        switches={"lid": True, "door": True, "mount": True},
    )


def scene() -> Scene:
    """Round 2, player 3."""
    now = Scene("let it ride", rounds=3, players=5, round=2, phase="dealing to player 3")
    now.counted, now.back, now.seats = ("red", "52 of 52"), "red", {1: 3, 2: 3}
    return now


def lines(canvas: Canvas) -> list[str]:
    """The characters of a canvas."""
    width = canvas.width
    chars = "".join(cell[0] for cell in canvas.cells)
    return [chars[i : i + width] for i in range(0, len(chars), width)]


@pytest.mark.parametrize(("width", "height"), [(MIN_WIDTH, MIN_HEIGHT), (100, 30), (200, 60)])
def test_everything_has_its_place(width: int, height: int) -> None:
    shown = lines(View(width, height).draw(picture(), scene(), 1.5))
    whole = "\n".join(shown)
    assert len(shown) == height
    for words in ("infeed 21", "shoe 41", "tray 2", "round 2 of 3", "dealing to player 3"):
        assert words in whole
    assert "1.5 × real time" in whole
    assert "●green ●amber ○red" in whole
    for player in range(1, 6):
        assert f"player {player}" in whole


def test_no_face_is_in_the_picture() -> None:
    shown = [View(80, 24).draw(picture(reverse), scene(), 1.0).cells for reverse in (False, True)]
    assert shown[0] == shown[1]


def test_an_open_lid_is_told() -> None:
    opened = replace(picture(), switches={"lid": False, "door": True, "mount": True})
    assert "lid open" in "\n".join(lines(View(80, 24).draw(opened, scene(), 1.0)))


def lit(canvas: Canvas, colour: int) -> set[tuple[int, int]]:
    """The cells of a colour."""
    return {
        (i % canvas.width, i // canvas.width)
        for i, cell in enumerate(canvas.cells)
        if cell[1] == colour
    }


@pytest.mark.parametrize(
    ("steps", "left", "top"),
    [(0, 0.0, 0.5), (1400, 0.5, 0.0), (2800, 1.0, 0.5), (4200, 0.5, 1.0)],
)
def test_a_card_turns_with_the_wheel(steps: int, left: float, top: float) -> None:
    """Slot 0 stands at the mouth on the left, and goes over the top to the ejector."""
    canvas = Canvas(2 * ROWS, ROWS, 0)
    slots: list[int | None] = [None] * M.SLOTS
    slots[0] = BACKS["red"]
    draw_ring(canvas, 0, 0, ROWS, steps, slots)
    cells = lit(canvas, BACKS["red"])
    assert cells
    x = sum(x for x, _ in cells) / len(cells) / (2 * ROWS - 1)
    y = sum(y for _, y in cells) / len(cells) / (ROWS - 1)
    assert x == pytest.approx(left, abs=0.12)
    assert y == pytest.approx(top, abs=0.12)


def test_every_card_in_the_wheel_is_seen() -> None:
    """56 slots, one after the other: each adds to what is lit."""
    seen = 0
    for count in range(1, M.SLOTS + 1):
        canvas = Canvas(2 * ROWS, ROWS, 0)
        draw_ring(canvas, 0, 0, ROWS, 0, [1] * count + [None] * (M.SLOTS - count))
        dots = sum(bin(ord(cell[0]) - 0x2800).count("1") for cell in canvas.cells if cell[1] == 1)
        assert dots > seen
        seen = dots


def test_only_changes_are_sent() -> None:
    view = View(80, 24)
    paint = "<{:06x}{:06x}>".format
    first = view.draw(picture(), scene(), 1.0).changes(paint)
    again = view.draw(picture(), scene(), 1.0).changes(paint)
    later = view.draw(replace(picture(), ns=12_400_000_000), scene(), 1.0).changes(paint)
    assert len(first) > 1000
    assert again == ""
    assert 0 < len(later) < 40


def test_without_colours_dark_and_light_can_be_told() -> None:
    canvas = Canvas(3, 1, 0x101010)
    canvas.pixels(0, 0, 0xFFFFFF, 0x101010)
    canvas.pixels(1, 0, 0x101010, 0xFFFFFF)
    canvas.pixels(2, 0, 0xFFFFFF, 0xFFFFFF)
    assert canvas.changes(lambda a, b: "!", colours=False).endswith("▀▄█")


def test_the_scene_follows_the_story() -> None:
    now = Scene("", rounds=1, players=2)

    def tell(who: str, what: str, **fields: object) -> None:
        record: Record = {"ms": 1, "who": who, "what": what, **fields}
        now.hear(record)

    tell("controller", "shuffle", back="blue")
    assert (now.loading, now.phase) == ("blue", "shuffling blue")
    tell("machine", "ready", back="blue", text="52 of 52")
    assert now.counted == ("blue", "52 of 52")
    tell("controller", "open_round", round=1, players=2)
    tell("controller", "deal", position=3)
    assert now.phase == "dealing to the dealer"
    tell("dealer", "takes", position=3, cards=3)
    tell("dealer", "takes", position=0, cards=43)
    assert (now.seats, now.stub) == ({3: 3}, 43)
    where = {"station": "shoe", "card": 2, "cards": "red: 51 in the shoe"}
    tell("machine", "fault", fault=401, name="misfeed", action="look", **where)
    assert now.fault == "shoe: misfeed"
    assert len(now.log) == 7
