"""The pictures of the report, as SVG text."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from host_tools.certify import nulls
from host_tools.certify.judge import LEVELS, Finding
from host_tools.certify.tally import Tally
from host_tools.certify.words import TITLES

# matplotlib leaves its **kwargs without types
# pyright: reportUnknownMemberType=false

Grid = NDArray[np.object_]  # of Axes

OURS, PLANTED, EXPECTED, GREY = "#2166ac", "#b2182b", "#222222", "#8a8a8a"
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "certify",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9,
}
SPAN = 4.5  # standard deviations to each side on the colour scale

RARE = 1e-4  # a value that fewer uniform decks have is not drawn, unless it was seen


def svg(figure: Figure) -> str:
    """The figure as an element for a page."""
    text = StringIO()
    figure.savefig(
        text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))
    )
    whole = text.getvalue()
    return whole[whole.index("<svg") :]


def _figure(
    width: float, height: float, rows: int, columns: int, ratios: Sequence[float] | None = None
) -> tuple[Figure, Grid]:
    mpl.rcParams.update(STYLE)
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, height_ratios=ratios)


def expected(name: str, cards: int, size: int) -> NDArray[np.float64]:
    """Probabilities of a statistic, padded to the size of its histogram."""
    row = nulls.probabilities(nulls.NULLS[name](cards))
    return np.array([*row, *[0.0] * (size - len(row))])


def _bars(axes: Axes, name: str, cards: int, seen: NDArray[np.int64], colour: str) -> slice:
    """Seen as bars, expected as dots; which values are drawn."""
    share = seen / seen.sum()
    null = expected(name, cards, len(seen))
    drawn = np.flatnonzero((null > RARE) | (share > RARE))
    part = slice(int(drawn[0]), int(drawn[-1]) + 1)
    values = np.arange(len(seen))[part]
    axes.bar(values, share[part], color=colour, alpha=0.55, width=0.8)
    axes.plot(values, null[part], ".", color=EXPECTED, markersize=4)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    return part


def histograms(cards: int, total: Tally) -> str:
    """Every statistic of one source: what was seen, what uniform decks give, and how far apart."""
    names = list(nulls.NULLS)
    figure, grid = _figure(12.5, 6.2, 4, 4, (3, 2, 3, 2))
    for i, name in enumerate(names):
        top: Axes = grid[i // 4 * 2, i % 4]
        low: Axes = grid[i // 4 * 2 + 1, i % 4]
        seen = total[name]
        part = _bars(top, name, cards, seen, OURS)
        top.set_title(TITLES[name])
        top.tick_params(labelbottom=False)
        null = expected(name, cards, len(seen))[part]
        n = int(seen.sum())
        enough = n * null >= 5
        off = (seen[part] - n * null)[enough] / np.sqrt((n * null * (1 - null))[enough])
        values = np.arange(len(seen))[part]
        low.axhspan(-2, 2, color="#dddddd", lw=0)
        low.vlines(values[enough], 0, off, color=OURS)
        low.plot(values[enough], off, "o", color=OURS, markersize=3)
        low.set_ylim(-SPAN, SPAN)
        low.set_yticks([-2, 0, 2])
        low.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        low.set_xlim(top.get_xlim())
        if i % 4 == 0:
            low.set_ylabel("difference, sd")
    for spare in (grid[2, 3], grid[3, 3]):
        spare.set_axis_off()
    spare = grid[2, 3]
    spare.bar([0], [0], color=OURS, alpha=0.55, label="share of decks seen")
    spare.plot([], [], ".", color=EXPECTED, label="uniform decks, exact")
    spare.legend(loc="center", frameon=False)
    return svg(figure)


def deviations(cards: int, total: Tally) -> NDArray[np.float64]:
    """Position by card, each cell in standard deviations."""
    n = int(total["decks"][0])
    mean = n / cards
    table = total["position_card"].reshape(cards, cards)
    return (table - mean) / np.sqrt(mean * (1 - 1 / cards))


def _map(axes: Axes, cards: int, total: Tally) -> None:
    axes.imshow(
        deviations(cards, total), cmap="RdBu_r", vmin=-SPAN, vmax=SPAN, interpolation="nearest"
    )
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(True)


def _edges(cards: int, total: Tally) -> list[float]:
    """Classes for the cells, each of as many whole counts: a cell is a whole number."""
    mean = int(total["decks"][0]) / cards
    sd = np.sqrt(mean * (1 - 1 / cards))
    width = max(1, round(sd / 4))
    first = np.floor(mean - SPAN * sd) - 0.5
    return [float((first + width * i - mean) / sd) for i in range(int(2 * SPAN * sd / width) + 3)]


def tables(cards: int, totals: dict[str, Tally]) -> str:
    """Position by card of the judged sources, and how the cells are spread."""
    figure, grid = _figure(12.5, 4.6 * len(totals), len(totals), 2)
    for row, (label, total) in enumerate(totals.items()):
        axes: Axes = grid[row, 0]
        cells = deviations(cards, total)
        image = axes.imshow(cells, cmap="RdBu_r", vmin=-SPAN, vmax=SPAN, interpolation="nearest")
        axes.set_title(f"{label}: position × card, in sd of a cell")
        axes.set_xlabel("card, by its place before the shuffle")
        axes.set_ylabel("position after it")
        figure.colorbar(image, ax=axes, shrink=0.8)
        spread: Axes = grid[row, 1]
        edges = _edges(cards, total)
        spread.hist(cells.ravel(), edges, color=OURS, alpha=0.55, density=True)
        x = np.linspace(-SPAN, SPAN, 91)
        spread.plot(x, np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi), color=EXPECTED)
        spread.set_xlim(-SPAN, SPAN)
        spread.set_title(f"{label}: {cells.size} cells, and the normal distribution")
        spread.set_xlabel("sd")
        spread.set_yticks([])
    return svg(figure)


def p_values(tests: Sequence[Finding]) -> str:
    """All p-values in order, beside what Holm's steps allow."""
    figure, grid = _figure(12.5, 3.4, 1, 1)
    axes: Axes = grid[0, 0]
    order = sorted(tests, key=lambda test: test.p)
    m = len(order)
    rank = np.arange(1, m + 1)
    axes.plot(
        rank,
        [max(test.p, 1e-12) for test in order],
        "o",
        color=OURS,
        label="p of each test, both tails",
    )
    axes.plot(
        rank,
        (rank - 0.5) / m,
        "-",
        color=GREY,
        lw=1,
        label="where they lie on average for uniform decks",
    )
    for level, style in zip(LEVELS, ("--", ":"), strict=True):
        limit = (1 - level / 100) / (m - rank + 1)
        axes.plot(rank, limit, style, color=PLANTED, label=f"rejected below, {level} % (Holm)")
    axes.set_yscale("log")
    axes.set_ylim(bottom=axes.get_ylim()[0] / 300)
    axes.set_xlabel("tests, from the smallest p on")
    axes.legend(frameon=False, loc="lower right")
    return svg(figure)


def beside(cards: int, totals: dict[str, Tally], sound: Sequence[str]) -> str:
    """A column a source, a row a statistic: ours and the plants."""
    names = list(nulls.NULLS)
    figure, grid = _figure(12.5, 14.5, len(names) + 1, len(totals), (2.2, *[1.0] * len(names)))
    for column, (label, total) in enumerate(totals.items()):
        axes: Axes = grid[0, column]
        _map(axes, cards, total)
        axes.set_title(f"{label}\n{int(total['decks'][0])} decks")
        if column == 0:
            axes.set_ylabel("position × card")
        for row, name in enumerate(names, 1):
            axes = grid[row, column]
            _bars(axes, name, cards, total[name], OURS if label in sound else PLANTED)
            if column == 0:
                axes.spines["left"].set_visible(True)
                axes.set_ylabel(TITLES[name])
    return svg(figure)
