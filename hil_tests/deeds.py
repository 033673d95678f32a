"""What a controller says and hands do, that an event of the explored rules may come.

Each deed only begins something; what comes of it the machine says. A deed that can't be done there
raises CannotError: the cards lie elsewhere, say.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from dovetail.table import decks
from dovetail.table.layout import FAULT, OUT

from hil_tests.powered import Powered
from host_tools.link import link_pb2
from host_tools.link.client import Client, kind_of
from host_tools.link.errors import Refused
from host_tools.rules.device import Profile
from host_tools.rules.events import Event
from sim.card import new_deck

BACKS = ("", "red", "blue")
REST_S = 0.5  # so long after a stop everything has run out
MORNING = 1_800_000_000  # seconds since 1970
SLIDE_S = 0.3  # the last card is in the tray


class CannotError(Exception):
    """The deed can't be done here; the words say why."""


Deed = Callable[["Walker", Event, "Event | None"], Awaitable[None]]
DEEDS: dict[str, Deed] = {}


def _deed(*names: str) -> Callable[[Deed], Deed]:
    def enter(deed: Deed) -> Deed:
        for name in names:
            DEEDS[name] = deed
        return deed

    return enter


class Walker:
    """A controller and a dealer at one machine."""

    def __init__(self, powered: Powered, p: Profile) -> None:
        self.powered, self.p = powered, p
        self.machine, self.hands = powered.machine, powered.hands
        self.round = 0
        self.planned_start = self.true_start = 0
        self.players = self.ordered = 0
        self.state = b""  # as the tour has it
        self.refused = False  # what is asked now, as the tour has it
        self.client: Client

    async def hello(self) -> None:
        """Begin a session."""
        self.client = self.powered.rig.client(nonce=bytes(16))
        self.client.on_event.append(self._hear)
        await self.client.hello()
        if self.powered.seed % 2:
            async with self.client.acting_as(link_pb2.ROLE_SUPERVISOR):
                now = MORNING + self.powered.world.now_ns() // 1_000_000_000
                with suppress(Refused):
                    await self.client.request("set_clock", link_pb2.SetClock(time=now))

    def _hear(self, event: link_pb2.Event) -> None:
        if kind_of(event) == "start_drawn":
            self.true_start = event.start_drawn.position

    @property
    def at_work(self) -> bool:
        """Tell whether a deck that was declared lies in the infeed, or goes in."""
        return any(deck in (decks.DECLARED, decks.SHUFFLING) for deck in self.state[1:3])

    def take_out(self) -> None:
        """Take what lies in the infeed back to the table."""
        infeed = self.machine.infeed
        for card in [*infeed.stack, *(under_way.card for under_way in infeed.path)]:
            self.hands.table[card.back].append(card)
        infeed.stack, infeed.path = [], []
        infeed.loaded()

    def lay(self, back: str) -> None:
        """Let the whole deck of this back, and nothing else, lie in the infeed."""
        stack = self.machine.infeed.stack
        if stack and not all(card.back == back for card in stack):
            self.take_out()
        if self.hands.table[back]:
            self.hands.load(back)
        if self.machine.infeed.stack:
            return
        other = next((one for one in BACKS[1:] if self.hands.table[one]), None)
        if other is None or not self.refused:
            raise CannotError("the deck lies elsewhere")
        self.hands.load(other)  # whatever it is, the machine will not have it

    def renew(self, back: str) -> None:
        """Let a new deck come in place of one that is gone for good, each card of it."""
        inside = {id(card) for cards in self.machine.cards().values() for card in cards}
        if any(id(card) in inside for card in self.hands.decks[back]):
            raise CannotError("cards of the old deck lie in the machine")
        self.hands.renew(back)

    @asynccontextmanager
    async def lying(self, event: Event) -> AsyncGenerator[None]:
        """Let the deck lie in the infeed while this is asked, or nothing; what is refused goes."""
        if self.at_work:
            yield
            return
        if event.numbers[2]:
            self.lay(BACKS[event.numbers[0]])
        else:
            self.take_out()
        try:
            yield
        except Refused:
            self.take_out()
            raise

    def position(self, place: int) -> int:
        """Return the true position of one that was planned from another starting position."""
        owed = self.p.players + self.p.dealer
        if not (self.planned_start and self.true_start and 1 <= place <= owed):
            return place
        return (place - self.planned_start + self.true_start - 1) % owed + 1

    def number(self, same: int) -> int:
        """Return the number of the open round, or another."""
        return self.round if same else self.round + 7

    def stack_of(self, event: Event) -> int:
        """Return how many cards a deal orders."""
        _, _, place, cards = event.numbers
        seats = self.p.players if self.p.fixed else self.players
        of_dealer = self.p.dealer and place == seats + 1
        return cards or (self.p.dealer_stack if of_dealer else self.p.stack)


