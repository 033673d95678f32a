"""The `dovetail play` command."""

from __future__ import annotations

import asyncio
import hashlib
import sys
import time
from argparse import Namespace
from collections.abc import Sequence

from dovetail.cards.profiles import GAMES, value
from host_tools import rigs
from host_tools.arguments import Parser, one_of, whole_number
from host_tools.build.tell import BuildError, UsageError, stop
from host_tools.link.client import Client
from host_tools.link.errors import Faulted, LinkError, Refused
from host_tools.play.result import Times, result_lines
from host_tools.play.story import Record, Story, as_json, sentence
from host_tools.play.table import Plan, Played, Table
from sim.parts import Faults

PURPOSE = "Play rounds at a machine, as a table controller and a dealer do."
EXAMPLES = (
    "dovetail play                                   three rounds, in this process",
    "dovetail play --depth emulated                  the same on the emulated board",
    "dovetail play --players 7 --rounds 10 --json    one JSON line for each thing said or done",
    "dovetail play --fault path.jam=20               the 20th card jams; see dovetail faults",
    "dovetail play --depth real --port /dev/ttyUSB0  at a board, with you as the dealer",
)
SPEED = 2.0  # of the live view, times real time


def parser() -> Parser:
    """The options of the command."""
    p = Parser("play", PURPOSE, EXAMPLES)
    p.add_argument("--game", default="let_it_ride", help=f"one of: {', '.join(GAMES)}")
    p.add_argument("--rounds", type=whole_number(1), default=3, metavar="N", help="rounds to play")
    p.add_argument("--players", type=whole_number(1), default=5, metavar="N", help="players")
    p.add_argument("--decks", type=whole_number(1, 2), default=2, metavar="N", help="1 or 2 decks")
    p.add_argument("--depth", default="in-process", help=f"one of: {', '.join(rigs.DEPTHS)}")
    p.add_argument("--port", help="serial port of a real board")
    p.add_argument("--image", help="UF2 file for the emulated board (the one that make image made)")
    p.add_argument("--seed", type=whole_number(0), default=7, metavar="N", help="seed of the run")
    p.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="NAME=N",
        help="plant a fault at its Nth passage; may be repeated",
    )
    p.add_argument("--json", action="store_true", help="print JSON lines")
    p.add_argument("--no-view", action="store_true", help="no picture, only the story line by line")
    p.add_argument(
        "--speed",
        type=whole_number(1),
        default=int(SPEED),
        metavar="N",
        help="the picture runs at most at N times real time",
    )
    return p


def planted(texts: Sequence[str]) -> dict[str, set[int]]:
    """`name=N` of every planted fault."""
    faults: dict[str, set[int]] = {}
    for text in texts:
        name, _, number = text.partition("=")
        one_of("fault", name, Faults.NAMES)
        if not number.isdigit() or int(number) < 1:
            raise UsageError(f"--fault {text}: say at which passage, counted from 1: {name}=20")
        faults.setdefault(name, set()).add(int(number))
    return faults
