"""Every request in every state: the machine answers what the page says, and only what may be."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from hil_tests.request_table import (
    A_ROUND,
    COLUMNS,
    NO_ROUND,
    REQUESTS,
    Setting,
    all_of,
    by_state,
    column,
)
from host_tools.build.tell import ROOT
from host_tools.link import link_pb2

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
TABLES = [
    part.split("\n\n", 1)[0] for part in PAGE.split("**In every state.**", 1)[1].split("\n| | ")[1:]
]
NO_PLAY = (
    "no keys",
    "no session",
    "unheard",
    "stopped",
    "unavailable",
    "out",
    "service",
    "bench",
    "audit",
)
ANYWHERE = {"SERVICE", "DONE", "KEYS", "NO_SESSION", "ROLE", "UNHEARD", "NOT_NOW"}


def told() -> dict[str, dict[str, str]]:
    """Both tables, by state."""
    return {name: column for table in TABLES for name, column in by_state(table).items()}


def test_the_tables_are_complete() -> None:
    assert [list(by_state(table)) for table in TABLES] == [list(NO_ROUND), list(A_ROUND)]
    fields = [field.name for field in link_pb2.Request.DESCRIPTOR.oneofs[0].fields]
    assert {request.split()[0] for request in REQUESTS} == set(fields)
    roles = {message.role for message in REQUESTS.values() if isinstance(message, link_pb2.Hello)}
    assert roles == set(link_pb2.Role.values())
    for found in told().values():
        assert list(found) == list(REQUESTS)
    states = {column.state for column in COLUMNS.values()}
    never = {link_pb2.STATE_UNKNOWN, link_pb2.STARTING}  # nobody can ask so early
    assert states | never == set(link_pb2.State.values())
    phases = {column.phase for column in COLUMNS.values()}
    assert phases | {link_pb2.PHASE_UNKNOWN} == set(link_pb2.Phase.values())


@pytest.mark.parametrize("state", list(COLUMNS))
def test_every_request_in_this_state(state: str) -> None:
    assert column(state) == told()[state]


async def _self_test(s: Setting) -> None:
    await s.client.request("self_test", link_pb2.SelfTest())


def test_a_self_test_is_answered_as_a_jog() -> None:
    asked = [name for name in REQUESTS if not name.startswith("hello ")]
    found = all_of(replace(COLUMNS["bench"], reach=_self_test), asked)
    assert found == {name: told()["bench"][name] for name in asked}


@pytest.mark.parametrize("request_name", list(REQUESTS))
def test_no_request_is_refused_by_what_its_row_does_not_name(request_name: str) -> None:
    name = request_name.split()[0]
    line = next(line for line in PAGE.splitlines() if line.startswith(f"| `{name}` | "))
    named = set(re.findall(r"\b(?:[A-Z]{2}-\d+|SERVICE|BAD)\b", line)) | ANYWHERE
    for state, found in told().items():
        assert found[request_name] in named, state


def test_nothing_of_play_is_done_outside_of_a_table_in_play() -> None:
    play = {"load", "shuffle", "open_round", "no_more_bets", "deal", "remainder", "face_up"}
    for state in NO_PLAY:
        assert not [name for name in play if told()[state][name] == "DONE"], state
