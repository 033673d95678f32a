"""Holds every copy of a shared number against the place where the number is written.

Firmware, tools and C client share numbers; each is written once, under firmware/dovetail. Who can
import it does. Who cannot, or must not for the device's sake, copies it on a line whose comment
ends in `from FILE: NAME`, FILE as seen from firmware/dovetail: docs/architecture.md says when.
`python -m host_tools.build.shared_numbers` writes the numbers of such lines; `make lint` refuses a
wrong one, and a copy without its source.
"""

from __future__ import annotations

import ast
import io
import re
import tempfile
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto

from host_tools.build.schema import MADE, PROTO, compile_proto
from host_tools.build.tell import ROOT, BuildError, say, stop

HOME = Path("firmware/dovetail")
LINK = "link/link.proto"
FAULTS = "faults.py"
# Where copies may be
ROOMS = ("firmware", "boards", "sim", "host_tools", "hil_tests")
SUFFIXES = (".py", ".c", ".h")
# Whose constants are asked for their source. Pins and mechanics of boards have names of their own;
# a test may write a number by hand, as a witness.
ASKED = ("firmware/dovetail", "sim", "host_tools")
# A smaller number may be another's of the same name by chance: TAG is 16 bytes twice.
TELLING = 100

SOURCE = re.compile(r"\bfrom ([\w/]+\.(?:py|proto)): (\w+)$")
LIKE_A_SOURCE = re.compile(r"\bfrom [\w/]+\.(?:py|proto)\b")
WHOLE = re.compile(r"0[xX][0-9A-Fa-f_]+|[1-9][\d_]*|0")
C_NUMBER = re.compile(r"(?<![\w.\"])(?:0[xX][0-9A-Fa-f]+|\d+(?:\.\d+)?)(?=[uU]?\b)")
C_COMMENT = re.compile(r"//|/\*")
FOLDED: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.LShift: lambda a, b: a << b,
    ast.BitOr: lambda a, b: a | b,
}


@dataclass(frozen=True)
class Line:
    """A line with a comment: the numbers in its code, as (column, text), and the comment's text."""

    at: int  # from 1
    numbers: tuple[tuple[int, str], ...]
    comment: str


@dataclass(frozen=True)
class Copy:
    """A number that a line copies, and where from."""

    path: Path  # as seen from the root
    at: int
    column: int
    text: str
    file: str
    name: str


def _lines_of_python(text: str) -> Iterator[Line]:
    numbers: dict[int, list[tuple[int, str]]] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        row, column = token.start
        if token.type == tokenize.NUMBER:
            numbers.setdefault(row, []).append((column, token.string))
        elif token.type == tokenize.COMMENT:
            yield Line(row, tuple(numbers.get(row, ())), token.string.rstrip())


def _lines_of_c(text: str) -> Iterator[Line]:
    for at, line in enumerate(text.splitlines(), 1):
        if comment := C_COMMENT.search(line):
            code, said = line[: comment.start()], line[comment.start() :]
            found = tuple((number.start(), number[0]) for number in C_NUMBER.finditer(code))
            yield Line(at, found, said.rstrip().removesuffix("*/").rstrip())


def lines_with_comments(path: Path, text: str) -> Iterator[Line]:
    """Yield the lines of a file that have a comment."""
    return _lines_of_python(text) if path.suffix == ".py" else _lines_of_c(text)


@cache
def constants_of(text: str) -> dict[str, tuple[int, int]]:
    """Return the whole numbers that a module defines: name → (number, line)."""
    found: dict[str, tuple[int, int]] = {}

    def number_of(node: ast.expr) -> int:
        match node:
            case ast.Call(func=ast.Name(id="const"), args=[inner]):
                return number_of(inner)
            case ast.Constant(value=int(number)) if not isinstance(number, bool):
                return number
            case ast.Name(id=name):
                return found[name][0]
            case ast.BinOp(left=left, op=op, right=right):
                return FOLDED[type(op)](number_of(left), number_of(right))
            case _:
                raise KeyError

    for node in ast.parse(text).body:
        for name, value in _assigned(node):
            try:
                found[name] = number_of(value), node.lineno
            except KeyError:  # something else, or of another module
                continue
    return found


