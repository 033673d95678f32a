# The codec: what Protocol Buffers ask for, and no for everything that is none. host_tools/tests
# compare it with Google's own.

from dovetail.link import names as schema
from dovetail.link.codec import decode, encode, which


def refused(function, *args):
    try:
        function(*args)
    except ValueError:
        return True
    return False


def test_known_bytes():
    # field 1, varint 300 · field 8, message of 4 bytes: 1: 2, 2: 3
    data = b"\x08\xac\x02\x42\x04\x08\x02\x10\x03"
    request = decode(schema.Request, data)
    assert request == {"id": 300, "deal": {"round": 2, "position": 3, "cards": 0}}
    assert which(request) == "deal"
    assert encode(schema.Request, request) == data


def test_defaults_are_filled_in_and_not_sent():
    assert decode(schema.Load, b"") == {"back": 0, "new_deck": False, "shuffled": False, "sorted": False}
    assert encode(schema.Load, {"back": 0, "new_deck": False}) == b""
    assert decode(schema.Started, b"")["cause"] == ""
    assert decode(schema.Identity, b"")["serial"] == b""
    assert decode(schema.Request, b"") == {"id": 0}
    assert decode(schema.Status, b"")["decks"] == []


def test_a_message_without_fields_is_there():
    assert encode(schema.Request, {"id": 1, "status": {}}) == b"\x08\x01\x1a\x00"
    assert decode(schema.Request, b"\x1a\x00") == {"id": 0, "status": {}}


def test_repeated_strings_and_bytes():
    status = {"state": schema.READY, "decks": [{"back": schema.RED}, {}, {"counted_in": 52}]}
    again = decode(schema.Status, encode(schema.Status, status))
    assert [deck["counted_in"] for deck in again["decks"]] == [0, 0, 52]
    identity = {"board": "caf\u00e9", "serial": b"\x00\xff", "boots": 0xFFFFFFFF}
    again = decode(schema.Identity, encode(schema.Identity, identity))
    assert (again["board"], again["serial"]) == ("caf\u00e9", b"\x00\xff")
    assert again["boots"] == 0xFFFFFFFF


def test_the_last_of_a_oneof_counts_and_parts_are_merged():
    two = encode(schema.Request, {"status": {}}) + encode(schema.Request, {"deal": {"round": 1}})
    assert decode(schema.Request, two) == {"id": 0, "deal": {"round": 1, "position": 0, "cards": 0}}
    two = two + encode(schema.Request, {"deal": {"position": 4}})
    assert decode(schema.Request, two)["deal"] == {"round": 1, "position": 4, "cards": 0}
    assert refused(encode, schema.Request, {"status": {}, "deal": {}})


def test_unknown_fields_are_skipped():
    deal = b"\x08\x02"
    for unknown in (
        b"\xf8\x07\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",  # 127, varint of 64 bits
        b"\xf9\x0712345678",  # 127, fixed of 64 bits
        b"\xfd\x071234",  # 127, fixed of 32 bits
        b"\xfa\x07\x05hello",  # 127, bytes
        b"\x0a\x01x",  # a known number, another wire type
    ):
        assert decode(schema.Deal, unknown + deal + unknown)["round"] == 2


def test_what_is_no_message_is_refused():
    for data in (
        b"\x08",  # nothing after the tag
        b"\x08\x80",  # half a varint
        b"\x08" + b"\xff" * 10 + b"\x01",  # a varint without end
        b"\xf8\x07" + b"\xff" * 10 + b"\x01",  # and one of no field of ours
        b"\x08\x80\x80\x80\x80\x10",  # 33 bits
        b"\x00\x01",  # field number 0
        b"\x0b",  # a group
        b"\x0f",  # no such wire type
        b"\x09\x01",  # 8 bytes promised
        b"\x42\x05\x08\x01",  # longer than what there is
        b"\x42\xff\xff\xff\xff\x0f",  # four gigabytes
        b"\x42\x02\x08",  # cut inside
    ):
        assert refused(decode, schema.Request, data), data
    assert refused(decode, schema.Identity, b"\x1a\x02\xc3\x28")  # no UTF-8


def test_every_cut_of_a_message_is_refused_or_less():
    whole = encode(schema.Request, {"id": 300, "deal": {"round": 70000, "position": 3}})
    for n in range(len(whole)):
        if not refused(decode, schema.Request, whole[:n]):
            assert decode(schema.Request, whole[:n]) in ({"id": 0}, {"id": 300})


def test_values_that_do_not_fit_are_refused():
    assert refused(encode, schema.Deal, {"round": -1})
    assert refused(encode, schema.Deal, {"round": 0x100000000})
    assert refused(encode, schema.Deal, {"rounds": 1})
    assert refused(encode, schema.Status, {"decks": [{"colour": 1}]})
