# Nothing moves while flash is written: erasing stops the processor, and edges would come late.
# A lane passes the gate before each card and leaves it after; the writer closes it and waits.

from dovetail import clock


class Gate:
    def __init__(self):
        self._inside = 0
        self._shut = False
        self._empty = clock.Flag()

    def wanted(self):
        """Whether somebody waits for everything to stand."""
        return self._shut

    def passed(self):
        """Whether a card may be between two sensors."""
        return self._inside > 0

    async def enter(self):
        while self._shut:
            await clock.sleep_ms(2)
        self._inside += 1

    def leave(self):
        self._inside -= 1
        if self._inside == 0:
            self._empty.set()

    async def close(self):
        while self._shut:
            await clock.sleep_ms(2)
        self._shut = True
        while self._inside:
            self._empty.clear()
            await self._empty.wait()

    def open(self):
        self._shut = False
