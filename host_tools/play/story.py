"""The story of a session: one record for each thing said or done, as JSON or as a sentence."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from host_tools.link import link_pb2

Record = Mapping[str, object]

# One sentence for each kind of record; a record without one is told in JSON only.
SENTENCES = {
    "rig runs": "{image}, sha256 {sha256}",
    "controller hello": "hello",
    "machine identity": "{board} {variant}, game {game}, start {boots}",
    "dealer loads": "puts the {back} deck into the infeed, {cards} cards",
    "controller load": "{back} deck lies in the infeed",
    "controller shuffle": "shuffle {back}",
    "machine started": "started after {cause}",
    "machine shuffle_done": "{back} is {how}, {counted_in} of {expected} went in, {took_ms} ms",
    "machine ready": "{back} is ready: {text}{order_words}",
    "controller open_round": "open round {round}, {players} players",
    "controller no_more_bets": "no more bets",
    "controller deal": "deal to position {position}",
    "machine stack": "stack {position}: {delivered} of {ordered} cards{verdict_words}",
    "dealer takes": "takes {cards} cards",
    "dealer finds": "sees that {cards} more lay in the tray, and takes what was left",
    "controller draw_start": "draw the starting position",
    "machine start_drawn": "the first stack goes to position {position}",
    "controller deliver": "deliver the {back} deck as a single stack",
    "machine whole_deck": "{cards} of {expected} cards in the tray, {cut}{order_words}",
    "machine deck_age": "{back}: {minutes} minutes until it must be changed, {rule}",
    "dealer cuts": "cuts the {back} deck",
    "dealer deals": "deals {stacks} stacks from the hand",
    "controller remainder": "release the rest",
    "machine remainder": "stub {delivered} + {dealt} dealt = {sum}, of {expected}",
    "controller close_round": "close round {round}",
    "dealer gathers": "gathers the {back} deck, {cards} cards",
    "rig planted": "{name}, passage {passage}: {says}",
    "dealer mends": "has it seen to, cleaned or mended: {says}",
    "dealer clears": "takes every card out of the machine, {cards} cards",
    "controller cleared": "every card is out",
    "controller remove_deck": "{back} deck is off the table",
    "dealer renews": "takes a new {back} deck",
    "controller new_deck": "{back} deck lies in the infeed, a new one",
    "machine trying": "{name} at {station}{of_card} (fault {fault}): {how}",
    "machine sensor": "sensor {name} is {word}{care}: {empty} empty, calibrated at {empty_wanted}"
    "{with_card}",
    "machine fault": "FAULT {fault} at {station}{of_card}: {name}; {what}",
    "machine emptied": "forced out: {from_wheel} of the wheel, {from_shoe} of the shoe",
    "machine cleared": "found nothing inside: fault {fault} is over, load and shuffle again",
    "machine round_void": "round {round} is void, {complete} stacks were complete, {stand} stand"
    "{until}",
    "machine locked_out": "{back} is locked out: it may not be played again",
    "controller idle": "nobody has played for a while",
    "machine refuses": "{answer} {request}: {rule} {text}",
}

# What an operator does about a sensor that reads so.
CARE = {
    "marginal": ", have it cleaned after play",
    "dirty": ", have it cleaned now",
    "failed": ", call service",
}


# How the order of a deck was made: only what the machine has shuffled is called shuffled.
SHUFFLED = {"how": "shuffled", "order_words": ""}
ORDERS = {
    int(link_pb2.BROUGHT): {
        "how": "in the wheel, carried over as it was brought",
        "order_words": ", in the order in which it was brought",
    },
    int(link_pb2.IDLED): {
        "how": "in the wheel, and the table was idle since",
        "order_words": ", but the table was idle since: to be shuffled again",
    },
}


def nothing() -> list[Record]:
    """Where nobody has to be asked what has happened."""
    return []


@dataclass
class Story:
    """Tells every listener each record, in order."""

    now_ms: Callable[[], int | None]
    unheard: Callable[[], list[Record]] = nothing  # what has happened since it was asked last
    listeners: list[Callable[[Record], None]] = field(
        default_factory=list[Callable[[Record], None]]
    )
    records: list[Record] = field(default_factory=list[Record])
    _started: float = field(default_factory=time.monotonic)

    def tell(self, who: str, what: str, **fields: object) -> None:
        """One thing that was said or done, at the machine's present time."""
        self.catch_up()
        self._add({"ms": self.now_ms(), "who": who, "what": what, **fields})

    def catch_up(self) -> None:
        """Tell what has happened and was not heard yet, each at its own time."""
        for record in self.unheard():
            self._add(record)

    def _add(self, said: Record) -> None:
        record = {**said, "wall_ms": round((time.monotonic() - self._started) * 1000)}
        self.records.append(record)
        for listener in self.listeners:
            listener(record)

    def all(self, who: str, what: str) -> list[Record]:
        """Every record of this kind so far."""
        return [r for r in self.records if r["who"] == who and r["what"] == what]


def as_json(record: Record) -> str:
    """One line; only the fields named wall_* differ between two runs of the same seed."""
    return json.dumps(record, separators=(",", ":"))


def in_words(record: Record) -> dict[str, str]:
    """What a sentence says of fields that need more than their value."""
    card = record.get("card")
    of_card = f", card {card}" if card else ""
    if record["what"] in ("shuffle_done", "ready", "whole_deck"):
        return ORDERS.get(cast(int, record.get("order", 0)), SHUFFLED)
    if record["what"] == "round_void":
        return {"until": " until its deck is counted" if record.get("provisional") else ""}
    if record["what"] == "sensor":
        seen = f"; {card} with a card, calibrated at {record['card_wanted']}" if card else ""
        return {"with_card": seen, "care": CARE.get(str(record["word"]), "")}
    if record["what"] == "trying":
        tries = record["tries"]
        return {
            "of_card": of_card,
            "how": f"tries once more, {tries}" if tries else "it is clear how many, it goes on",
        }
    if record["what"] == "fault":
        parts = [record.get(name) for name in ("action", "remove", "cards")]
        return {"of_card": of_card, "what": "; ".join(str(part) for part in parts if part)}
    return {}


def _one(words: str) -> str:
    """Of one thing, the singular."""
    return re.sub(r" 1 cards\b", " 1 card", words)


def sentence(record: Record) -> str:
    """One line for people, or an empty string."""
    words = SENTENCES.get(f"{record['who']} {record['what']}")
    if words is None:
        return ""
    record = {**record, **in_words(record)}
    ms = record["ms"] if record["ms"] is not None else record["wall_ms"]
    assert isinstance(ms, int)
    return f"{ms / 1000:9.3f}  {record['who']:<10} {_one(words.format_map(record))}"
