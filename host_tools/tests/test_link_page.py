"""docs/protocol.md says what is: its bytes are computed again, its tables held against the code."""

import re
from typing import Any, cast

import pytest
from dovetail import memory
from dovetail.link import roles
from dovetail.link.answers import BAUDS
from dovetail.requests.handlers import SAYING
from dovetail.table.system import COMMON, LATER, NoSuch

from host_tools.build.tell import ROOT
from host_tools.link import auth, frame, link_pb2
from host_tools.link.link_pb2 import DONE, REFUSED, Answer, Identity, Report, Request
from host_tools.rules.device import find, names, profile, value

PAGE = (ROOT / "docs" / "protocol.md").read_text()
BYTES = re.compile(
    r"```\nheader +([^\n]+)\nbody +([^\n]+)\n(?:tag +([^\n]+)\n)?"
    r"crc +([^\n]+)\nframe +([^\n]+)\n```"
)
KEY, NONCE, OWN = (bytes(range(first, first + n)) for first, n in ((0, 32), (0x10, 16), (0xA0, 16)))
IDENTITY = Identity(
    version=1,
    serial=bytes.fromhex("e661a4d7"),
    boots=12,
    first_event=1,
    nonce=OWN,
    keyed=True,
)
STACK = {"round": 7, "position": 1, "ordered": 3, "delivered": 3}
EXAMPLES = [
    (frame.REQUEST, 2, Request(id=2, deal={"round": 7, "position": 1})),
    (
        frame.REPORT,
        9,
        Report(
            answer={
                "id": 2,
                "outcome": REFUSED,
                "rule": "DS-4",
                "text": "no more bets has not been declared for round 7",
            }
        ),
    ),
    (frame.REPORT, 10, Report(event={"number": 41, "uptime_ms": 90_000, "stack": STACK})),
]
SESSION = [
    (
        frame.REQUEST,
        1,
        Request(id=1, hello={"version": 1, "nonce": NONCE, "role": link_pb2.ROLE_TABLE}),
    ),
    (
        frame.REPORT,
        1,
        Report(answer=Answer(id=1, outcome=DONE, identity=IDENTITY)),
    ),
    (frame.REQUEST, 2, Request(id=2, heartbeat={})),
    (
        frame.REPORT,
        2,
        Report(
            answer={
                "id": 2,
                "outcome": DONE,
                "beat": {"digest": 0x1234, "next_event": 2, "uptime_ms": 5000},
            }
        ),
    ),
]


def test_the_examples_are_right() -> None:
    found = [[bytes.fromhex(part) for part in match] for match in BYTES.findall(PAGE)]
    assert len(found) == len(EXAMPLES) + len(SESSION)
    session = auth.session_key(KEY, link_pb2.ROLE_TABLE, NONCE, OWN)
    assert session.hex() in PAGE
    for (kind, counter, message), (header, body, tag, crc, wire) in zip(
        EXAMPLES + SESSION, found, strict=True
    ):
        key = session if tag else b""
        assert body == message.SerializeToString(deterministic=True)
        assert header == frame.HEADER.pack(frame.VERSION << 4 | kind, bool(tag), counter)
        assert wire == frame.encode(kind, counter, body, key)
        assert wire == b"\0" + frame.stuff(header + body + tag + crc) + b"\0"
    assert [bool(row[2]) for row in found] == [False] * 4 + [True] * 3
    assert found[0][3][::-1].hex().upper() == "C86921D4"
    assert "C86921D4" in PAGE


def test_the_longest_frame_is_as_long_as_the_page_says() -> None:
    longest = b"\0" + frame.stuff(b"\x01" * (6 + 512 + 16 + 4)) + b"\0"
    assert len(longest) == 543
    assert f"at most {len(longest)} on the wire" in PAGE


def rows(head: str) -> dict[str, str]:
    """The table under this head: first column to all others."""
    lines = PAGE.split(f"| {head} |", 1)[1].splitlines()[2:]
    found: dict[str, str] = {}
    for line in lines:
        if not line.startswith("|"):
            break
        name, _, rest = line.strip("| ").partition(" |")
        found[name.strip("` ")] = rest
    return found


def members(message: str) -> list[str]:
    """Of its oneof."""
    return [
        field.name for field in link_pb2.DESCRIPTOR.message_types_by_name[message].oneofs[0].fields
    ]


def test_the_tables_are_complete() -> None:
    assert list(rows("request")) == members("Request")
    assert list(rows("event")) == members("Event")
    assert list(rows("outcome")) == link_pb2.Outcome.keys()[1:]
    assert DONE == 1


