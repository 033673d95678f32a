"""The `dovetail journal` command: reading, stories, proof, bundle, bad input."""

from __future__ import annotations

import asyncio
import csv
import json
import struct
import zipfile
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest
from dovetail import start  # pyright: ignore[reportUnknownVariableType]: device code
from dovetail.journal.journal import Journal as Device  # pyright: ignore[reportUnknownVariableType]

from hil_tests import disturbances
from hil_tests.bench import Bench
from host_tools import key_file
from host_tools.hands import SimulatedHands
from host_tools.journal import bundle, command, meters, source, story
from host_tools.journal.segments import (
    KIND_NAMES,
    SECTOR,
    Journal,
    Record,
    find,
    parse_segment,
)
from host_tools.journal.verify import verify
from host_tools.journal.words import told as sentence
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.keys import of_seed
from host_tools.rigs import Rig, beside
from sim.block import Block
from sim.inprocess import InProcess
from sim.loop import run

SEED = 4
NOON = 1_800_000_000
KEYS = of_seed(SEED)
KEY = KEYS.audit
NEW_KEY = of_seed(SEED + 1).audit


class Past:
    """A machine with a past, and what its controller read of it."""

    def __init__(self) -> None:
        self.whole = InProcess(SEED)
        self.read: Journal | None = None
        self.meters: dict[str, int] = {}
        self.followed: list[str] = []
        run(self.whole.world, beside(self.whole.start(), self.live()))
        self.flash = bytes(self.whole.store.cells)

    async def live(self) -> None:
        """Keys, a round, a round that an open lid ends; then an auditor reads the journal."""
        whole = self.whole
        hands = SimulatedHands(whole.hands, SEED)
        rig = Rig("", whole.transport, hands, hands, whole.machine, whole.world.now_ns, keys=KEYS)
        bench = Bench(rig)
        await bench.prepare()
        await bench.client.request("set_clock", link_pb2.SetClock(time=NOON))
        await bench.ready()
        await bench.whole_round()
        await disturbances.the_lid_is_opened_while_dealing(bench)
        await bench.client.leave()
        auditor = rig.client(role=link_pb2.ROLE_AUDIT, nonce=bytes(16))
        await auditor.hello()
        await self.look(auditor, start.machine)
        await auditor.close()

    async def look(self, client: Client, machine: Any) -> None:
        """All of it, the meters, and what comes after."""
        reader = source.Reader.of(client)
        self.read = await reader.all()
        answer = (await client.request("meters", link_pb2.GetMeters())).meters
        self.meters = {
            field.name: getattr(answer, field.name) for field in answer.DESCRIPTOR.fields
        }
        last = max(record.number for record in self.read.records())
        for n in range(120):  # over the end of two segments
            machine.note("retry", {"fault": 102, "card": n, "tries": 1, "recovered": 1})
        await machine.settled()
        async with asyncio.timeout(30):
            async for more in reader.follow():
                self.followed = [
                    f"{record.kind} {record.get('card')}"
                    for record in more.records()
                    if record.number > last
                ]
                if len(self.followed) >= 120:
                    break


@pytest.fixture(scope="module")
def past() -> Past:
    return Past()


@pytest.fixture
def files(past: Past, tmp_path: Path) -> dict[str, str]:
    """A copy of the flash, keys, and a place to write to."""
    (tmp_path / "flash.bin").write_bytes(past.flash)
    (tmp_path / "audit.key").write_text(KEY.hex() + "\n")
    (tmp_path / "wrong.key").write_text(NEW_KEY.hex())
    key_file.write(tmp_path / "keys.json", {b"simulate".hex(): KEYS})
    key_file.write(tmp_path / "others.json", {"00": KEYS})
    names = ("flash.bin", "audit.key", "wrong.key", "keys.json", "others.json", "out")
    return {name: str(tmp_path / name) for name in names}


