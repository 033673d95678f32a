"""Says what the build does, runs commands with a log, and stops with one clear line.

Used before the environment exists: standard library only.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"

NO_NETWORK = re.compile(
    r"Could not resolve|Temporary failure|Name or service not known|Network is unreachable"
    r"|Failed to establish a new connection|Could not connect|NameResolutionError"
    r"|Failed to connect|Couldn't connect"
    r"|from versions: none|Connection refused|Connection timed out|No route to host"
)
TAIL_LINES = 15

# Names that mean something else to the makefiles of MicroPython.
OURS = (
    "BOARD",
    "VARIANT",
    "PORT",
    "MICROPYTHON",
    "MICROPYTHON_GIT",
    "MAKEFLAGS",
    "MFLAGS",
    "MAKELEVEL",
    "MAKEOVERRIDES",
)
# What would otherwise be read from the clock or from our own git: an image depends on its sources.
REPRODUCIBLE = {
    "SOURCE_DATE_EPOCH": "1745280000",
    "MICROPY_GIT_TAG": "v1.25.0",
    "MICROPY_GIT_HASH": "v1.25.0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
}


class BuildError(Exception):
    """One line for the person who ran make; `status` is the exit status."""

    def __init__(self, line: str, status: int = 1) -> None:
        super().__init__(line)
        self.status = status


class UsageError(BuildError):
    """What was asked for cannot be done: exit status 2."""

    def __init__(self, line: str) -> None:
        super().__init__(line, 2)


def say(line: str) -> None:
    """One line of progress."""
    print(line, flush=True)


def stop(error: BuildError) -> NoReturn:
    """Print the one line of an error and leave."""
    print(error, file=sys.stderr, flush=True)
    sys.exit(error.status)


def output_of(command: Sequence[str | Path]) -> str:
    """What a quick command prints, or an empty string when it is absent or fails."""
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return result.stdout.strip()


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key not in OURS}


@contextmanager
def alone(what: str = "build") -> Generator[None]:
    """Let only one at a time do this: two makes in one folder spoil it."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / f"{what}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"{what}: waiting until another {what} ends")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def fresh_folder(folder: Path, key: str) -> None:
    """Keep a build folder only when it was made for the same `key`, such as a source tree."""
    stamp = folder / "dovetail.key"
    if stamp.is_file() and stamp.read_text() == key:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    stamp.write_text(key)


@contextmanager
def new_folder(place: Path) -> Generator[Path]:
    """Give a folder that takes the place of `place` at the end, or vanishes when anything fails."""
    partial = place.with_name(f"{place.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        yield partial
        shutil.rmtree(place, ignore_errors=True)
        partial.rename(place)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def run(
    name: str,
    command: Sequence[str | Path],
    *,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    show: str | None = None,
) -> str:
    """Run a command with all of its output in build/log/<name>.log.

    Lines that match `show` are printed; when it has a group, only the group, and each text once.
    """
    log_path = BUILD / "log" / f"{name}.log"
    log_path.parent.mkdir(parents=True, exist_ok=True)
    wanted = re.compile(show) if show else None
    lines: list[str] = []
    shown: set[str] = set()
    with (
        log_path.open("w", encoding="utf-8") as log,
        subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env={**_environment(), **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as process,
    ):
        assert process.stdout
        for line in process.stdout:
            log.write(line)
            lines.append(line.rstrip())
            match = wanted.search(line) if wanted else None
            if match and (text := match[match.lastindex or 0].strip()) not in shown:
                shown.add(text)
                say(f"  {text[:100]}")
    text = "\n".join(lines)
    if process.returncode:
        if NO_NETWORK.search(text):
            raise BuildError(f"{name}: no network: a download failed; connect and run it again")
        for line in lines[-TAIL_LINES:]:
            print(f"  | {line}", file=sys.stderr)
        raise BuildError(f"{name}: failed; all of it is in build/log/{name}.log")
    return text
