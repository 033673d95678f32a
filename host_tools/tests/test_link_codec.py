"""The device's codec against Google's Protocol Buffers, in both directions."""

from typing import Any

import pytest
from dovetail.link import codec as device_codec
from dovetail.link import names as schema
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given, settings
from hypothesis import strategies as st

from host_tools.link import frame, link_pb2
from host_tools.tests.link_mutate import varint

codec: Any = device_codec  # device code has no types
NAMES = sorted(link_pb2.DESCRIPTOR.message_types_by_name)
UINT32 = st.one_of(st.sampled_from([0, 1, 127, 128, 2**31, 2**32 - 1]), st.integers(0, 2**32 - 1))
PLAIN = {
    FieldDescriptor.TYPE_UINT32: UINT32,
    FieldDescriptor.TYPE_BOOL: st.booleans(),
    FieldDescriptor.TYPE_ENUM: st.integers(0, 2**31 - 1),  # one that is not known here must pass
    FieldDescriptor.TYPE_STRING: st.text(max_size=20),
    FieldDescriptor.TYPE_BYTES: st.binary(max_size=200),
}


def index_of(name: str) -> int:
    """A message's place in the device's tables."""
    place: int = getattr(schema, name)
    return place


def class_of(name: str) -> type[Message]:
    """Google's class."""
    return GetMessageClass(link_pb2.DESCRIPTOR.message_types_by_name[name])


@st.composite
def values_of(draw: st.DrawFn, descriptor: Descriptor) -> dict[str, Any]:
    """A dict that is a message: any of its fields, at most one of its oneof."""
    values: dict[str, Any] = {}
    members: list[FieldDescriptor | None] = [None]
    for field in descriptor.fields:
        if field.containing_oneof:
            members.append(field)
        elif not draw(st.booleans()):
            continue
        elif field.message_type and not field.is_repeated:
            values[field.name] = draw(values_of(field.message_type))
        elif field.message_type:
            values[field.name] = draw(st.lists(values_of(field.message_type), max_size=3))
        else:
            values[field.name] = draw(PLAIN[field.type])
    chosen = draw(st.sampled_from(members))
    if chosen is not None:
        assert chosen.message_type
        values[chosen.name] = draw(values_of(chosen.message_type))
    return values


@st.composite
def unknown_fields(draw: st.DrawFn) -> bytes:
    """Fields that no message of ours has, of every wire type but groups."""
    out = b""
    for _ in range(draw(st.integers(0, 3))):
        number = draw(st.integers(100, 2**29 - 1))
        wire = draw(st.sampled_from([0, 1, 2, 5]))
        out += varint(number << 3 | wire)
        if wire == 0:
            out += varint(draw(st.integers(0, 2**64 - 1)))
        elif wire == 2:
            inside = draw(st.binary(max_size=40))
            out += varint(len(inside)) + inside
        else:
            out += draw(st.binary(min_size=8 if wire == 1 else 4, max_size=8 if wire == 1 else 4))
    return out


def with_names(data: st.DataObject) -> tuple[str, Descriptor]:
    """Any message type."""
    name = data.draw(st.sampled_from(NAMES))
    return name, link_pb2.DESCRIPTOR.message_types_by_name[name]


def largest(descriptor: Descriptor) -> dict[str, Any]:
    """A message whose numbers are all as long as they get; it has two decks and no text."""
    values: dict[str, Any] = {}
    for field in descriptor.fields:
        if field.message_type:
            inside = largest(field.message_type)
            values[field.name] = [inside] * 2 if field.is_repeated else inside
        elif field.type == FieldDescriptor.TYPE_BOOL:
            values[field.name] = True
        elif field.type in (FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_ENUM):
            values[field.name] = 2**31 - 1
    return values


@pytest.mark.parametrize("name", ["status", "meters", "beat"])
def test_the_largest_answers_fit_a_frame(name: str) -> None:
    answer = link_pb2.DESCRIPTOR.message_types_by_name["Answer"].fields_by_name[name]
    assert answer.message_type
    values = {"id": 2**31, "outcome": 1, name: largest(answer.message_type)}
    report = codec.encode(index_of("Report"), {"answer": values})
    assert 100 < len(report) <= frame.MAX_BODY


def test_a_plain_field_is_written_before_the_oneof() -> None:
    """Though its number is greater: the order of fields means nothing."""
    values: dict[str, Any] = {"record": 1, "taken": {}}
    written = bytes(codec.encode(index_of("Event"), values))
    assert written == b"\x68\x01\x3a\x00"
    assert link_pb2.Event.FromString(written) == link_pb2.Event(record=1, taken={})


@settings(deadline=None)
@given(st.data())
def test_what_the_device_writes_google_reads(data: st.DataObject) -> None:
    name, descriptor = with_names(data)
    values = data.draw(values_of(descriptor))
    written = bytes(codec.encode(index_of(name), values))
    expected = class_of(name)(**values)
    assert class_of(name).FromString(written) == expected
    # Not a byte more; a plain field stands before the oneof there, whatever its number.
    assert len(written) == len(expected.SerializeToString())


@settings(deadline=None)
@given(st.data())
def test_what_google_writes_the_device_reads(data: st.DataObject) -> None:
    name, descriptor = with_names(data)
    message = class_of(name)(**data.draw(values_of(descriptor)))
    written = message.SerializeToString()
    mixed = data.draw(unknown_fields()) + written + data.draw(unknown_fields())
    values = codec.decode(index_of(name), mixed)
    assert class_of(name)(**values) == message
    missing = {
        field.name
        for field in descriptor.fields
        if field.name not in values and (field.is_repeated or not field.message_type)
    }
    assert not missing, "plain and repeated fields are always there"


@settings(deadline=None)
@given(st.data())
def test_pieces_one_after_another_are_merged_as_google_does(data: st.DataObject) -> None:
    name, descriptor = with_names(data)
    pieces = [class_of(name)(**data.draw(values_of(descriptor))) for _ in range(3)]
    whole = b"".join(piece.SerializeToString() for piece in pieces)
    values = codec.decode(index_of(name), whole)
    assert class_of(name)(**values) == class_of(name).FromString(whole)


@settings(deadline=None)
@given(st.data())
def test_any_bytes_are_refused_or_mean_what_google_says(data: st.DataObject) -> None:
    name, descriptor = with_names(data)
    written = bytearray(class_of(name)(**data.draw(values_of(descriptor))).SerializeToString())
    for _ in range(data.draw(st.integers(0, 3))):
        if written:
            written[data.draw(st.integers(0, len(written) - 1))] = data.draw(st.integers(0, 255))
    either = bytes(written) if data.draw(st.booleans()) else data.draw(st.binary(max_size=60))
    try:
        values = codec.decode(index_of(name), either)
    except ValueError:
        return
    try:
        expected = class_of(name).FromString(either)
    except DecodeError:
        pytest.fail(f"{name} {either.hex()}: only the device accepts this")
    expected.DiscardUnknownFields()
    assert class_of(name)(**values) == expected
