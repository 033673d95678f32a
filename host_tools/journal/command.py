"""The `dovetail journal` command."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from host_tools.arguments import Parser, bench_option, one_of
from host_tools.build.tell import BuildError, UsageError, stop
from host_tools.journal import bundle, meters, source, story
from host_tools.journal.export import FORMATS
from host_tools.journal.segments import Journal
from host_tools.journal.verify import read_key, verify
from host_tools.journal.whole_file import save
from host_tools.journal.words import line
from host_tools.key_file import keys_of, place, read
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import LinkError, Refused
from host_tools.link.serial_transport import open_port

PURPOSE = "Read a machine's journal: tell it, follow it, check it, export it."
EXAMPLES = (
    "dovetail journal --port /dev/ttyUSB0               every record in words",
    "dovetail journal --port /dev/ttyUSB0 --follow      and what comes after",
    "dovetail journal --port /dev/ttyUSB0 --story round=12",
    "dovetail journal --port /dev/ttyUSB0 --export jsonl --out journal.jsonl",
    "dovetail journal --export-file journal.jsonl --verify --key audit.key",
    "dovetail journal --flash flash.bin --bundle support.zip",
)
ACTIONS = ("follow", "export", "verify", "story", "meters", "bundle")


def parser() -> Parser:
    """The options of the command."""
    p = Parser("journal", PURPOSE, EXAMPLES)
    bench_option(p)
    where = p.add_argument_group("where from, one of")
    where.add_argument("--port", help="serial port of a board, or what dovetail emulate prints")
    where.add_argument(
        "--keys", type=Path, metavar="FILE", help="key file, for --port and for --verify"
    )
    where.add_argument("--flash", type=Path, metavar="FILE", help="a copy of the flash")
    where.add_argument("--export-file", type=Path, metavar="FILE", help="an export in JSON lines")
    what = p.add_argument_group("what; without any: every record in words")
    what.add_argument("--follow", action="store_true", help="go on with what is written next")
    what.add_argument("--export", metavar="FORMAT", help=f"one of: {', '.join(FORMATS)}")
    what.add_argument("--verify", action="store_true", help="prove that it is whole; exit 1 if not")
    what.add_argument("--key", type=Path, metavar="FILE", help="the audit key, 64 hex digits")
    what.add_argument(
        "--story", metavar="WHICH", help="round=12, fault=last, fault=RECORD, start=3"
    )
    what.add_argument("--meters", action="store_true", help="the meters as a table")
    what.add_argument(
        "--bundle", type=Path, metavar="FILE", help="all of it in one file, nothing secret"
    )
    p.add_argument("--out", type=Path, metavar="FILE", help="write there instead of printing")
    return p


def given(args: Namespace, name: str) -> bool:
    """Return whether an option was named, even with nothing behind it."""
    return getattr(args, name) not in (None, False)


def check(args: Namespace) -> None:
    """What was asked for makes sense; raises UsageError."""
    sources = [name for name in ("port", "flash", "export_file") if given(args, name)]
    if len(sources) != 1:
        raise UsageError("journal: say where from: --port, --flash or --export-file")
    actions = [name for name in ACTIONS if given(args, name)]
    if len(actions) > 1:
        raise UsageError(f"journal: one thing at a time, not --{' and --'.join(actions)}")
    if args.export is not None:
        one_of("format", args.export, FORMATS)
    if args.keys and not (args.port or args.verify):
        raise UsageError("--keys goes with --port or --verify")
    if args.keys and args.key:
        raise UsageError("--key or --keys, not both")
    if args.follow and not args.port:
        raise UsageError("--follow goes with --port: only a machine writes on")
    if args.key and not args.verify:
        raise UsageError("--key goes with --verify")
    if args.out and (args.follow or args.bundle):
        raise UsageError("--out does not go with --follow and --bundle")
    if args.story is not None:
        story.parse(args.story)


def lines(args: Namespace, journal: Journal) -> Iterator[str]:
    """What is asked for, but --follow and --bundle."""
    if args.export:
        yield from FORMATS[args.export](journal)
    elif args.story:
        yield from story.tell(list(journal.records()), args.story)
    elif args.meters:
        yield from meters.table(meters.after(journal))
    else:
        yield from map(line, journal.records())


def audit_key(args: Namespace, journal: Journal) -> bytes | None:
    """That of the journal's machine, if a file with it was named."""
    if args.key:
        return read_key(args.key)
    if not args.keys:
        return None
    devices = {segment.device.hex() for segment in journal.segments if segment.whole}
    if not args.keys.exists():
        raise UsageError(f"{args.keys}: No such file or directory")
    known = read(args.keys)
    for device in devices:
        if device in known:
            return known[device].audit
    raise UsageError(f"{args.keys}: no keys of the machine {', '.join(sorted(devices))}")


def act(
    args: Namespace, journal: Journal, about: dict[str, object], key: bytes | None = None
) -> bool:
    """Do it; whether all is well."""
    if args.bundle:
        bundle.write(args.bundle, journal, about)
        print(f"written: {args.bundle}")
        return True
    good = True
    if args.verify:
        found = verify(journal, key or audit_key(args, journal))
        text, good = list(found.lines()), found.good
    else:
        text = list(lines(args, journal))
    if not args.out:
        for row in text:
            print(row)
        return good
    save(args.out, "".join(f"{row}\n" for row in text).encode())
    return good


async def at_machine(args: Namespace) -> bool:
    """Read from a machine's line."""
    transport = open_port(args.port)
    try:
        keys = await keys_of(transport, place(args.keys, args.port), args.port)
    except BaseException:
        transport.close()
        raise
    client = Client(transport, keys=keys, role=link_pb2.ROLE_AUDIT, bench=args.bench)
    try:
        identity = await client.hello()
        names = ("board", "variant", "image", "game", "boots")
        about: dict[str, object] = {name: getattr(identity, name) for name in names}
        reader = source.Reader.of(client)
        journal = await reader.all()
        good = act(args, journal, about, None if args.key else keys.audit)
        if args.follow:
            last = max((record.number for record in journal.records()), default=0)
            async for more in reader.follow():
                for record in more.records():
                    if record.number > last:
                        last = record.number
                        print(line(record), flush=True)
        return good
    finally:
        await client.close()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 1 when a journal that was to be proven is not whole."""
    try:
        args = parser().parse_args(argv)
        check(args)
        if args.port is not None:
            good = asyncio.run(at_machine(args))
        else:
            read_from = source.from_flash if args.flash else source.from_export
            good = act(args, read_from(args.flash or args.export_file), {})
        return 0 if good else 1
    except (LinkError, Refused) as error:
        stop(UsageError(f"journal: {error}"))
    except BuildError as error:
        stop(error)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
