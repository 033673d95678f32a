"""One direction of a line as people read it: a line for every frame, and for what is none."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.message import DecodeError, Message

from host_tools.link import frame, link_pb2

SECRETS = ("provision",)  # its fields are the keys of a machine
SIDES = {frame.REQUEST: "controller", frame.REPORT: "machine"}


def words(message: Message) -> str:
    """Fields that are set, in the order of the schema: `round=7 position=1`."""
    found: list[str] = []
    for field, value in message.ListFields():
        if isinstance(value, Message):
            found.append(f"{field.name}({words(value)})")
        elif isinstance(value, bytes):
            found.append(f"{field.name}={value.hex()}")
        elif field.enum_type is not None:
            name = field.enum_type.values_by_number.get(value)
            found.append(f"{field.name}={name.name if name else value}")
        elif isinstance(value, (str, int)):
            found.append(f"{field.name}={value}")
        else:  # more than one message
            found.append(f"{field.name}({' · '.join(words(one) for one in value)})")
    return " ".join(found)


def body_words(kind: int, body: bytes) -> str:
    """What a body says."""
    try:
        if kind == frame.REPORT:
            return words(link_pb2.Report.FromString(body)) or "empty"
        request = link_pb2.Request.FromString(body)
    except DecodeError:
        return f"no message: {body.hex()}"
    name = request.WhichOneof("body") or "nothing"
    inside = "keys, not shown" if name in SECRETS else words(getattr(request, name, request))
    return f"{request.id} {name} {inside}".rstrip()


class Decoder:
    """One direction: bytes in, lines out. `counts`: frames, and what was dropped as what."""

    def __init__(self, kind: int) -> None:
        self.kind = kind
        self.frames = 0
        self._receiver = frame.Receiver(kind)
        self._told: dict[str, int] = {}

    @property
    def counts(self) -> dict[str, int]:
        """How much of what there was."""
        return {"frames": self.frames, **self._receiver.bad}

    def feed(self, data: bytes) -> Iterator[str]:
        """A line for everything that ends in these bytes."""
        for one in self._receiver.feed(data):
            yield from self._bad()
            self.frames += 1
            tagged = "tagged" if one.tag else "-"
            yield f"{one.counter:>6} {tagged:<6} {body_words(self.kind, one.body)}"
        yield from self._bad()

    def _bad(self) -> Iterator[str]:
        for why, count in self._receiver.bad.items():
            for _ in range(count - self._told.get(why, 0)):
                yield f"{'':>6} {'bad':<6} {why}"
            self._told[why] = count
