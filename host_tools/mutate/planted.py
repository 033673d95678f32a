"""One changed module in the place of the real one, in this process alone: no file is written."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

ROOTS = ("firmware/", "boards/shuffler_rp2040/")  # what of a path is no part of a module's name


def module_of(file: str) -> str:
    """Return the name by which a source file is imported."""
    for root in ROOTS:
        file = file.removeprefix(root)
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


class _Loader(SourceFileLoader):
    """Runs other code than the file holds."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self.code = code

    def get_code(self, fullname: str) -> CodeType:
        """Return the changed code, whatever the file and its cache say."""
        return self.code


class _Finder(MetaPathFinder):
    """Finds the one module that is changed, before anybody else does."""

    def __init__(self, name: str, code: CodeType) -> None:
        self.name, self.code = name, code

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return the changed module's spec; None for every other one."""
        if fullname != self.name:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return None
        spec.loader = _Loader(fullname, spec.origin, self.code)
        spec.cached = None
        return spec


def plant(file: str, code: CodeType) -> None:
    """Make this process import that code in the place of the file; it has not imported it yet."""
    name = module_of(file)
    assert name not in sys.modules, name
    sys.meta_path.insert(0, _Finder(name, code))
