"""A controller that lies: any request, at any moment, with true and false words.

It holds the table's key, and at times the service's or the audit's. Between its lies it goes on
with the round as an honest controller would (`honest.py`), so that its lies come at every stage. A
dealer's hands do beside it what they like: they load either deck, take what lies in the tray, lose
a card, bring a new deck; and the power goes. The supervisor alone is honest: who declares a new
deck only when one was truly brought, as shuffled when it was, and tells the true time.

A step is a pair (what, number): "honest", a name of LIES, or a name of DEEDS. Hypothesis draws the
steps in `test_liar.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from google.protobuf.message import Message

from hil_tests.honest import BACKS, MORNING, Honest
from host_tools.link import link_pb2
from host_tools.link.errors import LinkError, Refused
from host_tools.play.table import BACKS as NUMBERS

Step = tuple[str, int]
REASONS = 6
BETWEEN_S = 0.3
WAITS_S = (1, 60, 600, 3600, 5 * 3600)
OFF_S = (0, 1, 600, 3600, 5 * 3600, 9 * 3600)
OTHERS = (link_pb2.ROLE_SERVICE, link_pb2.ROLE_AUDIT)
CUT = "cut"  # the step that ends a life of the processor
AXES = ("pick", "feed", "wheel", "eject", "deal")

Make = Callable[["Liar", int], Message]
# What it says in each request, for a number that somebody drew
LIES: dict[str, Make] = {
    "load": lambda on, n: link_pb2.Load(
        back=_back(n), new_deck=bool(n & 2), shuffled=bool(n & 4), sorted=bool(n & 8)
    ),
    "shuffle": lambda on, n: link_pb2.Shuffle(back=_back(n)),
    "open_round": lambda on, n: link_pb2.OpenRound(round=on.honest.round + n % 3, players=n % 9),
    "no_more_bets": lambda on, n: link_pb2.NoMoreBets(round=on.honest.round),
    "deal": lambda on, n: link_pb2.Deal(round=on.honest.round, position=n % 8, cards=n // 8 % 6),
    "remainder": lambda on, n: link_pb2.Remainder(round=on.honest.round),
    "close_round": lambda on, n: link_pb2.CloseRound(round=on.honest.round),
    "draw_start": lambda on, n: link_pb2.DrawStart(round=on.honest.round),
    "face_up": lambda on, n: link_pb2.FaceUp(round=on.honest.round, position=n % 8),
    "give_back": lambda on, n: link_pb2.GiveBack(),
    "deliver": lambda on, n: link_pb2.Deliver(),
    "void_round": lambda on, n: link_pb2.VoidRound(
        round=on.honest.round, reason=link_pb2.VoidReason.Name(n % REASONS)
    ),
    "stub_counted": lambda on, n: link_pb2.StubCounted(
        back=_back(n), cards=on.honest.cards - n % 7 // 6
    ),
    "remove_deck": lambda on, n: link_pb2.RemoveDeck(back=_back(n)),
    "cleared": lambda on, n: link_pb2.Cleared(),
    "empty_out": lambda on, n: link_pb2.EmptyOut(),
    "set_clock": lambda on, n: link_pb2.SetClock(time=MORNING + n * 997 - 20_000),
    "out_of_service": lambda on, n: link_pb2.OutOfService(),
    "in_service": lambda on, n: link_pb2.InService(),
    "idle": lambda on, n: link_pb2.Idle(),
    "self_test": lambda on, n: link_pb2.SelfTest(card=bool(n & 1)),
    "jog": lambda on, n: link_pb2.Jog(axis=AXES[n % 5], steps=n * 20, reverse=bool(n & 32)),
    "calibrate": lambda on, n: link_pb2.Calibrate(),
    "read_sensors": lambda on, n: link_pb2.ReadSensors(),
    "configure": lambda on, n: link_pb2.Configure(profile=bytes([n]) * n),
    "recall": lambda on, n: link_pb2.Recall(after=n),
}
# No lie is in them: they read, carry, or open a session. `provision` has its own tests.
HARMLESS = (
    *("hello", "status", "acknowledge", "replay", "heartbeat", "set_baud", "verify"),
    *("read_journal", "meters", "calibration", "provision"),
)
DEEDS = (
    *(
        "loads",
        "unloads",
        "takes",
        "clears",
        "loses",
        "renews",
        "brings",
        "waits",
        "vouches",
        "as_other",
        CUT,
    ),
)


def _back(n: int) -> link_pb2.Back:
    return link_pb2.BLUE if n & 1 else link_pb2.RED


class Liar:
    """Lies at one machine for one life of its processor: from power-on to the next cut."""

    def __init__(self, honest: Honest) -> None:
        self.honest = honest
        self.hands = honest.hands.hands

    async def live(self, steps: list[Step]) -> None:
        """Do every step."""
        with suppress(LinkError):
            await self.honest.client.hello()
        for what, number in steps:
            with suppress(LinkError, Refused):  # refused: a session of another role
                await self._step(what, number)
            await asyncio.sleep(BETWEEN_S)
        await self.honest.client.close()

    async def _step(self, what: str, number: int) -> None:
        if what in LIES:
            await self._lie(what, number)
        elif what in DEEDS:
            await self._deed(what, number)
        else:  # at times the next thing comes before this one is over
            self.honest.patient = bool(number % 4)
            await self.honest.step()

    async def _lie(self, what: str, number: int) -> None:
        message = LIES[what](self, number)
        await self.honest.ask(self.honest.client.request(what, message))

    async def _deed(self, what: str, number: int) -> None:
        back = BACKS[number & 1]
        if what == "loads":
            self.hands.load(back)
        elif what == "unloads":
            self.hands.unload()
        elif what == "takes":
            self.hands.take()
        elif what == "clears":
            await self._clears()
        elif what == "loses" and self.hands.table[back]:
            self.hands.lose(back)
        elif what == "renews" and not self.honest.inside(back):
            self.hands.renew(back)
        elif what == "brings" and not self.honest.inside(back):
            await self._brings(back)
        elif what == "waits":
            await asyncio.sleep(WAITS_S[number % len(WAITS_S)])
        elif what == "vouches":
            async with self.honest.client.acting_as(link_pb2.ROLE_SUPERVISOR):
                time = link_pb2.SetClock(time=self.honest.now())
                await self.honest.ask(self.honest.client.request("set_clock", time))
        elif what == "as_other":
            async with self.honest.client.acting_as(OTHERS[number & 1]):
                await self._lie(list(LIES)[number % len(LIES)], number)

    async def _brings(self, back: str) -> None:
        """Have the supervisor come with a new deck that was shuffled before, and say so."""
        number = NUMBERS[back]
        if not await self.honest.ask(self.honest.client.remove_deck(number)):
            return
        self.hands.renew(back)
        self.hands.load(back)
        async with self.honest.client.acting_as(link_pb2.ROLE_SUPERVISOR):
            load = self.honest.client.load(number, new_deck=True, shuffled=True)
            await self.honest.ask(load)

    async def _clears(self) -> None:
        """Take every card out through lid and door: the machine sees them open."""
        for open_ in (False, True):
            for name in ("lid", "door"):
                self.hands.switch(name, open_)
            await asyncio.sleep(BETWEEN_S)
            if not open_:
                self.hands.clear()
