"""The statistics and their distributions, against every order of a few cards."""

from __future__ import annotations

import itertools
from math import factorial, prod, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from host_tools.certify import nulls, tally
from host_tools.certify.tally import Decks

FEW = (3, 4, 5, 6, 7)


def every_order(n: int) -> Decks:
    return np.array(list(itertools.permutations(range(n))), np.uint8)


def values(name: str, decks: Decks) -> NDArray[np.int64]:
    of_place = {"rising_sequences": tally.rising_sequences}
    of_deck = {
        "right_guesses": tally.right_guesses,
        "successions": tally.successions,
        "fixed_points": tally.fixed_points,
        "cycles": tally.cycles,
    }
    return of_place[name](tally.invert(decks)) if name in of_place else of_deck[name](decks)


@pytest.mark.parametrize("n", FEW)
@pytest.mark.parametrize(
    "name", ["right_guesses", "rising_sequences", "successions", "fixed_points", "cycles"]
)
def test_counts_are_those_of_all_orders(name: str, n: int) -> None:
    counts = nulls.NULLS[name](n)
    seen = np.bincount(values(name, every_order(n)), minlength=len(counts))
    assert seen.tolist() == counts
    assert sum(counts) == factorial(n)


@pytest.mark.parametrize("sizes", [[1, 1], [2, 2], [3, 2, 2], [2, 2, 2, 1], [4, 1, 1, 1], [7]])
def test_runs_of_suits_are_those_of_all_orders(sizes: list[int]) -> None:
    counts = nulls.runs(sizes)
    seen = np.bincount(tally.runs(every_order(sum(sizes)), sizes), minlength=len(counts))
    same = prod(factorial(size) for size in sizes)  # orders of the cards for one order of the suits
    assert seen.tolist() == [same * count for count in counts]


@pytest.mark.parametrize("n", [3, 4, 5])
def test_pairs_of_decks_are_those_of_all_pairs(n: int) -> None:
    decks = every_order(n)
    first = np.repeat(decks, len(decks), axis=0)
    second = np.tile(decks, (len(decks), 1))
    same = np.count_nonzero(first == second, axis=1)
    counts = np.array(nulls.NULLS["same_places"](n)) * len(decks)
    assert np.bincount(same, minlength=len(counts)).tolist() == counts.tolist()
    # one sum over all pairs, as serial() has it over consecutive ones
    half = 2 * decks.astype(np.int64) - (n - 1)
    sums = (half @ half.T).ravel()
    squares = n * (n * n - 1) / 3
    assert sums.sum() == 0
    assert np.mean((sums / squares) ** 2) == pytest.approx(1 / (n - 1), rel=1e-12)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_position_by_card_has_the_mean_and_variance_that_are_claimed(n: int) -> None:
    """It is (n-1)/N |sum of Y|^2, where Y is a deck's matrix - 1/n: so |Y|^2 and Y.Y' tell all."""
    orders = every_order(n)
    matrices = np.eye(n)[orders].reshape(len(orders), -1) - 1 / n
    products = matrices @ matrices.T
    assert np.diag(products) == pytest.approx(np.full(len(orders), n - 1.0))  # mean (n-1)^2
    assert products.mean() == pytest.approx(0, abs=1e-12)
    assert (products**2).mean() == pytest.approx(1)  # variance 2 (n-1)^2 (1 - 1/N)


def test_serial_goes_over_consecutive_decks_only() -> None:
    decks = np.array([[0, 1, 2, 3], [3, 2, 1, 0], [3, 2, 1, 0]], np.uint8)
    squares = 9 + 1 + 1 + 9
    assert tally.serial(tally.invert(decks)) == -squares + squares
    assert tally.serial(tally.invert(decks[1:])) == squares
    assert tally.same_places(decks).tolist() == [0, 4]


def test_the_guesser_follows_both_directions() -> None:
    up = np.arange(52, dtype=np.uint8)[np.newaxis]
    assert tally.right_guesses(up).tolist() == [52]
    down = up[:, ::-1]
    assert tally.right_guesses(down).tolist() == [51]  # the first card is a guess
    valley = np.array([[*range(51, -1, -2), *range(0, 52, 2)]], np.uint8)
    assert tally.right_guesses(valley)[0] >= 25  # all of the way up but for its first card


@pytest.mark.parametrize(
    ("n", "name", "mean", "sd"),
    [
        (52, "right_guesses", 4.538, 1.707),
        (54, "right_guesses", 4.575, None),
        (52, "rising_sequences", 26.5, 2.102),
        (54, "rising_sequences", 27.5, 2.141),
        (52, "fixed_points", 1, 1),
        (54, "fixed_points", 1, 1),
        (52, "successions", 0.981, None),
    ],
)
def test_known_figures(n: int, name: str, mean: float, sd: float | None) -> None:
    counts = nulls.NULLS[name](n)
    assert float(nulls.mean(counts)) == pytest.approx(mean, abs=6e-4)
    if sd is not None:
        assert sqrt(nulls.variance(counts)) == pytest.approx(sd, abs=6e-4)


@pytest.mark.parametrize("n", [52, 53, 54])
def test_every_histogram_holds_every_deck(n: int) -> None:
    decks = np.random.default_rng(n).permuted(
        np.tile(np.arange(n, dtype=np.uint8), (64, 1)), axis=1
    )
    counted = tally.tally(decks)
    for name in nulls.NULLS:
        assert counted[name].sum() == (63 if name == "same_places" else 64)
        assert len(counted[name]) >= len(nulls.NULLS[name](n))
    table = counted["position_card"].reshape(n, n)
    assert set(table.sum(axis=0)) == set(table.sum(axis=1)) == {64}
    twice = dict(counted)
    tally.add(twice, counted)
    assert all((twice[name] == 2 * counts).all() for name, counts in counted.items())
