"""A rig with a controller on its line: the steps that scenarios are made of, each one watched."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from hil_tests.watch import Watch
from host_tools.hands import Dealer, Hands
from host_tools.heard import Heard
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import Refused
from host_tools.play.story import Story
from host_tools.play.table import BACKS, SHUFFLE_S, STACK_S, Plan, Table
from host_tools.rigs import Rig, first_round
from host_tools.tap import Tap

CARDS = 52
CLEAR_S = 60.0


class Bench:
    """One controller at one machine, for one scenario."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.tap = Tap(rig.transport)
        self.client = Client(self.tap)
        self.watch = Watch(rig, CARDS)
        self.round = 0 if rig.machine is not None else first_round()
        plan = Plan(players=2, first_round=self.round + 1)
        self.story = Story(rig.now_ms)
        self.table = Table(self.client, self.dealer, self.story, plan)
        self.client.on_event.append(self.watch.hear)

    @property
    def dealer(self) -> Dealer:
        """Somebody who loads and takes; only for scenarios that need one."""
        return self.rig.dealer if self.rig.dealer is not None else Nobody()

    @property
    def hands(self) -> Hands:
        """Somebody at the machine; only for scenarios that need one."""
        assert self.rig.hands is not None
        return self.rig.hands

    @property
    def heard(self) -> Heard:
        """Every event so far."""
        return self.table.heard
