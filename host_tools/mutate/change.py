"""Changes of a source file, made in its syntax tree: each mutant is the file with one of them.

A change is of a kind that a slip of the hand could make: a number is another, a comparison is
turned, a condition is negated, a statement is left out. What decides nothing is never changed:
text, a pause that lets others have their turn, a deck's number where an event is of no deck. Nor
is a number that names its origin: `make lint` compares such a number with it, in the file.
A mutant is named by its file, its function and its change, so that the name outlives other edits.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

SMALL = 8  # a greater number is halved or doubled, never changed by one alone
SHOWN = 90  # characters of a statement in the name of a mutant
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OTHER: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
PAUSE, ORIGIN = "sleep_ms", "# from "
EVENTS = {"tell": 1, "told": 3, "ask": 2}  # which argument names the deck that an event is of
Change = tuple[str, Callable[[ast.AST], ast.AST]]


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    file: str
    function: str  # '' outside of any
    what: str
    line: int
    at: tuple[int, int]  # which node, in the order of ast.walk, and which of its changes

    @property
    def name(self) -> str:
        """Return the name by which verdicts and explanations know it."""
        return f"{self.file}: {self.function or 'module'}: {self.what}"


def mutants(file: str, source: str, seed: int) -> list[Mutant]:
    """Return every mutant of a source file; the seed decides what a number becomes."""
    tree = ast.parse(source)
    owners, places, idle = _owners(tree), _places(tree), _idle(tree, source.splitlines())
    found: list[Mutant] = []
    taken: dict[str, int] = {}
    for i, node in enumerate(ast.walk(tree)):
        function = owners.get(node)
        if function is None or node in idle:
            continue
        place = f"{places[node]}: " if isinstance(node, ast.Constant) else ""
        for j, (change, _) in enumerate(_changes(node, _random(seed, file, node))):
            what = f"{place}{change}"
            number = taken[f"{function}: {what}"] = taken.get(f"{function}: {what}", 0) + 1
            told = what if number == 1 else f"{what} ({number})"
            found.append(Mutant(file, function, told, getattr(node, "lineno", 0), (i, j)))
    return found


def planted(mutant: Mutant, source: str, seed: int) -> ast.Module:
    """Return the tree of the mutant's file with the change in it."""
    tree = ast.parse(source)
    node = list(ast.walk(tree))[mutant.at[0]]
    random = _random(seed, mutant.file, node)
    for j, (_, change) in enumerate(_changes(node, random)):
        if j == mutant.at[1]:
            _Replace(node, change(copy.deepcopy(node))).visit(tree)
            return ast.fix_missing_locations(tree)
    raise ValueError(f"no such change: {mutant.name}")


