"""A table controller and its dealer: rounds of a game, from the first load to the last stub."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random

from dovetail.calibration import WORDS

from host_tools.hands import Dealer
from host_tools.heard import Heard, fields_of
from host_tools.link import link_pb2
from host_tools.link.client import Client, kind_of
from host_tools.link.errors import LinkError, Refused
from host_tools.link.verdicts import BEYOND, verdict
from host_tools.play.story import Story
from host_tools.rules.device import value

BACKS = {"red": link_pb2.RED, "blue": link_pb2.BLUE}
SHUFFLE_S = 300.0  # limits in the machine's time, wide enough for every retry
STACK_S = 30.0
PATIENCE_S = 60.0  # how long "not now" is taken for an answer
AGAIN_S = 0.2


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    game: str = "let_it_ride"
    rounds: int = 3
    players: int = 5
    decks: int = 2
    by_hand: bool = False  # delivered as a single stack, dealt from the hand
    seed: int = 0  # of what the players draw
    continuous: bool = False  # the deck stays in the wheel, discards go back in


@dataclass
class Played:
    """What came of it, as the machine reported it and the hands found it."""

    rounds: int = 0
    counts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    stacks: list[int] = field(default_factory=list[int])
    stubs: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    stub_rounds: list[int] = field(default_factory=list[int])  # of which round each was
    wrong: list[str] = field(default_factory=list[str])  # numbers that do not add up
    stops: list[str] = field(default_factory=list[str])  # faults at which the machine stopped
    unstruck: list[str] = field(default_factory=list[str])  # what was planted and never struck


def profile(game: str, key: str) -> int:
    """A number of a game's profile."""
    return value(game, key)


def dealing(of: Plan | link_pb2.Identity) -> str:
    """In which way cards come to the players."""
    return "from the hand" if of.by_hand else "continuously" if of.continuous else "from the shoe"


