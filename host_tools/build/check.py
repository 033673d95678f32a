"""Quick checks of what changed since a commit: `make check`, made to answer within a minute.

Style and types of everything, beside the tests that reach the functions which changed, as many as
go into TESTS_S. Which tests those are says docs/evidence/reach.json, and BY_NAME for what is no
Python. What no quick test speaks of is named in the end; `make test` runs all.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from host_tools.build import lint
from host_tools.build.tell import ROOT, BuildError, UsageError, output_of, say, stop
from host_tools.build.unix import MPY_CROSS
from host_tools.evidence import reach
from host_tools.evidence.reach import MAP, functions

TESTS_S = 160.0  # of one core, as the map counts them: under the tracer, a few times less in truth
FILE_S = TESTS_S / 4  # a changed file of tests that takes more is not run as a whole
WITHOUT_MAP_S = 3.0  # what a file of tests is taken to need that the map does not know
TESTS = "host_tools/tests"
# What of the files that are no Python is looked at by which quick tests.
BY_NAME: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\.proto$", (f"{TESTS}/test_link_schema.py", f"{TESTS}/test_shared_numbers.py")),
    (r"(^|/)client\.c$|(^|/)frame\.[ch]$", (f"{TESTS}/test_shared_numbers.py",)),
    (r"^docs/glossary\.md$", (f"{TESTS}/test_glossary.py",)),
    (r"^docs/rules\.md$", (f"{TESTS}/test_rules_table.py::test_the_page_is_fresh",)),
    (r"^docs/protocol\.md$|^docs/vectors\.json$", (f"{TESTS}/test_link_page.py",)),
    (r"^docs/evidence/", (f"{TESTS}/test_evidence_prove.py::test_the_page_is_fresh",)),
    (r"\.md$", (f"{TESTS}/test_pages.py",)),
    (r"^Makefile$|^pyproject\.toml$", (f"{TESTS}/test_setup.py",)),
)
NOT_THERE = re.compile(r"^ERROR: (?:not found: |file or directory not found: )(\S+)", re.MULTILINE)
SHOWN = 5
HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")


@dataclass
class Changed:
    """Changed lines by file since a commit; None stands for a file that is new as a whole."""

    lines: dict[str, set[int] | None] = field(default_factory=dict[str, "set[int] | None"])
    gone: list[str] = field(default_factory=list[str])  # files that are not there any more

    def functions(self, name: str) -> set[str]:
        """Return the changed functions of a Python file; '' where a line stands outside of any."""
        lines = self.lines[name]
        source = (ROOT / name).read_text(encoding="utf-8")
        try:
            spans = list(functions(source))
        except SyntaxError:  # ruff says where
            return {""}
        if lines is None:
            return {function for function, _, _ in spans} | {""}
        found: set[str] = set()
        for line in lines:
            inner = [function for function, first, last in spans if first <= line <= last]
            found.add(inner[-1] if inner else "")
        return found


def since(commit: str) -> Changed:
    """Return what differs from that commit, in the files as they are now."""
    if not output_of(["git", "-C", ROOT, "rev-parse", "--verify", f"{commit}^{{commit}}"]):
        raise UsageError(f"check: SINCE={commit}: git knows no such commit; git log lists them")
    changed = Changed()
    name = ""
    plain = ("--no-color", "--no-ext-diff", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/")
    for line in _git("diff", "--unified=0", *plain, commit).splitlines():
        if line.startswith("--- a/"):
            name = line.removeprefix("--- a/")
        elif line == "+++ /dev/null":
            changed.gone.append(name)
        elif line.startswith("+++ b/"):
            name = line.removeprefix("+++ b/")
            changed.lines[name] = set()
        elif found := HUNK.match(line):
            first, count = int(found[1]), int(found[2] or 1)
            # where lines were only taken out, the one before them stands for the place
            lines = changed.lines.get(name)
            if lines is not None:
                lines.update(range(first, first + max(count, 1)))
    for name in _git("ls-files", "--others", "--exclude-standard").splitlines():
        changed.lines[name] = None
    return changed


def _git(*words: str) -> str:
    done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"check: git {words[0]}: {done.stderr.strip()}")
    return done.stdout


class Tests:
    """The map: which tests reach which function, and what each takes."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        tests = cast("list[tuple[str, float]]", found["tests"])
        self.took: dict[str, float] = {**found["files"], **dict(tests)}
        self.reach: dict[str, dict[str, list[str]]] = {
            name: {function: [tests[n][0] for n in ns] for function, ns in by_function.items()}
            for name, by_function in found["reach"].items()
        }

    def of(self, name: str, function: str) -> list[str]:
        """Return the tests of a function; of what stands outside of any, those of its file."""
        here = self.reach.get(name, {})
        if function and here.get(function):
            return here[function]
        several = [tests for tests in here.values() if tests] or [
            tests for user in users(name) for tests in self.reach.get(user, {}).values()
        ]
        return [test for turn in _turns(several) for test in turn]

    def of_file(self, name: str, changed: set[str]) -> list[str]:
        """Return a changed file of tests as a whole, or the tests in it that changed."""
        if self.cost(name) <= FILE_S:
            return [name]
        own = [one for one in sorted(changed) if one.rpartition(".")[2].startswith("test_")]
        return [f"{name}::{one.replace('.', '::')}" for one in own]

    def cost(self, test: str) -> float:
        """Return how long it takes, as the map counts, or what is taken for that."""
        return self.took.get(test, WITHOUT_MAP_S)