def test_the_roles_are_as_coded() -> None:
    lines = PAGE.split("| role | may ask |", 1)[1].splitlines()[2:6]
    assert [line.strip("| ").split(" | ")[0] for line in lines] == list(roles.NAMES[1:])
    for line in lines:
        name, told = line.strip("| ").split(" | ")
        role = roles.NAMES.index(name)
        assert set(re.findall(r"`(\w+)`", told)) == set(roles.MAY[role])
    assert set().union(*roles.MAY) | {"hello", "provision"} == set(members("Request"))
    reading = PAGE.split("if it orders something, that is, all but", 1)[1].split(".", 1)[0]
    assert set(re.findall(r"`(\w+)`", reading)) == {*roles.READING, "hello"}
    bauds = PAGE.split("**Rates.** ", 1)[1].split(". ", 1)[0]
    assert [int(rate) for rate in re.findall(r"\d+", bauds)] == list(BAUDS)


def test_the_keys_are_those_of_the_roles() -> None:
    told = {name: row.split(" | ") for name, row in rows("role | number").items()}
    assert list(told) == list(roles.NAMES[1:])
    for name, (number, key, _) in told.items():
        assert int(number) == roles.NAMES.index(name)
        assert key.strip("` ") == f"{name}_key"
        assert f"{name}_key" in link_pb2.Provision.DESCRIPTOR.fields_by_name


def test_every_reason_of_a_void_round_is_told() -> None:
    assert list(rows("reason")) == link_pb2.VoidReason.keys()
    for name in link_pb2.Order.DESCRIPTOR.values_by_name:
        assert re.search(rf"\b{name}\b", PAGE), name


def test_each_word_is_said_by_whom_the_page_names() -> None:
    lines = PAGE.split("| what is said |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    named: set[str] = set()
    for line in lines:
        said, who, _ = line.strip("| ").split(" | ")
        asked = {one for one in re.findall(r"`(\w+)`", said) if one in members("Request")}
        if asked - {"set_clock"}:
            assert who.split(", ") == [
                name
                for role, name in enumerate(roles.NAMES)
                if role and asked <= set(roles.MAY[role])
            ], line
        named |= asked
    assert {"load", "remove_deck", "stub_counted", "void_round", "idle", "set_clock"} <= named


def test_the_budget_of_what_is_said_without_play_is_as_coded() -> None:
    told = PAGE.split("What can be said again and again without play", 1)[1].split("\n\n", 1)[0]
    numbers, requests = told.split("Beyond it", 1)
    assert set(re.findall(r"`(\w+)`", requests.split("NOT_NOW", 1)[0])) == set(SAYING)
    device = cast(Any, memory)
    most, earn_s = device._MOST_SAID, device._EARN_MS // 1000
    assert f"{most} records" in numbers
    assert f"every {earn_s} s" in " ".join(numbers.split())


# Requests whose event in the table has another name.
EVENTS = {
    "open_round": "open",
    "close_round": "close",
    "set_clock": "time",
    "empty_out": "cleared",
}
# Requests that the rules of the table do not know
OF_SERVICE = {"self_test": {"DS-12"}, "jog": {"DS-12"}}
# Rules that the profile of the game names.
BY_GAME = {"@stack": {"DS-1", "DS-3"}, "@life": {"CL-1", "CL-5", "CL-7"}}  # spans, from to


def rules_of(request_name: str) -> set[str]:
    """Every rule by which the table refuses this request."""
    try:
        _, shared, own = find(EVENTS.get(request_name, request_name))
    except NoSuch:
        return OF_SERVICE.get(request_name, set())
    named = [row[1] for row in COMMON if row[0] in shared]
    named += [row[1] for row in own if isinstance(row[1], str)]
    return {rule for name in named for rule in BY_GAME.get(name, {name})} - {LATER}


@pytest.mark.parametrize("request_name", members("Request"))
def test_the_page_names_every_rule_that_refuses(request_name: str) -> None:
    told = set(re.findall(r"\b[A-Z]{2}-\d+\b", rows("request")[request_name]))
    assert told == rules_of(request_name)


def game_row(game: str) -> str:
    """What a controller must know of it, from its profile."""
    of = profile(game, by_hand=1 - value(game, "shoe"))
    stacks = "players + 1" if of.dealer else "players"
    if of.fixed:
        stacks = f"{of.players + of.dealer} always"
    cards = f"{of.stack}"
    if of.dealer and of.dealer_stack != of.stack:
        cards += f", the last {of.dealer_stack}"
    draws = f"{of.draws_first}, then {of.draws_later}" if of.draws_first else ""
    start = "yes" if of.start else ""
    ways = ", ".join(way for way, may in (("shoe", of.shoe), ("hand", of.hand)) if may)
    cells = (
        of.cards,
        f"1 to {of.players}",
        stacks,
        cards,
        draws,
        start,
        1 + of.two_decks,
        of.stages,
        ways,
    )
    return " | ".join(str(cell) for cell in cells)


def test_every_game_is_on_the_page() -> None:
    found = rows("game")
    assert list(found) == names()
    for game, row in found.items():
        assert [cell.strip() for cell in row.split("|")] == game_row(game).split(" | ")
