# Events: numbered, kept until acknowledged, sent again on demand; what is lost is said.

import asyncio

from dovetail.link import frame, names as schema
from dovetail.link.events import KEPT, number_of
from link_line import serve


def numbers(reports):
    return [report["event"]["number"] for report in reports if "event" in report]


async def heard(bench):
    await bench.settle()
    return numbers(bench.reports())


def test_an_event_is_sent_at_once_with_its_number_and_time():
    async def run(bench):
        await bench.hello()
        bench.now_ms = 1234
        assert bench.link.event("stack", {"round": 1, "position": 2, "ordered": 3, "delivered": 3}) == 7
        await bench.settle()
        (report,) = bench.reports()
        assert report["event"] == {
            "number": 7,
            "uptime_ms": 1234,
            "stack": {"round": 1, "position": 2, "ordered": 3, "delivered": 3, "from_table": 0, "verdict": 0},
        }

    serve(run, first_event=7)


def test_events_come_in_order_once_and_again_on_replay():
    async def run(bench):
        await bench.hello()
        for position in range(5):
            bench.link.event("taken", {"position": position})
        assert await heard(bench) == [1, 2, 3, 4, 5]
        assert await heard(bench) == []
        reports = await bench.send(bench.frame({"id": 2, "replay": {"number": 4}}))
        assert reports[0]["answer"]["replayed"]["first"] == 4
        assert numbers(reports) == [4, 5]
        bench.link.event("taken", {})
        assert await heard(bench) == [6]

    serve(run)


def test_what_is_acknowledged_is_not_sent_again():
    async def run(bench):
        await bench.hello()
        for _ in range(5):
            bench.link.event("taken", {})
        await heard(bench)
        assert (await bench.ask({"id": 2, "acknowledge": {"number": 3}}))["outcome"] == schema.DONE
        reports = await bench.send(bench.frame({"id": 3, "replay": {"number": 0}}))
        assert reports[0]["answer"]["replayed"]["first"] == 4
        assert numbers(reports) == [4, 5]
        assert (await bench.ask({"id": 4, "acknowledge": {"number": 5}}))["outcome"] == schema.DONE
        reports = await bench.send(bench.frame({"id": 5, "replay": {"number": 1}}))
        assert reports[0]["answer"]["replayed"]["first"] == 6
        assert numbers(reports) == []

    serve(run)


def test_an_event_that_has_not_been_cannot_be_acknowledged():
    async def run(bench):
        await bench.hello()
        bench.link.event("taken", {})
        await heard(bench)
        assert (await bench.ask({"id": 2, "acknowledge": {"number": 2}}))["outcome"] == schema.BAD
        assert len(bench.link.events.kept) == 1
        replay = await bench.ask({"id": 3, "replay": {"number": 900}})
        assert replay["replayed"]["first"] == 2
        bench.link.event("taken", {})  # not sent yet: a replay from further on must not skip it
        assert bench.link.events.replay(900) == 2
        assert await heard(bench) == [2]

    serve(run)


def test_what_is_not_acknowledged_is_sent_again_by_itself():
    async def run(bench):
        bench.link.events.resend_ms = 100
        await bench.hello()
        for _ in range(3):
            bench.link.event("taken", {})
        seen = []
        for _ in range(100):
            await asyncio.sleep(0.1)
            seen += await heard(bench)
            if len(seen) >= 6:
                break
        assert seen[:6] == [1, 2, 3, 3, 3, 3]
        bench.link.events.resend_ms = 3600000
        assert (await bench.ask({"id": 2, "acknowledge": {"number": 3}}))["outcome"] == schema.DONE
        await bench.settle()
        assert bench.link.events.kept == []

    serve(run)


def test_progress_is_not_kept_and_only_the_latest_is_sent():
    async def run(bench):
        await bench.hello()
        for n in range(1, 9):
            assert bench.link.event("progress", {"back": schema.RED, "in_wheel": n}) == 0
        await bench.settle()
        (report,) = bench.reports()
        assert report["event"]["number"] == 0
        assert report["event"]["progress"]["in_wheel"] == 8
        assert bench.link.event("taken", {}) == 1
        assert number_of(bench.link.events.kept[0]) == 1

    serve(run)


def test_when_nobody_acknowledges_nothing_new_is_begun():
    async def run(bench):
        await bench.hello()
        id = 2
        while len(bench.link.events.kept) <= KEPT - 8:
            assert (await bench.ask({"id": id, "deal": {}}))["outcome"] == schema.DONE
            bench.link.event("stack", {})
            await heard(bench)
            id += 1
        for name in ("deal", "shuffle", "open_round"):
            assert (await bench.ask({"id": id, name: {}}))["outcome"] == schema.UNHEARD
            id += 1
        for name in ("status", "heartbeat", "replay"):
            assert (await bench.ask({"id": id, name: {}}))["outcome"] == schema.DONE
            id += 1
        assert (await bench.ask({"id": id, "acknowledge": {"number": 1}}))["outcome"] == schema.DONE
        assert (await bench.ask({"id": id + 1, "deal": {}}))["outcome"] == schema.DONE

    serve(run)


def test_when_there_is_no_room_the_oldest_stay_and_the_loss_is_told():
    async def run(bench):
        await bench.hello()
        for _ in range(KEPT + 3):
            bench.link.event("taken", {})
        assert await heard(bench) == list(range(1, KEPT + 1))
        status = (await bench.ask({"id": 2, "status": {}}))["status"]
        assert (status["next_event"], status["lost_events"]) == (KEPT + 4, 3)
        await bench.ask({"id": 3, "acknowledge": {"number": KEPT}})
        bench.link.event("taken", {})
        assert await heard(bench) == [KEPT + 4]
        replay = await bench.ask({"id": 4, "replay": {"number": KEPT + 1}})
        assert replay["replayed"]["first"] == KEPT + 4  # the three are gone, and this says so

    serve(run)


def test_an_event_that_does_not_fit_the_schema_is_counted_and_does_no_harm():
    async def run(bench):
        await bench.hello()
        bench.link.event("taken", {"colour": 1})
        bench.link.event("nonsense", {})
        bench.link.event("fault", {"name": "x" * frame.MAX_BODY})
        assert bench.link.failures == 3
        assert bench.link.events.lost == 3
        bench.link.event("taken", {})
        assert await heard(bench) == [4]

    serve(run)


def test_events_during_requests_are_neither_lost_nor_torn():
    async def run(bench):
        await bench.hello()
        seen = []
        for id in range(2, 40, 2):
            bench.link.event("taken", {"position": id})
            reports = await bench.send(bench.frame({"id": id, "deal": {}}))
            bench.link.event("stack", {"position": id})
            reports += await bench.send(
                bench.frame({"id": id + 1, "acknowledge": {"number": id - 1}})
            )
            answers = [report["answer"] for report in reports if "answer" in report]
            assert [answer["id"] for answer in answers] == [id, id + 1], reports
            assert [answer["outcome"] for answer in answers] == [schema.DONE] * 2
            seen += numbers(reports)
        assert seen == list(range(1, 39))

    serve(run)
