"""Scenarios of the link: who it is, how it stands, and lines that lose, repeat and garble."""

from __future__ import annotations

from random import Random

from hil_tests.bench import PLAYERS, Bench
from hil_tests.scenario import scenario
from hil_tests.service import at_the_table, of_role
from host_tools.link import frame, link_pb2
from host_tools.link.vectors import fingerprint

NOISE_SEED = 11
AT_REST = (link_pb2.IDLE, link_pb2.READY)


@scenario()
async def hello_tells_who_it_is(bench: Bench) -> None:
    """Board, variant, game, serial number and schema are told, and the same twice."""
    first = await bench.step(bench.client.hello())
    again = await bench.step(bench.client.hello())
    assert first.board.startswith("shuffler_")
    assert first.variant
    assert first.game == "let_it_ride"
    assert first.serial
    assert first.boots >= 1
    assert first.schema == fingerprint()
    assert again.nonce != first.nonce
    again.nonce = first.nonce
    assert again == first


@scenario()
async def status_tells_how_it_stands(bench: Bench) -> None:
    """At rest: no fault, nothing open, no round, no card in wheel or tray."""
    status = await bench.step(bench.client.status())
    assert status.state in AT_REST
    assert (status.fault, status.round, status.wheel, status.tray) == (0, 0, 0, False)
    assert status.lid
    assert status.door
    assert status.mount
    assert not status.may_be_inside
    assert [deck.expected for deck in status.decks] == [52, 52]
    later = await bench.step(bench.client.status())
    assert later.uptime_ms >= status.uptime_ms


@scenario("dealer")
async def a_repeated_request_is_not_done_again(bench: Bench) -> None:
    """The answer to a deal is lost twice: asked three times, answered three times, dealt once."""
    await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    since = len(bench.heard.events)
    bench.tap.lose = 2
    stack = await bench.deal(1)
    assert len(bench.tap.lost) == 2
    assert {answer.outcome for answer in bench.tap.lost} == {link_pb2.DONE}
    assert stack.delivered == stack.ordered == 3
    await bench.take(1)
    assert len(bench.heard.all("stack", since)) == 1
    status = await bench.step(bench.client.status())
    assert (status.stacks, status.shoe) == (1, 49)


@scenario()
async def what_is_no_frame_is_counted_and_ignored(bench: Bench) -> None:
    """Noise, a cut frame, a wrong CRC, an endless one: counted; the next request is answered."""
    before = await bench.step(bench.client.status())
    random = Random(NOISE_SEED)
    good = frame.encode(frame.REQUEST, 1, b"\x08\x01")
    wrong_crc = bytes([good[0], good[1] ^ 1]) + good[2:]
    noise = bytes(random.randrange(1, 256) for _ in range(40)) + b"\0"
    endless = bytes(random.randrange(1, 256) for _ in range(700)) + b"\0"
    for bad in (noise, good[: len(good) // 2] + b"\0", wrong_crc, endless):
        bench.tap.write(b"\0" + bad)
        after = await bench.step(bench.client.status())
        assert after.bad_frames == before.bad_frames + 1
        assert (after.state, after.next_event) == (before.state, before.next_event)
        before = after


@scenario("dealer")
async def a_round_goes_on_after_an_audit(bench: Bench) -> None:
    """A controller that remembers nothing asks the status, and goes on."""
    await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    await bench.deal(1)
    await bench.take(1)
    await bench.client.leave()
    auditor = await of_role(bench, link_pb2.ROLE_AUDIT)
    assert (await auditor.request("meters", link_pb2.GetMeters())).meters.stacks
    await bench.refused(auditor.deal(bench.round, 2), "ROLE")
    await auditor.leave()
    async with at_the_table(bench) as again:
        status = await again.step(again.client.status())
        assert status.phase == link_pb2.PHASE_STACKS
        assert status.last_round == bench.round
        assert (status.stacks, status.owed, status.start) == (1, PLAYERS + 1, 0)
        await again.finish_round(status.stacks)
        closed = await again.step(again.client.status())
        assert (closed.phase, closed.last_round) == (link_pb2.PHASE_CLOSED, bench.round)
