"""A file that is there whole, or as it was before."""

from __future__ import annotations

from pathlib import Path

from host_tools.build.tell import UsageError


def save(path: Path, content: bytes) -> None:
    """Into another file beside it, which then takes its name; a device is written to as it is."""
    try:
        if path.exists() and not path.is_file():  # a device, a pipe; a directory refuses
            path.write_bytes(content)
            return
        real = path.resolve()
        partial = real.with_name(real.name + ".partial")
        try:
            partial.write_bytes(content)
            partial.replace(real)
        except OSError:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
