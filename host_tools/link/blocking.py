"""The client for a script that has no loop of its own.

with Blocking("/dev/ttyACM0", keys) as machine:
    print(machine.do(machine.client.status()))
"""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.keys import Keys
from host_tools.link.serial_transport import open_port
from host_tools.link.transport import BAUD

T = TypeVar("T")


class Blocking:
    """Opens a session on the way in. A thread keeps it alive, and acknowledges events."""

    def __init__(
        self,
        port: str,
        keys: Keys | None = None,
        role: link_pb2.Role = link_pb2.ROLE_TABLE,
        baud: int = BAUD,
        bench: bool = False,
    ) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self.client: Client = self.do(self._begin(port, baud, keys, role, bench))
        except BaseException:
            self._stop()
            raise

    async def _begin(
        self, port: str, baud: int, keys: Keys | None, role: link_pb2.Role, bench: bool
    ) -> Client:
        client = Client(open_port(port, baud), keys=keys, role=role, bench=bench)
        try:
            await client.hello()
        except BaseException:
            await client.close()
            raise
        return client

    def do(self, request: Coroutine[Any, Any, T]) -> T:
        """Wait for one coroutine of the client."""
        return asyncio.run_coroutine_threadsafe(request, self._loop).result()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.do(self.client.close())
        self._stop()
