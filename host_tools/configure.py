"""`dovetail configure`: set a machine up for a game, with a profile signed by the service key."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from host_tools import rigs
from host_tools.arguments import Parser, bench_option, one_of
from host_tools.build.tell import BuildError, UsageError, stop
from host_tools.link import link_pb2
from host_tools.link.errors import LinkError, Refused
from host_tools.rules.device import make_profile, names

DELIVERIES = ("shoe", "stack", "continuous")


def parser() -> Parser:
    """The options of the command."""
    p = Parser(
        "configure",
        "Set a machine up for a game: signed, in force from its next power-on.",
        [
            "dovetail configure --game boston_5 --port /dev/ttyUSB0",
            "dovetail configure --game poker --delivery stack --port /dev/ttyUSB0",
        ],
    )
    p.add_argument("--game", required=True, help=f"one of: {', '.join(names())}")
    p.add_argument("--delivery", default="shoe", help="shoe; stack: from the hand; continuous")
    p.add_argument("--depth", default="real", help=f"one of: {', '.join(rigs.DEPTHS)}")
    p.add_argument("--port", help="serial port of the machine's link")
    p.add_argument("--keys", type=Path, metavar="FILE", help="its key file; see dovetail keys")
    bench_option(p)
    return p


def main(argv: Sequence[str]) -> int:
    """0 when the machine has taken it."""
    args = parser().parse_args(argv)

    async def body(rig: rigs.Rig) -> str:
        await rig.give_keys()
        by_hand, continuous = (args.delivery == kind for kind in DELIVERIES[1:])
        blob = make_profile(rig.keys.service, args.game, int(by_hand), int(continuous))
        client = rig.client(role=link_pb2.ROLE_SERVICE)
        try:
            await client.hello(old_events=False)
            return (await client.request("configure", link_pb2.Configure(profile=blob))).text
        finally:
            await client.close()

    try:
        one_of("game", args.game, names())
        one_of("delivery", args.delivery, DELIVERIES)
        one_of("depth", args.depth, rigs.DEPTHS)
        if args.depth == "real":
            wanted = rigs.Wanted(port=args.port, keys=args.keys, bench=args.bench)
        elif args.port:
            raise UsageError(f"--port goes with --depth real, not {args.depth}")
        else:
            wanted = rigs.Wanted(image=rigs.image_path("production"))
        print(f"{args.game}, {args.delivery}: {rigs.DEPTHS[args.depth](wanted, body)}")
        return 0
    except (LinkError, Refused) as error:
        stop(UsageError(f"configure: {error}"))
    except BuildError as error:
        stop(error)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
