"""Many sessions on all cores, their results together; a failing one made as small as it goes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from typing import Any

from host_tools.build.tell import BuildError
from host_tools.campaign.draw import Session, Trouble, session
from host_tools.campaign.met import Met
from host_tools.campaign.plain import plain
from host_tools.campaign.sessions import broken, play
from sim.plants.catalogue import OF_NAME
from sim.plants.record import CLEARABLE, HARMLESS

EACH = 25  # troubles on one machine, before it is a new one
THIN = 3  # the same on the emulated board, which is slow


@dataclass
class Results:
    """What a campaign has found."""

    asked: int
    seed: int
    outcomes: Counter[str] = field(default_factory=Counter[str])
    faults: Counter[int] = field(default_factory=Counter[int])
    plants: Counter[str] = field(default_factory=Counter[str])
    alone: Counter[str] = field(
        default_factory=Counter[str]
    )  # by plant, of those met by themselves
    clearable: Counter[str] = field(default_factory=Counter[str])
    gave_up: list[str] = field(default_factory=list[str])  # clearable, and handed over
    nested: Counter[str] = field(default_factory=Counter[str])  # outcomes, with others beside them
    within: Counter[str] = field(default_factory=Counter[str])  # struck in a try, in a clearing
    wrong: Counter[str] = field(default_factory=Counter[str])  # station, number, card
    misnamed: list[str] = field(default_factory=list[str])
    latest: tuple[float, str] | None = None  # in ms; not measured where no move is seen as a whole
    violations: int = 0
    cases: list[Session] = field(default_factory=list[Session])
    said: list[str] = field(default_factory=list[str])

    def take(self, one: Session, met: list[Met]) -> None:
        """A session's worth."""
        bad = False
        for m in met:
            self.outcomes[m.outcome] += 1
            self.plants.update(m.struck)
            if m.fault:
                self.faults[m.fault] += 1
            if m.within:
                self.within[m.within] += 1
            self._clearable(one, m)
            if m.report_ms is not None:
                late = m.report_ms, f"seed {one.seed}: {m.trouble.as_json()}: {m.outcome}"
                self.latest = max(self.latest or late, late)
            if m.against:
                self.violations += 1
                bad = True
                self.said.append(f"seed {one.seed}: {m.trouble.as_json()}: {'; '.join(m.against)}")
            if m.misnamed:
                self.wrong[m.misnamed] += 1
                bad = True
                told = f"{m.misnamed}: fault {m.fault}, {m.station}, card {m.card}"
                self.misnamed.append(f"seed {one.seed}: {m.trouble.as_json()}: {told}")
        if bad:
            self.cases.append(one)

    def _clearable(self, one: Session, m: Met) -> None:
        """What the machine had to get over: something was tried, or it was handed over."""
        if m.opened or m.outcome not in ("recovered", "handed over"):
            return
        ends = {OF_NAME[name].ends for name in m.struck}
        if not ends <= {CLEARABLE, HARMLESS} or CLEARABLE not in ends:
            return
        self.nested[m.outcome] += 1
        if len(m.struck) == 1:
            self.clearable[m.struck[0]] += 1
            self.alone[m.struck[0]] += m.outcome == "recovered"
            if m.outcome != "recovered":
                self.gave_up.append(f"seed {one.seed}: {m.trouble.as_json()}: fault {m.fault}")

    @property
    def met(self) -> int:
        """Troubles that struck."""
        quiet = self.outcomes["not struck"]
        return sum(self.outcomes.values()) - quiet

    def as_json(self) -> dict[str, Any]:
        """For a file."""
        found = self.met - self.outcomes["missed"] - self.outcomes["broken"]
        clearable = sum(self.clearable.values())
        told = self.outcomes["handed over"] + self.outcomes["recovered"]
        named = told - len(self.misnamed)
        return {
            "asked": self.asked,
            "seed": self.seed,
            "met": self.met,
            "found": found,
            "named": named,
            "named_rightly": _share(named, told + self.outcomes["missed"]),
            "wrong": dict(self.wrong),
            "handed_over": self.outcomes["handed over"],
            "harmless": self.outcomes["harmless"],
            "dormant": self.outcomes["dormant"],
            "clearable": clearable,
            "recovered_alone": sum(self.alone.values()),
            "recovered_share": _share(sum(self.alone.values()), clearable),
            "gave_up": self.gave_up[:20],
            "clearable_nested": sum(self.nested.values()),
            "recovered_share_nested": _share(self.nested["recovered"], sum(self.nested.values())),
            "within": dict(self.within),
            "worst_report_ms": round(self.latest[0], 1) if self.latest else None,
            "worst_report": self.latest[1] if self.latest else None,
            "violations": self.violations,
            "outcomes": dict(self.outcomes),
            "faults": {str(number): n for number, n in sorted(self.faults.items())},
            "plants": dict(sorted(self.plants.items())),
            "misnamed": self.misnamed[:20],
            "said": self.said[:20],
        }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 6) if whole else 1.0


