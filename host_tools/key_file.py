"""Key files: the keys of machines by their serial numbers. Only their owner may read them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import cast

from host_tools.build.tell import UsageError
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import LinkError
from host_tools.link.keys import ROLES, Keys
from host_tools.link.transport import Transport

HOME = Path.home() / ".config" / "dovetail" / "keys.json"
BESIDE = "keys.json"  # beside the link of an emulated board
OTHERS = 0o077


def place(given: Path | None, port: str = "") -> Path:
    """Which file is meant: one that was named, that of an emulated board, or one's own."""
    if given is not None:
        return given
    beside = Path(port).parent / BESIDE
    return beside if port and beside.is_file() else HOME


def read(path: Path) -> dict[str, Keys]:
    """Every machine's keys; none if there is no such file. UsageError if it is not one."""
    try:
        with path.open(encoding="utf-8") as file:
            mode = os.fstat(file.fileno()).st_mode
            if mode & OTHERS:
                raise UsageError(f"{path}: others may read it; chmod 600 {path}")
            rows = cast(dict[str, dict[str, str]], json.load(file))
        return {
            serial: Keys(*(bytes.fromhex(row[name]) for name in ROLES))
            for serial, row in rows.items()
        }
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UsageError(f"{path}: this is no key file; dovetail keys make writes one") from None


def write(path: Path, machines: dict[str, Keys]) -> None:
    """The whole file, for its owner alone; the old one stays until the new one is there."""
    rows = {
        serial: {name: getattr(keys, name).hex() for name in ROLES}
        for serial, keys in sorted(machines.items())
    }
    partial = path.with_name(path.name + ".partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps(rows, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error


async def identify(transport: Transport) -> link_pb2.Identity:
    """Who is at the other end. The transport can be used again afterwards."""
    client = Client(transport)
    try:
        return await client.hello()
    finally:
        await client.leave()


async def keys_of(transport: Transport, path: Path, port: str) -> Keys:
    """The keys of the machine at this line, out of a file; one line if they are not there."""
    try:
        identity = await identify(transport)
    except LinkError as error:
        raise UsageError(f"{port}: {error}") from error
    serial = identity.serial.hex()
    if not identity.keyed:
        raise UsageError(f"{port}: the machine has no keys yet; dovetail keys make --port {port}")
    known = read(path)
    if serial not in known:
        raise UsageError(f"{path}: no keys of the machine {serial}; name another file with --keys")
    return known[serial]
