"""What the table of proofs says in numbers is what the tests take: of a share, and of the whole."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache

import pytest

from host_tools.build.tell import ROOT
from host_tools.evidence.proofs import BY_NAME, PROOFS

NUMBER = re.compile(r"\d[\d,]*")

# Read by a process of its own: how much a test takes is settled when its module is imported.
READ = """
import json
from hil_tests import replay, test_campaign, test_day, test_flood, test_hung_board
from hil_tests import test_link_board, test_liar, test_lossy_line, test_power_cuts
from hil_tests import test_replay, test_scenarios, test_two_lanes
from host_tools.rules.bounds import COMPLETE, REPLAYED
from host_tools.tests import test_certify_run, test_link_fuzz, test_mutate, test_rules_table
from host_tools.tests.link_mutate import STRANGER

fuzz, flood, rules = test_link_fuzz, test_flood, test_rules_table
two_lanes = test_two_lanes
MB = 1024 * 1024
print(json.dumps({
    "takes": {
        "faults": [test_campaign.FAULTS],
        "board_faults": [test_campaign.EMULATED, len(test_campaign.CHOSEN)],
        "board_scenarios": [test_scenarios.SHARE, len(test_scenarios.LONG)],
        "frames": [
            len(STRANGER) * fuzz.STRANGERS_FRAMES + fuzz.INSIDE_FRAMES + fuzz.GUIDED_FRAMES
        ],
        "board_frames": [test_link_board.FRAMES],
        "board_power_cuts": [test_power_cuts.INSTANTS],
        "mutants": [rules.MUTANTS],
        "code_mutants": [test_mutate.DRAWN],
        "exploration": [rules.BOUNDS, len(COMPLETE), rules.FIRST],
        "replay": [
            test_replay.REPLAYS,
            len(REPLAYED),
            test_replay.PATHS + test_replay.WANDERERS,
            test_replay.TAKEN_OUT,
        ],
        "liar": [test_liar.FEW],
        "hung_board": [test_hung_board.MOMENTS, len(test_hung_board.HUNG)],
        "two_lanes": [two_lanes.SHARE, len(two_lanes.MOMENTS), len(two_lanes.PLANTS)],
        "lossy_line": [test_lossy_line.ROUNDS],
        "day": [test_day.HOURS],
        "flood": [
            flood.PLAY_MIN,
            flood.CHIPS,
            len(flood.SIZES),
            flood.REST_H,
            flood.STATES,
            len(flood.CASES),
        ],
        "decks": [1000, test_certify_run.MOST],
        "orders": [test_certify_run.ORDERS],
    },
    "claims": {
        "frames": [
            len(STRANGER) * fuzz.STRANGERS_FRAMES + fuzz.INSIDE_FRAMES + fuzz.GUIDED_FRAMES
        ],
        "board_frames": [test_link_board.FRAMES],
        "replay": [
            test_replay.NODES,
            test_replay.WANDERERS * replay.WANDERED,
            len(test_replay.PUT_BACK),
        ],
        "liar": [test_liar.SLICES * test_liar.SESSIONS],
        "two_lanes": [len(two_lanes.PLANTS), len(two_lanes.MOMENTS)],
        "lossy_line": [test_lossy_line.ROUNDS],
        "day": [test_day.HOURS],
        "flood": [round(100 * flood.SHARE), flood.LARGE // MB, 2, flood.KEPT],
    },
    "seeds": {
        "board_scenarios": test_scenarios.SEED,
        "power_cuts": test_power_cuts.SEED,
        "board_power_cuts": test_power_cuts.SEED,
        "hung_board": test_hung_board.SEED,
        "two_lanes": test_two_lanes.SEED,
        "lossy_line": test_lossy_line.SEED,
        "day": test_day.SEED,
        "flood": test_flood.SEED,
    },
}))
"""
# Their numbers are put in from constants when the table is made, or they have none.
MADE = {"faults", "board_faults", "mutants", "decks", "orders"}
WITHOUT = {"power_cuts", "board_story", "same_bytes"}


@cache
def read(draw: str) -> dict[str, dict[str, list[int]]]:
    """Return what the tests take in a run that draws by this word."""
    done = subprocess.run(
        [sys.executable, "-c", READ],
        cwd=ROOT,
        env={
            **os.environ,
            "DRAW": draw,
            "PYTHONPATH": os.pathsep.join(
                str(ROOT / place) for place in (".", "firmware", "firmware/shim", "boards")
            ),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, list[int]]] = json.loads(done.stdout.splitlines()[-1])
    return found


def numbers(text: str) -> list[int]:
    """Return the numbers of a text that are written in digits."""
    return [int(one.replace(",", "")) for one in NUMBER.findall(text)]


@pytest.mark.parametrize("name", [proof.name for proof in PROOFS if proof.name not in WITHOUT])
def test_a_share_is_what_the_tests_take(name: str) -> None:
    assert numbers(BY_NAME[name].share) == read("a share")["takes"][name]


@pytest.mark.parametrize("name", [proof.name for proof in PROOFS if proof.name not in MADE])
def test_a_claim_is_what_a_whole_run_takes(name: str) -> None:
    assert numbers(BY_NAME[name].claim) == read("all")["claims"].get(name, [])


def test_a_record_names_the_seed_of_the_tests() -> None:
    """Those that have one of their own; all others take what `drawn.seed` says of a whole run."""
    seeds = read("all")["seeds"]
    assert {name: BY_NAME[name].seed for name in seeds} == seeds


@pytest.mark.parametrize("name", sorted(WITHOUT))
def test_a_share_without_numbers_has_none(name: str) -> None:
    assert numbers(BY_NAME[name].share) == []
