# What boards/messages.c does, in Python: Protocol Buffers to and from plain dicts, by tables that link.proto makes.
# Decoded: every plain field is there, with its default if it was not sent; a message only if it
# was sent; repeated messages as a list. Encoded: what is in the dict; an unknown name is an error.

import micropython
from micropython import const

# Kinds of a field, its third entry in a table
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


def encode(tables, message, values):
    """Bytes of a message, whose fields stand in tables[message], with these values. An error when they do not fit."""
    out = bytearray()
    _write(out, tables, message, values)
    return bytes(out)


def _write(out, tables, message, values):
    seen = 0
    chosen = None
    for field in tables[message]:
        if seen == len(values):
            return
        name, kind = field[1], field[2]
        if name not in values:
            continue
        seen += 1
        value = values[name]
        if kind & _ONEOF:
            if chosen:
                raise ValueError("%s beside %s" % (name, chosen))
            chosen = name
        if kind & _MANY:
            for item in value:
                _put(out, tables, field, kind & _KIND, item)
        elif value or kind & _KIND == _MESSAGE:  # a default is not sent
            _put(out, tables, field, kind & _KIND, value)
    if seen != len(values):
        raise ValueError("no such field")


def _put(out, tables, field, kind, value):
    number, name, _, of = field
    if kind <= _ENUM:
        if not 0 <= value <= 0xFFFFFFFF:
            raise ValueError("%s: %d" % (name, value))
        _put_varint(out, number << 3)
        _put_varint(out, int(value))
        return
    _put_varint(out, number << 3 | 2)
    if kind == _MESSAGE:
        at = len(out)
        _write(out, tables, of, value)
        n = len(out) - at
        if n > 1023:  # a body is never so long that its length takes three bytes
            raise ValueError("%s: %d bytes" % (name, n))
        out[at:at] = bytes((n & 127 | 128, n >> 7)) if n > 127 else bytes((n,))
        return
    if kind == _TEXT:
        value = value.encode()
    _put_varint(out, len(value))
    out.extend(value)


def _put_varint(out, value):
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)


def decode(tables, message, data, at, end):
    """Dict of the message in data[at:end]. ValueError when the bytes are no such message."""
    if at < 0 or end < at or end > len(data):
        raise ValueError("range")
    return _get(tables, message, data, at, end, {})


def _forget(values):
    for name in values:
        if isinstance(values[name], dict):
            del values[name]
            return


@micropython.native
def _get(tables, message, data, at, end, values):
    table = tables[message]
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
                _forget(values)  # of a oneof the last counts
            old = {} if kind & _MANY else values.get(name, {})
            value = _get(tables, of, data, start, at, old)  # sent in parts: they are merged
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
