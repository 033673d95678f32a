# Sessions: how one begins, what ends it, what each role may ask.

from dovetail.link import roles, names as schema
from dovetail.link.schema import MESSAGES
from link_line import NONCE, serve

DEAL = {"round": 1, "position": 2, "cards": 3}
OTHER = bytes(16)


def test_who_it_is_costs_no_session():
    async def run(bench):
        await bench.hello()
        answer = await bench.greet(1, OTHER, 0)
        assert (answer["outcome"], answer["identity"]["keyed"]) == (schema.DONE, True)
        assert answer["identity"]["nonce"] == b""
        assert (await bench.ask({"id": 2, "deal": DEAL}))["outcome"] == schema.DONE

    serve(run)


def test_frames_of_a_session_that_is_over_are_dropped():
    async def run(bench):
        await bench.hello()
        old = bench.frame({"id": 2, "deal": DEAL})
        await bench.hello(1, OTHER)
        assert await bench.send(old) == []
        await bench.hello(1, NONCE)  # the same controller's nonce as at first: the machine's is another
        assert await bench.send(old) == []
        assert bench.asked == []

    serve(run)


def test_a_hello_alone_ends_nothing_and_the_first_tagged_frame_does():
    async def run(bench):
        await bench.hello()
        first = bench.key
        await bench.greet(1, OTHER, schema.ROLE_AUDIT)
        second, bench.key = bench.key, first
        assert (await bench.ask({"id": 2, "deal": DEAL}))["outcome"] == schema.DONE
        bench.key = second
        assert (await bench.ask({"id": 2, "heartbeat": {}}))["outcome"] == schema.DONE
        assert await bench.send(bench.frame({"id": 3, "deal": DEAL}, first)) == []
        assert bench.guard.noted[:3] == [("began", 1), ("ended", 1), ("began", 3)]

    serve(run)


def test_a_hello_that_comes_again_begins_the_same_session():
    async def run(bench):
        nonces = set()
        for _ in range(3):
            nonces.add((await bench.greet())["identity"]["nonce"])
        await bench.hello()
        nonces.add(bytes(bench.link.sessions.open.own))
        assert len(nonces) == 1
        assert (await bench.ask({"id": 2, "deal": DEAL}))["outcome"] == schema.DONE
        nonces.add((await bench.greet(1, OTHER))["identity"]["nonce"])
        assert len(nonces) == 2

    serve(run)


def test_the_key_of_a_session_says_nothing_to_a_stranger():
    """The hello once more, with the id of a request that is on its way: nobody is told that it is done."""

    async def run(bench):
        await bench.hello()
        key = bench.key
        for id in (1, 2, 700):
            own = (await bench.greet(id))["identity"]["nonce"]
            assert own != bytes(bench.link.sessions.open.own)
            assert bench.key != key
            bench.key = key
            assert (await bench.ask({"id": 10 + id, "deal": DEAL}))["outcome"] == schema.DONE

    serve(run)


def test_a_session_that_is_asked_for_answers_to_its_own_hello_alone():
    async def run(bench):
        first = (await bench.greet(1))["identity"]["nonce"]
        assert (await bench.greet(2))["identity"]["nonce"] != first  # another id: another session

    serve(run)


def test_the_first_frame_of_a_session_may_have_any_counter():
    async def run(bench):
        await bench.greet()
        bench.sent = -1  # the next is 0
        assert (await bench.ask({"id": 2, "deal": DEAL}))["outcome"] == schema.DONE
        bench.sent = -1
        assert await bench.send(bench.frame({"id": 3, "deal": DEAL})) == []  # as old as the one before

    serve(run)


def test_a_session_ends_by_silence_and_its_key_with_it():
    async def run(bench):
        await bench.hello()
        bench.now_ms = 4999
        assert (await bench.ask({"id": 2, "heartbeat": {}}))["outcome"] == schema.DONE
        bench.now_ms = 9998
        assert bench.link.sessions.silent_in() == 1
        bench.now_ms = 9999
        await bench.link.look()
        await bench.settle()
        assert bench.guard.noted[-1] == ("ended", schema.ROLE_TABLE)
        bench.link.event("taken", {})
        await bench.settle()
        assert bench.reports() == []
        (report,) = await bench.send(bench.frame({"id": 3, "deal": DEAL}))
        assert (report["answer"]["id"], report["answer"]["outcome"]) == (3, schema.NO_SESSION)
        assert bench.tagged == [False]
        assert [name for name, _ in bench.asked if name == "deal"] == []
        await bench.hello(4)
        reports = await bench.send(bench.frame({"id": 5, "replay": {}}))
        assert [r["event"]["number"] for r in reports if "event" in r] == [1]

    serve(run)


