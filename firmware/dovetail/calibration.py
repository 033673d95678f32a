# What this board's sensors read: measured on the bench with one good card, kept in the settings with the board's
# number, followed in play. Each sensor has two readings: with nothing there, and with a card.
# thickness: the second is what a card adds; back: what a red card reads.

import micropython
import struct
from array import array
from binascii import crc32
from micropython import const

SETTING = "calibration"
# names, which are also what docs/hardware.md calls them, and the channel that is read
SENSORS = (
    ("entry", "level_entry"), ("count", "level_count"), ("exit", "level_exit"), ("deal", "level_deal"),
    ("infeed", "infeed"), ("shoe", "shoe"), ("tray", "tray"),
    ("thickness_in", "thickness_in"), ("thickness_out", "thickness_out"), ("back", "back"),
)  # fmt: skip
ENTRY = const(0)
COUNT = const(1)
EXIT = const(2)
DEAL = const(3)
INFEED = const(4)
SHOE = const(5)
TRAY = const(6)
THICKNESS_IN = const(7)
THICKNESS_OUT = const(8)
BACK = const(9)
_N = const(10)

# quality; what is left of the room between the reading that is wanted and the one with which the sensor fails
GOOD = const(1)  # from link/link.proto: GOOD
MARGINAL = const(2)  # less than 60 of 100; from link/link.proto: MARGINAL
DIRTY = const(3)  # less than 30; from link/link.proto: DIRTY
FAILED = const(4)  # nothing; from link/link.proto: QUALITY_FAILED
WORDS = ("", "good", "marginal", "dirty", "failed")

_MAGIC = b"DVC1"
_FORMAT = "<4s8sII20h"
_LASTS_S = const(31536000)  # a year of power


def expected(m):
    """What a sensor of these mechanics reads, and by how much it may be off: 20 numbers and 20 more."""
    free, dark, least = m.BEAM_FREE, m.BEAM_DARK, m.BEAM_MIN
    none, seen, present = m.ABSENT, m.SEEN, m.PRESENT
    want = [free, dark] * 4 + [none, seen] * 3 + [m.THICKNESS_BASE, m.THICKNESS_CARD] * 2
    want += [m.BACK_DARK, m.BACKS["red"]]
    room = [free - least, least - dark] * 4 + [present - none, seen - present] * 3
    room += [m.THICKNESS_CARD >> 1] * 4 + [m.BACK_NONE - m.BACK_DARK, m.BACK_HALF]
    return array("h", want), array("h", room)


def quality(reading, want, room):
    left = 100 - 100 * abs(reading - want) // room
    return GOOD if left >= 60 else MARGINAL if left >= 30 else DIRTY if left > 0 else FAILED


class Calibration:
    """In force, or with the numbers of the mechanics and .why they are not enough to play with."""

    def __init__(self, mechanics):
        self.mechanics = mechanics
        self.at, self.room = expected(mechanics)
        self.of = crc32(self.at, crc32(self.room))  # of which mechanics
        self.of = crc32(struct.pack("<2H", mechanics.BACKS["blue"], mechanics.FACE), self.of)
        self.why = "none was made"
        self._since = 0  # when it was made

    def load(self, blob, unique_id, seconds):
        """What the settings have; seconds: how long the machine has been powered in its life."""
        self.plain()
        self.why = self._refuse(blob, unique_id, seconds)
        if not self.why:
            at = struct.unpack(_FORMAT, blob)
            self._since, at = at[3], at[4:]
            for i in range(2 * _N):
                self.at[i] = at[i]

    def stale(self, seconds):
        """Whether what was in force when it was loaded has grown too old since."""
        return not self.why and seconds - self._since > _LASTS_S

    def plain(self):
        """The numbers of the mechanics: to measure with."""
        self.at, _ = expected(self.mechanics)

    def zero(self, now):
        """What the empty thickness sensors read now."""
        for i in (2 * THICKNESS_IN, 2 * THICKNESS_OUT):
            self.at[i] = now[i]

    def _refuse(self, blob, unique_id, seconds):
        if not blob:
            return "none was made"
        if len(blob) != struct.calcsize(_FORMAT) or blob[:4] != _MAGIC:
            return "it cannot be read"
        _, board, of, since = struct.unpack_from("<4s8sII", blob, 0)
        if board != _eight(unique_id):
            return "it was made on another board"
        if of != self.of:
            return "it was made for other mechanics"
        if seconds < since:
            return "its age is not known"  # the journal that counts the time has begun anew
        if seconds - since > _LASTS_S:
            return "it is older than a year of power"
        return ""

    def pack(self, readings, unique_id, seconds):
        """The blob that load() takes."""
        return struct.pack(_FORMAT, _MAGIC, _eight(unique_id), self.of, seconds, *readings)

    @micropython.native
    def cards(self, sensor, reading):
        """How many cards lie in a thickness sensor that reads so."""
        card = self.at[2 * sensor + 1]
        return (reading - self.at[2 * sensor] + (card >> 1)) // card

    def off(self, sensor, reading, cards):
        """By how many hundredths of a card it is off what so many read."""
        card = self.at[2 * sensor + 1]
        return abs(reading - self.at[2 * sensor] - cards * card) * 100 // card

    @micropython.native
    def colour(self, reading):
        """What a card's back would read on a board as it is meant."""
        return reading - self.at[2 * BACK + 1] + self.mechanics.BACKS["red"]

    @micropython.native
    def of_card(self, sensor, reading):
        """A reading with a card, as .at has it: thickness without what the empty sensor reads, a back as a red one."""
        if sensor == BACK:
            backs = self.mechanics.BACKS
            nearest = min(backs.values(), key=lambda level: abs(level - self.colour(reading)))
            return reading - nearest + backs["red"]
        if sensor in (THICKNESS_IN, THICKNESS_OUT):
            return reading - self.at[2 * sensor]
        return reading


def _eight(unique_id):
    return bytes(unique_id[:8]) + bytes(8 - len(unique_id[:8]))
