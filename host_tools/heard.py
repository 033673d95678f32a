"""Every event that a controller has heard, and waiting for one that is still to come."""

from __future__ import annotations

import asyncio

from host_tools.link import link_pb2
from host_tools.link.client import Client, kind_of
from host_tools.link.errors import Faulted, LinkError


class Heard:
    """Events in order. Several tasks may wait, each for its own; nothing is used up."""

    def __init__(self, client: Client) -> None:
        self.events: list[link_pb2.Event] = []
        self._lost: LinkError | None = None
        self._more = asyncio.Condition()
        self._task = asyncio.create_task(self._listen(client))

    async def _listen(self, client: Client) -> None:
        try:
            async for event in client.events():
                async with self._more:
                    self.events.append(event)
                    self._more.notify_all()
        except LinkError as error:
            async with self._more:
                self._lost = error
                self._more.notify_all()

    def all(self, kind: str, since: int = 0) -> list[link_pb2.Event]:
        """Every event of a kind so far."""
        return [event for event in self.events[since:] if kind_of(event) == kind]

    async def wait(
        self, kind: str, since: int = 0, limit_s: float = 60.0, **wanted: int
    ) -> link_pb2.Event:
        """The first event of a kind with these fields; raises Faulted for a fault before it."""
        try:
            async with asyncio.timeout(limit_s), self._more:
                while True:
                    while since < len(self.events):
                        event = self.events[since]
                        since += 1
                        if kind_of(event) == kind and _matches(event, kind, wanted):
                            return event
                        if kind_of(event) == "fault":
                            raise Faulted(event)
                    if self._lost is not None:
                        raise self._lost
                    await self._more.wait()
        except TimeoutError:
            raise LinkError(f"no event {kind} within {limit_s:g} s") from None

    def check(self, since: int) -> None:
        """Raises Faulted for a fault that has been told."""
        for event in self.all("fault", since):
            raise Faulted(event)

    async def close(self) -> None:
        """Stop listening."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


def _matches(event: link_pb2.Event, kind: str, wanted: dict[str, int]) -> bool:
    body = getattr(event, kind)
    return all(getattr(body, name) == value for name, value in wanted.items())


def fields_of(event: link_pb2.Event) -> dict[str, object]:
    """What an event says, by name; a back by its colour."""
    body = getattr(event, kind_of(event))
    fields: dict[str, object] = {}
    for field in body.DESCRIPTOR.fields:
        value = getattr(body, field.name)
        fields[field.name] = link_pb2.Back.Name(value).lower() if field.name == "back" else value
    return fields
