"""Pages that are made from tables are up to date; what the tables say makes sense."""

from pathlib import Path

from dovetail import faults

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
