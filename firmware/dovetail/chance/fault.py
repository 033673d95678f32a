# Why the machine has no randomness. The numbers are part of the journal: never reuse one.
from micropython import const

NONE = const(0)
KAT = const(1)  # a known answer came out wrong
REPETITION = const(2)  # the noise stands still
PROPORTION = const(3)  # the noise prefers one value
LAG = const(4)  # the noise repeats or mirrors itself
DRBG = const(5)  # the generator met an error that it cannot go on from
SOURCE = const(6)  # the noise part gave no sample, or something that is none
NOT_STARTED = const(7)  # used before start(); the only one that does not latch

NAMES = ("none", "kat", "repetition", "proportion", "lag", "drbg", "source", "not started")


class ChanceFault(Exception):
    def __init__(self, reason):
        super().__init__("chance: " + NAMES[reason])
        self.reason = reason
