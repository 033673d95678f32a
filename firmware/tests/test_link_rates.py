# Rates, the heartbeat, and the proof of the program: what a session is used for beside orders.

import asyncio

from dovetail.clock import sleep_ms
from dovetail.link import names as schema
from dovetail.hal import wire
from link_line import NONCE, PROGRAM, serve

DEAL = {"round": 1, "position": 2, "cards": 3}
OTHER = bytes(16)


def test_the_status_says_whose_session_it_is():
    async def run(bench):
        await bench.hello(1, NONCE, schema.ROLE_SERVICE)
        status = (await bench.ask({"id": 2, "status": {}}))["status"]
        assert (status["session"], status["state"]) == (schema.ROLE_SERVICE, schema.SERVICE)

    serve(run)


def test_the_heartbeat_tells_the_status_when_it_is_another():
    async def run(bench):
        await bench.hello()
        first = (await bench.ask({"id": 2, "heartbeat": {}}))["beat"]
        digest = first["digest"]
        assert digest
        assert first["status"]["digest"] == digest
        assert (await bench.ask({"id": 3, "status": {}}))["status"]["digest"] == digest
        bench.now_ms = 1000
        await bench.send(b"noise\0")
        beat = (await bench.ask({"id": 4, "heartbeat": {"digest": digest}}))["beat"]
        assert "status" not in beat
        assert (beat["digest"], beat["uptime_ms"], beat["next_event"]) == (digest, 1000, 1)
        await bench.hello(5, OTHER, schema.ROLE_SERVICE)
        beat = (await bench.ask({"id": 6, "heartbeat": {"digest": digest}}))["beat"]
        assert beat["digest"] != digest
        assert beat["status"]["state"] == schema.SERVICE

    serve(run)


def test_a_rate_is_changed_after_the_answer_and_kept_when_it_is_used():
    async def run(bench):
        await bench.hello()
        for baud in (0, 9601, 115201, 1000000):
            assert (await bench.ask({"id": 2 + baud, "set_baud": {"baud": baud}}))["outcome"] == schema.BAD
        assert bench.uart.baud == 115200
        assert (await bench.ask({"id": 2000000, "set_baud": {"baud": 921600}}))["outcome"] == schema.DONE
        assert bench.uart.baud == 921600
        await bench.ask({"id": 2000001, "heartbeat": {}})
        bench.now_ms = 3000
        await bench.link.look()
        await bench.settle()
        assert bench.uart.baud == 921600
        bench.now_ms = 6000
        await bench.link.look()
        await bench.settle()
        assert bench.link.sessions.open is None
        assert bench.uart.baud == 115200  # where the next session begins

    serve(run)


def test_a_rate_that_nobody_uses_goes_back():
    async def run(bench):
        await bench.hello()
        await bench.ask({"id": 2, "set_baud": {"baud": 9600}})
        bench.now_ms = 999
        await bench.link.look()
        await bench.settle()
        assert bench.uart.baud == 9600
        bench.now_ms = 1000
        await bench.link.look()
        await bench.settle()
        assert bench.uart.baud == 115200
        assert (await bench.ask({"id": 2, "set_baud": {"baud": 9600}}))["outcome"] == schema.DONE
        assert bench.uart.baud == 115200  # answered again, not done again
        assert bench.link.sessions.open is not None

    serve(run)


def test_an_error_at_the_end_of_a_session_keeps_no_rate():
    async def run(bench):
        def ended(role):
            bench.guard.ended = before
            raise MemoryError

        before = bench.guard.ended
        await bench.hello()
        await bench.ask({"id": 2, "set_baud": {"baud": 921600}})
        await bench.ask({"id": 3, "heartbeat": {}})
        bench.guard.ended = ended
        bench.now_ms = 6000
        for _ in range(1000):  # its own looks, which come every second
            await bench.settle()
            if bench.uart.baud == 115200:
                break
            await sleep_ms(5)
        assert bench.uart.baud == 115200
        assert bench.link.sessions.open is None
        assert bench.link.failures == 1
        await bench.hello(1, OTHER)

    serve(run)


def test_program_flash_is_proved():
    async def run(bench):
        await bench.hello(1, NONCE, schema.ROLE_AUDIT)
        for length in (0, 31, 33):
            ask = {"id": 10 + length, "verify": {"challenge": bytes(length)}}
            assert (await bench.ask(ask))["outcome"] == schema.BAD
        for first, challenge in ((100, b"c" * 32), (300, b"d" * 32)):
            seen = []
            verified = {"done": 0, "digest": b""}
            for turn in range(200):
                verified = (await bench.ask({"id": first + turn, "verify": {"challenge": challenge}}))["verified"]
                seen.append(verified["done"])
                if verified["digest"]:
                    break
                await asyncio.sleep(0)
            assert seen == sorted(seen)
            assert verified["done"] == verified["size"] == len(PROGRAM)
            assert verified["digest"] == wire.mac(bench.key, b"V" + challenge, PROGRAM)

    serve(run)
