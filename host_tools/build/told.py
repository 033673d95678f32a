"""What a test has counted is told at the end of the run, whichever process it ran in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Tell = Callable[[str], None]
TOLD = "told"


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Tell:
    """A line for the end of the run."""
    return lambda line: record_property(TOLD, line)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """All lines, under a head of their own."""
    reports = [one for found in terminalreporter.stats.values() for one in found]
    lines = [
        str(value)
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for name, value in report.user_properties
        if name == TOLD
    ]
    if lines:
        terminalreporter.section("counted")
        for line in sorted(lines):
            terminalreporter.write_line(line)