def _turns(several: Iterable[list[str]]) -> list[list[str]]:
    lists = list(several)
    longest = max(map(len, lists), default=0)
    return [[tests[n] for tests in lists if n < len(tests)] for n in range(longest)]


def users(name: str) -> list[str]:
    """Return the files that import a module which has no function of its own: tables of data."""
    module = Path(name).stem
    word = re.compile(rf"^\s*(?:from|import)\s.*\b{re.escape(module)}\b", re.MULTILINE)
    found: list[str] = []
    for path in _git("ls-files", "*.py").splitlines():
        if path != name and word.search((ROOT / path).read_text(encoding="utf-8")):
            found.append(path)
    return found


def chosen(changed: Changed, tests: Tests) -> list[str]:
    """Return the tests of what changed: one of every function, then more, as time goes."""
    several: list[list[str]] = []
    for name in [*changed.lines, *changed.gone]:
        if not name.endswith(".py"):
            several += [[test] for test in named(name)]
        elif name in changed.gone:
            several.append([test for user in users(name) for test in tests.of(user, "")])
        elif Path(name).name.startswith("test_"):
            several.append(tests.of_file(name, changed.functions(name)))
        else:
            several += [tests.of(name, function) for function in sorted(changed.functions(name))]
    # Then, as time goes, what reaches anything else of the same files.
    several.append(
        [test for name in changed.lines if name.endswith(".py") for test in tests.of(name, "")]
    )
    picked: dict[str, float] = {}
    left = TESTS_S
    for turn in _turns(several):
        for test in turn:
            took = tests.cost(test)
            if test not in picked and took <= left and _is_there(test):
                picked[test] = took
                left -= took
    return list(picked)


def named(name: str) -> list[str]:
    """Return the tests that look at a file which is no Python."""
    return [test for pattern, tests in BY_NAME if re.search(pattern, name) for test in tests]


def unseen(changed: Changed, tests: Tests) -> list[str]:
    """Return what changed that no quick test reaches, even if tests of its file are chosen."""
    lines: list[str] = []
    for name in [*changed.lines, *changed.gone]:
        python = name.endswith(".py")
        if not (python or named(name)):
            lines.append(name)
        elif python and name in changed.lines and Path(name).name.startswith("test_"):
            if not tests.of_file(name, changed.functions(name)):
                lines.append(f"{name}: it takes more than a minute")
        elif python and name in changed.lines:
            reached = tests.reach.get(name, {})
            found = [one for one in changed.functions(name) if one and not reached.get(one)]
            lines += [f"{name}: {function}" for function in sorted(found)]
    return lines


def _is_there(test: str) -> bool:
    """Tell whether the test still exists: the map may be older than the tests."""
    path, _, rest = test.partition("::")
    file = ROOT / path
    name = rest.partition("[")[0].rpartition("::")[2]
    return file.is_file() and (not name or f"def {name}(" in file.read_text(encoding="utf-8"))


def run_tests(picked: list[str]) -> bool:
    """Run them on all cores; tell whether all passed."""
    if not picked:
        say("check: no test reaches what changed; make test runs all")
        return True
    say(f"check: {len(picked)} tests, or files of them, of what changed")
    done = _pytest(picked)
    while gone := set(NOT_THERE.findall(done.stdout + done.stderr)):
        left = [test for test in picked if not any(one.endswith(test) for one in gone)]
        if len(left) == len(picked) or not left:
            break
        picked = left  # the map is older than they are
        done = _pytest(picked)
    lines = done.stdout.splitlines()
    if done.returncode:
        print("\n".join(lines) + done.stderr, file=sys.stderr)
        return False
    say(f"check: {lines[-1] if lines else 'nothing was run'}")
    return True


def _pytest(picked: list[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--no-header", "-x"]
    return subprocess.run(
        [*command, "-m", "not slow", *picked],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def run_lint(changed: Changed) -> None:
    """Check style and types; compile what changed of the device's code, where the compiler is."""
    lint.style()
    if any(name.endswith((".py", ".pyi", ".toml")) for name in changed.lines):
        lint.types()
    if MPY_CROSS.is_file() and any(name.startswith(lint.DEVICE_CODE) for name in changed.lines):
        say("lint: mpy-cross")
        lint.compile_all()


def main() -> None:
    """Check what changed since SINCE: HEAD where files differ from it, else the commit before."""
    began = time.monotonic()
    dirty = output_of(["git", "-C", ROOT, "status", "--porcelain"])
    commit = os.environ.get("SINCE") or ("HEAD" if dirty else "HEAD~1")
    changed = since(commit)
    say(f"check: {len(changed.lines) + len(changed.gone)} files changed since {commit}")
    if not MAP.is_file():
        raise BuildError(f"check: {MAP.relative_to(ROOT)} is missing; make reach makes it")
    found = json.loads(MAP.read_text(encoding="utf-8"))
    if old := reach.age(found):
        say(f"check: {old}")
    tests = Tests(found)
    with ThreadPoolExecutor(1) as beside:
        checks = beside.submit(run_lint, changed)
        passed = run_tests(chosen(changed, tests))
        checks.result()
    if not passed:
        raise BuildError("check: a test failed, see above")
    left = unseen(changed, tests)
    for line in left[:SHOWN]:
        say(f"check: no quick test speaks of {line}")
    if len(left) > SHOWN:
        say(f"check: nor of {len(left) - SHOWN} more")
    word = "good as far as it goes" if left else "good"
    say(f"check: {word}, in {time.monotonic() - began:.0f} s; make test runs everything")


if __name__ == "__main__":
    try:
        main()
    except BuildError as error:
        stop(error)
