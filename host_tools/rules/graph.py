"""The transitions of the table as a drawing, in the words of Graphviz."""

from __future__ import annotations

from typing import Any

from dovetail.table import decks, layout

from host_tools.rules import device

HEAD = """digraph rules {
  rankdir=LR;
  node [shape=box, style=rounded, fontname="sans-serif"];
  edge [fontname="sans-serif", fontsize=9];"""
Edge = tuple[str, str, str]

# The state of the round in which a row's condition holds.
STARTS = {
    "bets": "open for bets",
    "released": "remainder released",
    "draw_next": "no more bets",
    "draw_again": "first draw",
    "all_stacks": "no more bets",
    "job_rest": "no more bets",
    "hand": "no more bets",
}
MACHINE = ("in order", "stopped", "down", "out of service", "looking")


def graph() -> str:
    """A cluster for a deck's way, one for the rounds, one for the machine."""
    return "\n".join([HEAD, *_decks(), *_rounds(), *_machine(), "}"])


def _cluster(name: str, title: str, nodes: tuple[str, ...], edges: list[Edge]) -> list[str]:
    lines = [f"  subgraph cluster_{name} {{", f'    label="{title}";']
    lines += [f'    "{name}.{node}" [label="{node}"];' for node in nodes]
    together: dict[tuple[str, str], list[str]] = {}
    for before, after, what in edges:
        together.setdefault((before, after), []).append(what)
    for (before, after), events in together.items():
        told = ", ".join(dict.fromkeys(events))
        lines.append(f'    "{name}.{before}" -> "{name}.{after}" [label="{told}"];')
    return [*lines, "  }"]


def _decks() -> list[str]:
    names = decks.NAMES
    edges: list[Edge] = [
        (names[before], names[after], event.lower())
        for event, *ways in device.ways()
        for before, after in ways
        if before != after
    ]
    return _cluster("deck", "a deck", names, edges)


def rows() -> list[tuple[str, Any]]:
    """Every row that changes something, with its event."""
    return [
        (entry[0], row)
        for part in device.table()
        for entry in part
        for row in entry[2]
        if not isinstance(row[1], str)
    ]


def _rounds() -> list[str]:
    edges: list[Edge] = []
    for event, row in rows():
        to = str(dict(row[1]).get("ROUND", ""))
        if to == "ended":
            edges += [(one, "void", event) for one in layout.ROUNDS[1:5]]
        if not to.isupper():
            continue
        starts = [STARTS[name] for name in row[0] if name in STARTS]
        if event == "open":
            starts = ["closed", "void"]
        elif not starts:
            starts = list(layout.ROUNDS[1:5])
        edges += [(start, layout.ROUNDS[getattr(layout, to)], event) for start in starts]
    return _cluster("round", "a round", layout.ROUNDS, edges)


def _machine() -> list[str]:
    """From what a row writes: FAULT, OUT and LOOK are the machine as a whole."""
    edges: list[Edge] = []
    for event, row in rows():
        to = dict(row[1])
        if to.get("FAULT") == "worse" and event != "found":
            edges.append(("in order", "stopped", event))
        if to.get("FAULT") == "DOWN":
            edges.append(("in order", "down", event))
        if to.get("LOOK") == 1:
            before = "out of service" if event == "in_service" else "stopped"
            edges.append((before, "looking", event))
        if event == "found":
            after = "in order" if to.get("FAULT") == 0 else "stopped"
            edges.append(("looking", after, " ".join(row[2])))
        if to.get("OUT") == 1:
            edges.append(("in order", "out of service", event))
        if to.get("FAULT") == "sound":
            edges += [("down", "in order", event), ("in order", "stopped", event)]
    return _cluster("machine", "the machine", MACHINE, edges)
