"""Moves as a motor feels them: when each step falls, and how hard that is to follow."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import inf

FAR = 1 << 60
# A rotor hangs in its field as on a spring: it feels its speed over a while, not one gap. And as
# gaps are whole microseconds, no shorter while tells an acceleration to a tenth.
WHILE_US = 3000
TURN = 4  # steps of one turn of the field: from rest, no spring holds further


class Swing:
    """How hard a motor is swung: its mean speed changes from one while to the next."""

    def __init__(self) -> None:
        self.start(0)

    def start(self, us: float) -> None:
        """The first step, from rest."""
        self._n, self._since_us, self._mid_us, self._speed = 0, us, us, 0.0

    def room(self) -> int:
        """Steps that it can be behind, within a while."""
        return FAR if self._speed else TURN

    def step(self, us: float, steps: int = 1) -> float:
        """So many more; steps/s² up or down when a while is over, 0 within it."""
        self._n += steps
        if us - self._since_us < WHILE_US - 0.5 and self._n <= self.room():
            return 0.0
        speed = self._n * 1e6 / (us - self._since_us)
        mid_us = (self._since_us + us) / 2
        s2 = abs(speed - self._speed) * 1e6 / (mid_us - self._mid_us)
        self._n, self._since_us, self._mid_us, self._speed = 0, us, mid_us, speed
        return s2


def prefix(periods: Sequence[int]) -> list[int]:
    """Sums of the first n periods, from none to all."""
    total = 0
    sums = [0]
    for period in periods:
        total += period
        sums.append(total)
    return sums


class Profile:
    """When each step of a move falls: m ramped up, k at one period, m ramped down."""

    def __init__(self, up: list[int], down: list[int], m: int, k: int, period_us: int) -> None:
        self.up, self.down, self.m, self.k, self.period_us = up, down, m, k, period_us
        self.total = m + k + m
        self._cruise_us = up[m]
        self._down_us = up[m] + k * period_us
        self._base = len(down) - 1 - m
        self._swings: list[tuple[int, float]] | None = None
        self._hardest = 0.0

    def __deepcopy__(self, memo: dict[int, object]) -> Profile:
        """Return itself: a profile never changes."""
        return self

    def sum_us(self, n: int) -> int:
        """The time that the first n steps take."""
        if n <= self.m:
            return self.up[n]
        if n <= self.m + self.k:
            return self._cruise_us + (n - self.m) * self.period_us
        rest = self._base + n - self.m - self.k
        return self._down_us + self.down[rest] - self.down[self._base]

    def edge_us(self, n: int) -> int:
        """When step n (from 1) falls, from the start of the move."""
        return self.sum_us(n - 1)

    def speed(self, n: int) -> int:
        """Steps a second, after n of them."""
        if not 0 < n < self.total:
            return 0
        return 1_000_000 // max(self.sum_us(n + 1) - self.sum_us(n), 1)

    def ramps(self, n: int) -> bool:
        """Whether its speed changes, after n steps."""
        return not self.m <= n < self.m + self.k

    def followed(self, least_us: float, done: int = 1, most_s2: float = inf) -> int:
        """How many steps a motor makes that falls out when two follow each other quicker.

        done: so many it has made already; most_s2: it falls out of a harder swing too.
        """
        return min(self._in_time(least_us, done), self._in_torque(most_s2, done))

    def _in_time(self, least_us: float, done: int) -> int:
        fastest = self.period_us if self.k else self.up[self.m] - self.up[self.m - 1]
        if not least_us or min(fastest, self.up[self.m] - self.up[max(self.m - 1, 0)]) >= least_us:
            return FAR
        edges = range(max(done, 1) + 1, self.total + 1)
        gaps = (n for n in edges if self.edge_us(n) - self.edge_us(n - 1) < least_us)
        return next(gaps, FAR + 1) - 1

    def _in_torque(self, most_s2: float, done: int) -> int:
        if most_s2 == inf:
            return FAR
        swings = self.swings()
        if self._hardest <= most_s2:
            return FAR
        hard = (n for n, s2 in swings if n > max(done, 1) and s2 > most_s2)
        return next(hard, FAR + 1) - 1

    def swings(self) -> list[tuple[int, float]]:
        """How hard it is to follow, steps/s², and the step at which that is felt."""
        if self._swings is None:
            swing, n, us = Swing(), 1, 0
            self._swings = []
            while True:
                then = min(self.steps_at(us + WHILE_US - 1), n + swing.room()) + 1
                if then > self.total:
                    break
                us = self.edge_us(then)
                self._swings.append((then, swing.step(us, then - n)))
                n = then
            self._hardest = max((s2 for _, s2 in self._swings), default=0.0)
        return self._swings

    def braked(self, n: int) -> Profile:
        """The same move, ramped down after its first n steps."""
        if n >= self.m + self.k:
            return self
        m = min(n, self.m)
        return Profile(self.up, self.down, m, n - m, self.period_us)

    def steps_at(self, us: float) -> int:
        """How many steps have fallen after so long."""
        if us < 0:
            return 0
        if us < self._cruise_us:
            return min(bisect_right(self.up, us, 0, self.m + 1), self.total)
        if us < self._down_us:
            return min(self.m + int((us - self._cruise_us) // self.period_us) + 1, self.total)
        into = us - self._down_us + self.down[self._base]
        done = bisect_right(self.down, into, self._base) - self._base
        return min(self.m + self.k + done, self.total)
