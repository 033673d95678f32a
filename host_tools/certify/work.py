"""The same pieces of work done here, by processes of this machine, or by a Dask cluster."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from typing import Protocol, cast

from host_tools.build.tell import BuildError, UsageError
from host_tools.certify.plan import DELIVERED, Unit, fingerprint
from host_tools.certify.tally import Tally, broken, tally

AHEAD = 2  # pieces handed out for each worker
ONE = (
    threading.Lock()
)  # device code has buffers that it shares, and a cluster's worker may have threads
CONNECT_S = 10


@dataclass(frozen=True)
class Done:
    """A piece of work and what came of it."""

    unit: Unit
    tally: Tally
    code: dict[str, str]  # what drew


def do(unit: Unit) -> Done:
    """One piece, anywhere."""
    with ONE:
        decks = unit.decks()
    if (deck := broken(decks)) is not None:
        raise BuildError(
            f"certify: {unit.source}, piece {unit.number}, deck {deck}: "
            f"not {unit.cards} cards, each once: {decks[deck].tolist()}"
        )
    return Done(unit, tally(decks), fingerprint(unit.source == DELIVERED))


class Workers:
    """Somebody who does pieces."""

    def __init__(self, executor: Executor | None, count: int) -> None:
        self.executor, self.count = executor, count

    def each(self, units: Iterable[Unit]) -> Iterator[Done]:
        """Every piece, as it is done; never more than a few are under way."""
        if self.executor is None:
            yield from map(do, units)
            return
        waiting: set[Future[Done]] = set()
        for unit in units:
            waiting.add(self.executor.submit(do, unit))
            if len(waiting) >= AHEAD * self.count:
                finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield future.result()
        while waiting:
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()


def _begin_worker() -> None:
    """Leave Ctrl-C to the parent, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def here(count: int) -> Generator[Workers]:
    """Processes of this machine; one is this very process."""
    if count == 1:
        yield Workers(None, 1)
        return
    pool = ProcessPoolExecutor(count, get_context("spawn"), initializer=_begin_worker)
    try:
        yield Workers(pool, count)
    except BrokenProcessPool:
        raise BuildError("certify: a worker has ended by itself; go on with --resume") from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Client(Protocol):
    """What is used of distributed.Client, which carries no types of its own."""

    def nthreads(self) -> dict[str, int]: ...
    def get_executor(self, *, pure: bool) -> Executor: ...
    def close(self) -> None: ...


@contextmanager
def cluster(address: str) -> Generator[Workers]:
    """The workers of a Dask scheduler, which need this project installed."""
    from distributed import Client
    from distributed.comm.addressing import get_address_host_port
    from distributed.comm.core import CommClosedError
    from distributed.scheduler import KilledWorker

    try:
        get_address_host_port(address)  # a client that was half made complains for itself, later
        client = cast(_Client, Client(address, timeout=CONNECT_S, set_as_default=False))
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"--scheduler: no Dask scheduler at {address}: {error}") from None
    try:
        count = sum(client.nthreads().values())
        if not count:
            raise UsageError(f"--scheduler: the scheduler at {address} has no workers")
        yield Workers(client.get_executor(pure=False), count)
    except (CancelledError, CommClosedError, KilledWorker):
        raise BuildError(
            f"certify: the Dask cluster at {address} has ended its work; go on with --resume"
        ) from None
    except ImportError as error:
        raise UsageError(f"--scheduler: a worker has not this project installed: {error}") from None
    finally:
        client.close()
