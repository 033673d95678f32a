"""Plan tours through the table of transitions: paths that a dealer can walk at a real machine.

A tour covers pairs: a row of the table that has changed something, and the row that the next event
meets; what is done then is told apart by its numbers too, what is refused is not.
What a machine does by itself comes in its own time, so a state that it leaves at once lets nothing
else happen, and faults strike only where something moves. `hil_tests/replay.py` walks the tours;
there a machine answers, and what it permits is judged by others.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from heapq import heappop, heappush
from random import Random

from dovetail.table import conditions, decks
from dovetail.table.layout import (
    AGE_BLUE,
    AGE_RED,
    BACK,
    CARD,
    CLOCK,
    CLOCK_RED,
    DRAW,
    FAULT,
    JOB,
    LAST,
    LOOK,
    OPEN,
    ORDER_BLUE,
    ORDER_RED,
    OUT,
    PAIR,
    REST,
    ROUNDS_PER_COUNT,
    SHOE,
    STACK,
    START,
    TAKE,
    TRAY,
    WANTED,
    WHEEL,
    WHOLE,
)
from dovetail.table.system import NoSuch

from host_tools.rules import device
from host_tools.rules.events import Bound, Event, events

Pair = tuple[str, str]
Node = tuple[bytes, str]  # a state, and the row that led there
ON_TABLE = (decks.AWAY, decks.WHOLE, decks.GONE, decks.BARRED, decks.LOCKED)
NEAR = 400  # nodes that are looked at for the next pair, before another machine begins
PLAY = (
    *("load", "shuffle", "moved", "emptied", "open", "no_more_bets", "draw_start", "start_drawn"),
    *("deal", "delivered", "taken", "remainder", "deliver", "close"),
)
SMOOTH, TROUBLE = 1, 6  # what an event costs on the way to a pair
LEADS_ON, HAPPENS = 0.88, 0.4  # how often one who wanders takes what leads on; else, is done
FOUND_EMPTY = Event("found")
DEALT_BY = (STACK, DRAW, CARD)
OUT_BY = (REST, BACK, WHOLE)


@dataclass(frozen=True)
class Edge:
    """An event at a state: the row that it meets, and the state after it; the same if refused."""

    event: Event
    row: str
    after: bytes
    refused: bool
    played: str = ""  # how the decks stand that a round is opened with

    @property
    def key(self) -> str:
        """Return what a tour covers: the row, of what is done the numbers, of rounds the decks."""
        if self.refused:
            return self.row
        return f"{self.row} {','.join(map(str, self.event.numbers))}{self.played}"


def how_decks_stand(s: bytes) -> str:
    """Return what is known of both decks, of their turns and counts, before a round."""
    due = s[CLOCK] >= ROUNDS_PER_COUNT, s[CLOCK_RED] >= ROUNDS_PER_COUNT
    known = (s[1], s[2], s[ORDER_RED], s[ORDER_BLUE], s[AGE_RED], s[AGE_BLUE], s[LAST], s[PAIR])
    return f" of {','.join(map(str, known))}, due {due}"


def row_met(p: device.Profile, s: bytes, event: Event) -> str:
    """Return the name of the row that decides this event: its number, or the shared reason."""
    name, shared, rows = device.find(event.name)
    numbers = event.numbers
    for reason in shared:
        if getattr(conditions, reason)(p, s, *numbers):
            return f"{name}: {reason}"
    for i, row in enumerate(rows):
        if device.holds(row, p, s, *numbers):
            return f"{name}: {i}"
    raise NoSuch(name)


Way = tuple[Pair, list[Edge]]  # a pair that is left, and the way to it and beyond
NOWHERE: Way = (("", ""), [])


@dataclass
class Tours:
    """The graph of one bound, read as far as it is asked for, and the pairs that are left."""

    bound: Bound
    p: device.Profile = field(init=False)
    all_events: list[Event] = field(init=False)
    covered: set[Pair] = field(default_factory=set[Pair])
    given_up: set[Pair] = field(default_factory=set[Pair])
    at: dict[Pair, Node] = field(default_factory=dict[Pair, Node])  # where each comes soonest
    came: dict[Node, tuple[Node, Edge] | None] = field(
        default_factory=lambda: {(device.first(), ""): None}
    )
    _edges: dict[Node, list[Edge]] = field(default_factory=dict[Node, list[Edge]])

    def __post_init__(self) -> None:
        """Read the profile and the events of the bound."""
        bound = self.bound
        self.p = device.profile(bound.game, bound.by_hand, bound.continuous)
        self.all_events = events(bound, self.p)

    def edges(self, node: Node) -> list[Edge]:
        """Return what a dealer can let happen there, one edge for each row and state after it."""
        if node not in self._edges:
            found: dict[tuple[str, bytes], Edge] = {}
            for event in self.all_events:
                if may_come(self.p, node, event):
                    edge = self._edge(node[0], event)
                    if edge is not None:
                        found.setdefault((edge.key, edge.after), edge)
            self._edges[node] = list(found.values())
        return self._edges[node]

    def _edge(self, s: bytes, event: Event) -> Edge | None:
        try:
            entry = device.find(event.name)
            after, _, no = device.decide(entry, self.p, s, *event.numbers)
        except (NoSuch, IndexError, ValueError):
            return None
        played = how_decks_stand(s) if event.name == "open" else ""
        return Edge(event, row_met(self.p, s, event), after, no is not None, played)

    def wander(self, node: Node, random: Random) -> Edge | None:
        """Return something that may come there: mostly what leads on, now and then anything."""
        edges = self.edges(node)
        s = node[0]
        done = [edge for edge in edges if edge.after != s]
        on = [edge for edge in done if is_smooth(self.p, edge.event) or mends(s, edge.event)]
        for some, often in ((on, LEADS_ON), (done, HAPPENS), (edges, 1.0)):
            if some and random.random() < often:
                return random.choice(some)
        return random.choice(edges) if edges else None

    def _to_the_cards(self, node: Node) -> list[Edge]:
        """Return the smooth way from a round that was opened to its first cards."""
        end = "no_more_bets" if self.p.by_hand else "delivered"
        came: dict[Node, tuple[Node, Edge] | None] = {node: None}
        todo = deque([node])
        while todo and len(came) < NEAR:
            node = todo.popleft()
            for edge in self.edges(node):
                if edge.refused or not is_smooth(self.p, edge.event):
                    continue
                after: Node = (edge.after, edge.row)
                if edge.event.name == end:
                    return [*self._way(came, node), edge]
                if after not in came:
                    came[after] = node, edge
                    todo.append(after)
        return []

    def _whole(self, way: list[Edge]) -> list[Edge]:
        """Return the way, and on to the first cards where it opens a round."""
        last = way[-1]
        if last.refused or last.event.name != "open":
            return way
        return [*way, *self._to_the_cards((last.after, last.row))]

    def explore(self, limit: int) -> bool:
        """Find a way to every pair, smooth play first; False: there are more nodes than that."""
        first = next(iter(self.came))
        todo: list[tuple[int, int, Node]] = [(0, 0, first)]
        cost = {first: 0}
        done: set[Node] = set()
        while todo and len(done) < limit:
            so_far, _, node = heappop(todo)
            if node in done:
                continue
            done.add(node)
            for edge in self.edges(node):
                self.at.setdefault((node[1], edge.key), node)
                after: Node = (edge.after, edge.row)
                total = so_far + (SMOOTH if is_smooth(self.p, edge.event) else TROUBLE)
                if edge.after != node[0] and total < cost.get(after, total + 1):
                    cost[after] = total
                    self.came[after] = node, edge
                    heappush(todo, (total, len(cost), after))
        return not todo

    def left(self) -> list[Pair]:
        """Return the pairs that are left, the soonest reached first."""
        return [one for one in self.at if one not in self.covered and one not in self.given_up]

    def begin(self, random: Random) -> Way:
        """Return the way from a new machine to one of the pairs that are left; empty: none is."""
        left = self.left()
        if not left:
            return NOWHERE
        pair = random.choice(left)
        node = self.at[pair]
        edge = next(one for one in self.edges(node) if one.key == pair[1])
        return pair, self._whole([*self._way(self.came, node), edge])

    def nearest(self, start: Node, limit: int = NEAR) -> Way:
        """Return the shortest way from there to a pair that is left; empty: none is near."""
        came: dict[Node, tuple[Node, Edge] | None] = {start: None}
        todo = deque([start])
        while todo and len(came) < limit:
            node = todo.popleft()
            for edge in self.edges(node):
                pair = (node[1], edge.key)
                if pair not in self.covered and pair not in self.given_up:
                    return pair, self._whole([*self._way(came, node), edge])
                after: Node = (edge.after, edge.row)
                if edge.after != node[0] and after not in came:
                    came[after] = node, edge
                    todo.append(after)
        return NOWHERE

    def _way(self, came: dict[Node, tuple[Node, Edge] | None], node: Node) -> list[Edge]:
        way: list[Edge] = []
        step = came[node]
        while step is not None:
            node, edge = step
            way.append(edge)
            step = came[node]
        return way[::-1]


def is_smooth(p: device.Profile, event: Event) -> bool:
    """Return whether a table at which nothing goes wrong would see this."""
    _, a, b, _ = event.numbers
    if event.name in ("filled", "rest_out"):
        return a == p.cards
    return event.name in PLAY and (event.name != "delivered" or a == b)


def mends(s: bytes, event: Event) -> bool:
    """Return whether this leads back to play after something went wrong."""
    if event.name == "remove_deck":
        return s[event.numbers[0]] == decks.LOCKED
    return event.name in ("cleared", "in_service", "closed_again") or event == FOUND_EMPTY


def may_come(p: device.Profile, node: Node, event: Event) -> bool:
    """Return whether a dealer can let this happen there, or whether the machine does it now."""
    s, _ = node
    d, a, b, _ = event.numbers
    name = event.name
    if s[START] == WANTED and not s[FAULT]:
        return name == "start_drawn"
    held = s[WHEEL] and s[s[WHEEL]] == decks.HELD
    if held and not s[SHOE] and not s[FAULT] and not s[OUT]:
        return name == "moved"
    filling = bool(s[WHEEL]) and s[s[WHEEL]] == decks.SHUFFLING
    moving = bool(s[SHOE]) and s[s[SHOE]] == decks.MOVING
    if name == "filled":
        return filling
    if name == "emptied":
        return moving and (a, b) == (p.cards, p.cards)
    if name == "delivered":
        return s[JOB] in DEALT_BY and a >= b
    if name == "rest_out":
        return s[JOB] in OUT_BY and b == (p.rest or 9)
    if name == "taken":
        return s[JOB] == TAKE or (s[JOB] == 0 and bool(s[TRAY]))
    if name == "unloaded":
        return s[d] == decks.DECLARED
    if name == "tray_seen":
        return s[JOB] == 0 and not s[TRAY] and decks.AWAY in s[1:3] and not s[FAULT]
    if name == "stop":
        return (filling or moving or s[JOB] in DEALT_BY + OUT_BY) and not s[FAULT]
    if name == "shuffle":
        return not b
    if name == "lock":
        return s[JOB] in OUT_BY and d == s[SHOE] and not s[FAULT]
    if name == "found":
        return bool(s[LOOK])
    if name == "opened":
        return not s[OPEN]
    if name == "closed_again":
        return bool(s[OPEN])
    if name in ("cleared", "in_service"):
        return a == 0
    if name == "load":
        known = s[d] != decks.AWAY or s[LAST] == d
        if a and not known:
            return False
        lies = decks.DECLARED in s[1:3] or decks.SHUFFLING in s[1:3]
        return bool(b) if lies else not b or s[d] in ON_TABLE
    if name == "remove_deck":
        lies = decks.DECLARED in s[1:3] or decks.SHUFFLING in s[1:3]
        return bool(b) if lies else not b or s[d] in ON_TABLE
    return name not in ("moved", "start_drawn", "down", "age", "time")
