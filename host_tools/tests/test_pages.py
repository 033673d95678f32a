"""Pages that are made from tables are up to date; what the tables say makes sense."""

from pathlib import Path

from dovetail import faults

from boards import mechanics as M
from boards.shuffler_rp2040 import board as rp2040
from boards.shuffler_rp2350 import board as rp2350
from host_tools.build import fault_page

ROOT = Path(__file__).parents[2]
ROOMS = ("firmware", "sim", "host_tools", "hil_tests", "boards")


def test_the_page_of_faults_is_the_table() -> None:
    assert fault_page.PAGE.read_text(encoding="utf-8") == fault_page.text()


def test_what_follows_is_true_of_a_machine_with_nothing_inside() -> None:
    """It stands because of its sensors: there is no card to come out."""
    (row,) = (line for line in fault_page.text().splitlines() if line.startswith("| 707 |"))
    assert "| service only until it is calibrated, and cleared |" in row


def test_every_fault_has_its_own_number_and_an_action() -> None:
    numbers = [row[0] for row in faults.TABLE]
    assert len(numbers) == len(set(numbers))
    constants = {
        value
        for name, value in vars(faults).items()
        if name.isupper() and isinstance(value, int) and value > 100
    }
    assert constants == set(numbers)
    for _, name, station, severity, action in faults.TABLE:
        assert name
        assert station
        assert action
        assert severity in (faults.STOP, faults.LOCK, faults.DOWN)


def test_every_room_says_its_rule() -> None:
    for room in ROOMS:
        for folder in [ROOT / room, *(ROOT / room).rglob("*")]:
            sources = list(folder.glob("*.py")) if folder.is_dir() else []
            if not sources or folder.name in ("tests", "__pycache__"):
                continue
            assert (folder / "README.md").is_file(), f"{folder.relative_to(ROOT)} has no README.md"


def rows_of(page: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading."""
    after = page.split(f"## {heading}\n", 1)[1].splitlines()
    lines = [line for line in after[: next_heading(after)] if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells[1:] if not set(row[0]) <= {"-"} or not row[0]]


def next_heading(lines: list[str]) -> int:
    """Where the next section begins."""
    return next((i for i, line in enumerate(lines) if line.startswith("## ")), len(lines))


def test_the_page_of_the_hardware_is_the_boards() -> None:
    page = (ROOT / "docs" / "hardware.md").read_text(encoding="utf-8")
    pins = {row[1].strip("`"): int(row[0]) for row in rows_of(page, "Pins")}
    channels = {row[1].strip("`"): int(row[0]) for row in rows_of(page, "Analog channels")}
    assert pins == rp2040.PINS == rp2350.PINS
    assert channels == rp2040.MUX == rp2350.MUX
    places = [int(row[2]) * 1000 for row in rows_of(page, "Where the sensors stand")]
    assert places == [
        M.ENTRY_BEAM_UM,
        M.FEED_NIP_UM,
        M.COUNT_BEAM_UM,
        M.STAGED_UM,
        M.WHEEL_MOUTH_UM,
        M.SEATED_UM,
        M.EXIT_BEAM_UM,
        M.SHOE_UM,
        M.DEAL_BEAM_UM,
        M.TRAY_UM,
    ]
    for number in (
        M.THICKNESS_BASE,
        M.THICKNESS_CARD,
        *M.BACKS.values(),
        M.FACE,
        M.SUPPLY_MIN,
        M.BEAM_FREE,
        M.BEAM_DARK,
        M.BEAM_MIN,
        M.ABSENT,
        M.SEEN,
        M.BACK_DARK,
    ):
        assert f"{number}" in page
