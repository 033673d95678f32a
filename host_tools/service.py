"""`dovetail service`: the self-test of a machine, an axis by itself, every sensor as it reads."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from host_tools import rigs
from host_tools.arguments import Parser, bench_option, one_of, whole_number
from host_tools.build.tell import BuildError, UsageError, stop
from host_tools.fault_options import asked, never_struck
from host_tools.hands import Hands, Person
from host_tools.heard import Heard
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import LinkError, Refused

PURPOSE = "Test, move or read a machine in a service session, with nothing inside."
EXAMPLES = (
    "dovetail service self-test --port /dev/ttyUSB0     every axis, sensor, lamp and switch",
    "dovetail service self-test --card --port /dev/ttyUSB0   and one card past every sensor",
    "dovetail service switches --port /dev/ttyUSB0      lid, door and mount, opened and closed",
    "dovetail service sensors --port /dev/ttyUSB0       what each of them reads now",
    "dovetail service jog wheel 100 --port /dev/ttyUSB0 an axis by itself, so many steps",
    "dovetail service self-test --depth in-process --fault home.blind=1   see it fail",
)
AXES = ("pick", "feed", "wheel", "eject", "deal")
DOES = ("self-test", "switches", "sensors", "jog")
SWITCHES = ("lid", "door", "mount")
SETTLED_S = 0.1
TEST_S, JOG_S = 30.0, 30.0
MOST = 2**32 - 1  # what a field of the request holds
READS = {
    "thickness_in": "no card: about 400, 600 more a layer",
    "thickness_out": "no card: about 400, 600 more a layer",
    "back": "no card: under 600",
    "supply": "24 V: 3200, at least 2600",
    "infeed": "a card: over 2000",
    "shoe": "a card: over 2000",
    "tray": "a card: over 2000",
    "crank": "at rest: over 2000",
}


def parser() -> Parser:
    """The options of the command."""
    p = Parser("service", PURPOSE, EXAMPLES)
    p.add_argument("what", help=f"one of: {', '.join(DOES)}")
    p.add_argument("axis", nargs="?", help=f"of jog, one of: {', '.join(AXES)}")
    p.add_argument("steps", nargs="?", type=whole_number(1, MOST), help="of jog")
    p.add_argument("--card", action="store_true", help="self-test with a good card in the infeed")
    p.add_argument("--reverse", action="store_true", help="jog the other way")
    p.add_argument(
        "--slow", type=whole_number(1, MOST), metavar="US", help="a step in no less than this"
    )
    p.add_argument("--depth", help=f"one of: {', '.join(rigs.DEPTHS)} (default: real with --port)")
    p.add_argument("--port", help="serial port of the machine's link")
    p.add_argument("--keys", type=Path, metavar="FILE", help="its key file; see dovetail keys")
    bench_option(p)
    p.add_argument("--fault", action="append", default=[], metavar="NAME=AT", help="plant a fault")
    return p


def check_line(checked: link_pb2.Checked) -> str:
    """One line of the report."""
    reading = f"{checked.reading:6}" if checked.reading else " " * 6
    name = checked.name.replace("_", " ")
    return f"{'FAILED' if checked.wrong else 'ok':<7}{name:<14}{reading}  {checked.wrong}".rstrip()


async def self_test(client: Client, card: bool) -> list[str]:
    """Lines as they come; whether all was well stands in the last of them."""
    heard = Heard(client)
    try:
        await client.request("self_test", link_pb2.SelfTest(card=card))
        done = (await heard.wait("self_tested", 0, TEST_S)).self_tested
        checked = heard.all("checked", 0)
        lines = [check_line(event.checked) for event in checked]
    finally:
        await heard.close()
    said = "passed" if not done.failed else f"FAILED: {done.failed}"
    said = f"self-test {said}, {done.checks} checks, {done.took_ms / 1000:.1f} s"
    stuck = any(event.checked.name == "card" and event.checked.wrong for event in checked)
    if card and not done.failed:
        lines.append("the card lies in the tray: take it out")
    elif stuck:
        lines.append("the card lies in the machine: take it out, then say that it is cleared")
    elif not card:
        lines.append("not tried without a card: that rollers take one, and sensors see it: --card")
    lines.append("lamps and buzzer are for eye and ear; a switch that sticks is found by: switches")
    lines.append(said)
    return lines


async def switches(client: Client, hands: Hands) -> list[str]:
    """Each of them opened and closed, and seen so."""
    lines: list[str] = []
    wrong = 0
    for name in SWITCHES:
        for safe in (False, True):
            await hands.switch(name, safe)
            await asyncio.sleep(SETTLED_S)
            read = (await client.request("read_sensors", link_pb2.ReadSensors())).sensors
            good = getattr(read, name) == safe
            wrong += not good
            said = "" if good else f"reads {'open' if safe else 'closed'}: look at it and its wire"
            word = "closed" if safe else "open"
            lines.append(f"{'ok' if good else 'FAILED':<7}{name + ' ' + word:<20}  {said}".rstrip())
    lines.append(f"switches {f'FAILED: {wrong}' if wrong else 'passed'}")
    return lines


async def sensors(client: Client) -> list[str]:
    """What each of them reads."""
    read = (await client.request("read_sensors", link_pb2.ReadSensors())).sensors
    lines: list[str] = []
    for field in read.DESCRIPTOR.fields:
        value, name = getattr(read, field.name), field.name.removeprefix("read_")
        if field.type != field.TYPE_BOOL:
            hint = READS.get(name, "free: over 2000")
            lines.append(f"{name.replace('_', ' '):<14}{value:6}  {hint}")
        elif name in ("lid", "door", "mount"):
            lines.append(f"{name:<14}{'safe' if value else 'open':>6}")
        else:
            lines.append(f"{name:<14}{'dark' if value else 'free':>6}")
    return lines


async def jog(client: Client, axis: str, steps: int, reverse: bool, slow_us: int) -> list[str]:
    """So many steps; how many were made."""
    heard = Heard(client)
    try:
        order = link_pb2.Jog(axis=axis, steps=steps, reverse=reverse, slow_us=slow_us)
        await client.request("jog", order)
        done = (await heard.wait("jogged", 0, JOG_S)).jogged
    finally:
        await heard.close()
    why = f"; stopped: {done.stopped}" if done.stopped else ""
    return [f"{done.axis}: {done.steps} steps made of {steps}{why}"]


async def serve(client: Client, args: Namespace, hands: Hands | None) -> bool:
    """What was asked for; whether it came out well."""
    assert hands is not None  # of a person, at a real machine
    await client.hello(old_events=False)
    if args.what == "self-test":
        if args.card:
            await hands.lay()
        lines = await self_test(client, args.card)
    elif args.what == "switches":
        lines = await switches(client, hands)
    elif args.what == "sensors":
        lines = await sensors(client)
    else:
        lines = await jog(client, args.axis, args.steps, args.reverse, args.slow or 0)
    print("\n".join(lines))
    return "FAILED" not in lines[-1]


def wanted(args: Namespace) -> tuple[str, rigs.Wanted]:
    """Depth and rig; raises UsageError."""
    one_of("service", args.what, DOES)
    if (args.what == "jog") != (args.axis is not None and args.steps is not None):
        raise UsageError("service: jog takes an axis and a number of steps, and nothing else does")
    if args.card and args.what != "self-test":
        raise UsageError("service: --card goes with self-test")
    if args.what == "jog":
        one_of("axis", str(args.axis), AXES)
    depth = one_of("depth", args.depth or "real", rigs.DEPTHS)
    if args.port and depth != "real":
        raise UsageError(f"--port goes with --depth real, not {depth}")
    if depth == "real" and args.fault:
        raise UsageError("--fault: faults can be planted in the simulated machine only")
    planted = asked(args.fault)
    return depth, rigs.Wanted(
        faults=planted, port=args.port, keys=args.keys, bench=args.bench, hands=Person()
    )


def main(argv: Sequence[str] | None = None) -> int:
    """0 when all is well, 1 when a check has failed, 2 when it could not be asked."""
    try:
        args = parser().parse_args(argv)
        depth, rig_wanted = wanted(args)

        async def body(rig: rigs.Rig) -> bool:
            client = rig.client(role=link_pb2.ROLE_SERVICE)
            try:
                good = await serve(client, args, rig.hands)
            finally:
                await client.close()
            if rig.machine is not None:
                for line in never_struck(rig_wanted.faults, rig.machine.faults):
                    print(line)
            return good

        return 0 if rigs.DEPTHS[depth](rig_wanted, body) else 1
    except (LinkError, Refused) as error:
        stop(UsageError(f"service: {error}"))
    except BuildError as error:
        stop(error)


if __name__ == "__main__":
    sys.exit(main())
