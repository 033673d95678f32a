"""All checks and all tests: `make test`. Then: which records of long proofs are old."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from host_tools.build import image, lint, needed, sources
from host_tools.build.board_files import VARIANTS, board_names
from host_tools.build.tell import ROOT, BuildError, alone, say, stop
from host_tools.build.unix import build_unix
from host_tools.evidence import page, reach


def build() -> None:
    """Build what the tests run, and name what this machine cannot build: its tests are skipped."""
    lacks = {work: needed.lack_of(work) for work in needed.WORK}
    for lack in filter(None, lacks.values()):
        say(f"test: left out: {lack}")
    with alone():
        if not lacks["unix"]:
            sources.main()
            build_unix()
        if not lacks["image"]:
            sources.main()
            for board in board_names():
                for variant in VARIANTS:
                    image.build(image.Order(board, variant))


def main() -> None:
    """Checks, every image beside them, then pytest over every folder."""
    with ThreadPoolExecutor(1) as beside:
        checks = beside.submit(lint.main)
        build()
        checks.result()
    say("test: pytest")
    # One more than cores, for some wait for a board that runs by the clock. worksteal: the longest
    # tests take minutes, and none may be left for one core at the end
    workers = str((os.cpu_count() or 1) + 1)
    command = [sys.executable, "-m", "pytest", "-n", workers, "--dist", "worksteal", "-q"]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, check=False)
    for line in page.stale():
        say(f"evidence: {line}")
    if reach.MAP.is_file() and (old := reach.age(json.loads(reach.MAP.read_text("utf-8")))):
        say(f"evidence: {old}")
    sys.exit(done.returncode)


if __name__ == "__main__":
    try:
        main()
    except BuildError as error:
        stop(error)