class Table:
    """One session at one machine."""

    def __init__(self, client: Client, dealer: Dealer, story: Story, plan: Plan) -> None:
        self.client, self.dealer, self.story, self.plan = client, dealer, story, plan
        self.first_round = 1  # the machine says which was the last one
        self.heard = Heard(client)
        self.played = Played()
        self.cards = profile(plan.game, "cards")
        seats = profile(plan.game, "players") if profile(plan.game, "fixed") else plan.players
        self.stacks = seats + profile(plan.game, "dealer")
        self.sizes = [profile(plan.game, "stack")] * seats
        self.sizes += [profile(plan.game, "dealer_stack")] * profile(plan.game, "dealer")
        self.opened = 0  # rounds, void ones too: their numbers are used up
        self.new: set[str] = set()  # decks that are not known to the machine yet
        self._random = Random(f"players {plan.seed}")
        client.on_event.append(self._tell)

    def _tell(self, event: link_pb2.Event) -> None:
        fields = fields_of(event)
        if kind_of(event) == "remainder":
            fields["sum"] = event.remainder.delivered + event.remainder.dealt
        if kind_of(event) == "sensor":
            fields["word"] = WORDS[event.sensor.quality]
        if kind_of(event) == "trying":
            tries = event.trying.tries
            fields["how"] = f"tries {tries}" if tries else "each card was counted, goes on"
        if kind_of(event) == "stack":
            said = event.stack
            fields["verdict_words"] = verdict(said.verdict, said.delivered, said.from_table)
        if kind_of(event) == "whole_deck":
            fields["cut"] = "a cut is owed" if event.whole_deck.cut_required else "no cut is owed"
        self.story.tell("machine", kind_of(event), **fields)

    async def ask(
        self, request: Callable[[], Awaitable[object]], what: str, **told: object
    ) -> None:
        """A request; when the machine is busy, again a little later."""
        self.story.tell("controller", what, **told)
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE_S
        while True:
            try:
                await request()
                return
            except Refused as no:
                if no.outcome == link_pb2.NOT_NOW and loop.time() < until:
                    await asyncio.sleep(AGAIN_S)
                    continue
                outcome = link_pb2.Outcome.Name(no.outcome).lower()
                self.story.tell(
                    "machine", "refuses", answer=outcome, request=what, rule=no.rule, text=no.text
                )
                raise

    async def hello(self) -> None:
        """Begin; the machine must be set up for this game."""
        self.story.tell("controller", "hello")
        identity = await self.client.hello()
        names = ("board", "variant", "image", "game", "boots")
        self.story.tell("machine", "identity", **{name: getattr(identity, name) for name in names})
        if identity.game != self.plan.game:
            raise LinkError(f"the machine is set up for {identity.game}, not {self.plan.game}")
        way, asked = dealing(identity), dealing(self.plan)
        if way != asked:
            raise LinkError(f"the machine is set up to deal {way}, not {asked}")
        self.first_round = (await self.client.status()).last_round + 1

    async def shuffle(self, back: str, new: bool = False) -> None:
        """Load a deck and have it shuffled; it becomes ready by itself."""
        cards = await self.dealer.load(back)
        self.story.tell("dealer", "loads", back=back, cards=self.cards if cards is None else cards)
        await self.load(back, new)
        await self.ask(lambda: self.client.shuffle(BACKS[back]), "shuffle", back=back)

    async def load(self, back: str, new: bool = False) -> None:
        """Say which deck it is, and whether the machine does not know it yet."""
        new = new or back in self.new
        self.new.discard(back)
        if not new:
            await self.ask(lambda: self.client.load(BACKS[back]), "load", back=back)
            return
        async with self.client.acting_as(link_pb2.ROLE_SUPERVISOR):
            await self.ask(lambda: self.client.load(BACKS[back], True), "new_deck", back=back)

    async def play(self) -> Played:
        """All rounds of the plan."""
        await self.hello()
        return await self.rounds()

    async def rounds(self) -> Played:
        """Those that are still to be played, all cards being on the table."""
        if self.plan.continuous:
            return await self.play_on()
        backs = list(BACKS)[: self.plan.decks]
        since = len(self.heard.events)
        await self.shuffle(backs[self.opened % len(backs)])
        while self.played.rounds < self.plan.rounds:
            back = backs[self.opened % len(backs)]
            last = self.played.rounds + 1 == self.plan.rounds
            event = await self.heard.wait("ready", since, SHUFFLE_S, back=BACKS[back])
            since = self.heard.events.index(event) + 1
            self.count(back, event.ready)
            if len(backs) > 1 and not last:
                await self.shuffle(backs[(self.opened + 1) % len(backs)])
            await self.round(self.first_round + self.opened, back)
            self.played.rounds += 1
            if len(backs) == 1 and not last:
                await self.shuffle(back)
        return self.played

    async def play_on(self) -> Played:
        """Rounds in continuous play: what was dealt goes back in after each of them."""
        back = next(iter(BACKS))
        await self.all_in(back, new=True)
        while self.played.rounds < self.plan.rounds:
            await self.round(self.first_round + self.opened, back)
            self.played.rounds += 1
            await self.all_in(back)
        return self.played

    async def all_in(self, back: str, new: bool = False) -> None:
        """Every card on the table goes into the wheel; then the whole deck must be there."""
        since = len(self.heard.events)
        cards = await self.dealer.load(back)
        self.story.tell("dealer", "loads", back=back, cards=self.cards if cards is None else cards)
        if new:
            await self.load(back)
        await self.ask(lambda: self.client.shuffle(BACKS[back]), "shuffle", back=back)
        event = await self.heard.wait("shuffle_done", since, SHUFFLE_S, back=BACKS[back])
        inside = event.shuffle_done.counted_in
        self.played.counts.append((back, f"{inside} of {event.shuffle_done.expected}"))
        if inside != self.cards:
            self.played.wrong.append(f"{back} deck: {inside} of {self.cards} cards inside")

    def count(self, back: str, ready: link_pb2.ReadyToDeal) -> None:
        """A deck is ready: its counts must agree with the game."""
        self.played.counts.append((back, ready.text))
        counts = (ready.counted_in, ready.counted_out, ready.expected)
        if counts != (self.cards,) * 3 or ready.text != f"{self.cards} of {self.cards}":
            self.played.wrong.append(f"{back} deck ready with {ready.text!r}, counted {counts}")

    async def round(self, number: int, back: str) -> None:
        """Bets, a stack for each position, draws, the stub, and the cards gathered."""
        client, plan = self.client, self.plan
        since = len(self.heard.events)
        taken = await self.single_stack(back, since) if plan.by_hand else 0
        await self.ask(
            lambda: client.open_round(number, plan.players),
            "open_round",
            round=number,
            players=plan.players,
        )
        self.opened += 1
        await self.ask(lambda: client.no_more_bets(number), "no_more_bets", round=number)
        if plan.by_hand:
            self.story.tell("dealer", "deals", back=back, stacks=self.stacks)
            await self.later_calls(number, 1)
        else:
            taken = await self.from_the_shoe(number, since)
        self.void(since)  # told while the dealer had the cards in the hand
        await self.ask(lambda: client.close_round(number), "close_round", round=number)
        self.story.tell("dealer", "gathers", back=back, cards=taken)
        gathered = sum(self.sizes) if plan.continuous else self.cards
        if taken != gathered:
            self.played.wrong.append(f"round {number}: {taken} of {gathered} cards gathered")

    def void(self, since: int) -> None:
        """Nobody goes on with a void round; one that was through before the stop is closed."""
        if self.heard.all("round_void", since):
            self.heard.check(since)

    async def single_stack(self, back: str, since: int) -> int:
        """The whole deck comes out at once; its cards."""
        await self.ask(self.client.deliver, "deliver", back=back)
        event = await self.heard.wait("whole_deck", since, SHUFFLE_S, back=BACKS[back])
        said = event.whole_deck
        cards = await self.dealer.take()
        cards = said.cards if cards is None else cards
        self.story.tell("dealer", "takes", position=0, cards=cards)
        brought = said.order == link_pb2.BROUGHT
        cut = bool(profile(self.plan.game, "cut_brought" if brought else "cut"))
        if (said.cards, said.expected, said.cut_required) != (cards, self.cards, cut):
            self.played.wrong.append(
                f"{back} deck: {cards} in the hand, {said.cards} of {said.expected} said, "
                f"a cut {'owed' if said.cut_required else 'not owed'}"
            )
        if said.cut_required:
            self.story.tell("dealer", "cuts", back=back)
        return cards

    async def from_the_shoe(self, number: int, since: int) -> int:
        """Every stack, every draw, the remainder; all cards taken."""
        game, client = self.plan.game, self.client
        first = 1
        if profile(game, "start"):
            await self.ask(lambda: client.draw_start(number), "draw_start", round=number)
            event = await self.heard.wait("start_drawn", since, STACK_S, round=number)
            first = event.start_drawn.position
        taken = 0
        for n in range(self.stacks):
            taken += await self.stack(number, (first - 1 + n) % self.stacks + 1, since)
        calls = 1
        for limit in (profile(game, "draws_first"), profile(game, "draws_later")):
            if limit:
                taken += await self.draws(number, limit)
                calls += 1
        await self.later_calls(number, calls)
        if self.plan.continuous:
            return taken
        await self.ask(lambda: client.remainder(number), "remainder", round=number)
        event = await self.heard.wait("remainder", since, SHUFFLE_S, round=number)
        return taken + await self.stub(event.remainder, since)

    async def later_calls(self, number: int, said: int) -> None:
        """Every "no more bets" that the game still asks for, when so many were said."""
        for _ in range(profile(self.plan.game, "stages") - said):
            await self.ask(lambda: self.client.no_more_bets(number), "no_more_bets", round=number)

    async def draws(self, number: int, limit: int) -> int:
        """Each player in turn, some of them none."""
        since = len(self.heard.events)
        await self.ask(lambda: self.client.no_more_bets(number), "no_more_bets", round=number)
        taken = 0
        for position in range(1, self.plan.players + 1):
            cards = self._random.randint(0, limit)
            if cards:
                taken += await self.stack(number, position, since, cards)
        return taken

    async def stack(self, number: int, position: int, since: int, cards_drawn: int = 0) -> int:
        """One stack is ordered, delivered, taken; its cards."""
        await self.ask(
            lambda: self.client.deal(number, position, cards_drawn),
            "deal",
            round=number,
            position=position,
        )
        event = await self.heard.wait("stack", since, STACK_S, round=number, position=position)
        stack = event.stack
        cards = await self.dealer.take()
        cards = stack.delivered if cards is None else cards
        self.story.tell("dealer", "takes", position=position, cards=cards)
        await self.heard.wait("taken", since, STACK_S, round=number, position=position)
        found = self.dealer.found()
        if found:
            self.story.tell("dealer", "finds", position=position, cards=found)
            cards += found
        self.played.stacks.append(stack.delivered)
        right = stack.delivered + stack.from_table == stack.ordered + BEYOND.get(stack.verdict, 0)
        right = right or stack.verdict == link_pb2.HAND_VOID  # DS-11: it has said so
        if cards != stack.delivered or not right:
            self.played.wrong.append(
                f"round {number}, position {position}: {cards} cards in the tray, "
                f"{stack.delivered} reported, {stack.ordered} ordered"
            )
        return cards

    async def stub(self, rest: link_pb2.RemainderDone, since: int) -> int:
        """The rest is out: what it is and what was dealt must be the whole deck."""
        cards = await self.dealer.take()
        cards = rest.delivered if cards is None else cards
        self.story.tell("dealer", "takes", position=0, cards=cards)
        self.played.stub_rounds.append(rest.round)
        self.played.stubs.append((rest.delivered, rest.dealt, rest.expected))
        self.void(since)  # the machine has said itself that it does not add up
        if cards != rest.delivered or rest.delivered + rest.dealt != rest.expected:
            self.played.wrong.append(
                f"round {rest.round}: stub {rest.delivered} ({cards} in hand) + {rest.dealt} dealt "
                f"is not {rest.expected}"
            )
        return cards

    async def close(self) -> None:
        """Leave the table."""
        await self.heard.close()
        await self.client.close()
