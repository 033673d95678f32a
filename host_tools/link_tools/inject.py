"""`dovetail link inject`: a line that does what lines do, between a machine and its controller."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path

from host_tools.link import frame
from host_tools.link_tools.capture import NAMES
from host_tools.link_tools.disturb import Disturber, Shares
from host_tools.link_tools.middle import Middle, folder, open_machine


def live(port: str, baud: int, shares: Shares, seed: int, say: Callable[[str], None]) -> int:
    """Until Ctrl-C; then what was done to how many bytes."""
    kinds = (frame.REQUEST, frame.REPORT)
    lines = {kind: Disturber(shares, f"{seed} from the {NAMES[kind]}") for kind in kinds}

    def passed(kind: int, data: bytes) -> Iterable[tuple[float, bytes]]:
        return lines[kind].take(data)

    with ExitStack() as stack:
        machine = open_machine(port, baud)
        middle = Middle(machine, passed, Path(stack.enter_context(folder())))
        stack.callback(middle.close)
        say(f"link: {middle.controller.name}")
        say(f"seed {seed}: {shares}")
        try:
            while True:
                middle.step()
        except KeyboardInterrupt:
            for kind, line in lines.items():
                done = ", ".join(f"{n} {what}" for what, n in line.counts.items())
                say(f"from the {NAMES[kind]}: {done}")
            return 0
