"""`dovetail calibrate`: measure a board's sensors with one good card, or show how they read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from dovetail import faults
from dovetail.calibration import WORDS

from host_tools import rigs
from host_tools.arguments import Parser, bench_option, one_of, whole_number
from host_tools.build.board_files import VARIANTS
from host_tools.build.tell import BuildError, UsageError, stop
from host_tools.hands import Person
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import Faulted, LinkError, Refused

LIMIT_S = 60.0
CLEAR_S = 60.0


def parser() -> Parser:
    """The options of the command."""
    p = Parser(
        "calibrate",
        "Measure a board's sensors with one good card; what is good enough is kept.",
        [
            "dovetail calibrate --port /dev/ttyUSB0          one card through the machine",
            "dovetail calibrate --port /dev/ttyUSB0 --show   how its sensors read in play",
            "dovetail calibrate --depth in-process           a simulated board",
        ],
    )
    p.add_argument("--depth", default="real", help=f"one of: {', '.join(rigs.DEPTHS)}")
    p.add_argument("--port", help="serial port of the machine's link")
    p.add_argument("--keys", type=Path, metavar="FILE", help="its key file; see dovetail keys")
    bench_option(p)
    p.add_argument("--variant", help=f"image to emulate, one of: {', '.join(VARIANTS)}")
    p.add_argument("--seed", type=whole_number(0), default=7, metavar="N", help="of the simulation")
    p.add_argument("--show", action="store_true", help="nothing moves, nothing is kept")
    return p


async def show(client: Client) -> None:
    """A line a sensor."""
    said = (await client.request("calibration", link_pb2.GetCalibration())).calibration
    print(f"calibration: {said.state}")
    for sensor in said.sensors:
        print(
            f"  {sensor.name:<14} {WORDS[sensor.quality] or 'not looked at':<14} "
            f"empty {sensor.empty or '-':>5}, wanted {sensor.empty_wanted:>5}   "
            f"card {sensor.card or '-':>5}, wanted {sensor.card_wanted:>5}"
        )


async def calibrate(rig: rigs.Rig, client: Client) -> bool:
    """One card through the machine; whether the calibration is in force."""
    assert rig.hands is not None
    await rig.hands.lay()
    await client.request("calibrate", link_pb2.Calibrate())
    event = await client.wait_for("calibrated", timeout_s=LIMIT_S)
    await show(client)
    said = event.calibrated
    if not said.passed:
        print(f"not calibrated: {said.text}", file=sys.stderr)
        return False
    assert rig.dealer is not None
    await rig.dealer.take()
    if (await client.status()).fault == faults.CALIBRATION:
        await client.cleared()
        await client.wait_for("cleared", timeout_s=CLEAR_S)
    print("calibrated")
    return True


def main(argv: Sequence[str]) -> int:
    """0 when the board is calibrated, or was shown."""
    args = parser().parse_args(argv)

    async def body(rig: rigs.Rig) -> bool:
        await rig.give_keys()
        client = rig.client(role=link_pb2.ROLE_SERVICE)
        try:
            await client.hello(old_events=False)
            if args.show:
                await show(client)
                return True
            return await calibrate(rig, client)
        finally:
            await client.close()

    try:
        one_of("depth", args.depth, rigs.DEPTHS)
        if args.depth == "real":
            person = Person()
            wanted = rigs.Wanted(
                port=args.port, keys=args.keys, bench=args.bench, dealer=person, hands=person
            )
        elif args.port:
            raise UsageError(f"--port goes with --depth real, not {args.depth}")
        else:
            image = rigs.image_path(one_of("variant", args.variant or "production", VARIANTS))
            wanted = rigs.Wanted(args.seed, image=image, calibrated=args.show)
        return 0 if rigs.DEPTHS[args.depth](wanted, body) else 1
    except Faulted as error:
        print(f"calibrate: {error}", file=sys.stderr)
        return 1
    except (LinkError, Refused) as error:
        stop(UsageError(f"calibrate: {error}"))
    except BuildError as error:
        stop(error)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
