"""docs/faults.md from the firmware's one table of faults."""

from pathlib import Path

from dovetail import faults

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"
_SEVERITY = {
    faults.STOP: "every card must come out, be counted and shuffled again",
    faults.LOCK: "this deck is locked out until it is removed and a new one declared",
    faults.DOWN: "unavailable until power-on",
}
# What stops the machine as the others do, and with nothing inside.
_EMPTY = {faults.CALIBRATION: "service only until it is calibrated, and cleared"}


def text() -> str:
    """The page."""
    lines = [
        "# Faults",
        "",
        "Made from `firmware/dovetail/faults.py` by `python -m host_tools.build.fault_page`. The",
        "number is what the link, the journal and the tools say, with what an operator should do.",
        "",
        "| number | station | name | what follows | what to do |",
        "| --- | --- | --- | --- | --- |",
    ]
    for number, name, station, severity, action in faults.TABLE:
        follows = _EMPTY.get(number, _SEVERITY[severity])
        lines.append(f"| {number} | {station} | {name} | {follows} | {action} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