# -- decks ----------------------------------------------------------------------------------


@_deed("load")
async def _load(w: Walker, event: Event, ahead: Event | None) -> None:
    d, new, lies, how = event.numbers
    if lies and new and w.state[d] in (decks.GONE, decks.BARRED) and not w.at_work:
        w.take_out()
        w.renew(BACKS[d])
    said = link_pb2.Load(
        back=_back(event), new_deck=bool(new), shuffled=bool(how & 1), sorted=bool(how & 2)
    )
    async with w.lying(event):
        if new == 1:
            async with w.client.acting_as(link_pb2.ROLE_SUPERVISOR):
                await w.client.request("load", said)
        else:
            await w.client.request("load", said)


@_deed("shuffle")
async def _shuffle(w: Walker, event: Event, ahead: Event | None) -> None:
    await w.client.shuffle(_back(event))


@_deed("remove_deck")
async def _remove(w: Walker, event: Event, ahead: Event | None) -> None:
    async with w.lying(event):
        await w.client.remove_deck(_back(event))


@_deed("stub_counted")
async def _stub(w: Walker, event: Event, ahead: Event | None) -> None:
    await w.client.stub_counted(_back(event), w.p.cards if event.numbers[1] else w.p.cards - 1)


def _back(event: Event) -> link_pb2.Back:
    return link_pb2.RED if event.numbers[0] == 1 else link_pb2.BLUE


@_deed("filled")
async def _filled(w: Walker, event: Event, ahead: Event | None) -> None:
    """Nothing, or a card is taken out of the infeed or put there while the deck goes in."""
    more = event.numbers[1] - w.p.cards
    stack = w.machine.infeed.stack
    if more and not stack:
        raise CannotError("the deck is in the wheel")
    if more < 0:
        card = stack.pop(0)
        w.hands.table[card.back].append(card)
    elif more > 0:
        (card,) = new_deck(stack[0].back, 1, w.machine.random)
        w.hands.brought.append(card)
        stack.insert(0, card)


# -- rounds ---------------------------------------------------------------------------------


@_deed("open")
async def _open(w: Walker, event: Event, ahead: Event | None) -> None:
    _, players, later, _ = event.numbers
    number = w.round + 1 if later else w.round
    await w.client.open_round(number, players)
    w.round, w.players = number, players
    w.planned_start = w.true_start = 0


@_deed("no_more_bets")
async def _bets(w: Walker, event: Event, ahead: Event | None) -> None:
    await w.client.no_more_bets(w.number(event.numbers[1]))


@_deed("draw_start")
async def _draw(w: Walker, event: Event, ahead: Event | None) -> None:
    await w.client.draw_start(w.number(event.numbers[1]))


@_deed("start_drawn")
async def _drawn(w: Walker, event: Event, ahead: Event | None) -> None:
    w.planned_start = event.numbers[1]


@_deed("deal")
async def _deal(w: Walker, event: Event, ahead: Event | None) -> None:
    _, same, place, cards = event.numbers
    w.ordered = w.stack_of(event)
    _plant_at_once(w, ahead)
    await w.client.deal(w.number(same), w.position(place), cards)


def _plant_at_once(w: Walker, ahead: Event | None) -> None:
    """Let the only card of a stack bring others along."""
    if ahead is not None and ahead.name == "delivered" and w.ordered == 1:
        _bring(w, ahead, 1)
        w.machine.lay()


def _bring(w: Walker, delivered: Event, passage: int) -> None:
    extra = delivered.numbers[1] - delivered.numbers[2]
    if extra:
        w.machine.faults.plant(("deal.double_feed", "deal.triple_feed")[extra - 1], {passage})


@_deed("delivered")
async def _delivered(w: Walker, event: Event, ahead: Event | None) -> None:
    """Nothing, or the last card of the stack brings others along."""
    deal = w.machine.deal
    passage = w.ordered - len(deal.tray) - len(deal.chute) - len(deal.held)
    if w.ordered > 1:
        _bring(w, event, passage)


@_deed("face_up")
async def _face(w: Walker, event: Event, ahead: Event | None) -> None:
    _, same, place, _ = event.numbers
    w.ordered = 1
    _plant_at_once(w, ahead)
    await w.client.face_up(w.number(same), w.position(place))


