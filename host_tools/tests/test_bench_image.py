"""Both clients refuse a machine whose image may show its keys, unless they are told so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from host_tools.build import c_client
from host_tools.build.board_files import VARIANTS
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import BenchImage
from host_tools.link.keys import ROLES
from host_tools.tests.link_pair import KEYS, Line, Machine
from host_tools.tests.needs import needs
from host_tools.tests.test_c_client_events import Wire
from sim.loop import HeapWorld, run

FIT = "production"
OTHERS = ("bench", "in-process", "", "Production", "production ")


def at(
    variant: str, test: Callable[[Client, Machine], Awaitable[None]], *, bench: bool = False
) -> None:
    """Run a test with a client and a machine of this variant on one line."""

    async def main() -> None:
        line = Line()
        machine = Machine(line, variant)
        client = Client(line, keys=KEYS, provision=True, bench=bench, nonce=bytes(16))
        try:
            await test(client, machine)
        finally:
            await client.close()
            await machine.stop()

    run(HeapWorld(), main())


async def opens(client: Client, machine: Machine) -> None:
    await client.hello()
    await client.shuffle(link_pb2.RED)
    assert ("began", link_pb2.ROLE_TABLE) in machine.guard.noted


async def refuses(client: Client, machine: Machine) -> None:
    with pytest.raises(BenchImage, match=r"read its keys; .*\(--bench"):
        await client.hello()
    for _ in range(2):  # also later, and with nothing tagged in between
        with pytest.raises(BenchImage):
            await client.shuffle(link_pb2.RED)
    await asyncio.sleep(10)  # no chore of the client opens it
    await client.close()
    assert machine.guard.noted == []
    assert machine.asked == []


def test_every_variant_is_named() -> None:
    """A new variant must be put on one of the two sides here."""
    assert {FIT, "bench"} == set(VARIANTS)


def test_a_production_image_is_taken() -> None:
    at(FIT, opens)


@pytest.mark.parametrize("variant", OTHERS)
def test_no_session_begins_with_another_image(variant: str) -> None:
    """Also of no variant at all, and of one that looks like it."""
    at(variant, refuses)


@pytest.mark.parametrize("variant", OTHERS)
def test_who_says_that_this_is_the_bench_has_a_session(variant: str) -> None:
    at(variant, opens, bench=True)


@pytest.mark.parametrize("by", ["hello", "provision"])
def test_no_keys_are_given_to_a_bench_image(by: str) -> None:
    """The line says that the keys never left, not the machine alone."""

    async def test(client: Client, machine: Machine) -> None:
        machine.guard.keys = []
        sent: list[bytes] = []
        machine.line.to_machine = lambda data: sent.append(data) or [data]
        with pytest.raises(BenchImage):
            await (client.hello() if by == "hello" else client.provision(KEYS))
        assert machine.guard.keys == []
        said = b"".join(sent)
        assert said
        assert not any(KEYS.of(role)[:8] in said for role in ROLES.values())

    at("bench", test)


@pytest.mark.parametrize(("variant", "bench"), [(FIT, False), ("bench", True)])
def test_keys_are_given_where_they_may_be(variant: str, bench: bool) -> None:
    async def test(client: Client, machine: Machine) -> None:
        machine.guard.keys = []
        await client.hello()
        assert machine.guard.keys[1] == KEYS.table

    at(variant, test, bench=bench)


def test_a_bench_image_in_the_place_of_the_machine_is_refused() -> None:
    """The machine is swapped, or flashed anew, in the middle of a session."""

    async def test(client: Client, machine: Machine) -> None:
        await opens(client, machine)
        await machine.stop()
        machine.variant = "bench"
        machine.start()
        began = len(machine.guard.noted)
        await asyncio.sleep(20)
        for _ in range(2):
            with pytest.raises(BenchImage):
                await client.shuffle(link_pb2.RED)
        assert len(machine.guard.noted) == began

    at(FIT, test)


# ---- the C client ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    needs("c")
    return c_client.build(tmp_path_factory.mktemp("c_client"))


async def ran(
    folder: Path, program: Path, variant: str, *words: str, keyed: bool = True
) -> tuple[int, str, Machine]:
    """Run a program at a machine of this variant: its status, its complaint, the machine."""
    keys = folder / "keys.txt"
    keys.write_text("".join(f"{KEYS.of(role).hex()}\n" for role in ROLES.values()))
    line = Wire()
    machine = Machine(line, variant)
    if not keyed:
        machine.guard.keys = []
    machine.refusal = {"outcome": link_pb2.BAD, "text": "this machine plays nothing"}
    process = await asyncio.create_subprocess_exec(
        program, *words, line.name, keys, stderr=asyncio.subprocess.PIPE, stdout=-3
    )
    try:
        _, said = await process.communicate()
    finally:
        await machine.stop()
        line.hang_up()
    return process.returncode or 0, said.decode(), machine


@pytest.mark.parametrize("variant", ["bench", ""])
def test_the_c_client_plays_no_bench_image(
    programs: dict[str, Path], tmp_path: Path, variant: str
) -> None:
    status, said, machine = asyncio.run(ran(tmp_path, programs["play_round"], variant))
    assert (status, said.count("\n")) == (1, 1)
    assert "not a production image" in said
    assert "--bench" in said
    assert machine.guard.noted == []
    assert machine.asked == []


@pytest.mark.parametrize(("variant", "words"), [(FIT, ()), ("bench", ("--bench",))])
def test_the_c_client_opens_a_session_where_it_may(
    programs: dict[str, Path], tmp_path: Path, variant: str, words: tuple[str, ...]
) -> None:
    _, said, machine = asyncio.run(ran(tmp_path, programs["play_round"], variant, *words))
    assert "this machine plays nothing" in said
    assert machine.guard.noted[0] == ("began", link_pb2.ROLE_TABLE)


def test_the_c_client_gives_no_keys_to_a_bench_image(
    programs: dict[str, Path], tmp_path: Path
) -> None:
    program = programs["provision"]
    status, said, machine = asyncio.run(ran(tmp_path, program, "bench", keyed=False))
    assert (status, said.count("\n")) == (1, 1)
    assert "--bench" in said
    assert machine.guard.keys == []
    for variant, words in ((FIT, ()), ("bench", ("--bench",))):
        status, said, machine = asyncio.run(ran(tmp_path, program, variant, *words, keyed=False))
        assert (status, said) == (0, "")
        assert machine.guard.keys[1] == KEYS.table
