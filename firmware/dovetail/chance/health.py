# Health tests on raw noise, one bit a sample: the two of NIST SP 800-90B 4.4, and a lag test, since neither of those
# sees 0101... The claim is 0.5 bit of min-entropy a sample: whoever knows all samples before it
# guesses a sample right at most with p = 2^-0.5. Each cut-off is one that such a source reaches with 2^-30 at most.
from micropython import const

from dovetail.chance.fault import LAG, NONE, PROPORTION, REPETITION

WINDOW = const(1024)  # samples
LAGS = const(16)  # the lag test sees whatever repeats after 1 to 16 samples, or turns over after 1 to 16
REPETITION_CUT = const(61)  # equal samples in a row
PROPORTION_CUT = const(810)  # of a window equal to its first, or different from it
LAG_CUT = const(810)  # of a window equal to the sample d before, or different from it
FILL = const(64)  # samples after reset() that only the repetition test judges; the lag test needs a past

_BYTES = const(128)  # of a window
# How many ones a byte has
ONES = (
    b"\0\1\1\2\1\2\2\3\1\2\2\3\2\3\3\4\1\2\2\3\2\3\3\4\2\3\3\4\3\4\4\5"
    b"\1\2\2\3\2\3\3\4\2\3\3\4\3\4\4\5\2\3\3\4\3\4\4\5\3\4\4\5\4\5\5\6"
    b"\1\2\2\3\2\3\3\4\2\3\3\4\3\4\4\5\2\3\3\4\3\4\4\5\3\4\4\5\4\5\5\6"
    b"\2\3\3\4\3\4\4\5\3\4\4\5\4\5\5\6\3\4\4\5\4\5\5\6\4\5\5\6\5\6\6\7"
    b"\1\2\2\3\2\3\3\4\2\3\3\4\3\4\4\5\2\3\3\4\3\4\4\5\3\4\4\5\4\5\5\6"
    b"\2\3\3\4\3\4\4\5\3\4\4\5\4\5\5\6\3\4\4\5\4\5\5\6\4\5\5\6\5\6\6\7"
    b"\2\3\3\4\3\4\4\5\3\4\4\5\4\5\5\6\3\4\4\5\4\5\5\6\4\5\5\6\5\6\6\7"
    b"\3\4\4\5\4\5\5\6\4\5\5\6\5\6\6\7\4\5\5\6\5\6\6\7\5\6\6\7\6\7\7\x08"
)


class Health:
    def __init__(self):
        self._turns = [0] * LAGS  # of the window: samples that differ from the one 1, 2, ... before
        self.reset()

    def reset(self):
        self._last = 2  # the sample before; 2 equals none
        self._run = 0  # how often it came in a row
        self._first = 2  # of the window
        self._same = 0  # samples equal to it
        self._left = 0  # bytes of the window still to come
        self._past = 0  # the last 24 samples
        self._fill = FILL // 8

    # Tests raw samples, one a byte, 0 or 1, and packs them, oldest first, into packed (an eighth as long). Gives the
    # reason of the first failure, or NONE. After a failure the tests mean nothing until reset()
    def test(self, raw, packed):
        last = self._last
        run = self._run
        end = 0
        for i in range(len(packed)):
            at = end
            end += 8
            if self._left == 0 and self._fill == 0:
                self._begin(raw[at])
            first = self._first
            same = self._same
            eight = 0
            while at < end:
                x = raw[at]
                at += 1
                eight = eight << 1 | x
                if x == first:
                    same += 1
                if x == last:
                    run += 1
                    if run >= REPETITION_CUT:
                        return REPETITION
                else:
                    last = x
                    run = 1
            packed[i] = eight
            self._same = same
            if same >= PROPORTION_CUT:
                return PROPORTION
            reason = self._lags(eight)
            if reason:
                return reason
        self._last = last
        self._run = run
        return NONE

    def _begin(self, first):
        self._left = _BYTES
        self._first = first
        self._same = 0
        for d in range(LAGS):
            self._turns[d] = 0

    # Eight samples further. Gives the reason when a window ends that fails as a whole
    def _lags(self, eight):
        self._past = past = (self._past & 0xFFFF) << 8 | eight
        if self._fill:
            self._fill -= 1
            return NONE
        turns = self._turns
        ones = ONES
        before = past
        for d in range(LAGS):
            before >>= 1
            turns[d] += ones[(past ^ before) & 255]
        self._left -= 1
        if self._left:
            return NONE
        if WINDOW - self._same >= PROPORTION_CUT:
            return PROPORTION  # biased, and began with the rare value: more than the standard asks
        for n in turns:
            if n >= LAG_CUT or WINDOW - n >= LAG_CUT:
                return LAG
        return NONE