def _assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names and values of `A = 1`, `A: int = 1` and `A, B = 1, 2`."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            pairs: list[tuple[ast.expr, ast.expr]] = list(zip(names, values, strict=False))
        case ast.Assign(targets=[name], value=value):
            pairs = [(name, value)]
        case ast.AnnAssign(target=name, value=ast.expr() as value):
            pairs = [(name, value)]
        case _:
            return
    for name, value in pairs:
        if isinstance(name, ast.Name):
            yield name.id, value


@cache
def _described(proto: str) -> FileDescriptorProto:
    """Return what protoc says of the text of a link.proto."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / PROTO.name
        path.write_text(proto, encoding="utf-8")
        return compile_proto(Path(folder), path)


class Numbers:
    """The shared numbers of a tree of sources, and their copies."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.wrong: list[str] = []  # one line for each thing that is wrong
        self._constants: dict[str, dict[str, tuple[int, int]]] = {}
        self.link = _described((root / PROTO.relative_to(ROOT)).read_text(encoding="utf-8"))
        values = [value for enum in self.link.enum_type for value in enum.value]
        self._constants[LINK] = {value.name: (value.number, 0) for value in values}
        self.copies = [copy for path in self.files() for copy in self._copies_in(path)]
        self._lines = {(copy.path, copy.at): copy for copy in self.copies}

    def files(self) -> Iterator[Path]:
        """Yield every file that may hold a copy, as seen from the root."""
        for room in ROOMS:
            for path in sorted((self.root / room).rglob("*")):
                if path.suffix in SUFFIXES and "_pb2" not in path.name:
                    yield path.relative_to(self.root)

    def text(self, path: Path) -> str:
        """Return a file's text; that of a file which is made from link.proto is empty."""
        text = (self.root / path).read_text(encoding="utf-8")
        return "" if text.startswith(MADE) else text

    def _copies_in(self, path: Path) -> Iterator[Copy]:
        text = self.text(path)
        if LIKE_A_SOURCE.search(text) is None:
            return
        for line in lines_with_comments(path, text):
            where = f"{path}:{line.at}"
            source = SOURCE.search(line.comment)
            if source is None:
                if LIKE_A_SOURCE.search(line.comment):
                    self.wrong.append(f"{where}: a source is written 'from FILE: NAME', at the end")
                continue
            if len(line.numbers) != 1:
                self.wrong.append(
                    f"{where}: {len(line.numbers)} numbers on a line that copies one: "
                    "give each a line of its own"
                )
            elif WHOLE.fullmatch(line.numbers[0][1]) is None:
                self.wrong.append(f"{where}: {line.numbers[0][1]} is not a whole number")
            else:
                yield Copy(path, line.at, *line.numbers[0], *source.groups())

    def constants(self, file: str) -> dict[str, tuple[int, int]]:
        """Return what a source defines: name → (number, line)."""
        if file not in self._constants:
            path = self.root / HOME / file
            if not path.is_file():
                raise LookupError(f"there is no {HOME / file}")
            self._constants[file] = constants_of(path.read_text(encoding="utf-8"))
        return self._constants[file]

    def number(self, file: str, name: str) -> int:
        """Return a number from its source; LookupError says why that cannot be."""
        found = self.constants(file)
        if name not in found:
            raise LookupError(f"{HOME / file} defines no number {name}")
        number, at = found[name]
        copy = self._lines.get((HOME / file, at))
        if copy is not None:
            raise LookupError(f"{file}: {name} is a copy too: of {copy.name}, {copy.file}")
        return number

    def check_copies(self) -> dict[Path, list[tuple[Copy, int]]]:
        """Note every copy that is not what its source says; return those, with the right number."""
        stale: dict[Path, list[tuple[Copy, int]]] = {}
        for copy in self.copies:
            try:
                number = self.number(copy.file, copy.name)
            except LookupError as error:
                self.wrong.append(f"{copy.path}:{copy.at}: {error.args[0]}")
                continue
            if int(copy.text, 0) != number:
                stale.setdefault(copy.path, []).append((copy, number))
                self.wrong.append(
                    f"{copy.path}:{copy.at}: {copy.text}, but {copy.name} of {copy.file} is "
                    f"{number}: python -m host_tools.build.shared_numbers"
                )
        return stale

    def check_unnamed(self) -> None:
        """Note every copy that does not name its source: its name, its field or its fault tells."""
        named = {(copy.path, copy.at) for copy in self.copies}
        for path in self.files():
            asked = any(path.is_relative_to(room) for room in ASKED)
            if path.suffix != ".py" or "tests" in path.parts or not asked:
                continue
            for at, what in sorted({*self._suspects(path)}):
                if (path, at) not in named:
                    self.wrong.append(
                        f"{path}:{at}: {what}: import it, or end the line in '# from FILE: NAME'"
                    )

    def _suspects(self, path: Path) -> Iterator[tuple[int, str]]:
        """Yield line and reason of each number in a file that looks like a copy."""
        text = self.text(path)
        of_faults = path.is_relative_to(HOME) and path != HOME / FAULTS
        own = path.relative_to(HOME).as_posix() if path.is_relative_to(HOME) else ""
        sources = {copy.name for copy in self.copies if copy.file == own}
        for name, (number, at) in constants_of(text).items():
            source = self.shared.get((name.lstrip("_"), number))
            if source and name not in sources:
                yield at, f"{name} = {number} is {source[1]} of {source[0].name}"
        for node in ast.walk(ast.parse(text)):
            for at, key, value in _keyed(node):
                if key in self.fields and value:
                    yield at, f"{key}: {value} is a number of {self.fields[key]}"
            if of_faults and isinstance(node, ast.Constant) and node.value in self.faults:
                yield node.lineno, f"{node.value} is a number of {FAULTS}"

    @cached_property
    def fields(self) -> dict[str, str]:
        """Return the fields of the link that are numbers of an enum: field → enum."""
        return {
            field.name: field.type_name.rpartition(".")[2]
            for message in self.link.message_type
            for field in message.field
            if field.type == FieldDescriptorProto.TYPE_ENUM
        }

    @cached_property
    def faults(self) -> set[int]:
        """Return the numbers of all faults."""
        every = {number for number, _ in self.constants(FAULTS).values()}
        return {number for number in every if number > 100}  # the others are severities

    @cached_property
    def shared(self) -> dict[tuple[str, int], tuple[Path, str]]:
        """Return what is shared: (name without underscores in front, number) → (file, name)."""
        found: dict[tuple[str, int], tuple[Path, str]] = {}
        for copy in self.copies:
            number = int(copy.text, 0)
            if number >= TELLING:
                found[copy.name.lstrip("_"), number] = HOME / copy.file, copy.name
        for enum in self.link.enum_type:
            for value in enum.value:
                bare = value.name.removeprefix(f"{enum.name.upper()}_")
                for name in {value.name, bare if value.number else value.name}:
                    found[name, value.number] = HOME / LINK, value.name
        return found


