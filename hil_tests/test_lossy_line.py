"""A line on which one byte in a hundred is bent or lost, each way: every stack comes once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from host_tools import rigs
from host_tools.build.told import Tell
from host_tools.evidence.drawn import amount
from host_tools.hands import SimulatedHands
from host_tools.link.client import bench_client, kind_of
from host_tools.link.transport import Transport
from host_tools.link_tools.disturb import Disturber, Shares
from host_tools.play.story import Story
from host_tools.play.table import Plan, Table

ROUNDS = amount(200, 60)
SEED = 4
PLAYERS = 5
STACKS = PLAYERS + 1
SHARES = Shares(drop=0.005, flip=0.005)
TRIES = 60  # of every request: an exchange of a hundred bytes comes through once in three


class Lossy:
    """A transport in front of another, as a bad cable is."""

    def __init__(self, line: Transport, shares: Shares, seed: int) -> None:
        self.on_bytes: Callable[[bytes], None] = lambda data: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self.ways = Disturber(shares, f"{seed} out"), Disturber(shares, f"{seed} in")
        self._line = line
        line.on_bytes = self._heard

    def write(self, data: bytes) -> None:
        """To the machine."""
        self._line.write(b"".join(piece for _, piece in self.ways[0].take(data)))

    def set_baud(self, baud: int) -> None:
        """Of the line."""
        self._line.set_baud(baud)

    def close(self) -> None:
        """Of the line."""
        self._line.close()

    def _heard(self, data: bytes) -> None:
        self.on_bytes(b"".join(piece for _, piece in self.ways[1].take(data)))


def play(rounds: int, seed: int) -> tuple[Table, Lossy, list[int], int]:
    """So many rounds: the table, its line, the cards of each stack in the hands, dropped frames."""

    async def body(rig: rigs.Rig) -> tuple[Table, Lossy, list[int], int]:
        line = Lossy(rig.transport, SHARES, seed)
        client = bench_client(line, keys=rig.keys, provision=True, nonce=bytes(16), tries=TRIES)
        assert isinstance(rig.dealer, SimulatedHands)
        plan = Plan(rounds=rounds, players=PLAYERS)
        table = Table(client, rig.dealer, Story(rig.now_ms), plan)
        try:
            await table.play()
            bad = (await client.status()).bad_frames
        finally:
            await table.close()
        return table, line, [len(stack) for stack in rig.dealer.hands.stacks], bad

    return rigs.in_process(rigs.Wanted(seed=seed), body)


@pytest.mark.slow
@pytest.mark.proof(name="lossy_line")
def test_rounds_on_a_lossy_line(tell: Tell) -> None:
    table, line, taken, bad = play(ROUNDS, seed=SEED)
    played = table.played
    assert (played.rounds, played.wrong) == (ROUNDS, [])
    told = Counter(
        (event.stack.round, event.stack.position)
        for event in table.heard.events
        if kind_of(event) == "stack"
    )
    wanted = [(n, p) for n in range(1, ROUNDS + 1) for p in range(1, STACKS + 1)]
    assert told == Counter(wanted), "a stack was told twice, or never"
    # what came out of the machine: six stacks of three and a stub of 34 for each round, no more
    assert taken == ([3] * STACKS + [52 - 3 * STACKS]) * ROUNDS
    assert table.client.lost_events == []
    assert bad > ROUNDS, "the line was not lossy"
    for way in line.ways:
        counts = way.counts
        share = (counts["drop"] + counts["flip"]) / counts["bytes"]
        assert 0.008 < share < 0.012, counts
    assert not any(event.fault.fault for event in table.heard.events)
    tell(f"link, lossy line: {table.played.rounds} rounds, {len(wanted)} stacks, each once")