@_deed("remainder")
async def _remainder(w: Walker, event: Event, ahead: Event | None) -> None:
    await w.client.remainder(w.number(event.numbers[1]))


@_deed("close")
async def _close(w: Walker, event: Event, ahead: Event | None) -> None:
    await w.client.close_round(w.number(event.numbers[1]))


@_deed("void_round")
async def _void(w: Walker, event: Event, ahead: Event | None) -> None:
    _, same, exposed, _ = event.numbers
    reason = link_pb2.EXPOSED if exposed else link_pb2.BY_DEALER
    await w.client.void_round(w.number(same), reason)


@_deed("taken")
async def _taken(w: Walker, event: Event, ahead: Event | None) -> None:
    await asyncio.sleep(SLIDE_S)
    w.hands.take()


@_deed("unloaded")
async def _unloaded(w: Walker, event: Event, ahead: Event | None) -> None:
    w.hands.unload()
    await asyncio.sleep(SLIDE_S)


@_deed("tray_seen")
async def _seen(w: Walker, event: Event, ahead: Event | None) -> None:
    pile = next((cards for cards in w.hands.table.values() if cards), None)
    if pile is None:
        raise CannotError("no card is on the table")
    w.machine.deal.tray.append(pile.pop())


@_deed("rest_out")
async def _rest(w: Walker, event: Event, ahead: Event | None) -> None:
    """Nothing, or somebody takes a card out of the shoe while it empties."""
    deal = w.machine.deal
    if event.numbers[1] == w.p.cards:
        return
    if len(deal.shoe) < 2 or event.numbers[1] > w.p.cards:
        raise CannotError("the shoe is nearly empty")
    deal.robbed.append(deal.shoe.pop())


@_deed("lock")
async def _lock(w: Walker, event: Event, ahead: Event | None) -> None:
    """Somebody puts a card into the shoe."""
    deal = w.machine.deal
    if len(deal.shoe) < 2:
        raise CannotError("the shoe is nearly empty")
    deal.added.append(replace(deal.shoe[0]))
    deal.shoe.append(deal.added[-1])


@_deed("give_back")
async def _give_back(w: Walker, event: Event, ahead: Event | None) -> None:
    await w.client.give_back()


@_deed("deliver")
async def _deliver(w: Walker, event: Event, ahead: Event | None) -> None:
    await w.client.deliver()


@_deed("idle")
async def _idle(w: Walker, event: Event, ahead: Event | None) -> None:
    await w.client.idle()


# -- the machine ----------------------------------------------------------------------------


@_deed("moved", "emptied")
async def _wait(w: Walker, event: Event, ahead: Event | None) -> None:
    """The machine does it by itself."""


@_deed("stop")
async def _stop(w: Walker, event: Event, ahead: Event | None) -> None:
    """A card jams where something moves."""
    for plant in ("path.jam", "exit.jam", "deal.jam"):
        w.machine.faults.plant(plant, {1})


@_deed("opened")
async def _opened(w: Walker, event: Event, ahead: Event | None) -> None:
    w.hands.switch("lid", False)


@_deed("closed_again")
async def _closed(w: Walker, event: Event, ahead: Event | None) -> None:
    w.hands.switch("lid", True)


@_deed("cleared", "in_service")
async def _cleared(w: Walker, event: Event, ahead: Event | None) -> None:
    """The hands take every card out, but where nothing is wrong."""
    await asyncio.sleep(REST_S)
    if w.state[FAULT] or w.state[OUT]:
        w.machine.faults.planted.clear()
        w.hands.clear()
    await (w.client.cleared() if event.name == "cleared" else w.client.in_service())


@_deed("found")
async def _found(w: Walker, event: Event, ahead: Event | None) -> None:
    """The machine looks by itself; a card that comes into the infeed meanwhile it finds."""
    if event.numbers[1]:
        pile = next((cards for cards in w.hands.table.values() if cards), None)
        if pile is None:
            raise CannotError("no card is on the table")
        w.machine.infeed.stack.append(pile.pop())
        w.machine.infeed.loaded()


@_deed("out_of_service")
async def _out(w: Walker, event: Event, ahead: Event | None) -> None:
    await w.client.out_of_service()


@_deed("power")
async def _power(w: Walker, event: Event, ahead: Event | None) -> None:
    await w.client.close()
    await w.powered.off()
    w.hands.switch("lid", True)
    w.machine.faults.planted.clear()
    if event.numbers[1]:
        w.powered.spoil()
    w.powered.on()
    await w.hello()
