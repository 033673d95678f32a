# Nothing moves while flash is written: erasing stops the processor, and edges would come late.
# A lane passes the gate before each card and leaves it after; the writer closes it and waits.

from dovetail import clock


class Gate:
    def __init__(self):
        self._inside = 0
        self._shut = False
        self._kept = 0  # for this lane: it will have something to write soon
        self._empty = clock.Flag()

    def wanted(self):
        """Whether somebody waits for everything to stand."""
        return self._shut or self._kept

    def passed(self):
        """Whether a card may be between two sensors."""
        return self._inside > 0

    def keep(self, lane):
        """Other lanes pass no more until this one has written, so that it need not wait for them; 0: they may again."""
        self._kept = lane

    async def enter(self, lane=0, at_once=False):
        """at_once: something is wrong, and is told without waiting for what the other lane will write."""
        while self._shut or (self._kept and self._kept != lane and not at_once):
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
