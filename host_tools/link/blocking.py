"""The client for a script that has no loop of its own.

with Blocking("/dev/ttyACM0") as machine:
    print(machine.do(machine.client.status()))
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from host_tools.link.client import Client
from host_tools.link.serial_transport import BAUD, open_port

T = TypeVar("T")


class Blocking:
    """Says hello on the way in. Events are acknowledged only while do() waits for something."""

    def __init__(self, port: str, baud: int = BAUD) -> None:
        self._runner = asyncio.Runner()
        try:
            self.client: Client = self.do(self._begin(port, baud))
        except BaseException:
            self._runner.close()
            raise

    async def _begin(self, port: str, baud: int) -> Client:
        client = Client(open_port(port, baud))
        try:
            await client.hello()
        except BaseException:
            await client.close()
            raise
        return client

    def do(self, request: Coroutine[Any, Any, T]) -> T:
        """Wait for one coroutine of the client."""
        return self._runner.run(request)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.do(self.client.close())
        self._runner.close()
