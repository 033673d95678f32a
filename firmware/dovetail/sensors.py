# How the sensors read as the machine goes: looked at when it is known what is there, held against the calibration,
# told when the quality of one changes. A warning; what cannot be trusted any more is a fault of its station.

import micropython
from array import array
from dovetail.calibration import DIRTY, GOOD, SENSORS, Calibration, quality
from micropython import const

_READINGS = const(4)  # the mean of so many
_N = const(10)
_NONE = const(-1)


class Sensors:
    def __init__(self, hal):
        self.hal = hal
        self.calibration = Calibration(hal.mechanics)
        self.now = array("h", [_NONE] * (2 * _N))  # the last reading of each, as Calibration.at has them
        self.told = bytearray([GOOD] * _N)
        self._sums = array("i", bytes(8 * _N))  # of the cards of this deck: sum, and how many

    def read(self, sensor):
        """The mean of some readings."""
        total = 0
        for _ in range(_READINGS):
            total += self.hal.level(SENSORS[sensor][1])
        return total // _READINGS

    def empty(self, sensors):
        """Nothing lies before these."""
        for sensor in sensors:
            self.now[2 * sensor] = self.read(sensor)

    @micropython.native
    def card(self, sensor, reading):
        """One card lies there: what it reads."""
        sums, i = self._sums, 2 * sensor
        sums[i] += self.calibration.of_card(sensor, reading)
        sums[i + 1] += 1

    def quality(self, sensor):
        """The worse of its two readings, by what was calibrated; 0 when it was never looked at."""
        at, room, now = self.calibration.at, self.calibration.room, self.now
        sums, i, worst = self._sums, 2 * sensor, 0
        if sums[i + 1]:
            now[i + 1] = sums[i] // sums[i + 1]
            sums[i] = sums[i + 1] = 0
        for k in (i, i + 1):
            if now[k] != _NONE:
                worst = max(worst, quality(now[k], at[k], room[k]))
        return worst

    def tell(self, event):
        """Each sensor whose quality is not what it was. event(kind, fields, more): the machine's."""
        for sensor in range(_N):
            found = self.quality(sensor)
            if found and found != self.told[sensor]:
                self.told[sensor] = found
                event("sensor", self.row(sensor), self._worse(sensor))

    def judge(self):
        """After a calibration: the quality of all; the names of those that will not do."""
        poor = []
        for sensor in range(_N):
            self.told[sensor] = self.quality(sensor)
            if self.told[sensor] >= DIRTY or self.now[2 * sensor] == _NONE or self.now[2 * sensor + 1] == _NONE:
                poor.append(SENSORS[sensor][0])
        return poor

    def forget(self):
        """Nothing was looked at."""
        for i in range(2 * _N):
            self.now[i] = _NONE
            self._sums[i] = 0

    def row(self, sensor):
        """For the link."""
        at, now, i = self.calibration.at, self.now, 2 * sensor
        return {
            "name": SENSORS[sensor][0], "quality": self.told[sensor] if max(now[i], now[i + 1]) != _NONE else 0,
            "empty": max(now[i], 0), "empty_wanted": at[i],
            "card": max(now[i + 1], 0), "card_wanted": at[i + 1],
        }  # fmt: skip

    def _worse(self, sensor):
        """For the journal: the reading that is further off."""
        at, room, now, i = self.calibration.at, self.calibration.room, self.now, 2 * sensor
        off = [abs(now[k] - at[k]) * 1000 // room[k] if now[k] != _NONE else -1 for k in (i, i + 1)]
        i += off[1] > off[0]
        return {"sensor": sensor, "reading": max(now[i], 0), "wanted": at[i]}
