"""The `dovetail` command. A command's module is imported when called: help is instant."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from errno import EDQUOT, EIO, ENOSPC
from importlib import import_module

# Name, what it is for, and the module whose main() does it. Options are argparse's: it is there, it
# starts at once, and it does all that is needed.
COMMANDS = {
    "play": ("play rounds at a machine, as a table controller and a dealer do", "play.command"),
    "emulate": ("keep an emulated board running, its link on a pty", "emulate"),
    "image": ("build the image for a board from source", "image"),
    "flash": ("put an image on a board, and check it", "flash"),
    "keys": ("make the keys of a machine's roles, and tell keys apart", "keys"),
    "configure": ("set a machine up for a game, signed", "configure"),
    "calibrate": ("measure a board's sensors with one good card", "calibrate"),
    "service": ("test a machine, move an axis, read its sensors", "service"),
    "verify": ("prove that a machine's program flash is an image that was built", "verify"),
    "hil": ("run the scenarios against a board on a serial port", "hil"),
    "figures": ("measure speed, memory and pulse timing", "figures"),
    "certify": ("test the randomness of what is dealt, and report it", "certify.command"),
    "noise": ("read raw samples of a board's noise part into a file", "noise"),
    "journal": ("read a machine's journal: tell it, prove it, export it", "journal.command"),
    "rules": ("explore, prove and draw the rules of the table", "rules.command"),
    "link": ("look at a link, keep it busy, or spoil it", "link_tools.command"),
    "campaign": ("plant faults by chance, thousands of them, and judge", "campaign.command"),
    "prove": ("run the long proofs in slices, and keep a record of each", "evidence.prove"),
    "faults": ("list the faults that can be planted in the simulated machine", "fault_list"),
}

HEAD = """dovetail: drive, test and build a card shuffler with a dealing shoe.

usage: dovetail COMMAND [options]          dovetail COMMAND --help says more

commands:
"""

TAIL = """
three depths: a machine is either
  in-process   firmware and simulated machine in one program, hundreds of times real time
  emulated     the image that is flashed, on an emulated board, at the simulated machine's pins
  real         a board on a serial port

examples:
  dovetail play                                    three rounds of let it ride, in this process
  dovetail play --depth emulated --seed 7          the same on the emulated board, with a picture
  dovetail play --json > rounds.jsonl              every thing said or done, one JSON line each
  dovetail emulate                                 prints `link: <path>`, to connect to
  dovetail keys make --port /dev/ttyUSB0           keys for a machine that has none, once
  dovetail play --depth real --port /dev/ttyUSB0   at a board, with you as the dealer
  dovetail hil --port /dev/ttyUSB0                 all scenarios that this board and you can do
  dovetail journal --port /dev/ttyUSB0             what it has lived through, in words

exit status: 0 as it should be, 1 not so, 2 what was asked for makes no sense
"""


def help_text() -> str:
    """What there is, one line a command."""
    lines = [f"  {name:<10} {purpose}" for name, (purpose, _) in COMMANDS.items()]
    return HEAD + "\n".join(lines) + "\n" + TAIL


def run(words: Sequence[str]) -> int:
    """Help, version, or a command."""
    if not words or words[0] in ("-h", "--help", "help"):
        print(help_text(), end="")
        return 0
    if words[0] == "--version":
        from importlib.metadata import version

        print(f"dovetail {version('dovetail')}")
        return 0
    if words[0] not in COMMANDS:
        known = ", ".join(COMMANDS)
        print(f"dovetail: no command {words[0]!r}; there is: {known}", file=sys.stderr)
        return 2
    command: Callable[[Sequence[str]], int] = import_module(
        f"host_tools.{COMMANDS[words[0]][1]}"
    ).main
    return command(words[1:])


def main(argv: Sequence[str] | None = None) -> int:
    """Dispatch to a command; what it prints may not find room."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        try:
            return run(words)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read what we print has had enough
        sys.stdout = None
        return 1
    except OSError as error:
        if error.errno not in (ENOSPC, EDQUOT, EIO):
            raise
        sys.stdout = None
        what = " ".join(["dovetail", *words[:1]])
        print(f"{what}: {error.strerror}: nothing more can be written", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
