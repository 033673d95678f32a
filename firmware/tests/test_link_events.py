# Events: numbered, kept until acknowledged, sent again on demand; what is lost is said.


from dovetail.clock import sleep_ms
from dovetail.link import codec, events as link_events, frame, names as schema
from dovetail.link.events import KEPT, PLACE, Events
from link_line import Dice, serve


def numbers(reports):
    return [report["event"]["number"] for report in reports if "event" in report]


async def heard(bench):
    await bench.settle()
    return numbers(bench.reports())


def test_an_event_is_sent_at_once_with_its_number_and_time():
    async def run(bench):
        await bench.hello()
        bench.now_ms = 1234
        assert bench.link.event("stack", {"round": 1, "position": 2, "ordered": 3, "delivered": 3}, 41) == 7
        await bench.settle()
        (report,) = bench.reports()
        assert report["event"] == {
            "number": 7,
            "uptime_ms": 1234,
            "record": 41,
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
        assert bench.link.events.count == 1
        replay = await bench.ask({"id": 3, "replay": {"number": 900}})
        assert replay["replayed"]["first"] == 2
        bench.link.event("taken", {})  # not sent yet: a replay from further on must not skip it
        assert bench.link.events.replay(900) == 2
        assert await heard(bench) == [2]
        assert bench.link.events.replay(1) == 1  # of another controller, which hears none of it
        assert bench.link.events.replay(3) == 3  # whoever heard them once goes on from there

    serve(run)


def test_what_is_not_acknowledged_is_sent_again_by_itself():
    async def run(bench):
        bench.link.events.resend_ms = 100
        await bench.hello()
        for _ in range(3):
            bench.link.event("taken", {})
        seen = []
        for _ in range(100):
            bench.now_ms += 50
            await bench.link.look()
            seen += await heard(bench)
            if len(seen) >= 6:
                break
        assert seen[:6] == [1, 2, 3, 3, 3, 3]
        bench.link.events.resend_ms = 3600000
        assert (await bench.ask({"id": 2, "acknowledge": {"number": 3}}))["outcome"] == schema.DONE
        await bench.settle()
        assert (bench.link.events.count, bench.link.events.used) == (0, 0)

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
        assert bench.link.events.number_at(0) == 1

    serve(run)


def test_when_nobody_acknowledges_nothing_new_is_begun():
    async def run(bench):
        await bench.hello()
        id = 2
        while bench.link.events.count <= KEPT - 8:
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


# What a machine tells while it plays, as long as it can be
LONGEST = (
    ("shuffle_done", {"back": 2, "counted_in": 56, "expected": 56, "took_ms": 0xFFFFFFFF}),
    ("ready", {
        "back": 2, "counted_in": 56, "counted_out": 56, "expected": 56, "text": "56 of 56", "cut_required": True,
    }),
    ("stack", {"round": 0xFFFFFFFF, "position": 8, "ordered": 56, "delivered": 56, "from_table": 56, "verdict": 6}),
    ("taken", {"round": 0xFFFFFFFF, "position": 8}),
    ("remainder", {"round": 0xFFFFFFFF, "delivered": 56, "dealt": 56, "expected": 56, "stub": True}),
    ("fault", {"fault": 999, "card": 999, "inside": 112, "cards": "c" * 12, "remove": "abc"}),
    ("trying", {"fault": 999, "card": 999, "tries": 9}),
    ("cleared", {"fault": 999}),
    ("round_void", {"round": 0xFFFFFFFF, "complete": 8, "fault": 999, "stand": 8}),
    ("start_drawn", {"round": 0xFFFFFFFF, "position": 8}),
    ("whole_deck", {"back": 2, "cards": 56, "expected": 56, "cut_required": True}),
    ("deck_age", {"back": 2, "level": 3, "minutes": 0xFFFFFF, "rule": "DL-12"}),
    ("emptied", {"from_wheel": 56, "from_shoe": 56}),
    ("sensor", {
        "name": "thickness_out", "quality": 4, "empty": 4095, "empty_wanted": 4095, "card": 4095, "card_wanted": 4095,
    }),
)  # fmt: skip


def test_whatever_is_told_in_play_has_a_place():
    async def run(bench):
        await bench.hello()
        events = bench.link.events
        bench.now_ms = 0xFFFFFFFF
        for kind, fields in LONGEST:
            for n in range(1, KEPT + 1):
                bench.link.event(kind, fields)
                assert events.used <= n * PLACE, kind
                assert events.crowded() == (n > KEPT - 8), kind
            assert (events.count, events.lost, bench.link.failures) == (KEPT, 0, 0)
            await heard(bench)
            reports = await bench.send(bench.frame({"id": bench.sent + 1, "replay": {}}))
            told = [report["event"] for report in reports if "event" in report]
            assert len(told) == KEPT
            for event in told:
                assert event["uptime_ms"] == 0xFFFFFFFF
                for name in fields:
                    assert event[kind][name] == fields[name]
            events.acknowledge(events.number - 1)
            assert (events.count, events.used) == (0, 0)

    serve(run)


def test_long_ones_take_the_room_of_others_and_stay_whole():
    async def run(bench):
        await bench.hello()
        events = bench.link.events
        for n in range(1, 10):
            bench.link.event("checked", {"name": "beam", "wrong": "w" * (20 * n), "reading": n})
        assert events.crowded()
        assert events.lost == 0
        await heard(bench)
        for first in (1, 2, 5, 8):
            assert events.acknowledge(first - 1)
            reports = await bench.send(bench.frame({"id": bench.sent + 1, "replay": {}}))
            told = [report["event"] for report in reports if "event" in report]
            assert [event["number"] for event in told] == list(range(first, 10))
            for event in told:
                n = event["number"]
                assert event["checked"] == {"name": "beam", "wrong": "w" * (20 * n), "reading": n}
        while not events.lost:
            bench.link.event("checked", {"wrong": "w" * 200})
        assert events.used <= KEPT * PLACE
        assert bench.link.failures == 0

    serve(run)


def test_words_are_added_when_an_event_is_sent():
    async def run(bench):
        def words(kind, fields):
            if kind == "fault":
                fields["name"] = "number %d" % fields["fault"]

        await bench.hello()
        bench.link.events.words = words
        fields = {"fault": 101}
        bench.link.event("fault", fields)
        assert fields == {"fault": 101}
        for _ in range(2):
            await bench.settle()
            (report,) = [report for report in bench.reports() if "event" in report]
            assert report["event"]["fault"]["name"] == "number 101"
            bench.link.events.replay(0)
        bench.link.events.words = lambda kind, fields: fields.update({"name": "x" * frame.MAX_BODY})
        assert bench.link.event("fault", fields) == 0  # it would be longer than a frame
        assert (bench.link.failures, bench.link.events.lost) == (1, 1)

    serve(run)


def test_what_is_new_is_not_told_twice():
    async def run(bench):
        bench.link.events.resend_ms = 1000
        await bench.hello()
        for at in range(10):
            bench.now_ms = 1000 * at
            await bench.link.look()
            assert await heard(bench) == []
            await bench.ask({"id": 2 + at, "heartbeat": {}})
        bench.link.event("taken", {})
        assert await heard(bench) == [1]
        bench.now_ms += 999
        assert await bench.link.look() == 1
        assert await heard(bench) == []
        bench.now_ms += 1
        await bench.link.look()
        assert await heard(bench) == [1]

    serve(run)


def test_an_event_leaves_while_a_frame_comes_in():
    async def run(bench):
        await bench.hello()
        whole = bench.frame({"id": 2, "deal": {"round": 7, "position": 2, "cards": 3}})
        for cut in range(1, len(whole)):
            assert await bench.send(whole[:cut]) == []
            bench.link.event("taken", {"round": cut})
            assert await heard(bench) == [cut]
            reports = await bench.send(whole[cut:])
            assert [report["answer"]["outcome"] for report in reports] == [schema.DONE], cut
            assert bench.link.events.acknowledge(cut)
            whole = bench.frame({"id": 2 + cut, "deal": {"round": 7, "position": 2, "cards": 3}})
        assert sum(bench.link.receiver.bad) == 0

    serve(run)


def test_an_event_that_could_not_be_made_is_sent_later():
    async def run(bench):
        await bench.hello()
        scarce = [0]

        def words(kind, fields):
            if fields["position"] == 1 and scarce[0]:
                scarce[0] -= 1
                raise MemoryError

        bench.link.events.words = words
        for position in range(3):
            bench.link.event("taken", {"position": position})
        scarce[0] = 2
        seen = []
        for _ in range(1000):
            seen += await heard(bench)
            if len(seen) == 3:
                break
            await sleep_ms(1)
        assert seen == [1, 2, 3]
        assert (bench.link.failures, bench.link.events.lost) == (2, 0)

    serve(run)


def test_an_acknowledgement_that_found_no_memory_has_changed_nothing():
    def scarce(buf):
        raise MemoryError

    async def run(bench):
        await bench.hello()
        for _ in range(3):
            bench.link.event("taken", {})
        await heard(bench)
        name = "memoryview"
        setattr(link_events, name, scarce)
        try:
            assert await bench.send(bench.frame({"id": 2, "acknowledge": {"number": 2}})) == []
        finally:
            delattr(link_events, name)
        assert bench.link.events.count == 3
        assert (await bench.ask({"id": 3, "acknowledge": {"number": 2}}))["outcome"] == schema.DONE
        assert (bench.link.events.count, bench.link.events.number_at(0)) == (1, 3)
        assert numbers(await bench.send(bench.frame({"id": 4, "replay": {}}))) == [3]

    serve(run)


def test_random_sequences_keep_what_a_plain_list_keeps():
    dice = Dice(11)
    for _ in range(8):
        events = Events(1, None)
        kept, lost = [], 0  # [(number, kind, fields)], as it should be
        for _ in range(150):
            what = dice.below(10)
            if what < 6:
                kind, fields = ("taken", {"round": dice.below(1 << 30), "position": dice.below(9)})
                if not dice.below(3):
                    kind, fields = "checked", {"name": "n", "wrong": "w" * dice.below(101), "reading": dice.below(4096)}
                room = len(kept) < KEPT and events.used + 80 + len(fields.get("wrong", "")) <= KEPT * PLACE
                before = events.lost
                number = events.add(kind, fields, 5)
                if events.lost == before:
                    kept.append((number, kind, fields))
                else:
                    lost += 1
                    assert not room
            elif what < 8:
                number = dice.below(events.number + 3)
                assert events.acknowledge(number) == (number < events.number)
                if number < events.number:
                    kept = [one for one in kept if one[0] > number]
            else:
                number = dice.below(events.number + 3)
                first = events.replay(number)
                left = [one[0] for one in kept if one[0] >= number]
                assert first <= (left[0] if left else events.number)
            assert (events.count, events.lost) == (len(kept), lost)
            at = 0
            for number, kind, fields in kept:
                assert events.number_at(at) == number
                if number == kept[-1][0]:
                    assert at == events.last
                told = codec.decode(schema.Report, events.report(at))["event"]
                assert told["number"] == number
                for name in fields:
                    assert told[kind][name] == fields[name]
                at = events.find(number + 1)
            assert at == events.used
