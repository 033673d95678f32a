"""Keys of a machine in a file: three lines of 64 hexadecimal digits, table, service, audit."""

from __future__ import annotations

from pathlib import Path

from host_tools.build.tell import UsageError
from host_tools.link.keys import Keys


def read(path: Path) -> Keys:
    """The keys; one clear line when they are not there."""
    try:
        table, service, audit = (bytes.fromhex(x) for x in path.read_text("utf-8").split())
        return Keys(table, service, audit)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError:
        raise UsageError(f"{path}: not three lines of 64 hexadecimal digits") from None
