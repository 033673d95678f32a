# Keys and tags: what has none, or a wrong one, orders nothing.

from dovetail.link import codec, frame, names as schema
from dovetail.hal import wire
from dovetail.link.auth import CONTROLLER, MACHINE, hmac, same, session_secret
from link_line import KEYS, NONCE, Dice, serve

DEAL = {"round": 1, "position": 2, "cards": 3}
OTHER = bytes(16)


def bad(bench, reason):
    return bench.link.receiver.bad[reason]


def test_hmac_is_that_of_rfc_4231():
    # a shorter key is the same as one with zeros behind it
    assert hmac(b"\x0b" * 20 + bytes(12), b"Hi ", b"There")[:8] == b"\xb0\x34\x4c\x61\xd8\xdb\x38\x53"
    assert hmac(b"Jefe" + bytes(28), b"what do ya want ", b"for nothing?")[-4:] == b"\x64\xec\x38\x43"


def test_tags_are_compared_whole():
    assert same(b"abc", b"abc")
    for other in (b"abd", b"bbc", b"ab", b"abcd", b""):
        assert not same(b"abc", other)


def test_without_keys_it_tells_who_it_is_and_takes_keys():
    async def run(bench):
        bench.guard.keys = None
        answer = await bench.greet()
        assert (answer["outcome"], answer["rule"]) == (schema.REFUSED, "KEYS")
        assert (answer["identity"]["serial"], answer["identity"]["keyed"]) == (b"\x01\x02", False)
        assert (await bench.greet(2, role=0))["outcome"] == schema.DONE
        for name in ("status", "deal", "heartbeat", "read_journal", "verify", "acknowledge"):
            answer = await bench.ask({"id": 4, name: {}})
            assert (answer["outcome"], answer["rule"]) == (schema.REFUSED, "KEYS")
        (report,) = await bench.send(bench.frame({"id": 5, "deal": DEAL}, wire.key(bytes(32))))
        assert report["answer"]["rule"] == "KEYS"
        keys = {"table_key": KEYS[1], "service_key": KEYS[2], "audit_key": KEYS[3], "supervisor_key": KEYS[4]}
        assert (await bench.ask({"id": 6, "provision": keys}))["outcome"] == schema.DONE
        await bench.hello(7)
        assert (await bench.ask({"id": 8, "deal": DEAL}))["outcome"] == schema.DONE
        assert [name for name, _ in bench.asked] == ["deal"]

    serve(run)


def test_all_in_a_session_is_tagged():
    async def run(bench):
        await bench.greet()
        assert bench.tagged == [True]
        bench.link.event("taken", {"position": 1})
        await bench.settle()
        assert bench.reports() == []  # it is not open yet
        assert [("event" in r) for r in await bench.send(bench.frame({"id": 2, "deal": DEAL}))] == [False, True]
        assert bench.tagged == [True, True]
        assert bench.guard.noted == [("began", schema.ROLE_TABLE)]

    serve(run)


def test_what_is_not_tagged_orders_nothing():
    async def run(bench):
        await bench.hello()
        for name in ("deal", "heartbeat", "acknowledge", "set_baud", "verify", "cleared"):
            (report,) = await bench.send(bench.untagged({"id": 9, name: {}}))
            assert report["answer"]["outcome"] == schema.NO_SESSION
            assert bench.tagged == [False]
        assert bench.asked == []
        (report,) = await bench.send(bench.untagged({"id": 9, "status": {}}))
        assert report["answer"]["outcome"] == schema.DONE
        assert (await bench.ask({"id": 2, "deal": DEAL}))["outcome"] == schema.DONE

    serve(run)


def test_another_key_another_direction_and_a_changed_bit_are_dropped():
    async def run(bench):
        await bench.hello()
        wrong = [b"x" * 32, KEYS[schema.ROLE_TABLE]]
        wrong.append(session_secret(KEYS[schema.ROLE_AUDIT], schema.ROLE_AUDIT, NONCE, bytes(16)))
        for other in wrong:
            assert await bench.send(bench.frame({"id": 2, "deal": DEAL}, wire.key(other))) == []
        # a frame tagged as if the machine had sent it
        body = codec.encode(schema.Request, {"id": 2, "deal": DEAL})
        assert await bench.send(bench.crooked(body, MACHINE, 0)) == []
        assert await bench.send(bench.crooked(body, CONTROLLER, 1)) == []
        assert bad(bench, frame.WRONG_TAG) == 5
        assert bench.asked == []
        assert (await bench.ask({"id": 2, "deal": DEAL}))["outcome"] == schema.DONE

    serve(run)


