"""What lies on the table, put together from the story's records: for people only."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from host_tools.play.story import Record, sentence

LOG_LINES = 200


@dataclass
class Scene:
    """The table as somebody sees it who listens to what is said."""

    title: str
    rounds: int
    players: int
    round: int = 0
    phase: str = "starting"
    loading: str = ""  # back of the deck that is on its way through the wheel
    expected: int = 52
    counted: tuple[str, str] | None = None  # back and "52 of 52" of the deck in play
    back: str = ""
    seats: dict[int, int] = field(default_factory=dict[int, int])
    stub: int | None = None
    fault: str = ""
    log: deque[str] = field(default_factory=lambda: deque[str](maxlen=LOG_LINES))

    def hear(self, record: Record) -> None:
        """Take in one record of the story."""
        line = sentence(record)
        if line:
            self.log.append(line)
        follow = _FOLLOW.get(f"{record['who']} {record['what']}")
        if follow is not None:
            follow(self, record)


def _number(record: Record, name: str) -> int:
    value = record[name]
    assert isinstance(value, int)
    return value


def _shuffle(scene: Scene, record: Record) -> None:
    scene.loading = str(record["back"])
    if not scene.round:
        scene.phase = f"shuffling {scene.loading}"


def _shuffled(scene: Scene, record: Record) -> None:
    scene.expected = _number(record, "expected")


def _ready(scene: Scene, record: Record) -> None:
    scene.back = str(record["back"])
    scene.counted = scene.back, str(record["text"])
    scene.phase = f"{scene.back} is ready"
    scene.loading = ""


def _open(scene: Scene, record: Record) -> None:
    scene.round = _number(record, "round")
    scene.seats, scene.stub = {}, None
    scene.phase = "place your bets"


def _closed(scene: Scene, record: Record) -> None:
    scene.phase = "no more bets"


def _deal(scene: Scene, record: Record) -> None:
    scene.phase = f"dealing to {place(scene, _number(record, 'position'))}"


def _takes(scene: Scene, record: Record) -> None:
    position = _number(record, "position")
    if position:
        scene.seats[position] = _number(record, "cards")
    else:
        scene.stub = _number(record, "cards")


def _rest(scene: Scene, record: Record) -> None:
    scene.phase = "the rest leaves the shoe"


def _over(scene: Scene, record: Record) -> None:
    scene.phase = f"round {scene.round} is over"
    scene.counted = None


def _gathers(scene: Scene, record: Record) -> None:
    scene.seats, scene.stub = {}, None


def _fault(scene: Scene, record: Record) -> None:
    scene.fault = f"{record['station']}: {record['name']}"
    scene.phase = "stopped"


_FOLLOW = {
    "controller shuffle": _shuffle,
    "machine shuffle_done": _shuffled,
    "machine ready": _ready,
    "controller open_round": _open,
    "controller no_more_bets": _closed,
    "controller deal": _deal,
    "dealer takes": _takes,
    "controller remainder": _rest,
    "controller close_round": _over,
    "dealer gathers": _gathers,
    "machine fault": _fault,
}


def place(scene: Scene, position: int) -> str:
    """Who a position is."""
    return f"player {position}" if position <= scene.players else "the dealer"
