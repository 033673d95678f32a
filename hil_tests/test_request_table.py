"""Every request in every state: the machine answers what the page says, and only what may be."""

from __future__ import annotations

import re

import pytest

from hil_tests.request_table import COLUMNS, REQUESTS, column
from host_tools.build.tell import ROOT
from host_tools.link import link_pb2

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
TABLE = PAGE.split("**In every state.**", 1)[1].split("\n| | ", 1)[1].split("\n\n", 1)[0]
ANYWHERE = {"SERVICE", "DONE", "KEYS", "NO_SESSION", "ROLE", "NOT_NOW"}


def told() -> dict[str, dict[str, str]]:
    """The page's table, by state."""
    head, _, *lines = TABLE.splitlines()
    names = [name.strip() for name in head.strip(" |").split("|")]
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]
    return {name: {row[0]: row[1 + at] for row in rows} for at, name in enumerate(names)}


def test_the_table_is_complete() -> None:
    table = told()
    assert list(table) == list(COLUMNS)
    fields = [field.name for field in link_pb2.Request.DESCRIPTOR.oneofs[0].fields]
    assert sorted(REQUESTS) == sorted(fields)
    for answers in table.values():
        assert list(answers) == list(REQUESTS)
    states = {column.state for column in COLUMNS.values()}
    never = {link_pb2.STATE_UNKNOWN, link_pb2.STARTING}  # nobody can ask so early
    assert states | never == set(link_pb2.State.values())


@pytest.mark.parametrize("state", list(COLUMNS))
def test_every_request_in_this_state(state: str) -> None:
    assert column(state) == told()[state]


@pytest.mark.parametrize("request_name", list(REQUESTS))
def test_no_request_is_refused_by_what_its_row_does_not_name(request_name: str) -> None:
    line = next(line for line in PAGE.splitlines() if line.startswith(f"| `{request_name}` | "))
    named = set(re.findall(r"\b(?:[A-Z]{2}-\d+|SERVICE|BAD)\b", line)) | ANYWHERE
    for state, answers in told().items():
        assert answers[request_name] in named, state


def test_nothing_of_play_is_done_outside_of_a_table_in_play() -> None:
    play = {"load", "shuffle", "open_round", "no_more_bets", "deal", "remainder", "face_up"}
    for state in ("no keys", "no session", "stopped", "unavailable", "out", "service", "audit"):
        assert not [name for name in play if told()[state][name] == "DONE"], state
