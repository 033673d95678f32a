# Who has to show that it lives before the watchdog is fed. A lane that waits for an order owes nothing; one that works
# owes a sign of life between two feeds. A lane that hangs in its work thus resets the board.

import micropython
from micropython import const

WHEEL = const(1)
DEAL = const(2)
CLEAR = const(4)
MEMORY = const(8)
BENCH = const(16)
LINK = const(32)
_ALL = const(63)
_MOVE = const(1 + 2 + 4 + 16)  # those that move something


class Alive:
    def __init__(self):
        self._idle = 0
        self._seen = 0

    def here(self, lane):
        self._seen |= lane

    @micropython.native
    def idle(self, lane):
        self._idle |= lane

    @micropython.native
    def at_work(self, lane):
        self._idle &= ~lane
        self._seen |= lane

    def waiting(self):
        """Whether nobody moves anything: all who could wait for an order, or for a hand."""
        return self._idle & _MOVE == _MOVE

    async def wait(self, lane, flag):
        """A lane waits for an order."""
        self._idle |= lane
        await flag.wait()
        self.at_work(lane)

    def all(self):
        """Whether everybody was heard since this was last true."""
        if self._idle | self._seen != _ALL:
            return False
        self._seen = 0
        return True
