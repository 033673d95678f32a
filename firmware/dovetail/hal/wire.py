# The loops of the link in which an answer's time goes: in C where the image has them, else in Python.
# ruff: noqa: F401

try:
    from cwire import decode, encode, good, key, mac, sign, signed, stuff, take  # pyright: ignore[reportMissingImports]
except ImportError:
    from dovetail.hal.message_twin import decode, encode
    from dovetail.hal.wire_twin import good, key, mac, sign, signed, stuff, take
