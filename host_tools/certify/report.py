"""The report for people: one HTML file with everything in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from host_tools.certify import plots, words
from host_tools.certify.delivered import GAMES
from host_tools.certify.judge import LEVELS, Finding, passes
from host_tools.certify.plan import DELIVERED, DEVICE
from host_tools.certify.results import Results, word
from host_tools.certify.run import label
from host_tools.certify.tally import Tally

TEMPLATE = "report.html.j2"


def p_text(p: float) -> str:
    """A p-value for reading."""
    if p < 1e-99:
        return "< 1e-99"
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"


def number(value: float) -> str:
    """A number for reading: whole ones by thousands, others to four digits after the point."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4f}"


def mark(test: Finding) -> str:
    """A CSS class: rejected at the higher confidence, at the lower, or not."""
    low, high = (1 - level / 100 for level in LEVELS)
    return "bad" if test.holm < high else "doubtful" if test.holm < low else "good"


def environment() -> Environment:
    """Templates that escape, and that know no missing names."""
    env = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters.update(p=p_text, number=number, mark=mark)
    return env


def compared(found: Results) -> dict[str, Sequence[Finding]]:
    """Ours first, then whatever is beside it; every list in the same order of tests."""
    judged = {
        source: [test for test in found.tests if test.source == source]
        for source in found.plan.judged
    }
    return {**judged, **found.beside}


def write(path: Path, found: Results, totals: dict[str, Tally], rates: dict[str, float]) -> None:
    """The whole page, or nothing."""
    plan = found.plan
    all_tests = compared(found)
    judged = {label(source): totals[source] for source in plan.judged}
    columns = {label(source): totals[source] for source in all_tests}
    page = (
        environment()
        .get_template(TEMPLATE)
        .render(
            words=words,
            levels=LEVELS,
            plan=plan,
            verdict=word(found.passed),
            at={level: word(found.good(level)) for level in LEVELS},
            unseen=found.unseen(plan.confidence),
            tests=found.tests,
            smallest=min(found.tests, key=lambda test: test.p),
            table=found.tests[0],
            compared=all_tests,
            verdicts={
                source: word(passes(tests, plan.confidence)) for source, tests in all_tests.items()
            },
            label=label,
            amounts=plan.amounts,
            has_machine=DELIVERED in plan.judged,
            game=GAMES[plan.cards],
            rates=rates,
            tables=plots.tables(plan.cards, judged),
            histograms={
                name: plots.histograms(plan.cards, total) for name, total in judged.items()
            },
            p_values=plots.p_values(found.tests),
            beside=plots.beside(plan.cards, columns, [label(DEVICE), label(DELIVERED)]),
        )
    )
    part = path.with_suffix(".part")
    part.write_text(page, encoding="utf-8")
    part.replace(path)
