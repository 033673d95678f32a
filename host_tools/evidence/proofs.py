"""The table of long proofs: what each claims, of which code it speaks, and how it is cut in slices.

Most are tests that take a share of their cases in `make test`, and all of them here: a test says
`@pytest.mark.proof(name=...)`, and each of its cases is a slice. The others are commands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from host_tools.evidence import by_campaign, by_certificate, by_tests
from host_tools.evidence.by_campaign import (
    BOARD_FAULTS,
    BOARD_FAULTS_SLICE,
    FAULTS,
    FAULTS_SEED,
    FAULTS_SLICE,
)
from host_tools.evidence.imported import hashes
from host_tools.evidence.slices import Figures, Slice
from host_tools.rules.explained import ALIVE, HARMLESS, TESTED

# Folders that a proof depends on as a whole, beside what its tests or its command import.
TABLE = ("firmware/dovetail/table", "firmware/dovetail/cards")
CHANCE = ("firmware/dovetail",)
FIRMWARE = ("firmware/boot", "firmware/dovetail", "firmware/main.py", "firmware/shim", "boards")
EVERYTHING = (*FIRMWARE, "firmware/tests", "sim", "host_tools", "hil_tests")
# What makes the image that a proof on the emulated board runs
IMAGE = "host_tools/build/image.py"
# What runs and judges the slices, beside what it calls
RUNS = "host_tools/evidence/{}.py"
CAMPAIGN = [by_campaign.COMMAND, RUNS.format("by_campaign")]
CERTIFY = [by_certificate.COMMAND, RUNS.format("by_certificate")]

NOT_THERE = "not there"
WHOLE = "all of it"
BY_HAND = "once, by hand"

DECKS, ORDERS = 1_000_000, 100_000


def holds(figures: Figures) -> list[str]:
    """Return nothing: what is against the proof stands in its slices alone."""
    del figures
    return []


@dataclass(frozen=True)
class Proof:
    """A proof that is cut in slices, each a process of its own.

    A stoppable one is a single slice: its command takes all cores, and can be stopped and go on.
    """

    name: str
    claim: str
    share: str  # what `make test` does of it
    folders: tuple[str, ...]  # that it depends on as a whole
    slices: Callable[[], list[str]] = field(repr=False)
    run: Callable[[str], Slice] = field(repr=False)
    judge: Callable[[Figures], list[str]] = field(default=holds, repr=False)
    stoppable: Callable[[float], Slice | None] | None = field(default=None, repr=False)
    words: str = ""  # the command that its slices are parts of
    before: str = NOT_THERE  # what `make test` did of it at the commit that the page names
    seed: int | None = 1  # of a whole run; None: nothing is drawn in it
    starts: Callable[[], list[str]] = field(default=list[str], repr=False)  # whose imports count

    def code(self) -> dict[str, str]:
        """Return the hashes of all code that it depends on, as it is now."""
        return hashes(self.folders, self.starts())

    @property
    def command(self) -> str:
        """Return what runs it."""
        by = f" ({self.words})" if self.words else ""
        return f"make prove ONLY={self.name}{by}"


def of_tests(
    name: str,
    claim: str,
    share: str,
    folders: tuple[str, ...],
    before: str = NOT_THERE,
    seed: int | None = 1,
    image: bool = False,
) -> Proof:
    """Make a proof of the tests that are marked with its name, on the flashed image or not."""
    return Proof(
        *(name, claim, share, folders, lambda: by_tests.collected(name), by_tests.tested),
        before=before,
        seed=seed,
        starts=lambda: [
            *by_tests.files_of(name),
            RUNS.format("by_tests"),
            *([IMAGE] if image else []),
        ],
    )


def certificate(name: str, claim: str, share: str, folders: tuple[str, ...], *words: str) -> Proof:
    """Make a proof of a run of `dovetail certify`."""
    return Proof(
        name,
        claim,
        share,
        folders,
        lambda: ["all"],
        by_certificate.not_sliced,
        stoppable=lambda stop_s: by_certificate.certified(name, words, stop_s),
        words=f"dovetail certify {' '.join(words)} --seed 1",
        before=BY_HAND,
        seed=1,
        starts=lambda: CERTIFY,
    )


def _numbers(count: int, size: int) -> Callable[[], list[str]]:
    return lambda: [str(first) for first in range(0, count, size)]


PROOFS: tuple[Proof, ...] = (
    Proof(
        "faults",
        f"{FAULTS:,} faults drawn by chance in the in-process machine are found, named, and got "
        "over or handed over in time; none breaks an invariant",
        "the same 100 each time, each plant once as a scenario, and what campaigns have found",
        FIRMWARE,
        _numbers(FAULTS, FAULTS_SLICE),
        by_campaign.in_process_faults,
        by_campaign.judge,
        words=f"dovetail campaign --faults {FAULTS} --seed {FAULTS_SEED}",
        before=f"100; {BY_HAND} the 100,000",
        seed=FAULTS_SEED,
        starts=lambda: CAMPAIGN,
    ),
    Proof(
        "board_faults",
        f"{BOARD_FAULTS} faults drawn by chance at the pins of the emulated board",
        "the same 1 each time, and 4 chosen by hand",
        FIRMWARE,
        _numbers(BOARD_FAULTS, BOARD_FAULTS_SLICE),
        by_campaign.board_faults,
        by_campaign.judge,
        words=f"dovetail campaign --faults {BOARD_FAULTS} --seed {FAULTS_SEED} --depth emulated",
        before="3, and the same 4 chosen by hand",
        seed=FAULTS_SEED,
        starts=lambda: [*CAMPAIGN, IMAGE],
    ),
    of_tests(
        "board_scenarios",
        "every scenario that needs no quick machine, by the flashed image on the emulated board",
        "4 of them, drawn, but for 2 that take minutes",
        FIRMWARE,
        before="all 60",
        seed=5,
        image=True,
    ),
    of_tests(
        "frames",
        "1,000,000 mutated frames at the link on CPython leave no trace",
        "45,000 frames, drawn",
        FIRMWARE,
        before=WHOLE,
    ),
    of_tests(
        "board_frames",
        "20,000 mutated frames at the flashed image's own link leave no trace",
        "2,000 frames, drawn",
        FIRMWARE,
        before=WHOLE,
        image=True,
    ),
    of_tests(
        "power_cuts",
        "the power goes at every operation on flash of a day, in four ways: no record is lost",
        "all of it",
        FIRMWARE,
        before="all 171 instants of that day",
        seed=5,
    ),
    of_tests(
        "board_power_cuts",
        "the same at every instant that the emulated board's flash has seen",
        "16 instants, drawn",
        FIRMWARE,
        before="all 304 instants of that day",
        seed=5,
        image=True,
    ),
    of_tests(
        "mutants",
        f"each change of a row of the rules' tables breaks a property, but for {len(ALIVE)}: a "
        f"test finds {len(TESTED)}, and {len(HARMLESS)} harm nothing",
        "24 mutants, drawn",
        TABLE,
        before="all 441 of that table",
    ),
    of_tests(
        "code_mutants",
        "each change of profiles, lanes, requests, start-up and life is found by a quick test, "
        "but for those that are listed with their reason",
        "4 mutants, drawn",
        EVERYTHING,
    ),
    of_tests(
        "exploration",
        "every state of the rules that can be reached keeps every rule",
        "3 of its 16 bounds, drawn, the first 40,000 states of each",
        TABLE,
        before="all 15 bounds of that table",
        seed=None,
    ),
    of_tests(
        "replay",
        "every pair of rows that hands can bring about within 20,000 nodes is walked at simulated "
        "machines, and 16,000 steps by chance, in each game and delivery: an oracle of the texts "
        "objects to nothing, and finds 6 refusals that are taken out",
        "1 of 14 games and deliveries, drawn, 22 machines of it, and 1 of those refusals",
        FIRMWARE,
    ),
    of_tests(
        "liar",
        "controllers that lie, 320 sessions over all games and deliveries: no round is dealt that "
        "the texts forbid, and none that they permit is refused but by a house's choice",
        "3 sessions, drawn",
        FIRMWARE,
    ),
    of_tests(
        "board_story",
        "a round at the emulated board is told twice by the same seed, to the letter",
        "the first seconds of a board, twice, by its bytes and edges",
        FIRMWARE,
        before=WHOLE,
        seed=7,
        image=True,
    ),
    of_tests(
        "hung_board",
        "a processor that dies in play: every axis ends its move, the watchdog lets the drivers go",
        "2 of 6 moments, drawn",
        FIRMWARE,
        before="all 6",
        seed=4,
        image=True,
    ),
    of_tests(
        "two_lanes",
        "5 plants at 63 moments of a deck that is shuffled while the other is dealt: each is told "
        "in time",
        "21 of 63 moments for each of 5 plants, drawn",
        FIRMWARE,
        before=WHOLE,
        seed=5,
    ),
    of_tests(
        "lossy_line",
        "200 rounds on a line that spoils one byte in a hundred: every stack comes once",
        "the first 60 of the same rounds",
        FIRMWARE,
        before="all 200 rounds",
        seed=4,
    ),
    of_tests(
        "day",
        "24 hours of play with two decks, faults at nominal rates: no card and no count is lost",
        "the first 3 hours of the same day, in which no deck grows old",
        FIRMWARE,
        before="all 24 hours",
        seed=4,
    ),
    of_tests(
        "flood",
        "a day of flood by all keys takes at most 5 % of the ring: on a journal of 8 MB every "
        "record of play of that day is there, on a chip of 2 MB the last 10,000",
        "10 minutes of play on 1 chip of 2, 1 hour at rest, 1 state of 46",
        FIRMWARE,
        seed=3,
    ),
    of_tests(
        "same_bytes",
        "an image that is built in another folder has the same bytes",
        "no image names a folder or its day; bytes are compared only while sources and compiler "
        "are those of the record",
        FIRMWARE,
        before=WHOLE,
        seed=None,
        image=True,
    ),
    certificate(
        "decks",
        f"{DECKS:,} decks of the device's own code are uniform; four planted shuffles are found",
        "runs of 1,000 to 120,000 decks",
        CHANCE,
        *("--decks", str(DECKS)),
    ),
    certificate(
        "orders",
        f"{ORDERS:,} orders that the whole simulated machine delivered are uniform",
        "runs of 100 orders",
        FIRMWARE,
        *("--decks", "1000", "--delivered", str(ORDERS)),
    ),
)
BY_NAME = {proof.name: proof for proof in PROOFS}
