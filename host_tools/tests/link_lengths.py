"""Fields of link.proto that have no length of their own, and those that the page gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from host_tools.build.tell import ROOT
from host_tools.link import frame, link_pb2

PAGE = ROOT / "docs" / "protocol.md"
OPTIONS = ROOT / "host_tools" / "c_client" / "link.options"
BODIES = {frame.REQUEST: link_pb2.Request, frame.REPORT: link_pb2.Report}


def has_none(field: FieldDescriptor) -> bool:
    """Whether it can be as long as it likes."""
    return field.is_repeated or field.type in (field.TYPE_STRING, field.TYPE_BYTES)


def name_of(field: FieldDescriptor) -> str:
    """As page and options have it: "Message.field"."""
    return field.full_name.removeprefix("dovetail.")


def fields() -> dict[str, FieldDescriptor]:
    """All of them, by name."""
    messages = link_pb2.DESCRIPTOR.message_types_by_name.values()
    found = [field for message in messages for field in message.fields if has_none(field)]
    return {name_of(field): field for field in found}


def on_page(text: str) -> dict[str, int]:
    """The table of "How long"."""
    told: dict[str, int] = {}
    for line in text.split("| field | at most |", 1)[1].splitlines()[2:]:
        if not line.startswith("|"):
            break
        _, names, most, _ = line.split("|")
        for name in re.findall(r"`([^`]+)`", names):
            assert name not in told, f"{name}: twice"
            told[name] = int(most)
    return told


def in_options(text: str) -> dict[str, str]:
    """What nanopb is told."""
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    assert len({name for name, _ in rows}) == len(rows), "a field twice"
    return {name.removeprefix("dovetail."): told for name, told in rows}


def option(field: FieldDescriptor, most: int) -> str:
    """For nanopb, which counts the end of a string."""
    if field.is_repeated:
        return f"max_count:{most}"
    return f"max_size:{most + (field.type == field.TYPE_STRING)}"


def filled(most: dict[str, int], more: int = 0) -> Iterator[tuple[str, int, bytes]]:
    """Of each field a message with that field alone, at its longest: its name, kind, body."""
    for kind, body in BODIES.items():
        for path in _paths(cast(Descriptor, body.DESCRIPTOR)):
            name, made = name_of(path[-1]), body()
            _fill(made, path, most[name] + more)
            yield name, kind, made.SerializeToString(deterministic=True)


def _paths(message: Descriptor) -> Iterator[tuple[FieldDescriptor, ...]]:
    for field in message.fields:
        if has_none(field):
            yield (field,)
        if field.message_type is not None:
            for path in _paths(field.message_type):
                yield (field, *path)


def _fill(message: Message, path: tuple[FieldDescriptor, ...], n: int) -> None:
    field, *rest = path
    if not field.is_repeated and not rest:
        setattr(message, field.name, "x" * n if field.type == field.TYPE_STRING else b"x" * n)
    elif not field.is_repeated:
        _fill(getattr(message, field.name), tuple(rest), n)
    else:
        for _ in range(1 if rest else n):
            inner = getattr(message, field.name).add()
            if rest:
                _fill(inner, tuple(rest), n)
