"""The verdict: sound sources pass as often as they should, plants fail, and fixed figures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from host_tools.certify import bad_shufflers as plants
from host_tools.certify import device
from host_tools.certify.judge import Finding, classes, holm, judge, judge_table, passes
from host_tools.certify.tally import invert, tally

RUNS, DECKS = 300, 400


@pytest.fixture(scope="module")
def sound() -> list[list[Finding]]:
    """Every test of many small runs of numpy's own permutations."""
    random = np.random.default_rng(90)
    sorted_deck = np.tile(np.arange(52, dtype=np.uint8), (DECKS, 1))
    return [judge("sound", 52, tally(random.permuted(sorted_deck, axis=1))) for _ in range(RUNS)]


def evenness(tails: list[float]) -> float:
    """How likely so uneven a spread of lower-tail probabilities is."""
    return float(stats.kstest(tails, "uniform").pvalue)


def test_sound_decks_spread_evenly_over_their_distributions(sound: list[list[Finding]]) -> None:
    for i, test in enumerate(sound[0]):
        runs = [run[i] for run in sound]
        if test.df:
            tails = [float(stats.chi2.cdf(one.observed, one.df)) for one in runs]
        else:
            tails = [float(stats.norm.cdf(one.z)) for one in runs]
        assert evenness(tails) > 1e-4, f"{test.name} {test.kind}"
        for one, tail in zip(runs, tails, strict=True):
            assert one.p == pytest.approx(2 * min(tail, 1 - tail), abs=1e-9)


def test_the_usual_sum_over_position_by_card_would_be_found_wrong(
    sound: list[list[Finding]],
) -> None:
    usual = [float(stats.chi2.cdf(run[0].observed * 52 / 51, run[0].df)) for run in sound]
    assert sound[0][0].kind == "table"
    assert evenness(usual) < 1e-9


def test_too_good_is_as_bad_as_too_far_off() -> None:
    # decks in turn, so that every card comes to every position equally often
    n, k = 52, 10
    turned = (np.arange(n)[np.newaxis] + np.arange(n * k)[:, np.newaxis]) % n
    table = judge_table("too good", n, tally(turned.astype(np.uint8))["position_card"], n * k)
    assert table.observed == 0
    assert table.p < 1e-12


def test_a_sound_family_fails_as_rarely_as_it_says(sound: list[list[Finding]]) -> None:
    for level in (95, 99):
        failed = sum(not passes(holm(run), level) for run in sound)
        most = stats.binom.isf(1e-4, RUNS, 1 - level / 100)
        assert failed <= most, f"{failed} of {RUNS} fail at {level} %"


@pytest.mark.parametrize("name", plants.PLANTS)
@pytest.mark.parametrize("cards", [52, 54])
def test_every_plant_fails_with_a_thousand_decks(name: str, cards: int) -> None:
    tests = holm(judge(name, cards, tally(plants.decks(name, 1, 0, 1000, cards))))
    assert not passes(tests, 99)


def test_a_ten_shelf_machine_is_an_open_book() -> None:
    tests = judge("shelf10", 52, tally(plants.decks("shelf10", 2, 0, 4000, 52)))
    guesses = next(test for test in tests if (test.name, test.kind) == ("right_guesses", "mean"))
    assert guesses.observed > 9  # 9.5 by the best guesser known; uniform decks allow 4.54


@pytest.mark.parametrize(
    ("name", "statistic"),
    [
        ("shelf10", "right_guesses"),
        ("rand52", "position_card"),
        ("stuck_slot", "same_places"),
        ("fisher_yates_off_by_one", "cycles"),
    ],
)
def test_a_plant_fails_where_it_should(name: str, statistic: str) -> None:
    tests = holm(judge(name, 52, tally(plants.decks(name, 3, 0, 2000, 52))))
    assert any(test.name == statistic and test.holm < 0.01 for test in tests)


def test_plants_deal_whole_decks_and_repeat_by_seed() -> None:
    for name in plants.PLANTS:
        decks = plants.decks(name, 1, 2, 20, 53)
        assert (np.sort(decks, axis=1) == np.arange(53)).all()
        assert (decks == plants.decks(name, 1, 2, 20, 53)).all()
        assert (decks != plants.decks(name, 1, 3, 20, 53)).any()


def test_the_device_draws_whole_decks_and_repeats_by_seed() -> None:
    plan = device.plans(1, 2, 20, 54)
    assert (np.sort(plan, axis=1) == np.arange(54)).all()
    assert (plan == device.plans(1, 2, 20, 54)).all()
    assert (plan != device.plans(1, 3, 20, 54)).any()
    assert (plan != device.plans(2, 2, 20, 54)).any()
    decks = device.decks(1, 2, 20, 54)
    for row, deck in zip(plan.tolist(), decks.tolist(), strict=True):
        assert [deck[slot] for slot in row] == list(range(54))
    assert (invert(invert(decks)) == decks).all()


def test_holm_by_hand() -> None:
    def of(p: float) -> Finding:
        return Finding("s", "n", "mean", 1, "", 0, 0, 1, 0, 0, p)

    corrected = [test.holm for test in holm([of(0.04), of(0.01), of(0.03), of(0.9)])]
    assert corrected == pytest.approx([0.09, 0.04, 0.09, 0.9])
    assert passes(holm([of(0.02), of(0.9)]), 99)
    assert passes(holm([of(0.026), of(0.9)]), 95)
    assert not passes(holm([of(0.024), of(0.9)]), 95)


@pytest.mark.parametrize(
    ("cards", "df", "at_95", "at_99"), [(52, 2601, 2720.8, 2771.7), (54, 2809, 2933.4, 2986.3)]
)
def test_critical_values_of_position_by_card(
    cards: int, df: int, at_95: float, at_99: float
) -> None:
    table = judge_table("s", cards, np.full(cards * cards, 10), 10 * cards)
    assert table.df == df
    assert table.critical(95) == pytest.approx(at_95, abs=0.06)
    assert table.critical(99) == pytest.approx(at_99, abs=0.06)


def test_classes_expect_enough_and_lose_nobody() -> None:
    parts = classes([0.1, 2, 4, 20, 3, 3, 1, 0.5])
    assert parts == [slice(0, 3), slice(3, 4), slice(4, 8)]
    assert classes([9, 9, 2]) == [slice(0, 1), slice(1, 3)]
