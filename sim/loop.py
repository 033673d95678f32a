"""An asyncio loop in virtual time: with nothing ready to run, the clock jumps to what is next."""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from collections.abc import Callable, Coroutine
from heapq import heappop, heappush
from typing import Any, Protocol, TypeVar, TypeVarTuple

from sim.world import Handle, World

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class DeadlockError(RuntimeError):
    """Tasks wait, and nothing that is due can wake them."""


class RunningWorld(World, Protocol):
    """A world whose time the loop moves on."""

    def advance(self, limit_ns: int | None) -> bool:
        """Let time pass to the limit, or until stop(). False: there was nothing left to happen."""
        ...

    def stop(self) -> None:
        """Make advance() return after what happens now."""
        ...


class Event:
    """Something due in a HeapWorld."""

    __slots__ = ("fn",)

    def __init__(self, fn: Callable[[], None]) -> None:
        self.fn: Callable[[], None] | None = fn

    def cancel(self) -> None:
        """It shall not happen."""
        self.fn = None


class HeapWorld:
    """Nothing but events: the world of the in-process depth."""

    def __init__(self, now_ns: int = 0) -> None:
        self._now_ns = now_ns
        self._number = 0  # events of the same time happen in the order in which they were asked for
        self._heap: list[tuple[int, int, Event]] = []
        self._stopped = False

    def now_ns(self) -> int:
        """The present."""
        return self._now_ns

    def at(self, ns: int, fn: Callable[[], None]) -> Event:
        """Call fn at that time, or next if it is past."""
        event = Event(fn)
        self._number += 1
        heappush(self._heap, (max(ns, self._now_ns), self._number, event))
        return event

    def stop(self) -> None:
        """Make advance() return after the present event."""
        self._stopped = True

    def advance(self, limit_ns: int | None) -> bool:
        """Let events happen up to the limit, or until stop(). False: there are none left."""
        heap = self._heap
        self._stopped = False
        while heap and (limit_ns is None or heap[0][0] <= limit_ns):
            ns, _, event = heappop(heap)
            fn = event.fn
            if fn is None:
                continue
            self._now_ns = ns
            fn()
            if self._stopped:
                return True
        if limit_ns is None:
            return False
        self._now_ns = max(self._now_ns, limit_ns)
        return True


class _Timer(asyncio.TimerHandle):
    """A handle that is due in the world, not in a heap of the loop's own."""

    __slots__ = ("due",)
    due: Handle


class VirtualLoop(asyncio.BaseEventLoop):
    """The event loop whose time is the world's."""

    _stopping: bool

    def __init__(self, world: RunningWorld) -> None:
        super().__init__()
        self._world = world
        self._queue: deque[asyncio.Handle] = deque()
        self._asleep = False

    def time(self) -> float:
        """Seconds of the world."""
        return self._world.now_ns() / 1e9

    def call_soon(
        self,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: contextvars.Context | None = None,
    ) -> asyncio.Handle:
        """Put a call at the end of the queue; if the world is moving, it stops for it."""
        handle = asyncio.Handle(callback, args, self, context)
        self._queue.append(handle)
        if self._asleep:
            self._world.stop()
        return handle

    def call_soon_threadsafe(
        self,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: contextvars.Context | None = None,
    ) -> asyncio.Handle:
        """The same: there is one thread, and at most a signal handler that interrupts it."""
        return self.call_soon(callback, *args, context=context)

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """Call after so many seconds of the world."""
        ns = self._world.now_ns() + round(delay * 1e9)
        return self._timer(ns, callback, args, context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """Call at a time of the world."""
        return self._timer(round(when * 1e9), callback, args, context)

    def _timer(
        self,
        ns: int,
        callback: Callable[[*Ts], object],
        args: tuple[*Ts],
        context: contextvars.Context | None,
    ) -> _Timer:
        timer = _Timer(ns / 1e9, callback, args, self, context)

        def expire() -> None:
            self._queue.append(timer)
            self._world.stop()

        timer.due = self._world.at(ns, expire)
        return timer

    def _timer_handle_cancelled(self, handle: _Timer) -> None:
        handle.due.cancel()

    def _run_once(self) -> None:
        """One turn, as the base class's run_forever() wants it."""
        queue = self._queue
        if not queue and not self._stopping:
            self._asleep = True
            try:
                alive = self._world.advance(None)
            finally:
                self._asleep = False
            if not alive and not queue:
                raise DeadlockError(self._who_waits())
        for _ in range(len(queue)):
            handle = queue.popleft()
            if not handle.cancelled():
                handle._run()

    def _who_waits(self) -> str:
        waiting: list[str] = []
        for task in asyncio.all_tasks(self):
            for frame in task.get_stack(limit=1):
                code = frame.f_code
                waiting.append(f"{task.get_name()} in {code.co_qualname}, line {frame.f_lineno}")
        return f"nothing will ever happen again; waiting: {'; '.join(sorted(waiting)) or 'nobody'}"


def run(world: RunningWorld, coro: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in the world's time."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(world)) as runner:
        return runner.run(coro)
