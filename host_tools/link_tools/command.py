"""The `dovetail link` command."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn

from dovetail.link.answers import BAUDS

from host_tools import key_file
from host_tools.arguments import Parser, bench_option, whole_number
from host_tools.build.tell import BuildError, UsageError, stop
from host_tools.link.errors import LinkError, Refused
from host_tools.link.serial_transport import PortError
from host_tools.link.transport import BAUD
from host_tools.link_tools import inject, sniff, soak
from host_tools.link_tools.disturb import KINDS, Shares

PURPOSE = """\
Look at a link, keep it busy, or spoil it. Behind sniff and inject the machine's port follows the
rate that the controller sets at its end."""
EXAMPLES = (
    "dovetail link sniff capture.jsonl                     what is in a capture",
    "dovetail link sniff --port /dev/ttyUSB0 --to c.jsonl  live: prints a path to connect to",
    "dovetail link soak --port /dev/ttyUSB0 --seconds 60   requests one by one: counts and times",
    "dovetail link inject --port /dev/ttyUSB0 --flip 0.01 --drop 0.01 --seed 7",
)
LONGEST_S = 1_000_000_000  # of a soak
# What only one of them takes
FOR = {
    "to": "sniff",
    "keys": "soak",
    "seconds": "soak",
    "bench": "soak",
    "json": "soak",
    "seed": "inject",
    **dict.fromkeys(KINDS, "inject"),
}


def share(text: str) -> float:
    """An argument type: 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share of 0 to 1")
    return value


def parser() -> Parser:
    """What can be said."""
    p = Parser("link", PURPOSE, EXAMPLES)
    p.add_argument("what", choices=("sniff", "soak", "inject"), help="which of the three")
    p.add_argument("capture", nargs="?", type=Path, help="sniff: a capture to read")
    p.add_argument("--port", help="the machine's serial port, or an emulated board's link")
    p.add_argument(
        "--baud", type=whole_number(BAUDS[0], BAUDS[-1]), default=BAUD, help="of that port"
    )
    p.add_argument("--to", type=Path, help="sniff: write a capture to this file")
    p.add_argument("--keys", type=Path, help=f"soak: key file ({key_file.HOME})")
    p.add_argument(
        "--seconds", type=whole_number(1, LONGEST_S), default=60, help="soak: for how long"
    )
    bench_option(p)
    p.add_argument("--json", action="store_true", help="soak: the numbers as a line of JSON")
    p.add_argument("--seed", type=whole_number(0), default=1, help="inject: of what happens")
    for kind in KINDS:
        p.add_argument(
            f"--{kind}", type=share, default=0.0, help=f"inject: share of bytes to {kind}"
        )
    return p


def _interrupt(signum: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _say(line: str) -> None:
    print(line, flush=True)


def run(args: argparse.Namespace) -> int:
    """One of the three."""
    for name, what in FOR.items():
        if what != args.what and getattr(args, name) != parser().get_default(name):
            raise UsageError(f"link {args.what}: --{name} is for {what} alone")
    if args.what == "sniff" and args.capture is not None:
        if args.port:
            raise UsageError("link sniff: a capture or --port, not both")
        return sniff.file(args.capture, _say)
    if args.capture is not None:
        raise UsageError(f"link {args.what}: takes no capture; say --port PORT")
    if not args.port:
        raise UsageError(f"link {args.what}: say which machine: --port PORT")
    if args.what == "sniff":
        return sniff.live(args.port, args.baud, args.to, _say)
    if args.what == "soak":
        keys = key_file.place(args.keys, args.port)
        return soak.live(
            args.port, args.baud, keys, args.seconds, args.json, _say, bench=args.bench
        )
    shares = Shares(**{kind: getattr(args, kind) for kind in KINDS})
    return inject.live(args.port, args.baud, shares, args.seed, _say)


def main(argv: Sequence[str]) -> int:
    """Understand what is asked, do it."""
    args = parser().parse_args(argv)
    for signum in (signal.SIGINT, signal.SIGTERM):  # a shell may have had us ignore the first
        signal.signal(signum, _interrupt)
    try:
        return run(args)
    except KeyboardInterrupt:
        return 1
    except PortError as error:
        stop(UsageError(f"link {args.what}: {error}"))
    except BuildError as error:
        stop(error)
    except (LinkError, Refused, OSError) as error:
        stop(BuildError(f"link {args.what}: {error}"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
