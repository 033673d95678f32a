# Protocol Buffers to and from plain dicts, by the tables of schema.py, which link.proto makes.
# Decoded: every plain field is there, with its default if it was not sent; a message only if it
# was sent; repeated messages as a list. Encoded: what is in the dict; an unknown name is an error.

import micropython
from dovetail.hal import wire
from dovetail.link.schema import MESSAGES
from micropython import const

# Kinds of a field, its third entry in a table. host_tools/build/schema.py, hal/wire_twin.py and boards/wire.c have
# the same.
_UINT = const(0)
_BOOL = const(1)
_ENUM = const(2)
_TEXT = const(3)
_BYTES = const(4)
_MESSAGE = const(5)
_KIND = const(7)
_MANY = const(8)  # repeated
_ONEOF = const(16)

_DEFAULTS = (0, False, 0, "", b"")


@micropython.native
def which(values):
    """Name of the member of the message's oneof that is in values, or None."""
    for name in values:
        if isinstance(values[name], dict):  # where there is a oneof, there is no other message
            return name
    return None


def encode(message, values):
    """Bytes of a message of schema.py. An error when the values do not fit it."""
    return wire.encode(MESSAGES, message, values)


def decode(message, data):
    """Dict of a message of schema.py. ValueError when the bytes are no such message."""
    return _get(message, data, 0, len(data), {})


@micropython.native
def _get(message, data, at, end, values):
    table = MESSAGES[message]
    for _, name, kind, _ in table:
        if kind & _ONEOF:
            break  # the generator sees to it that no plain field comes behind
        if name not in values:
            if kind & _MANY:
                values[name] = []
            elif kind & _KIND != _MESSAGE:
                values[name] = _DEFAULTS[kind & _KIND]
    while at < end:
        tag, at = data[at], at + 1  # most numbers have one byte
        if tag > 127:
            tag, at = _varint(data, at - 1, end)
        if not 8 <= tag <= 0xFFFFFFFF:
            raise ValueError("field number")
        wire = tag & 7
        if wire == 0:
            if at < end and data[at] < 128:
                value, at = data[at], at + 1
            else:
                value, at = _varint(data, at, end)
            start = at
        else:
            if wire == 2:
                if at < end and data[at] < 128:
                    value, start = data[at], at + 1
                else:
                    value, start = _varint(data, at, end)
            elif wire == 1 or wire == 5:
                value = 8 if wire == 1 else 4
                start = at
            else:
                raise ValueError("wire type %d" % wire)
            at = start + value
            if at > end:
                raise ValueError("longer than its message")
        field = _find(table, tag >> 3)
        if field is None:
            continue  # a field of a newer schema
        _, name, kind, of = field
        plain = kind & _KIND <= _ENUM
        if wire != (0 if plain else 2):
            continue  # as if it were not known, as all implementations do
        if plain:
            if kind & _KIND == _BOOL:
                value = value != 0
            elif value > 0xFFFFFFFF:
                raise ValueError("%s: over 32 bits" % name)
        elif kind & _KIND == _TEXT:
            value = bytes(data[start:at]).decode()
        elif kind & _KIND == _BYTES:
            value = bytes(data[start:at])
        else:
            if kind & _ONEOF and name not in values:
                values.pop(which(values), None)  # of a oneof the last counts
            old = {} if kind & _MANY else values.get(name, {})
            value = _get(of, data, start, at, old)  # sent in parts: they are merged
        if kind & _MANY:
            values[name].append(value)
        else:
            values[name] = value
    return values


@micropython.native
def _find(table, number):
    if number <= len(table) and table[number - 1][0] == number:  # where most are
        return table[number - 1]
    for field in table:
        if field[0] == number:
            return field
    return None


@micropython.native
def _varint(data, at, end):
    value = 0
    shift = 0
    while True:
        if at >= end or shift > 63:
            raise ValueError("varint")
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