def test_a_report_that_is_sent_back_is_dropped():
    async def run(bench):
        await bench.hello()
        bench.uart.coming.append(bench.frame({"id": 2, "deal": DEAL}))
        bench.uart.came.set()
        await bench.settle()
        echo = bytes(bench.uart.gone)
        bench.reports()
        assert await bench.send(echo) == []
        assert bad(bench, frame.UNKNOWN) == 1
        assert len(bench.asked) == 1

    serve(run)


def test_a_frame_that_comes_twice_is_taken_once():
    async def run(bench):
        await bench.hello()
        first = bench.frame({"id": 2, "deal": DEAL})
        second = bench.frame({"id": 3, "deal": DEAL})
        assert len(await bench.send(second)) == 1
        for old in (first, second, second):
            assert await bench.send(old) == []
        assert bad(bench, frame.OLD) == 3
        assert len(bench.asked) == 1
        assert bench.guard.noted == [("began", schema.ROLE_TABLE)]  # no failure

    serve(run)


def test_who_guesses_is_slowed_and_noted():
    async def run(bench):
        wrong = wire.key(b"guess" * 6 + b"!!")
        await bench.hello()
        waits = []
        for _ in range(8):
            for _ in range(3):
                assert await bench.send(bench.frame({"id": 2, "deal": DEAL}, wrong)) == []
            sessions = bench.link.sessions
            waits.append(sessions.held_until - bench.now_ms)
            answer = await bench.greet(1, OTHER)
            assert answer["outcome"] == schema.NOT_NOW
            bench.now_ms = sessions.held_until - 1
            sessions.heard_ms = bench.now_ms
            assert (await bench.greet(1, OTHER))["outcome"] == schema.NOT_NOW
            bench.now_ms += 1
        assert waits == [1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000]
        noted = [entry[3] for entry in bench.guard.noted if entry[0] == "failed"]
        assert noted[:4] == [1, 1, 2, 4]
        assert len(noted) < 10  # and not one for each
        assert bench.asked == []
        # the open session has lived through it, and what is right sets it back
        assert (await bench.ask({"id": 2, "deal": DEAL}))["outcome"] == schema.DONE
        assert bench.link.sessions.hold_ms == 1000
        await bench.hello(1, OTHER)
        assert sum(entry[3] for entry in bench.guard.noted if entry[0] == "failed") == 24

    serve(run)


def test_three_wrong_tags_forget_what_was_asked_for():
    async def run(bench):
        await bench.greet()
        key = bench.key
        for _ in range(3):
            assert await bench.send(bench.frame({"id": 2, "deal": DEAL}, wire.key(bytes(32)))) == []
        (report,) = await bench.send(bench.frame({"id": 2, "deal": DEAL}, key))
        assert report["answer"]["outcome"] == schema.NO_SESSION

    serve(run)


def test_frames_of_a_thief_of_the_wire_change_nothing():
    # All that was heard of one session, and of a second one up to its hello: again, bent, cut, in any order
    async def run(bench):
        heard = []
        await bench.hello()
        for id in range(2, 8):
            heard.append(bench.frame({"id": id, "deal": DEAL}))
            await bench.send(heard[-1])
        hello = {"id": 1, "hello": {"version": 1, "nonce": OTHER, "role": 1}}
        heard.append(bench.untagged(hello))
        await bench.hello(1, b"n" * 16)
        asked = len(bench.asked)
        dice = Dice(11)
        for _ in range(400):
            piece = bytearray(heard[dice.below(len(heard))])
            if dice.below(2):
                piece[dice.below(len(piece))] ^= 1 << dice.below(8)
            bench.uart.coming.append(bytes(piece) + b"\0")
        bench.uart.came.set()
        for _ in range(20):
            await bench.settle()
        bench.uart.gone = bytearray()
        assert len(bench.asked) == asked
        assert bench.link.failures == 0
        assert (await bench.ask({"id": 2, "deal": DEAL}))["outcome"] == schema.DONE

    serve(run)
