# Requests: each is answered, none is done twice, and nothing that comes in stops the link.

from dovetail.link import codec, frame, names as schema
from dovetail.link.schema import FINGERPRINT
from link_line import IDENTITY, NONCE, Dice, serve

DEAL = {"round": 1, "position": 2, "cards": 3}


def test_hello_tells_who_it_is():
    async def run(bench):
        answer = await bench.hello()
        assert answer["outcome"] == schema.DONE
        identity = answer["identity"]
        for name, value in IDENTITY.items():
            assert identity[name] == value
        assert identity["version"] == 1
        assert identity["schema"] == FINGERPRINT
        assert identity["first_event"] == 5

    serve(run, first_event=5)


def test_before_hello_only_the_status_is_told():
    async def run(bench):
        assert (await bench.ask({"id": 1, "status": {}}))["outcome"] == schema.DONE
        for name in ("shuffle", "deal", "cleared", "acknowledge", "replay"):
            assert (await bench.ask({"id": 2, name: {}}))["outcome"] == schema.NO_SESSION
        assert [name for name, _ in bench.asked] == ["status"]
        assert (await bench.hello(2))["outcome"] == schema.DONE
        assert (await bench.ask({"id": 3, "deal": DEAL}))["outcome"] == schema.DONE

    serve(run)


def test_a_hello_of_another_version_or_nonce_begins_nothing():
    async def run(bench):
        for version, nonce in ((2, NONCE), (0, NONCE), (1, b""), (1, NONCE + b"x")):
            hello = {"id": 1, "hello": {"version": version, "nonce": nonce}}
            assert (await bench.ask(hello))["outcome"] == schema.BAD
        assert (await bench.ask({"id": 2, "shuffle": {}}))["outcome"] == schema.NO_SESSION

    serve(run)


def test_what_handle_answers_is_told():
    async def run(bench):
        await bench.hello()
        bench.answer = {"outcome": schema.REFUSED, "rule": "DS-4", "fault": 31, "text": "bets"}
        answer = await bench.ask({"id": 2, "deal": DEAL})
        assert bench.asked == [("deal", DEAL)]
        bench.answer["id"] = 2
        assert answer == bench.answer

    serve(run)


def test_a_repeated_request_is_answered_again_and_not_done_again():
    async def run(bench):
        await bench.hello()
        for id in range(2, 6):
            await bench.ask({"id": id, "deal": {"position": id}})
        bench.answer = {"outcome": schema.REFUSED}  # what doing it again would say
        for id in (5, 2, 4, 3):
            answer = await bench.ask({"id": id, "deal": {"position": id}})
            assert answer["outcome"] == schema.DONE
        assert len(bench.asked) == 4

    serve(run)


def test_what_was_done_is_told_when_it_is_on_flash():
    async def run(bench):
        await bench.hello()
        bench.guard.waits = True
        assert await bench.send(bench.frame({"id": 2, "deal": DEAL})) == []
        assert len(bench.asked) == 1
        bench.guard.waits = False
        (report,) = await bench.send(b"")
        assert (report["answer"]["id"], report["answer"]["outcome"]) == (2, schema.DONE)
        for name in ("status", "heartbeat", "acknowledge"):  # these order nothing
            await bench.ask({"id": 3, name: {}})
        assert bench.guard.settles == 1

    serve(run)


def test_what_flash_has_refused_is_not_told_as_done():
    async def run(bench):
        await bench.hello()
        bench.guard.keeps = False
        for _ in range(2):  # it stays so when it is asked again
            assert (await bench.ask({"id": 2, "deal": DEAL}))["outcome"] == schema.FAILED
        assert len(bench.asked) == 1

    serve(run)


def test_an_id_is_never_used_for_two_things():
    async def run(bench):
        await bench.hello()
        await bench.ask({"id": 2, "deal": DEAL})
        assert (await bench.ask({"id": 2, "shuffle": {}}))["outcome"] == schema.BAD
        assert len(bench.asked) == 1

    serve(run)


def test_an_id_that_is_forgotten_is_not_done_again():
    async def run(bench):
        await bench.hello()
        for id in range(2, 50):
            await bench.ask({"id": id, "deal": DEAL})
        for id in range(2, 46):
            assert (await bench.ask({"id": id, "deal": DEAL}))["outcome"] == schema.BAD
        assert len(bench.asked) == 48

    serve(run)


def test_a_request_that_was_overtaken_is_still_done_once():
    async def run(bench):
        await bench.hello()
        await bench.ask({"id": 3, "deal": {"position": 3}})
        for _ in range(2):
            assert (await bench.ask({"id": 2, "deal": {"position": 2}}))["outcome"] == schema.DONE
        assert [fields["position"] for _, fields in bench.asked] == [3, 2]

    serve(run)


