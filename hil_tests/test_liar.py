"""A lying controller never has a round dealt that the texts forbid."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import pytest
from google.protobuf.message import Message
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from hil_tests import house_choices
from hil_tests.continuous_eye import ContinuousEye
from hil_tests.eye import Eye
from hil_tests.honest import Honest
from hil_tests.house_choices import HOUSE, Permitted, permitted
from hil_tests.liar import CUT, DEEDS, HARMLESS, LIES, OFF_S, Liar, Step
from hil_tests.powered import Powered
from host_tools import rigs
from host_tools.evidence.drawn import amount, drawn, seed
from host_tools.link import link_pb2
from host_tools.link.errors import Refused
from host_tools.rules.device import names, value
from sim.loop import run

SLICES = 40
SESSIONS = 8  # of each slice; in `make test` FEW of one slice
FEW = 3
STEPS = (120, 220)  # of a session
HONEST = 3  # so many steps of an honest controller for each lie
OTHER = ("plain",)  # the texts know no such game, but for continuous play

# A session is long, and a machine is powered for each
HUGE = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)

SETUPS = [
    rigs.Setup(game, by_hand)
    for game in names()
    for by_hand in (False, True)
    if game not in OTHER and value(game, "hand" if by_hand else "shoe")
] + [rigs.Setup("plain", continuous=True)]
WHAT = [*["honest"] * HONEST * len(LIES), *LIES, *DEEDS]
SESSION = st.lists(
    st.tuples(st.sampled_from(WHAT), st.integers(0, 63)), min_size=STEPS[0], max_size=STEPS[1]
)


def lives(steps: list[Step]) -> list[tuple[list[Step], int]]:
    """Cut a session where the power goes: the steps of each life, and how long it is dark then."""
    cuts = [-1, *(i for i, (what, _) in enumerate(steps) if what == CUT), len(steps)]
    dark = [steps[i][1] if i < len(steps) else 0 for i in cuts[1:]]
    return [
        (steps[a + 1 : b], OFF_S[n % len(OFF_S)])
        for (a, b), n in zip(pairwise(cuts), dark, strict=True)
    ]


@dataclass
class Session:
    """Holds what came of one session."""

    hours: float
    rounds: int
    against: list[str]  # what the texts forbid, and refusals that nobody has explained
    choices: Counter[str]  # rounds and stacks that the texts permit, by why the house refuses them


def session(setup: rigs.Setup, steps: list[Step], machine: int) -> Session:
    """Play it, and judge it by what lay on the table."""
    powered = Powered(setup, machine)
    eye = ContinuousEye(powered.rig) if setup.continuous else Eye(powered.rig)
    honest = Honest(powered.rig)
    refused: list[Permitted] = []
    if isinstance(eye, Eye):

        def judge(name: str, message: Message, no: Refused) -> None:
            if (one := permitted(eye, name, message, no)) is not None:
                refused.append(one)

        eye.on_refused = judge

    async def story() -> None:
        for part, dark_s in lives(steps):
            powered.on()
            await Liar(honest).live(part)
            assert powered.broken() is None, powered.broken()
            await powered.off()
            await asyncio.sleep(dark_s)
            honest.meet()

    run(powered.world, story())
    hours = powered.world.now_ns() / 3600e9
    unexplained = [f"permitted, and refused: {one}" for one in refused if not one.why()]
    choices = Counter(one.why() for one in refused if one.why())
    return Session(hours, honest.rounds, [*eye.lines(), *unexplained], choices)


def test_every_request_is_a_lie_or_said_to_be_harmless() -> None:
    """I-2: by the schema, so that no request is forgotten."""
    requests = {field.name for field in link_pb2.Request.DESCRIPTOR.oneofs[0].fields}
    assert set(LIES) | set(HARMLESS) == requests, requests ^ (set(LIES) | set(HARMLESS))


@pytest.mark.slow
@pytest.mark.proof(name="liar")
@pytest.mark.parametrize("part", drawn("liar", list(range(SLICES)), 1))
def test_no_lie_has_a_round_dealt_that_the_texts_forbid(
    part: int, tell: Callable[[str], None]
) -> None:
    """SH-1 SH-6 SH-9 DS-4 DS-6 CT-1 CT-3 TD-4 (in-process): judged by what lay on the table."""
    played: list[Session] = []

    @seeded(seed(f"liar {part}"))
    @settings(
        max_examples=amount(SESSIONS, FEW),
        deadline=None,
        database=None,
        suppress_health_check=HUGE,
        phases=(Phase.generate,),  # a session takes a second: to make one short takes an hour
    )
    @given(st.sampled_from(SETUPS), SESSION, st.integers(0, 10_000))
    def lies(setup: rigs.Setup, steps: list[Step], machine: int) -> None:
        played.append(session(setup, steps, machine))
        assert not played[-1].against, (played[-1].against, setup, machine, steps)

    lies()
    hours, rounds = sum(one.hours for one in played), sum(one.rounds for one in played)
    choices = sum((one.choices for one in played), Counter[str]())
    tell(
        f"liar {part}: {hours:.1f} h of the machine, {rounds} rounds, nothing forbidden; "
        f"permitted, and refused by a house's choice: {dict(choices)}"
    )


def test_a_refusal_that_nobody_has_explained_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """DS-12 DS-13 (in-process): a house that lets no single player play says so, of its games."""
    assert not Permitted("let_it_ride", "deal", "DS-13", "no start").why()
    one = Permitted("let_it_ride", "open_round", "DS-12", "players must be 2 to 7")
    assert one.why()
    monkeypatch.setattr(house_choices, "HOUSE", tuple(row for row in HOUSE if row[0] != "DS-12"))
    assert not one.why()


def test_a_lie_that_a_rule_would_have_stopped_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """SH-6 (in-process): with that refusal taken out, the same session breaks 18.5(a)."""
    from dovetail.table import conditions

    def never(*_asked: object) -> bool:
        return False

    lie: list[Step] = [("remove_deck", 0), ("loads", 0), ("load", 0b110), ("shuffle", 0)]
    steps = [*lie, *[("honest", 1)] * 40]
    assert session(rigs.Setup(), steps, 1).against == []
    for name in ("never_brought", "new_by_another"):
        monkeypatch.setattr(conditions, name, never)
    against = session(rigs.Setup(), steps, 1).against
    assert any("18.5(a): the cards were not shuffled" in one for one in against)