def test_a_session_that_is_only_asked_for_ends_too():
    async def run(bench):
        await bench.greet()
        bench.now_ms = 5001
        (report,) = await bench.send(bench.frame({"id": 2, "deal": DEAL}))
        assert (report["answer"]["id"], report["answer"]["outcome"]) == (2, schema.NO_SESSION)
        assert (bench.tagged, bench.asked) == ([False], [])
        assert bench.link.sessions.open is None
        assert sum(bench.link.receiver.bad) == 0

    serve(run)


def test_a_role_asks_what_its_table_has():
    async def run(bench):
        names = [field[1] for field in MESSAGES[schema.Request][1:]]
        id = 1
        for role in (schema.ROLE_TABLE, schema.ROLE_SERVICE, schema.ROLE_AUDIT):
            await bench.hello(id, bytes([role] * 16), role)
            for name in names:
                id += 1
                if name == "set_baud":
                    request = {"id": id, name: {"baud": 115200}}
                elif name == "verify":
                    request = {"id": id, name: {"challenge": bytes(32)}}
                else:
                    request = {"id": id, name: {}}
                answer = await bench.ask(request)
                if name == "hello":
                    assert answer["outcome"] == schema.BAD
                elif name in roles.MAY[role]:
                    assert answer["outcome"] == schema.DONE, name
                else:
                    assert (answer["outcome"], answer["rule"]) == (schema.REFUSED, "ROLE"), name
            id += 1
        asked = [name for name, _ in bench.asked]
        assert asked.count("deal") == asked.count("read_journal") == 1

    serve(run)


def test_audit_hears_no_events_and_the_table_does_afterwards():
    async def run(bench):
        await bench.hello(1, NONCE, schema.ROLE_AUDIT)
        bench.link.event("taken", {"position": 1})
        await bench.settle()
        assert bench.reports() == []
        await bench.hello(1, OTHER, schema.ROLE_SERVICE)
        reports = await bench.send(bench.frame({"id": 2, "replay": {}}))
        assert [r["event"]["number"] for r in reports if "event" in r] == [1]

    serve(run)


def test_what_hinders_a_session_is_asked_twice():
    async def run(bench):
        no = {"outcome": schema.REFUSED, "rule": "SERVICE", "text": "a round is open"}
        bench.guard.no[schema.ROLE_SERVICE] = no
        answer = await bench.greet(1, NONCE, schema.ROLE_SERVICE)
        assert (answer["outcome"], answer["rule"]) == (schema.REFUSED, "SERVICE")
        bench.guard.no.clear()
        await bench.greet(1, NONCE, schema.ROLE_SERVICE)
        bench.guard.no[schema.ROLE_SERVICE] = no
        answer = await bench.ask({"id": 2, "cleared": {}})
        assert (answer["outcome"], answer["rule"]) == (schema.REFUSED, "SERVICE")
        assert (bench.link.sessions.open, bench.asked) == (None, [])

    serve(run)


def test_what_is_missing_is_named():
    async def run(bench):
        shuffle = {"back": schema.RED}
        answer = await bench.ask({"id": 1, "shuffle": shuffle})
        assert (answer["outcome"], answer["text"]) == (schema.NO_SESSION, "say hello first")
        await bench.hello(1)
        answer = await bench.ask({"id": 0, "shuffle": shuffle})
        assert (answer["outcome"], answer["text"][:14]) == (schema.BAD, "id: is missing")
        answer = await bench.ask({"id": 2})
        assert (answer["outcome"], answer["text"]) == (schema.BAD, "no request of this schema")
        answer = await bench.ask({"id": 3, "provision": {}})
        assert (answer["rule"], answer["text"]) == ("ROLE", "provision: not in a session of table, but untagged")
        bench.key = None
        answer = await bench.ask({"id": 4, "shuffle": shuffle})
        assert (answer["outcome"], answer["text"][:15]) == (schema.NO_SESSION, "tag: is missing")
        assert bench.asked == []

    serve(run)