class _Replace(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the new node for the old one, with everything else as it was."""
        if node is self.old:
            return ast.copy_location(self.new, node)
        return super().visit(node)


def _random(seed: int, file: str, node: ast.AST) -> Random:
    place = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    return Random(f"{seed} {file} {place} {type(node).__name__}")


def _owners(tree: ast.Module) -> dict[ast.AST, str]:
    """Return the function that each node stands in, without those that are never changed."""
    owners: dict[ast.AST, str] = {}

    def walk(node: ast.AST, within: str, function: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.Import, ast.ImportFrom)):
                continue
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                name = f"{within}{child.name}"
                for statement in child.body:  # neither decorators nor what arguments begin with
                    owners[statement] = name
                    walk(statement, f"{name}.", name)
            elif isinstance(child, ast.ClassDef):
                walk(child, f"{within}{child.name}.", "")
            else:
                owners[child] = function
                walk(child, within, function)

    walk(tree, "", "")
    return owners


def _places(tree: ast.Module) -> dict[ast.AST, str]:
    """Return where each node stands: the rows of a table by their names, else its statement."""
    places: dict[ast.AST, str] = {}

    def walk(node: ast.AST, rows: tuple[str, ...], statement: str) -> None:
        for child in ast.iter_child_nodes(node):
            here, inner = rows, statement
            if isinstance(child, ast.stmt):
                inner = _short(ast.unparse(child).splitlines()[0])
            elif isinstance(child, ast.Tuple) and child.elts and _is_text(child.elts[0]):
                here = (*rows, ast.literal_eval(child.elts[0]))
            places[child] = " ".join(here) if here else inner
            walk(child, here, inner)

    walk(tree, (), "")
    return places


def _idle(tree: ast.Module, lines: Sequence[str]) -> set[ast.AST]:
    """Return the nodes that decide nothing, or that `make lint` looks at."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and f"{PAUSE}(" in ast.unparse(node):
            found |= set(ast.walk(node))
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            at = EVENTS.get(name)
            if at is not None and len(node.args) > at and _is(node.args[at], 0):
                found.add(node.args[at])
        elif isinstance(node, ast.Constant):
            if ORIGIN in lines[node.lineno - 1]:
                found.add(node)
        elif isinstance(node, ast.Return) and _is(node.value, 0):  # None would be no as well
            found.add(node)
    return found


def _is(node: ast.AST | None, value: int) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def _changes(node: ast.AST, random: Random) -> Iterator[Change]:
    """Yield what can be changed of one node: a name, and the change."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            yield _told(node, lambda n, i=i, op=op: _with_op(n, i, TURNED[type(op)]()))
    elif isinstance(node, ast.BoolOp):
        op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield _told(node, lambda n: _set(n, op=op))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield f"{_text(node)} without not", lambda n: n.operand  # type: ignore[attr-defined]
    elif isinstance(node, ast.BinOp) and type(node.op) in OTHER and not _is_text(node.left):
        yield _told(node, lambda n: _set(n, op=OTHER[type(node.op)]()))
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        other = _other(node.value, random)
        yield f"{node.value} becomes {other}", lambda n: _set(n, value=other)
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)) and not _negated(node.test):
        test = ast.UnaryOp(ast.Not(), node.test)
        yield f"if not {_text(node.test)}", lambda n: _set(n, test=test)
    elif isinstance(node, ast.Return) and _decides(node.value):
        yield f"{_text(node)} becomes return None", lambda _: ast.Return(ast.Constant(None))
    elif _can_go(node):
        yield f"{_text(node)} left out", lambda _: ast.Pass()


def _told(node: ast.AST, change: Callable[[ast.AST], ast.AST]) -> Change:
    return f"{_text(node)} becomes {_text(change(copy.deepcopy(node)))}", change


def _text(node: ast.AST) -> str:
    return _short(" ".join(ast.unparse(node).split()))


def _short(line: str) -> str:
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…"


def _set(node: ast.AST, **fields: object) -> ast.AST:
    for name, value in fields.items():
        setattr(node, name, value)
    return node


def _with_op(node: ast.AST, i: int, op: ast.cmpop) -> ast.AST:
    assert isinstance(node, ast.Compare)
    node.ops[i] = op
    return node


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
    )


def _negated(node: ast.AST) -> bool:
    """Tell whether another change of the same node turns the condition already."""
    if isinstance(node, ast.Compare):
        return all(type(op) in (ast.Eq, ast.NotEq, ast.Is, ast.IsNot) for op in node.ops)
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _decides(node: ast.AST | None) -> bool:
    return node is not None and not (isinstance(node, ast.Constant) and node.value is None)


def _can_go(node: ast.AST) -> bool:
    """Tell whether the file still makes sense without this statement: it binds no new name."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, (ast.Constant, ast.Yield))
    if isinstance(node, ast.Assign):
        return all(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets)
    return isinstance(node, (ast.AugAssign, ast.Raise, ast.Break, ast.Continue))


def _other(value: int, random: Random) -> int | bool:
    if isinstance(value, bool):
        return not value
    if value <= 1:
        return 1 - value
    near = [value - 1, value + 1]
    far = [value // 2, value * 2]
    return random.choice(near + far if value <= SMALL else far)
