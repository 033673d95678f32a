"""Every refusal that a controller can provoke has a scenario that runs at every depth."""

from __future__ import annotations

import pytest

from hil_tests.catalogue import SCENARIOS
from hil_tests.refusals import ANY, NONE, Refusal, every, missed, named, of_the_page, of_the_table
from host_tools import rigs


def test_every_refusal_has_a_scenario() -> None:
    """Rows of the rules' table and words of the page; what has none is named, with a reason."""
    without = {(one.request, one.word) for one in every() if one not in named()}
    assert without == set(NONE)
    assert set(named()) <= set(every()), "the list names what no table has"


def test_each_of_these_scenarios_runs_at_the_emulated_board() -> None:
    for refusal, name in named().items():
        assert name in SCENARIOS, refusal
        assert "quick" not in SCENARIOS[name].needs, refusal


def test_the_list_is_long() -> None:
    """An empty one would name nothing: the rules alone refuse in more than a hundred ways."""
    assert len(of_the_table()) > 100
    assert {one.word for one in of_the_page()} == {"BAD", "KEYS", "SERVICE"}


def test_a_refusal_that_is_not_heard_any_more_is_told() -> None:
    refusal, name = next(iter(named().items()))
    due = [one for one, scenario in named().items() if scenario == name]
    assert missed(name, ()) == [str(one) for one in due]
    said = {(one.request, one.word, one.text.replace("{", "").replace("}", "")) for one in due}
    assert refusal in due
    assert len(missed(name, said)) == 0


@pytest.mark.parametrize(
    ("said", "fits"),
    [
        (("deal", "DS-4", "the open round is 8"), True),
        (("deal", "DS-4", "the open round is"), False),
        (("deal", "DS-5", "the open round is 8"), False),
        (("face_up", "DS-4", "the open round is 8"), False),
    ],
)
def test_a_refusal_is_known_by_all_three(said: tuple[str, str, str], fits: bool) -> None:
    assert Refusal("deal", "DS-4", "the open round is {round}").fits(said) is fits


def test_a_word_of_a_span_or_of_the_page() -> None:
    assert Refusal("load", "@life", "over").fits(("load", "CL-7", "over"))
    assert not Refusal("load", "@life", "over").fits(("load", "CT-3", "over"))
    assert Refusal("deal", "LATER", "job").fits(("deal", "NOT_NOW", "job"))
    assert Refusal("jog", "BAD", ANY).fits(("jog", "BAD", "whatever"))


def test_the_depths_are_those_of_the_rigs() -> None:
    assert set(rigs.DEPTHS) == {"in-process", "emulated", "real"}
