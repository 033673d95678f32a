"""A day of play, as dense as it can be, while holders of every key flood the link between rounds.

What a journal has to show of the play is counted here from what the table asked for and heard.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress

from google.protobuf.message import Message

from hil_tests.day import Day
from hil_tests.flood import Flood
from host_tools.link import link_pb2
from host_tools.link.client import kind_of
from host_tools.link.errors import LinkError, Refused
from host_tools.rigs import Rig

# Steps of the flood in each pause between two rounds: until the budgets are spent, and then
STEPS, LATER = 4, 1
SPENT = 60  # rounds
EARN_S = 60.0  # until an order is tried again that the flood has left no room for
AGAIN_S = 1.0
# What these write is bound to play, and would end it: `quiet` floods ask them too.
PLAY = (
    "load",
    "shuffle",
    "open_round",
    "no_more_bets",
    "deal",
    "remainder",
    "close_round",
    "draw_start",
    "face_up",
    "give_back",
    "deliver",
    "void_round",
    "stub_counted",
    "remove_deck",
    "out_of_service",
    "idle",
)
# The record that each request makes, if it is done; and each event
BY_REQUEST = {
    "load": "declared",
    "open_round": "opened",
    "no_more_bets": "no_more_bets",
    "close_round": "closed",
}
BY_EVENT = ("shuffle_done", "ready", "stack", "remainder", "round_void", "whole_deck")


class FloodedDay(Day):
    """A day without a pause but the flood's."""

    def __init__(self, rig: Rig, seed: int) -> None:
        super().__init__(rig)
        self.seed = seed
        self.witnessed: Counter[str] = Counter()  # records of play by their kind
        self.by_round: Counter[tuple[str, int]] = Counter()  # kind and round

    def witness(self, kind: str, message: Message) -> None:
        """Note a record of play."""
        self.witnessed[kind] += 1
        number = getattr(message, "round", 0)
        if number:
            self.by_round[kind, number] += 1

    def begin(self) -> None:
        """Hear what is asked for and done, and every event; each event once."""
        self.flood = Flood(self.client, self.rig.transport, self.rig.keys, self.seed, PLAY)
        ask = self.client.request

        async def request(name: str, message: Message) -> link_pb2.Answer:
            answer = await ask(name, message)
            if name in BY_REQUEST:
                self.witness(BY_REQUEST[name], message)
            return answer

        def hear(event: link_pb2.Event) -> None:
            if kind_of(event) in BY_EVENT:
                self.witness(kind_of(event), getattr(event, kind_of(event)))

        self.client.request = request
        self.client.on_event.append(hear)

    async def pause(self) -> None:
        """Flood, and then be the table's controller again."""
        await self.flood.steps(STEPS if self.rounds < SPENT else LATER)
        while True:
            with suppress(Refused, LinkError):  # wrong tags have hellos wait
                await self.client.become(link_pb2.ROLE_TABLE)
                return
            await asyncio.sleep(AGAIN_S)

    async def change(self) -> None:
        """Change decks as on any day, and ask again where an order waits for room."""
        while True:
            try:
                return await super().change()
            except Refused as no:
                if no.outcome != link_pb2.NOT_NOW:
                    raise
            await asyncio.sleep(EARN_S)