def campaign(
    count: int,
    seed: int,
    cores: int | None = None,
    progress: Callable[[int, Sequence[str]], None] | None = None,
    depth: str = "in-process",
    first: int = 0,
    most: int | None = None,
) -> Results:
    """Play `count` troubles drawn from this seed, or of those `most` from the first on."""
    last = count if most is None else min(first + most, count)
    results = Results(last - first, seed)
    cores = cores or os.cpu_count() or 1
    for one, met in _played(_sessions(first, last, seed, depth), cores, depth):
        said, misnamed = len(results.said), len(results.misnamed)
        results.take(one, met)
        if progress is not None:
            against = results.said[said:] + results.misnamed[misnamed:]
            progress(sum(results.outcomes.values()), against)
    results.cases.sort(key=lambda case: case.seed)
    results.said.sort()
    results.misnamed.sort()
    return results


def _sessions(first: int, last: int, seed: int, depth: str) -> Iterator[Session]:
    each = EACH if depth == "in-process" else THIN
    for n in range(first, last, each):
        yield session(seed * 1_000_003 + n, min(each, last - n), depth)


def _played(
    sessions: Iterator[Session], cores: int, depth: str
) -> Iterator[tuple[Session, list[Met]]]:
    if cores == 1:
        yield from ((one, play(one, depth)) for one in sessions)
        return
    while True:
        lost: list[Session] = []  # a process has ended: whose session did that is not known
        with ProcessPoolExecutor(cores) as pool:
            waiting: dict[Future[list[Met]], Session] = {}
            while True:
                while not lost and len(waiting) < 4 * cores and (one := next(sessions, None)):
                    try:
                        waiting[pool.submit(play, one, depth)] = one
                    except BrokenExecutor:
                        lost.append(one)
                if not waiting:
                    break
                done = next(as_completed(waiting))
                one = waiting.pop(done)
                try:
                    met = _result(one, done)
                except BrokenExecutor:
                    lost.append(one)
                else:
                    yield one, met
        if not lost:
            return
        for one in lost:
            yield one, _alone(one, depth)


def _result(one: Session, done: Future[list[Met]]) -> list[Met]:
    """What came of a session in another process."""
    try:
        return done.result()
    except (BuildError, BrokenExecutor):
        raise
    except Exception as error:  # it could not be brought here
        return [broken(one.troubles[0], error)]


def _alone(one: Session, depth: str) -> list[Met]:
    """In a process of its own, which may end by it."""
    with ProcessPoolExecutor(1) as pool:
        try:
            return _result(one, pool.submit(play, one, depth))
        except BrokenExecutor as error:
            return [broken(one.troubles[0], error)]


def small(cases: Sequence[Session], cores: int, depth: str) -> list[Session]:
    """Each as small as it goes; as it is where that ends its process."""
    made: list[Session] = []
    for n in range(0, len(cases), cores):
        with ProcessPoolExecutor(cores) as pool:
            under_way = [(one, pool.submit(shrink, one, depth)) for one in cases[n : n + cores]]
            for one, done in under_way:
                try:
                    made.append(done.result())
                except BrokenExecutor:
                    made.append(one)
    return made


def failing(one: Session, depth: str = "in-process") -> frozenset[str]:
    """The kinds of failure in it; none when nothing is wrong."""
    return frozenset[str]().union(*(m.kinds for m in play(one, depth)))


def shrink(one: Session, depth: str = "in-process") -> Session:
    """As few troubles as fail in one of the same ways, of each as few plants, plain numbers."""
    troubles, kinds = list(one.troubles), failing(one, depth)

    def fails(smaller: Session) -> bool:
        return not kinds.isdisjoint(failing(smaller, depth))

    for n in range(1, len(troubles) + 1):  # what comes after the first failure does not matter
        if fails(Session(one.seed, tuple(troubles[:n]))):
            troubles = troubles[:n]
            break
    i = 0
    while i < len(troubles):
        fewer = [*troubles[:i], *troubles[i + 1 :]]
        if fewer and fails(Session(one.seed, tuple(fewer))):
            troubles = fewer
        else:
            i += 1
    for i, trouble in enumerate(troubles):
        for plant in trouble.plants:
            left = tuple(other for other in troubles[i].plants if other != plant)
            if not left or (trouble.during and plant == trouble.plants[0]):
                continue
            smaller = replace(troubles[i], plants=left)
            if fails(Session(one.seed, (*troubles[:i], smaller, *troubles[i + 1 :]))):
                troubles[i] = smaller
    for i in range(len(troubles)):

        def serves(other: Trouble, i: int = i) -> bool:
            return fails(Session(one.seed, (*troubles[:i], other, *troubles[i + 1 :])))

        troubles[i] = plain(troubles[i], serves)
    return Session(one.seed, tuple(troubles))
