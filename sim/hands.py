"""A dealer's hands at the simulated machine: loads decks, takes stacks, opens doors, clears."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from boards import mechanics as M
from sim.card import Card, new_deck
from sim.machine import Machine
from sim.points import CLEARED, DECK_CHOSEN, DECK_LOADED, STACK_TAKEN

FEW = 10  # cards that can be overlooked in a tray


class Load:
    """A deck on its way from the table into the infeed."""

    def __init__(self, hands: Hands, back: str, other: str | None) -> None:
        self.hands = hands
        self.back = back
        self.other = other  # the deck that lies beside it
        self.cards: list[Card] = []
        self.late: list[Card] = []
        self.late_ns = 0

    def take_other(self) -> None:
        """Take the deck that lies beside it."""
        self.back = self.other or self.back

    def leave(self, cards: int) -> None:
        """Leave so many on the table."""
        self.hands.table[self.back] = self._part(cards)

    def keep_back(self, cards: int, ns: int) -> None:
        """Keep so many in the hand, and put them in so much later."""
        self.late, self.late_ns = self._part(cards), ns

    def _part(self, cards: int) -> list[Card]:
        return [self.cards.pop() for _ in range(cards)]


class Hands:
    """Decks by back colour; every card is on the table, in the hands or in the machine."""

    def __init__(self, machine: Machine, backs: tuple[str, ...], cards: int = 52) -> None:
        self.machine = machine
        self.decks = {back: new_deck(back, cards, machine.random) for back in backs}
        self.table: dict[str, list[Card]] = {back: list(deck) for back, deck in self.decks.items()}
        self.brought = [card for deck in self.decks.values() for card in deck]  # ever
        self.held: list[Card] = []  # to be put in a little later
        self.gone: list[Card] = []  # taken off the table with their deck, or lost
        self.stacks: list[list[Card]] = []
        self.delivered: list[Card] = []  # in the order in which the machine gave them
        self.forgets = False  # a card, in the present clearing
        self._taking: list[Card] = []  # the stack that is taken just now
        self.followers: list[Callable[[Callable[[Hands], object]], None]] = []  # sim/without.py
        self.found = 0  # cards that were left in the tray, and taken later

    def load(self, back: str) -> int:
        """Square the cards of this back and put them into the infeed; how many there were."""
        self._tell_followers(lambda hands: hands.load(back))
        at = self.machine.faults.at
        other = next((one for one in self.table if one != back and self.table[one]), None)
        load = Load(self, back, other)
        if other is not None:
            at(DECK_CHOSEN, load)
        load.cards, self.table[load.back] = self.table[load.back], []
        at(DECK_LOADED, load)
        self._put_in(load.cards)
        if load.late:
            self.held += load.late
            world = self.machine.world
            world.at(world.now_ns() + load.late_ns, lambda: self._put_in_late(load.late))
        return len(load.cards) + len(load.late)

    def _tell_followers(self, act: Callable[[Hands], object]) -> None:
        for one in tuple(self.followers):
            one(act)

    def _put_in_late(self, cards: list[Card]) -> None:
        self.held = [card for card in self.held if card not in cards]
        self._put_in(cards)

    def _put_in(self, cards: list[Card]) -> None:
        """Under what lies there."""
        infeed = self.machine.infeed
        infeed.stack = cards + infeed.stack
        infeed.loaded()

    def unload(self) -> int:
        """Take out again what lies in the infeed; how many cards it was."""
        self._tell_followers(lambda hands: hands.unload())
        infeed = self.machine.infeed
        cards, infeed.stack = infeed.stack, []
        infeed.loaded()
        self._put_down(cards)
        return len(cards)

    def lay(self, back: str) -> None:
        """One card of this deck into the infeed, for a calibration."""
        self.machine.infeed.stack.append(self.table[back].pop())
        self.machine.infeed.loaded()

    def take(self) -> int:
        """Take what lies in the tray; how many cards it was."""
        self._tell_followers(lambda hands: hands.take())
        deal = self.machine.deal
        cards, deal.tray = deal.tray, []
        self._taking = cards
        if 0 < len(cards) < FEW:
            self.machine.faults.at(STACK_TAKEN, self)
        self.stacks.append(cards)
        self.delivered.extend(cards)
        self._put_down(cards)
        return len(cards)

    def leave_in_tray(self, ns: int) -> None:
        """Leave one card of the stack, and take it so much later, unless somebody else does."""
        deal, world = self.machine.deal, self.machine.world
        card = self._taking.pop()
        deal.tray = [card]

        def take() -> None:
            if card in deal.tray:
                deal.tray.remove(card)
                self._put_down([card])
                self.found += 1

        world.at(world.now_ns() + ns, take)

    def switch(self, name: str, safe: bool) -> None:
        """Open or close the lid or the shoe door, mount or unmount the machine."""
        self.machine.switch(name, safe)

    def clear(self) -> int:
        """Remove every card from the machine; how many were found."""
        machine = self.machine
        self.forgets = False
        machine.faults.at(CLEARED, self)
        machine.repair()
        found = [card for cards in machine.cards().values() for card in cards]
        machine.infeed.stack, machine.infeed.path = [], []
        machine.wheel.slots = [[] for _ in range(M.SLOTS)]
        machine.outfeed.pushed = []
        deal = machine.deal
        deal.shoe, deal.held, deal.behind, deal.chute, deal.tray = [], [], None, [], []
        if self.forgets:
            machine.wheel.slots[M.SLOTS // 2].append(found.pop())
        self._put_down(found)
        machine.infeed.loaded()
        machine.outfeed.moved()
        deal.moved()
        return len(found)

    def lose(self, back: str) -> Card:
        """One card of this deck falls under the table."""
        self.gone.append(self.table[back].pop())
        return self.gone[-1]

    def renew(self, back: str) -> None:
        """A new deck in place of the old one, each card of which is taken off the table."""
        for pile, cards in self.table.items():  # also one that was sorted to the other deck
            old = [card for card in cards if pile == back or card in self.decks[back]]
            self.gone += old
            self.table[pile] = [card for card in cards if card not in old]
        self.decks[back] = new_deck(back, len(self.decks[back]), self.machine.random)
        self.brought += self.decks[back]
        self.table[back] = list(self.decks[back])

    def astray(self) -> list[str]:
        """What is wrong: every card that was ever brought, or planted, is somewhere, once."""
        there = [card for cards in self.machine.cards().values() for card in cards]
        there += [card for cards in self.table.values() for card in cards]
        there += self.held + self.gone + self.machine.deal.robbed
        places = Counter(map(id, there))
        known = {id(card) for card in self.brought + self.machine.deal.added}
        wrong: list[str] = []
        if any(n > 1 for n in places.values()):
            wrong.append("a card is in two places")
        if nowhere := len(known - places.keys()):
            wrong.append(f"cards that are nowhere: {nowhere}")
        if unknown := len(places.keys() - known):
            wrong.append(f"cards that nobody has brought: {unknown}")
        return wrong

    def _put_down(self, cards: list[Card]) -> None:
        for card in cards:
            self.table[card.back].append(card)
