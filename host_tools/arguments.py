"""Command lines: an argument parser whose complaints are one line and name the choices."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn

from host_tools.build.tell import UsageError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Help(argparse.RawDescriptionHelpFormatter):
    """Examples keep their lines, every option shows its default."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=96)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        text = action.help or ""
        if action.default in (None, False, argparse.SUPPRESS) or "%(default)" in text:
            return text
        return f"{text} (default: %(default)s)" if action.default != [] else text


class Parser(argparse.ArgumentParser):
    """Like argparse's, but a mistake is told in one line, and leaves with status 2."""

    def __init__(self, command: str, purpose: str, examples: Sequence[str] = ()) -> None:
        shown = "examples:\n" + "\n".join(f"  {line}" for line in examples) if examples else None
        super().__init__(
            prog=f"dovetail {command}".rstrip(),
            description=purpose,
            epilog=shown,
            formatter_class=Help,
            allow_abbrev=False,
        )

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Argparse keeps silent about help that finds no room; then somebody waits for it."""
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        """One line, and where to read more."""
        print(f"{self.prog}: {message}; see {self.prog} --help", file=sys.stderr)
        sys.exit(2)


def bench_option(p: argparse.ArgumentParser) -> None:
    """Add the option without which a client refuses an image that may show its keys."""
    p.add_argument(
        "--bench",
        action="store_true",
        help="this is the bench: take a machine whose image shows its keys at a prompt",
    )


def one_of(kind: str, name: str, choices: Iterable[str]) -> str:
    """The name if it is among the choices; otherwise a line that says what there is."""
    known = list(choices)
    if name not in known:
        raise UsageError(f"no {kind} {name!r}; there is: {', '.join(known)}")
    return name


def whole_number(low: int, high: int | None = None) -> Callable[[str], int]:
    """An argument type: a whole number within bounds."""

    def whole(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if value < low or (high is not None and value > high):
            bounds = f"{low} or more" if high is None else f"{low} to {high}"
            raise argparse.ArgumentTypeError(f"{text!r} is no number of {bounds}")
        return value

    return whole
