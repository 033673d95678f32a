"""Which tests reach which function: a pytest plugin that collects the map for `make check`.

`make reach` runs the quick tests under it and writes docs/evidence/reach.json. Per function it
keeps the tests that reach it, those first that take the least time. Lines that are run when a
module is imported have no test of their own and are not in the map; a function of the
firmware that no test reaches is, without tests.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import coverage
import pytest

from host_tools.build.tell import BUILD, ROOT, say

FIRMWARE = "firmware/dovetail"
ROOMS = (FIRMWARE, "boards", "sim", "host_tools", "hil_tests")
MAP = ROOT / "docs" / "evidence" / "reach.json"
PARTS = BUILD / "reach"
QUICK_S = 5.0  # a test that takes longer, collected as here, has no place in a minute
KEPT = 24  # tests of one function

Reach = dict[str, dict[str, list[int]]]


def functions(source: str) -> Iterator[tuple[str, int, int]]:
    """Yield each function of a file with its first and last line, outer ones before inner ones."""

    def walk(node: ast.AST, within: str) -> Iterator[tuple[str, int, int]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{within}{child.name}"
                if not isinstance(child, ast.ClassDef):
                    first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                    yield name, first, child.end_lineno or child.lineno
                yield from walk(child, f"{name}.")
            else:
                yield from walk(child, within)

    yield from walk(ast.parse(source), "")


# -- the plugin -----------------------------------------------------------------------------

COVER = pytest.StashKey[coverage.Coverage]()
_took: dict[str, float] = {}


def pytest_configure(config: pytest.Config) -> None:
    """Begin to trace, before a module of ours is imported by a test."""
    if os.environ.get("REACH"):
        include = [f"{ROOT}/{room}/*" for room in ROOMS]
        cover = coverage.Coverage(data_file=None, include=include)
        cover.start()
        config.stash[COVER] = cover


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note what this test runs, and how long it takes."""
    cover = item.config.stash.get(COVER, None)
    if cover is None:
        return (yield)
    cover.switch_context(item.nodeid)
    began = time.process_time()
    try:
        return (yield)
    finally:
        _took[item.nodeid] = round(time.process_time() - began, 3)
        cover.switch_context("between")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write what this process has seen."""
    cover = session.config.stash.get(COVER, None)
    if cover is None or not _took:
        return
    cover.stop()
    data = cover.get_data()
    seen: dict[str, dict[str, list[str]]] = {}
    for path in data.measured_files():
        lines = data.contexts_by_lineno(path)
        name = Path(path).relative_to(ROOT).as_posix()
        for function, first, last in functions(Path(path).read_text(encoding="utf-8")):
            tests = {t for n in range(first + 1, last + 1) for t in lines.get(n, ()) if "::" in t}
            if tests:
                seen.setdefault(name, {})[function] = sorted(tests)
    PARTS.mkdir(parents=True, exist_ok=True)
    part = PARTS / f"{os.getpid()}.json"
    part.write_text(json.dumps({"took": _took, "seen": seen}), encoding="utf-8")


# -- the map --------------------------------------------------------------------------------


def gathered() -> dict[str, Any]:
    """Put the parts together: of each function the tests that take the least time."""
    took: dict[str, float] = {}
    seen: dict[str, dict[str, set[str]]] = {}
    for path in sorted(PARTS.glob("*.json")):
        part = cast(dict[str, Any], json.loads(path.read_text(encoding="utf-8")))
        took |= part["took"]
        for name, by_function in part["seen"].items():
            for function, tests in by_function.items():
                seen.setdefault(name, {}).setdefault(function, set()).update(tests)
    quick = {test for test, seconds in took.items() if seconds <= QUICK_S}
    chosen: dict[str, dict[str, list[str]]] = {}
    for name, by_function in sorted(seen.items()):
        for function, tests in sorted(by_function.items()):
            best = sorted(tests & quick, key=lambda test: (took[test], test))
            chosen.setdefault(name, {})[function] = _spread(best)
    used = sorted({t for by in chosen.values() for tests in by.values() for t in tests})
    number = {test: n for n, test in enumerate(used)}
    reach = {
        name: {function: [number[t] for t in tests] for function, tests in by_function.items()}
        for name, by_function in chosen.items()
    }
    files: dict[str, float] = {}
    for test, seconds in sorted(took.items()):
        file = test.partition("::")[0]
        files[file] = round(files.get(file, 0.0) + seconds, 3)
    return {"files": files, "tests": [[test, took[test]] for test in used], "reach": reach}


def with_unreached(found: dict[str, Any]) -> dict[str, Any]:
    """Add every function of the firmware that no test has reached, with no tests."""
    for path in sorted((ROOT / FIRMWARE).rglob("*.py")):
        here = found["reach"].setdefault(path.relative_to(ROOT).as_posix(), {})
        for function, _, _ in functions(path.read_text(encoding="utf-8")):
            here.setdefault(function, [])
    found["reach"] = {name: by for name, by in sorted(found["reach"].items()) if by}
    return found


def unknown(reach: Mapping[str, Mapping[str, object]]) -> tuple[int, int]:
    """Return how many functions of the firmware a map does not know, and how many there are."""
    known = 0
    every = 0
    for path in sorted((ROOT / FIRMWARE).rglob("*.py")):
        here = reach.get(path.relative_to(ROOT).as_posix(), {})
        names = {name for name, _, _ in functions(path.read_text(encoding="utf-8"))}
        every += len(names)
        known += len(names & set(here))
    return every - known, every


def age(found: Mapping[str, Any]) -> str:
    """Say that the map is older than the firmware; nothing where it knows every function."""
    lacking, every = unknown(found["reach"])
    if not lacking:
        return ""
    place = MAP.relative_to(ROOT)
    return f"{place} does not know {lacking} of {every} functions of the firmware; make reach"


def _spread(tests: list[str]) -> list[str]:
    """Return KEPT tests, of several files in turn, so that not all are variants of one."""
    by_file: dict[str, list[str]] = {}
    for test in tests:
        by_file.setdefault(test.partition("::")[0], []).append(test)
    turns = [[tests[n] for tests in by_file.values() if n < len(tests)] for n in range(KEPT)]
    return [test for turn in turns for test in turn][:KEPT]


def text(found: dict[str, Any]) -> str:
    """Return the map as JSON, a line for each file of tests, each test and each function."""
    took = ",\n".join(f"{json.dumps(n)}: {seconds}" for n, seconds in found["files"].items())
    tests = ",\n".join(json.dumps(test) for test in found["tests"])
    files = [
        f"{json.dumps(name)}: {{\n"
        + ",\n".join(f"{json.dumps(f)}: {json.dumps(n)}" for f, n in by_function.items())
        + "\n}"
        for name, by_function in found["reach"].items()
    ]
    head = f'{{"files": {{\n{took}\n}},\n"tests": [\n{tests}\n],\n"reach": {{\n'
    return head + ",\n".join(files) + "\n}}\n"


def main() -> int:
    """Run the tests under the tracer, then write the map."""
    for old in PARTS.glob("*.json"):
        old.unlink()
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(os.cpu_count() or 1)]
    command += ["-m", "not slow", *sys.argv[1:]]
    status = subprocess.run(command, cwd=ROOT, env={**os.environ, "REACH": "1"}, check=False)
    MAP.write_text(text(with_unreached(gathered())), encoding="utf-8")
    say(f"reach: {MAP.relative_to(ROOT)}")
    return status.returncode


if __name__ == "__main__":
    sys.exit(main())