def _keyed(node: ast.AST) -> Iterator[tuple[int, str, int]]:
    """Yield line, field and number of what says {"outcome": 2}, outcome=2 or x.outcome == 2."""
    match node:
        case ast.Dict(keys=keys, values=values):
            pairs: list[tuple[ast.AST | None, ast.expr]] = list(zip(keys, values, strict=True))
        case ast.keyword(arg=str(name), value=value):
            pairs = [(ast.Constant(name), value)]
        case ast.Compare(left=left, comparators=others):
            pairs = [(left, other) for other in others]
        case _:
            return
    for key, value in pairs:
        match key:
            case ast.Constant(value=str(name)):
                pass
            case ast.Subscript(slice=ast.Constant(value=str(name))):
                pass
            case ast.Attribute(attr=name):
                pass
            case _:
                continue
        if isinstance(value, ast.Constant) and type(value.value) is int:
            yield value.lineno, name, value.value


def check(root: Path = ROOT) -> None:
    """Raise a BuildError that lists every copy that is wrong or does not name its source."""
    numbers = Numbers(root)
    numbers.check_copies()
    numbers.check_unnamed()
    if numbers.wrong:
        raise BuildError("\n".join(["shared numbers:", *numbers.wrong]))


def write(root: Path = ROOT) -> list[Path]:
    """Write the right number into every copy; return the files that changed."""
    stale = Numbers(root).check_copies()
    for path, found in stale.items():
        lines = (root / path).read_text(encoding="utf-8").splitlines(keepends=True)
        for copy, number in found:
            line = lines[copy.at - 1]
            behind = line[copy.column + len(copy.text) :]
            right = hex(number) if copy.text.startswith("0x") else str(number)
            lines[copy.at - 1] = f"{line[: copy.column]}{right}{behind}"
        (root / path).write_text("".join(lines), encoding="utf-8")
    return list(stale)


def main() -> None:
    """Write the numbers, and check what is left."""
    for path in write():
        say(f"{path}: written")
    check()


if __name__ == "__main__":
    try:
        main()
    except BuildError as error:
        stop(error)
