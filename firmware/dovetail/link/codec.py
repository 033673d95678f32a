# Messages of schema.py to and from plain dicts; hal/message_twin.py says how they look.

import micropython
from dovetail.hal import wire
from dovetail.link.schema import MESSAGES


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
    return wire.decode(MESSAGES, message, data, 0, len(data))
