"""An eye above a table of continuous play, where the texts print no rules but a title (2.20, 7.12).

What must hold there follows from what cards are: those inside are of one deck, none leaves twice in
a round or before its bets are closed, and what is told is what lies there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from google.protobuf.message import Message

from host_tools.hands import SimulatedHands
from host_tools.link import link_pb2
from host_tools.link.client import Client, kind_of
from host_tools.link.errors import Refused
from host_tools.rigs import Rig
from sim.card import Card

# No number of cards is told for these
UNTOLD = (link_pb2.CUT_SHORT, link_pb2.NOT_COUNTED)


class ContinuousEye:
    """Follows one table, and keeps what is wrong with what truly happens there."""

    def __init__(self, rig: Rig) -> None:
        assert rig.machine is not None
        assert isinstance(rig.hands, SimulatedHands)
        self.machine = rig.machine
        self.wrong: list[str] = []
        self.round = self.rounds = 0
        self.open = self.closed = False  # a round is open; its bets are closed
        self.dealt: set[int] = set()  # cards of this round
        self.taken: list[Card] = []  # that a hand has taken before the machine told of them
        self.on_refused: Callable[[str, Message, Refused], None] = lambda name, message, no: None
        hands = cast(Any, rig.hands.hands)
        for name in ("take", "clear"):
            setattr(hands, name, self._seen(getattr(hands, name)))
        make = rig.client

        def client(*given: Any, **named: Any) -> Client:
            one = make(*given, **named)
            self._follow(one)
            return one

        cast(Any, rig).client = client

    def lines(self) -> list[str]:
        """Return what was wrong."""
        return self.wrong

    def _seen(self, act: Callable[[], int]) -> Callable[[], int]:
        def doing() -> int:
            self.taken += [card for card in self._out() if card not in self.taken]
            return act()

        return doing

    def _out(self) -> list[Card]:
        there = self.machine.cards()
        return [*there["tray"], *there["chute"]]

    def _follow(self, client: Client) -> None:
        ask = client.request

        async def request(name: str, message: Message) -> link_pb2.Answer:
            try:
                answer = await ask(name, message)
            except Refused as no:
                self.on_refused(name, message, no)
                raise
            if name == "open_round":
                self._opened(cast(Any, message).round)
            elif name == "no_more_bets":
                self.closed = True
            elif name in ("close_round", "void_round"):
                self.open = self.closed = False
            return answer

        cast(Any, client).request = request
        client.on_event.append(self._hear)

    def _opened(self, number: int) -> None:
        there = self.machine.cards()
        inside = [card for place in ("wheel", "shoe") for card in there[place]]
        backs = {card.back for card in inside}
        if len(backs) != 1:
            self.wrong.append(f"round {number}: opened with cards of {sorted(backs)} inside")
        self.round, self.open, self.closed = number, True, False
        self.rounds += 1
        self.dealt, self.taken = set(), []

    def _hear(self, event: link_pb2.Event) -> None:
        if kind_of(event) == "stack" and event.stack.round == self.round:
            self._dealt(event.stack)
        elif kind_of(event) in ("round_void", "fault"):
            self.open = self.closed = False

    def _dealt(self, said: link_pb2.StackDealt) -> None:
        cards = [card for card in [*self.taken, *self._out()] if id(card) not in self.dealt]
        there = {id(card) for card in cards}
        where = f"round {said.round}, position {said.position}"
        if there and not (self.open and self.closed) and said.verdict not in UNTOLD:
            self.wrong.append(f"{where}: dealt before the bets were closed")
        if len(there) != said.delivered and said.verdict not in UNTOLD:
            self.wrong.append(f"{where}: {said.delivered} told, {len(there)} lie there")
        self.dealt |= there