def test_a_new_nonce_begins_anew_and_the_same_goes_on():
    async def run(bench):
        await bench.hello(1)
        await bench.ask({"id": 2, "deal": DEAL})
        await bench.hello(1)  # the first one, come again: the session stays
        await bench.ask({"id": 2, "deal": DEAL})
        assert len(bench.asked) == 1
        await bench.hello(3)  # the same controller once more
        await bench.ask({"id": 2, "deal": DEAL})
        assert len(bench.asked) == 1
        await bench.hello(1, bytes(16))  # another: its ids are its own
        await bench.ask({"id": 2, "deal": DEAL})
        assert len(bench.asked) == 2

    serve(run)


def test_an_id_from_before_the_hello_is_not_done():
    async def run(bench):
        await bench.hello(40)
        assert (await bench.ask({"id": 39, "deal": DEAL}))["outcome"] == schema.BAD
        assert bench.asked == []

    serve(run)


def test_what_cannot_be_read_is_answered_as_bad():
    async def run(bench):
        await bench.hello()
        for body in (b"\xff\xff", b"", b"\x08\x00", b"\x1a\x00"):
            (report,) = await bench.send(bench.frame(body))
            assert report["answer"]["outcome"] == schema.BAD
            assert report["answer"]["id"] == 0
        (report,) = await bench.send(bench.frame(b"\x08\x07\xfa\x07\x00"))  # id 7, unknown request
        assert (report["answer"]["id"], report["answer"]["outcome"]) == (7, schema.BAD)
        assert bench.asked == []

    serve(run)


def test_an_error_inside_is_told_and_the_link_lives():
    async def run(bench):
        await bench.hello()
        bench.answer = RuntimeError("inside")
        answer = await bench.ask({"id": 2, "deal": DEAL})
        assert (answer["outcome"], answer["text"]) == (schema.FAILED, "RuntimeError")
        assert bench.link.failure is bench.answer
        cases = (None, 5, {"colour": 1}, {"text": "x" * 600}, {"outcome": -1})
        for at, bench.answer in enumerate(cases):
            answer = await bench.ask({"id": 3 + at, "deal": DEAL})
            assert answer["outcome"] == schema.FAILED, bench.answer
        assert bench.link.failures == 6
        bench.answer = {"outcome": schema.DONE}
        assert (await bench.ask({"id": 9, "deal": DEAL}))["outcome"] == schema.DONE

    serve(run)


def test_even_an_error_of_the_link_itself_does_not_end_it():
    async def run(bench):
        await bench.hello()
        session = bench.link.sessions.open
        whole = session.answered
        session.answered = None
        assert await bench.send(bench.frame({"id": 2, "deal": DEAL})) == []
        assert bench.asked == []
        session.answered = whole
        (report,) = await bench.send(bench.frame({"id": 2, "deal": DEAL}))
        assert report["answer"]["outcome"] == schema.DONE
        assert bench.link.failures == 1

    serve(run)


def test_the_status_carries_what_the_link_knows():
    async def run(bench):
        await bench.hello()
        bench.now_ms = 0x1_0000_0005
        bench.link.event("taken", {"round": 1})
        await bench.send(b"noise\0")
        status = (await bench.ask({"id": 2, "status": {}}))["status"]
        assert status["state"] == schema.IDLE
        assert (status["next_event"], status["bad_frames"], status["uptime_ms"]) == (2, 1, 5)

    serve(run)


def test_random_and_mutated_bytes_change_nothing():
    async def run(bench):
        await bench.hello()
        dice = Dice(3)
        good = bench.frame({"id": 2, "deal": DEAL})
        noise = b""
        for _ in range(400):
            piece = bytearray(dice.bytes(dice.below(30)) if dice.below(2) else good)
            if piece:
                piece[dice.below(len(piece))] ^= 1 + dice.below(255)
            noise += bytes(piece) + b"\0"
            if len(noise) > 2000:
                assert await bench.send(noise) == []
                noise = b""
        assert bench.asked == []
        assert bench.link.failures == 0
        (report,) = await bench.send(good)
        assert report["answer"]["outcome"] == schema.DONE

    serve(run)


def test_good_frames_of_random_messages_are_answered_each():
    async def run(bench):
        await bench.hello()
        dice = Dice(4)
        for at in range(300):
            body = bytearray(codec.encode(schema.Request, {"id": 10 + at, "deal": DEAL}))
            for _ in range(1 + dice.below(3)):
                body[dice.below(len(body))] = dice.below(256)
            reports = await bench.send(bench.frame(bytes(body)))
            assert len(reports) == 1
            assert reports[0]["answer"]["outcome"] != schema.FAILED
        assert bench.link.failures == 0
        assert sum(bench.link.receiver.bad) == 0

    serve(run)


def test_the_longest_body_is_read():
    async def run(bench):
        await bench.hello()
        filler = b"\xfa\x07\xf5\x03" + bytes(501)  # field 127, skipped
        body = codec.encode(schema.Request, {"id": 9, "deal": {"round": 1}}) + filler
        assert len(body) <= frame.MAX_BODY
        (report,) = await bench.send(bench.frame(bytes(body)))
        assert report["answer"]["outcome"] == schema.DONE

    serve(run)
