"""The code that a proof depends on: what its tests, or its command, import, and whole folders.

A record holds a hash of this code for each folder, so that it grows old when anything changes that
is proved, that drives the proof, or that judges it. Imports are read, not run: those in functions,
those in a text that is run as a process of its own, modules and files that are named in a string.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from host_tools.build.tell import ROOT, output_of

# Where the project's modules are imported from: the folders of `pythonpath` in pyproject.toml.
PLACES = (".", "firmware", "firmware/shim", "firmware/tests", "boards", "boards/shuffler_rp2040")
MODULE = re.compile(r"(?:dovetail|sim|host_tools|hil_tests|boards)(?:\.\w+)+")
FILE = re.compile(r"([\w./-]+\.(?:py|json|txt|csv|c|h|proto))(?:::.*)?")
PACKAGES = "pyproject.toml"


@lru_cache(maxsize=2048)
def _named(source: str) -> tuple[frozenset[tuple[int, str]], frozenset[str]]:
    """Return the modules that a source names, each with its level, and the files."""
    modules: set[tuple[int, str]] = set()
    files: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules |= {(0, alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            modules.add((node.level, base))
            within = (f"{base}.{alias.name}".lstrip(".") for alias in node.names)
            modules |= {(node.level, name) for name in within}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            if MODULE.fullmatch(text):
                modules.add((0, text))
            elif found := FILE.fullmatch(text):
                files.add(found[1])
            elif "\n" in text and "import " in text:
                inner = _inner(text)
                modules |= inner[0]
                files |= inner[1]
    return frozenset(modules), frozenset(files)


def _inner(text: str) -> tuple[frozenset[tuple[int, str]], frozenset[str]]:
    """Return what a text names that may be a program; nothing where it is none."""
    try:
        return _named(text)
    except SyntaxError:
        return frozenset(), frozenset()


def _module(name: str, below: Path | None) -> Iterator[str]:
    """Yield the file of a module, and those of the packages that it lies in."""
    parts = name.split(".") if name else []
    for place in [below] if below else [ROOT / place for place in PLACES]:
        found = [place.joinpath(*parts[:n], "__init__.py") for n in range(1, len(parts) + 1)]
        found.append(place.joinpath(*parts).with_suffix(".py") if parts else place / "__init__.py")
        there = [path for path in found if path.is_file()]
        if there:
            yield from (path.relative_to(ROOT).as_posix() for path in there)
            return


def _uses(name: str) -> set[str]:
    """Return the files that one file names or imports, and the set-up of its folder's tests."""
    path = ROOT / name
    used: set[str] = set()
    if path.name.startswith("test_"):
        used |= {f"{folder}/conftest.py" for folder in Path(name).parents if str(folder) != "."}
    if path.suffix != ".py":
        return set()
    modules, files = _named(path.read_text(encoding="utf-8"))
    for level, module in modules:
        used.update(_module(module, path.parents[level - 1] if level else None))
    for file in files:
        near = Path(name).parent / file
        used |= {file, near.as_posix()} if ".." not in file and not file.startswith("/") else set()
    return {one for one in used if (ROOT / one).is_file()}


def imported(starts: Iterable[str]) -> set[str]:
    """Return these files with all that they import, and what that imports in its turn."""
    found: set[str] = set()
    waiting = [name for name in starts if (ROOT / name).is_file()]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += sorted(_uses(name) - found)
    return found


def below(folder: str) -> list[str]:
    """Return every file that git knows in a folder, new ones too, but for pages."""
    command = ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "--", folder]
    files = sorted(set(output_of(command).splitlines()))
    return [
        name
        for name in files
        if (path := ROOT / name).is_file()
        and path.suffix != ".md"
        and "__pycache__" not in path.parts
    ]


def hashes(folders: tuple[str, ...], starts: Iterable[str]) -> dict[str, str]:
    """Return a hash for each of these folders, and for each other with files that are imported."""
    groups = {folder: below(folder) for folder in folders}
    taken = {name for names in groups.values() for name in names}
    for name in sorted(imported(starts) - taken):
        groups.setdefault(Path(name).parent.as_posix(), []).append(name)
    found = {group: _hash(names) for group, names in groups.items()}
    return found | ({PACKAGES: _packages()} if (ROOT / PACKAGES).is_file() else {})


def _hash(names: Iterable[str]) -> str:
    whole = sha256()
    for name in names:
        whole.update(name.encode() + b"\0" + (ROOT / name).read_bytes())
    return whole.hexdigest()[:16]


def _packages() -> str:
    """Return a hash of the packages that are installed, and of how tests are run."""
    project = tomllib.loads((ROOT / PACKAGES).read_text(encoding="utf-8"))
    wanted = (project["project"], project["tool"]["pytest"])
    return sha256(json.dumps(wanted, sort_keys=True).encode()).hexdigest()[:16]