def call(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit status, output, errors."""
    try:
        status = command.main(words)
    except SystemExit as end:
        status = int(str(end.code))
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_the_link_gives_what_lies_on_flash(past: Past) -> None:
    assert past.read is not None
    over_link = [record.raw for record in past.read.records()]
    on_flash = [record.raw for record in Journal.of(find(past.flash)).records()]
    assert over_link == on_flash[: len(over_link)]
    assert len(on_flash) == len(over_link) + 120
    assert past.followed == [f"retry {n}" for n in range(120)]


def test_meters_over_the_link_are_those_of_the_journal(past: Past) -> None:
    assert past.read is not None
    counted = meters.after(past.read)
    assert counted == past.meters
    wanted = {
        "boots": 1,
        "rounds": 2,
        "rounds_closed": 1,
        "voids": 1,
        "voids_interlock": 1,
        "stacks": 5,
    }
    wanted |= {"shuffles": 2, "cards_shuffled": 104, "cards_last_shuffle": 52, "clearings": 1}
    assert {name: counted[name] for name in wanted} == wanted


def test_the_chain_is_proven_with_the_right_key(
    files: dict[str, str], past: Past, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--flash", files["flash.bin"], "--verify")
    count = sum(1 for _ in Journal.of(find(past.flash)).records())
    for key in (("--key", files["audit.key"]), ("--keys", files["keys.json"])):
        status, out, _ = call(*where, *key, capsys=capsys)
        assert status == 0
        assert "the journal is whole" in out
        assert f"{count} read, {count} proven" in out
    status, _, err = call(*where, "--keys", files["others.json"], capsys=capsys)
    assert status == 2
    assert f"no keys of the machine {b'simulate'.hex()}" in err
    for key, wanted in (((), 0), (("--key", files["wrong.key"]), 1)):
        status, out, _ = call(*where, *key, capsys=capsys)
        assert status == wanted
        assert "chained with another key: numbers and checksums only" in out


@pytest.mark.parametrize("what", ["changed", "left out", "swapped", "put in"])
def test_what_was_tampered_with_shows(past: Past, what: str) -> None:
    """By somebody who makes right checksums but has no key."""
    from dovetail.journal import record

    format_: Any = record

    cells = bytearray(past.flash)
    records = list(Journal.of(find(past.flash)).records())
    place = [
        next(at for at in range(0, len(cells), 64) if bytes(cells[at : at + 64]) == one.raw)
        for one in records[5:8]
    ]
    first, second, third = (bytearray(one.raw) for one in records[5:8])
    seal = format_.seal
    if what == "changed":
        second[20] ^= 1
        seal(second, 0, bytes(second[44:60]))
    elif what == "left out":
        second = bytearray(64)
    elif what == "swapped":
        second[2:6], third[2:6] = third[2:6], second[2:6]
        seal(second, 0, bytes(second[44:60]))
        seal(third, 0, bytes(third[44:60]))
        second, third = third, second
    else:
        second = bytearray(first)
        second[2:6] = records[6].raw[2:6]
        seal(second, 0, bytes(range(16)))
    for at, raw in zip(place, (first, second, third), strict=True):
        cells[at : at + 64] = raw
    found = verify(Journal.of(find(bytes(cells))), KEY)
    assert not found.good
    assert any("altered" in line or "missing" in line for line in found.problems)


def test_a_chain_that_needs_no_key_proves_nothing(past: Past) -> None:
    """Forged with the key of 32 zeros that stands for none: from the start, or at the end."""
    block = Block(4 * SECTOR)
    forged: Any = Device(block, b"simulate")
    assert not verify(Journal.of(find(bytes(block.cells))), KEY).good
    raw = find(past.flash)
    forged.segment = max(raw)
    forged.before = list(Journal.of(raw).records())[-1].tag
    forged.prepare()
    forged.rekey()
    raw[forged.segment] = bytes(block.cells[forged.ring.at(forged.segment) :][:SECTOR])
    found = verify(Journal.of(raw), KEY)
    assert any("without a key" in line for line in found.problems)


def test_a_segment_that_was_left_out_shows(past: Past) -> None:
    raw = find(past.flash)
    del raw[sorted(raw)[1]]
    assert not verify(Journal.of(raw), KEY).good


def test_an_export_can_be_proven_again(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--flash", files["flash.bin"])
    assert call(*where, "--export", "jsonl", "--out", files["out"], capsys=capsys)[0] == 0
    lines = [json.loads(line) for line in Path(files["out"]).read_text().splitlines()]
    kinds = [line["kind"] for line in lines if "kind" in line]
    assert kinds[:7] == ["started", *["setting"] * 4, "session", "clock"]
    again = ("--export-file", files["out"], "--verify", "--key", files["audit.key"])
    status, out, _ = call(*again, capsys=capsys)
    assert status == 0
    assert f"{len(kinds)} read, {len(kinds)} proven" in out


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("word", "line 15: its words are not those of its bytes"),
        ("kind", "line 15: its words are not those of its bytes"),
        ("header", "line 1: its words are not those of its bytes"),
        ("twice", "there is another one of this place"),
        ("first", "record 1 is missing"),
    ],
)
def test_an_export_that_was_edited_is_not_whole(
    files: dict[str, str], change: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where only what people read was changed, and without a key."""
    out = Path(files["out"])
    call("--flash", files["flash.bin"], "--export", "jsonl", "--out", files["out"], capsys=capsys)
    rows = [json.loads(row) for row in out.read_text().splitlines()]
    if change == "word":
        name, value = next(iter(rows[14]["fields"].items()))
        rows[14]["fields"][name] = value + 1
    elif change == "kind":
        rows[14]["kind"] = "alive"
    elif change == "header":
        rows[0]["first"] = 2
    elif change == "twice":
        rows.append({**rows[13], "offset": rows[14]["offset"]})
    else:
        del rows[1]
    out.write_text("\n".join(map(json.dumps, rows)))
    for key in ((), ("--key", files["audit.key"])):
        status, text, _ = call("--export-file", files["out"], "--verify", *key, capsys=capsys)
        assert status == 1
        assert says in text
        assert "NOT WHOLE" in text


def test_what_was_there_stays_when_nothing_can_be_written(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file is there whole or as it was; a device is not replaced by a file."""
    out = tmp_path / "kept"
    out.write_text("before")
    (tmp_path / "kept.partial").mkdir()  # nothing can be written there
    for words in (("--export", "csv", "--out", str(out)), ("--bundle", str(out))):
        status, _, err = call("--flash", files["flash.bin"], *words, capsys=capsys)
        assert (status, len(err.splitlines())) == (2, 1)
        assert out.read_text() == "before"
    full = Path("/dev/full")
    for option in ("--out", "--bundle"):
        status, _, err = call("--flash", files["flash.bin"], option, str(full), capsys=capsys)
        assert (status, err) == (2, f"{full}: No space left on device\n")
        assert full.is_char_device()


def test_csv_is_one_row_a_record(
    files: dict[str, str], past: Past, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = call("--flash", files["flash.bin"], "--export", "csv", capsys=capsys)
    rows = list(csv.DictReader(out.splitlines()))
    assert len(rows) == sum(1 for _ in Journal.of(find(past.flash)).records())
    ready = next(row for row in rows if row["kind"] == "ready")
    assert "counted_in=52; counted_out=52; expected=52" in ready["fields"]
    assert ready["time"].startswith("2027-01-15T08:0")


def test_the_story_of_a_round(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call("--flash", files["flash.bin"], "--story", "round=1", capsys=capsys)
    lines = out.splitlines()
    assert "the red deck begins to go into the wheel" in lines[0]
    assert "round 1 is open" in out
    assert lines[-1].endswith("together 52 of 52: every card is accounted for")


def test_the_story_of_a_void_round(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = call("--flash", files["flash.bin"], "--story", "round=2", capsys=capsys)
    assert "ROUND 2 IS VOID: lid open (interlock); 1 stacks were complete" in out
    assert out.splitlines()[-1].startswith("round 2: 2 stacks, ")
    assert "it is void: lid open (interlock)" in out.splitlines()[-1]


def test_a_round_is_not_void_because_another_was() -> None:
    """The blue deck is shuffled while the red one is dealt, and that round ends void."""
    told: list[tuple[str, dict[str, int | str]]] = [
        ("opened", {"round": 1, "players": 1, "positions": 2, "back": 1}),
        ("shuffle_begun", {"back": 2, "deck": 2, "service": 0}),
        ("round_void", {"round": 1, "complete": 0, "fault": 0, "stand": 0, "reason": 0}),
        ("opened", {"round": 2, "players": 1, "positions": 2, "back": 2}),
        ("remainder", {"round": 2, "delivered": 52, "dealt": 0, "expected": 52, "inside": 0}),
        ("closed", {"round": 2}),
    ]
    records = [Record(n, 1, 0, 0, kind, fields, b"") for n, (kind, fields) in enumerate(told, 1)]
    first, second = (list(story.tell(records, f"round={n}")) for n in (1, 2))
    assert "it is void: declared void at the table; 0 stacks" in first[-1]
    assert second[-1].endswith("together 52 of 52: every card is accounted for")
    assert "VOID" not in "".join(second)
    records[2].fields.update(fault=706, reason=5)
    assert "it is void: the power went" in list(story.tell(records, "round=1"))[-1]
    assert list(story.tell(records[3:4] + records[5:], "round=2"))[-1].endswith("it is closed")


def test_the_story_of_an_incident(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = call("--flash", files["flash.bin"], "--story", "fault=last", capsys=capsys)
    assert "FAULT 701: lid open (interlock)" in out
    assert "To do: remove the cards inside, close the lid" in out
    assert "cleared of fault 701" in out.splitlines()[-1]


def test_every_kind_has_a_sentence_and_no_field_is_left_over() -> None:
    from dovetail.journal.kinds import KINDS

    from host_tools.journal.segments import KIND_NAMES, Record
    from host_tools.journal.words import SENTENCES, told

    assert set(SENTENCES) == set(KIND_NAMES)
    for _, kind, _, names, _ in KINDS:
        for value in (0, 1, 2):
            text = told(Record(1, 1, 0, 0, kind, dict.fromkeys(names, value), b""))
            assert "{" not in text
            assert text


def test_the_bundle_holds_nothing_secret(past: Past, tmp_path: Path) -> None:
    journal = Journal.of(find(past.flash))
    path = tmp_path / "support.zip"
    bundle.write(path, journal, {"board": "shuffler_rp2040"})
    content = b""
    with zipfile.ZipFile(path) as opened:
        names = opened.namelist()
        for name in names:
            content += opened.read(name)
    assert {"README.txt", "about.json", "journal.jsonl", "meters.json", "check.txt"} <= set(names)
    settings = past.flash[: 2 * SECTOR]
    assert KEY in settings  # the machine does hold it
    for secret in (KEY, KEY.hex().encode(), settings[:64], settings[SECTOR : SECTOR + 64]):
        assert secret not in content
    first = path.read_bytes()
    bundle.write(path, journal, {"board": "shuffler_rp2040"})
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "say where from"),
        (("--flash", "FLASH", "--port", "x"), "say where from"),
        (("--flash", "FLASH", "--verify", "--meters"), "one thing at a time"),
        (("--flash", "FLASH", "--export", "xml"), "no format 'xml'; there is: jsonl, csv"),
        (("--flash", "FLASH", "--follow"), "--follow goes with --port"),
        (("--flash", "FLASH", "--key", "x"), "--key goes with --verify"),
        (("--flash", "nowhere.bin"), "nowhere.bin"),
        (("--flash", __file__), "no journal is in it"),
        (("--export-file", __file__), "line 1 is none of an export"),
        (("--flash", "FLASH", "--verify", "--key", __file__), "64 hexadecimal digits"),
        (("--flash", "FLASH", "--story", "round=99"), "no record of this round is kept"),
        (("--flash", "FLASH", "--story", "round"), "say which, as in round=12"),
        (("--flash", "FLASH", "--story", "round=²"), "say which, as in round=12"),
        (("--flash", "FLASH", "--story", "round=" + "9" * 5000), "say which, as in round=12"),
        (("--flash", "FLASH", "--story", "fault=0"), "say which"),
        (("--flash", "FLASH", "--story", ""), "there is: round, fault, start"),
        (("--flash", "FLASH", "--export", ""), "there is: jsonl, csv"),
        (("--flash", "FLASH", "--bundle", ""), "Is a directory"),
        (("--flash", "FLASH", "--bundle", "/"), "Is a directory"),
        (
            ("--flash", "FLASH", "--verify", "--keys", "/nowhere/keys"),
            "/nowhere/keys: No such file",
        ),
        (("--flash", "FLASH", "--verify", "--key", "/nowhere/k"), "/nowhere/k: No such file"),
        (("--port", ""), "no such port"),
        (("--flash", "FLASH", "--story", "novel=1"), "there is: round, fault, start"),
        (("--flash", "FLASH", "--out", "/nowhere/out"), "/nowhere/out"),
        (("--port", "/dev/nowhere"), "/dev/nowhere"),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(
    files: dict[str, str], words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [files["flash.bin"] if word == "FLASH" else word for word in words]
    status, out, err = call(*given, capsys=capsys)
    assert status == 2
    assert out == ""
    assert says in err
    assert len(err.splitlines()) == 1


def test_a_story_needs_its_records() -> None:
    with pytest.raises(Exception, match="no fault is kept"):
        story.of_fault([], 0)


def test_no_record_however_forged_stops_the_tool(past: Past) -> None:
    """Right checksums around any bytes, in any kind: told, counted and bundled, and not proven."""
    random = Random(7)
    for n in range(200):
        raw = find(past.flash)
        number = random.choice(sorted(raw))
        cells = bytearray(raw[number])
        at = random.choice([one.offset for one in parse_segment(number, bytes(cells)).records])
        cells[at] = n % (len(KIND_NAMES) + 2) + 1
        cells[at + 20 : at + 44] = random.randbytes(24)
        cells[at + 60 : at + 64] = struct.pack("<I", crc32(cells[at : at + 60]))
        raw[number] = bytes(cells)
        journal = Journal.of(raw)
        assert dict(bundle.files(journal, {}))["journal.txt"]
        assert list(meters.table(meters.after(journal)))
        assert not verify(journal, KEY).good


def of(kind: str, **fields: int) -> str:
    """Return the words of a record with these fields."""
    return sentence(Record(1, 1, 0, 0, kind, dict[str, int | str](fields), b""))


def test_a_deck_that_was_brought_is_never_called_shuffled() -> None:
    """SH-6: its declaration, its count and its delivery say how its order came to be."""
    brought = int(link_pb2.BROUGHT)
    assert "brought in an order made before" in of("declared", back=1, deck=2, brought=1, new=1)
    counted = {"back": 1, "counted_in": 52, "counted_out": 52, "expected": 52, "took_ms": 9}
    for text in (
        of("shuffle_done", order=brought, **counted),
        of("ready", order=brought, **counted),
        of("whole_deck", order=brought, back=1, cards=52, expected=52),
    ):
        assert "carried over as it was brought" in text
        assert "shuffled" not in text
    assert "shuffled by this machine" in of("ready", order=link_pb2.SHUFFLED, **counted)


def test_a_new_deck_says_that_the_supervisor_said_so() -> None:
    """SH-11: the table declares the first deck of a colour, which needs no supervisor."""
    declared = {"back": 1, "deck": 3}
    table, supervisor = int(link_pb2.ROLE_TABLE), int(link_pb2.ROLE_SUPERVISOR)
    assert "a new one, as the supervisor said" in of("declared", new=1, role=supervisor, **declared)
    first = of("declared", new=1, role=table, **declared)
    assert "a new one" in first
    assert "supervisor" not in first
    again = of("declared", new=0, role=supervisor, **declared)
    assert "new" not in again
    assert "supervisor" not in again


def test_a_void_round_says_why_and_how_long_its_hands_stand() -> None:
    void = {"round": 7, "complete": 3, "stand": 2, "standing": 5}
    until = of("round_void", fault=402, reason=link_pb2.BY_FAULT, provisional=1, **void)
    assert until.startswith("ROUND 7 IS VOID: jam (shoe)")
    assert until.endswith("2 stand until the deck is counted: position 1, 3")
    exposed = of("round_void", fault=0, reason=link_pb2.EXPOSED, provisional=0, **void)
    assert "a card of the dealer's was seen too early" in exposed
    assert exposed.endswith("2 stand for good: position 1, 3")
    assert of("round_void", round=7, complete=3, reason=link_pb2.WRONG_STUB).endswith("none stands")


def test_the_story_of_a_round_with_a_brought_deck_never_says_shuffle() -> None:
    """SH-6: from the first card that goes in to the end of the round; a count makes hands stand."""
    brought = int(link_pb2.BROUGHT)
    counted = {"back": 1, "counted_in": 52, "counted_out": 52, "expected": 52, "order": brought}
    void = {"round": 1, "complete": 1, "fault": 402, "stand": 1, "standing": 1, "reason": 2}
    told: list[tuple[str, dict[str, int]]] = [
        ("shuffle_begun", {"back": 1, "deck": 1, "service": 0}),
        ("shuffle_done", {**counted, "took_ms": 9}),
        ("ready", counted),
        ("opened", {"round": 1, "players": 1, "positions": 2, "back": 1, "owes": 0, "pair": 0}),
        ("round_void", {**void, "provisional": 1}),
        ("round_void", {**void, "provisional": 0}),
    ]
    records = [
        Record(n, 1, 0, 0, kind, dict[str, int | str](fields), b"")
        for n, (kind, fields) in enumerate(told, 1)
    ]
    lines = list(story.tell(records, "round=1"))
    assert "shuffle" not in "".join(lines)
    assert "carried over as it was brought" in lines[2]
    assert lines[-1].endswith("1 stand for good: position 1")


def test_what_happens_beside_play_is_told() -> None:
    """A table that was idle, a clock, keys, a session that asks for too much."""
    assert "shuffled before that" not in of("idle", decks=0)
    assert "the red and the blue deck" in of("idle", decks=6)
    times = {"before": NOON, "after": NOON + 9, "jump_s": 9}
    assert of("clock", taken=0, **times).endswith("a jump of 9 s: it is not taken")
    assert of("clock", taken=1, **times).endswith("on a table's word, the first since power-on")
    assert of("clock", taken=2, **times).endswith("on the supervisor's or service's word")
    assert "supervisor's too" in of("keys_renewed", role=link_pb2.ROLE_SUPERVISOR)
    assert of("spared", records=12).startswith("12 records")
    assert "were taken away" in of("setting", name=7, generation=3)
    assert of("removed", back=1, deck=2, barred=1, role=4).endswith(
        "for good, after a lock-out, said by the supervisor"
    )
    assert of("removed", back=1, deck=2, barred=0, role=1).endswith("for good, said by the table")


def test_each_setting_is_told_by_its_own_name(past: Past) -> None:
    """Four keys, as a machine writes them down when it gets them."""
    told = [sentence(one) for one in Journal.of(find(past.flash)).records()]
    roles = ("table", "service", "audit", "supervisor")
    keys = [text.partition(" was set")[0] for text in told if " was set, generation" in text]
    assert keys == [f"the {role} key" for role in roles]
