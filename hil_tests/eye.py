"""An eye above the table: what truly happens there, told as facts to an oracle of the texts.

It sees the hands, every card where it truly lies, and what is said on the link; no word of the
machine is a fact but its count of a deck. `host_tools/oracle` knows the texts alone, so the two
witnesses share nothing but the cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any, cast

from google.protobuf.message import Message

from hil_tests import excuses
from host_tools.hands import SimulatedHands
from host_tools.link import link_pb2
from host_tools.link.client import Client, kind_of
from host_tools.link.errors import Refused
from host_tools.oracle import facts, round_facts
from host_tools.oracle.facts import Fact
from host_tools.oracle.judge import objections, standing
from host_tools.oracle.objection import Objection, Standing
from host_tools.rigs import Rig
from host_tools.rules.device import value
from sim.card import Card

DAY_S = 24 * 3600
HALF_S = DAY_S / 2
CUT_AT = 26
# What a dealer deals from the hand after each "no more bets": cards to each player, to the other
# hand; and so on. 11.8A(b)2, 16.1, 17.8(b), 18.8(c), 24.8(c) and 24.10(d), 42.10(a). Pai gow
# has rows
LAST_TWO = ((2, 2),)
BY_HAND: dict[str, tuple[tuple[tuple[int, int], ...], ...]] = {
    "let_it_ride": (((1, 1), (1, 1), (1, 1)),),
    "boston_5": (((3, 3),), LAST_TWO),
    "caribbean_stud": (((5, 5),),),
    "double_down_stud": (((1, 4),), ()),
    "double_draw": (((5, 0),), (), ()),
    "three_card_poker": (((3, 3),),),
    "poker": (((2, 0),),),
}
# To which of seven stacks each card goes from the hand: 11.8A(c)
ROWS = [*range(1, 8), *range(7, 0, -1)] * 3 + [*range(1, 8)]
# A wrong number of cards, told: 24.12(d), 42.12(c)
MISDEALT = (link_pb2.HAND_VOID, link_pb2.MISDEALT, link_pb2.CUT_SHORT, link_pb2.NOT_COUNTED)
COMMUNITY = ("let_it_ride", "double_down_stud")  # what the others call the dealer's stack
KNOWN = (
    "let_it_ride",
    "boston_5",
    "caribbean_stud",
    "double_down_stud",
    "double_draw",
    "pai_gow_poker",
    "three_card_poker",
    "poker",
)


def can_see(rig: Rig) -> bool:
    """Return whether this machine shows its cards, and its game is one that the oracle knows."""
    simulated = rig.machine is not None and isinstance(rig.hands, SimulatedHands)
    return simulated and rig.setup.game in KNOWN


class Eye:
    """Facts of one machine's table, from the moment that it is opened."""

    def __init__(self, rig: Rig) -> None:
        assert rig.machine is not None
        assert isinstance(rig.hands, SimulatedHands)
        setup = rig.setup
        self.rig, self.hands, self.game = rig, rig.hands.hands, setup.game
        delivery = "single_stack" if setup.by_hand else "automated_shoe"
        delivery = "continuous" if setup.continuous else delivery
        two = bool(value(setup.game, "two_decks"))
        seats = value(setup.game, "players")
        game = facts.Game(cast(Any, setup.game), delivery, two, seats)
        self.history: list[Fact] = [game]
        self.told_s = 0.0  # when the last one happened
        self.decks: dict[str, str] = {}  # by back: the deck that came last
        self.known: list[tuple[str, set[int]]] = []  # every deck that was ever there, its cards
        self.put_in: list[Card] = []
        self.round = self.calls = self.players = 0
        self.void: set[int] = set()
        self.open = False
        self.start = False  # the machine has drawn it
        self.rest: list[Card] = []  # of the deck, in the dealer's hand
        self.ready: list[Card] = []  # the deck that was shuffled last, in its order
        self.whole: list[Card] = []  # the deck that came out as a single stack, in its order
        self.fresh = False  # no round was dealt from that stack
        self.orders: dict[str, list[Card]] = {}  # every deck as it was shuffled last
        self.turning = self.idle_in_shuffle = False
        self.extra: list[Card] = []  # drawn in error, the next card
        self.seen: set[int] = set()  # cards of this round that lie on the table
        self.taken: list[Card] = []  # that a hand took out of the tray in this round
        self.excused: set[int] = set()  # facts: stacks that the machine has called misdealt
        self.faced: int | None = None  # the fact whose last card lay face up
        self.stands: dict[int, int] = {}  # by void round: a bit for each hand that is said to stand
        self.dealt_from = ""  # the back of this round's deck
        self.miscounted: set[int] = set()  # rounds whose deck the machine has locked out since
        self.on_refused: Callable[[str, Message, Refused], None] = lambda name, message, no: None
        self._follow_hands()
        self._follow_all()

    def ready_to_deal(self) -> tuple[str, list[Card]]:
        """Return the deck of the next round, or of this one, and its cards still to be dealt."""
        assert self.rig.machine is not None
        whole = self.whole if self.fresh else []
        cards = whole if self.rig.setup.by_hand else self.rig.machine.cards()["shoe"]
        there = {id(card) for card in cards}
        names = [name for name, known in self.known if len(there & known) * 2 > len(there)]
        return (names[0], cards) if names else ("", [])

    def _follow_all(self) -> None:
        """See what every controller asks and hears that speaks on this machine's line."""
        make = self.rig.client

        def client(*given: Any, **named: Any) -> Client:
            one = make(*given, **named)
            self.follow(one)
            return one

        cast(Any, self.rig).client = client

    def follow(self, client: Client) -> None:
        """See what this controller asks and hears."""
        ask = client.request

        async def request(name: str, message: Message) -> link_pb2.Answer:
            if name in ("deal", "face_up"):  # what lies on the table is of no stack to come
                on_table = (card for cards in self.hands.table.values() for card in cards)
                self.seen |= set(map(id, on_table))
            sorted_ = name == "load" and cast(Any, message).sorted and self._infeed()
            try:
                answer = await ask(name, message)
            except Refused as no:
                self.on_refused(name, message, no)
                raise
            if sorted_:  # the dealer's word, if the machine has taken it
                self._say(facts.SuitOrdered, self._name(sorted_))
            self._done(name, cast(Any, message), client.role == link_pb2.ROLE_SUPERVISOR)
            return answer

        cast(Any, client).request = request
        client.on_event.append(self._hear)

    def objections(self) -> list[Objection]:
        """Everything that the texts forbid, but for misdeals that the machine has told as such."""
        found = [*objections(self.history), *self._void_hands()]
        return [
            one
            for one in found
            if not (one.fact_index in self.excused and excuses.of_number(one))
            and not excuses.one_deck_in_use(self.history, one)
            and not excuses.slipped_in(self.history, one, self.miscounted, self.known)
        ]

    def _void_hands(self) -> Iterator[Objection]:
        """Object to hands of a void round that the machine said stand, and that are void."""
        for i, fact in enumerate(self.history):
            if not isinstance(fact, round_facts.RoundVoided):
                continue
            later = (
                j
                for j, one in enumerate(self.history)
                if j > i and isinstance(one, round_facts.RoundOpened)
            )
            until = next(later, len(self.history))  # by then they are paid
            for hand, ruling in standing(self.history[:until], fact.round).items():
                number = hand if isinstance(hand, int) else 0
                stands = number > 0 and self.stands.get(fact.round, 0) >> number - 1 & 1
                if stands and ruling.standing in (Standing.VOID, Standing.VOID_ALONE):
                    yield Objection(i, ruling.cites[0], f"void hand {hand} was said to stand")

    def told(self) -> str:
        """Name every objection with what happened."""
        return "; ".join(self.lines())

    def lines(self) -> list[str]:
        """Return a line for each objection: the paragraph, why, and what happened."""
        lines = [
            f"{one.cite}: {one.says}: {self.history[one.fact_index]}" for one in self.objections()
        ]
        return [line[:300] for line in lines]

    # ---- facts

    def _say(self, make: Callable[..., Fact], *fields: object, **more: object) -> None:
        now_s = (self.rig.now_ns() if self.rig.now_ns else 0) / 1e9
        while now_s - self.told_s > HALF_S:  # two facts lie less than a day apart
            self.told_s += HALF_S
            self.history.append(facts.PutIn(frozenset(), at_s=self.told_s % DAY_S))
        self.told_s = now_s
        self.history.append(make(*fields, **more, at_s=now_s % DAY_S))

    def _name(self, cards: list[Card]) -> str:
        """Return the deck that most of these cards belong to; it comes to the table now if new."""
        back = max({card.back for card in cards}, key=[card.back for card in cards].count)
        of_back = {id(card) for card in cards if card.back == back}
        most = max(self.known, key=lambda one: len(of_back & one[1]), default=None)
        if most is not None and len(of_back & most[1]) * 2 > len(of_back):
            return most[0]
        deck = self.hands.decks[back]
        for name, known in self.known:
            if known == set(map(id, deck)):  # cards of a deck that is gone lay there
                return name
        before = self.decks.get(back)
        if before and not self._inside(before):  # else the machine has its cards still
            self._say(facts.Removed, before)
            self.known = [one for one in self.known if one[0] != before]
        name = self.decks[back] = f"{back} {len(self.history)}"
        self.known.append((name, set(map(id, deck))))
        jokers = frozenset(ids_of(deck[52:])) if len(deck) > 52 else frozenset[str]()
        self._say(facts.Opened, name, frozenset(ids_of(deck)), back, jokers)
        return name

    def _inside(self, name: str) -> bool:
        machine = self.rig.machine
        assert machine is not None
        there = {id(card) for cards in machine.cards().values() for card in cards}
        return any(cards & there for known, cards in self.known if known == name)

    # ---- the hands

    def _follow_hands(self) -> None:
        hands = cast(Any, self.hands)
        hands._put_in = _Seen(hands._put_in, self._loaded)
        hands.take = _Seen(hands.take, self._taken)
        hands.clear = _Seen(hands.clear, self._taken)

    def _loaded(self, cards: list[Card]) -> None:
        if cards:
            self._name(cards)
            self._say(facts.PutIn, frozenset(ids_of(cards)))
            again = [card for card in self.put_in if card not in cards]
            self.put_in = [*cards, *again]  # under what lies there

    def _taken(self) -> None:
        """A hand takes what came out of the shoe, also before the machine has told it."""
        self.taken += [card for card in self._tray() if card not in self.taken]

    def _infeed(self) -> list[Card]:
        """Return what lies in the infeed, or what was put in where all of it has gone in."""
        machine = self.rig.machine
        assert machine is not None
        return machine.cards()["infeed"] or self.put_in

    def _tray(self) -> list[Card]:
        machine = self.rig.machine
        assert machine is not None
        cards = machine.cards()
        return [*cards["tray"], *cards["chute"]]

    def recipient(self, position: int) -> facts.Recipient:
        """Return who gets what is dealt to a position of this round."""
        if position <= self.players or self.game == "pai_gow_poker":  # seven stacks, nobody's yet
            return position
        return "community" if self.game in COMMUNITY else "dealer"

    # ---- the link

    def _done(self, name: str, said: Any, supervised: bool) -> None:
        """The machine has taken what the dealer said."""
        if name == "load" and said.shuffled and supervised:  # that word is all that there is
            name = self._name(self._infeed())
            for i, fact in enumerate(self.history):
                if isinstance(fact, facts.Opened) and fact.deck == name:
                    self.history[i] = replace(fact, preshuffled=True)
        elif name == "open_round":
            self._opened(said.round, said.players)
        elif name == "no_more_bets":
            self._called()
        elif name == "deal" and self.calls > 1 and said.cards:
            self._say(round_facts.Discarded, self.round, said.position, said.cards)
        elif name == "face_up":
            self._face_up(said.position)
        elif name == "close_round":
            self._closed()
        elif name == "void_round" and said.reason == link_pb2.EXPOSED and self.open:
            self._say(round_facts.Exposed, self.round, self.recipient(self.players + 1))
        elif name == "stub_counted":
            known = self.decks.get(link_pb2.Back.Name(said.back).lower())
            if known:
                self._say(facts.StubCounted, known, said.cards, 0)
        elif name == "shuffle":
            self.turning, self.idle_in_shuffle = True, False
        elif name == "idle":
            self.idle_in_shuffle = self.idle_in_shuffle or self.turning
            self._say(facts.Idle)
            self._say(facts.PlayerArrives)

    def _opened(self, number: int, players: int) -> None:
        self.round, self.players, self.calls = number, players, 0
        self.void, self.open, self.taken = set(), True, []
        self.seen = {id(card) for card in self._tray()}  # the last round's, if any
        self.rest, self.extra, self.faced, self.start = [], [], None, False
        if value(self.game, "fixed"):
            self.players = value(self.game, "players")
        machine = self.rig.machine
        assert machine is not None
        if self.rig.setup.by_hand:
            self.rest, self.fresh = list(self.whole), False
        there = self.rest or machine.cards()["shoe"]
        everybody = tuple(range(1, self.players + 1))
        deck = self._name(there)
        self.dealt_from = deck.split()[0]
        self._say(round_facts.RoundOpened, number, deck, everybody)

    def _called(self) -> None:
        if self.calls:
            everybody = tuple(range(1, self.players + 1))
            self._say(round_facts.Decided, self.round, self.calls, everybody)
        self._say(round_facts.NoMoreBets, self.round, self.calls)
        if self.rig.setup.by_hand and value(self.game, "start"):
            self._deal_in_rows()
        elif self.rig.setup.by_hand:
            self._deal_by_hand(BY_HAND[self.game][self.calls])
        self.calls += 1

    def _deal_by_hand(self, plan: tuple[tuple[int, int], ...]) -> None:
        """The dealer deals from the deck in hand: to each player, to the dealer, and again."""
        turns = self.game == "pai_gow_poker"  # every second row goes the other way
        for row, (each, dealers) in enumerate(plan):
            positions = range(1, self.players + 2)
            for position in reversed(positions) if turns and row % 2 else positions:
                number = each if position <= self.players else dealers
                cards, self.rest = self.rest[:number], self.rest[number:]
                if cards:
                    to = self.recipient(position)
                    self._say(
                        round_facts.Dealt, self.round, tuple(ids_of(cards)), to=to, by_hand=True
                    )

    def _deal_in_rows(self) -> None:
        """Pai gow: seven stacks, to and fro, before it is said whose they are."""
        for stack in ROWS:
            cards, self.rest = self.rest[:1], self.rest[1:]
            ids = tuple(ids_of(cards))
            self._say(round_facts.Dealt, self.round, ids, to=stack, by_hand=True)
        self._say(round_facts.RemainderOut, self.round, tuple(ids_of(self.rest)))

    def _closed(self) -> None:
        if self.rig.setup.by_hand and value(self.game, "start") and not self.start:
            self._say(round_facts.StartDrawn, self.round, 1)  # by the dealer's own dice
        if self.game == "boston_5" and not self.rig.setup.by_hand:
            self.rest = [*self.extra, *self.rest]
            self._deal_by_hand(LAST_TWO)
        self._say(round_facts.RoundClosed, self.round, tuple(sorted(self.void)))
        self.open = False

    def _face_up(self, position: int) -> None:
        """The last card that this position was dealt is not used; another comes in its place."""
        to = self.recipient(position)
        for i, fact in reversed(list(enumerate(self.history))):
            if isinstance(fact, round_facts.Dealt) and (fact.round, fact.to) == (self.round, to):
                self.faced = i
                self._say(round_facts.FaceUpFound, self.round, fact.cards[-1])
                return

    def _dealt(self, said: link_pb2.StackDealt) -> None:
        """Tell the oracle what lies in the tray, with the card that lay on the table already."""
        out = [*self.taken, *(card for card in self._tray() if card not in self.taken)]
        there = [card for card in out if id(card) not in self.seen]
        self.seen |= set(map(id, there))
        cards, self.extra = [*self.extra, *there], []
        if said.verdict == link_pb2.ONE_MORE:
            cards, self.extra = cards[:-1], cards[-1:]
        ids = tuple(ids_of(cards))
        if self.faced is not None:
            before = self.history[self.faced]
            assert isinstance(before, round_facts.Dealt)
            self.history[self.faced] = replace(before, cards=(*before.cards[:-1], *ids))
            if said.verdict in MISDEALT:
                self.excused.add(self.faced)
            self.faced = None
            if said.from_table and ids:
                self._forget_drawn(ids[0])
        elif ids and self.open:
            self._say(round_facts.Dealt, self.round, ids, to=self.recipient(said.position))
            if said.verdict in MISDEALT:
                self.excused.add(len(self.history) - 1)
        elif ids:
            self._dealt_before_the_void(ids, self.recipient(said.position))
        if self.extra:
            self._say(round_facts.DrawnInError, self.round, ids_of(self.extra)[0], False)
        if said.verdict == link_pb2.HAND_VOID:
            self.void.add(said.position)

    def _forget_drawn(self, card: str) -> None:
        """The next card was this one, drawn in error: it stands in the stack that it completed."""
        for i, fact in enumerate(self.history):
            if isinstance(fact, round_facts.DrawnInError) and fact.card == card:
                del self.history[i]
                self.excused = {one - (one > i) for one in self.excused}
                return

    def _dealt_before_the_void(self, ids: tuple[str, ...], to: facts.Recipient) -> None:
        """A stack that was cut short is told after the round that it voids."""
        for i, fact in reversed(list(enumerate(self.history))):
            if isinstance(fact, round_facts.RoundVoided) and fact.round == self.round:
                dealt = round_facts.Dealt(self.round, ids, to=to, at_s=fact.at_s)
                self.history.insert(i, dealt)
                self.excused = {one + (one >= i) for one in self.excused} | {i}
                return

    def _hear(self, event: link_pb2.Event) -> None:
        kind = kind_of(event)
        machine = self.rig.machine
        assert machine is not None
        if kind == "ready":
            self.turning = False
            self.ready = shoe = list(machine.cards()["shoe"])
            went_in = ids_of([card for card in self.put_in if card in shoe])
            self.put_in = [card for card in self.put_in if card not in shoe]
            by = "nobody" if ids_of(shoe) in (went_in, went_in[::-1]) else "device"
            self._say(facts.Shuffled, tuple(went_in), tuple(ids_of(shoe)), by)
            self._say(facts.DeviceCounted, self._name(shoe), event.ready.counted_out)
            self.orders[self._name(shoe)] = shoe
        elif kind == "stack" and event.stack.round == self.round:
            self._dealt(event.stack)
        elif kind == "remainder" and self.open and event.remainder.round == self.round:
            self.rest = self._tray()
            self._say(round_facts.RemainderOut, self.round, tuple(ids_of(self.rest)))
        elif kind == "start_drawn":
            self._say(round_facts.StartDrawn, self.round, event.start_drawn.position)
            self.start = True
        elif kind == "whole_deck":
            name = self._name(self._tray())
            self.whole, self.fresh = self.orders[name], True
            if event.whole_deck.cut_required:
                self._say(facts.Cut, name, CUT_AT)
        elif kind == "round_void" and event.round_void.round == self.round:
            self.stands[self.round] = event.round_void.standing
            if not self.open:
                return
            self._say(round_facts.RoundVoided, self.round, str(event.round_void.reason))
            self.open = False
        elif kind == "locked_out":
            back = link_pb2.Back.Name(event.locked_out.back).lower()
            self.miscounted |= {self.round} if back == self.dealt_from else set()
        elif kind == "fault" and self.open:
            self._say(facts.Jammed, "deal", None, self.round)


class _Seen:
    """An act of the hands that the eye sees; a copy of the hands does it unseen."""

    def __init__(self, act: Callable[..., object], see: Callable[..., object]) -> None:
        self.act, self.see = act, see

    def __call__(self, *given: Any) -> object:
        """See it, then do it."""
        self.see(*given)
        return self.act(*given)

    def __deepcopy__(self, memo: dict[int, Any]) -> object:
        """Return the same act of the hands that are being copied."""
        return deepcopy(self.act, memo)


def ids_of(cards: list[Card]) -> list[str]:
    """Return the names by which the oracle knows these cards."""
    return [f"{card.back} {id(card)}" for card in cards]
