# Calibration: in force only on the board that it was made on, for its mechanics, for a year of power.

from dovetail.calibration import DIRTY, FAILED, GOOD, MARGINAL, THICKNESS_IN, Calibration, quality


class Mechanics:
    THICKNESS_BASE, THICKNESS_CARD = 400, 600
    BACKS = {"red": 1200, "blue": 2400}
    BACK_HALF, BACK_NONE, BACK_DARK, FACE = 400, 600, 100, 3600
    PRESENT, ABSENT, SEEN = 2000, 300, 3000
    BEAM_FREE, BEAM_DARK, BEAM_MIN = 3400, 600, 2000


class Others(Mechanics):
    THICKNESS_CARD = 500


READINGS = [3300, 650] * 4 + [280, 2900] * 3 + [420, 560] * 2 + [90, 1250]
YEAR = 365 * 24 * 3600


def made(mechanics=Mechanics, board=b"12345678", seconds=1000):
    return Calibration(mechanics).pack(READINGS, board, seconds)


def why(blob, board=b"12345678", seconds=1000):
    calibration = Calibration(Mechanics)
    calibration.load(blob, board, seconds)
    return calibration.why


def test_in_force_on_its_own_board():
    calibration = Calibration(Mechanics)
    calibration.load(made(), b"12345678", 1000 + YEAR)
    assert calibration.why == ""
    assert list(calibration.at) == READINGS


def test_not_in_force():
    assert why(None) == "none was made"
    assert why(b"") == "none was made"
    assert why(made()[:-1]) == "it cannot be read"
    assert why(b"X" + made()[1:]) == "it cannot be read"
    assert why(made(board=b"87654321")) == "it was made on another board"
    assert why(made(mechanics=Others)) == "it was made for other mechanics"
    assert why(made(), seconds=1001 + YEAR) == "it is older than a year of power"
    assert why(made(), seconds=999) == "its age is not known"


def test_it_grows_old_while_the_power_stays():
    calibration = Calibration(Mechanics)
    assert not calibration.stale(2 * YEAR)  # none is in force, and .why says so
    calibration.load(made(), b"12345678", 1000)
    assert not calibration.stale(1000 + YEAR)
    assert calibration.stale(1001 + YEAR)


def test_what_is_not_in_force_is_not_used():
    calibration = Calibration(Mechanics)
    calibration.load(made(), b"12345678", 1000)
    calibration.load(made(), b"87654321", 1000)
    assert list(calibration.at)[14:16] == [400, 600]


def test_cards_and_colours_by_what_the_board_reads():
    calibration = Calibration(Mechanics)
    calibration.load(made(), b"12345678", 1000)
    assert [calibration.cards(THICKNESS_IN, reading) for reading in (420, 699, 700, 1259, 1260, 1540)] == [
        0, 0, 1, 1, 2, 2,
    ]  # fmt: skip
    assert calibration.colour(1250) == 1200
    assert calibration.of_card(9, 2450) == 1250
    assert calibration.of_card(THICKNESS_IN, 980) == 560


def test_quality_by_what_is_left_of_the_room():
    found = [quality(reading, 3400, 1400) for reading in (3400, 2840, 2826, 2434, 2406, 2014, 2000, 0, 3900, 4095)]
    assert found == [GOOD, GOOD, MARGINAL, MARGINAL, DIRTY, DIRTY, FAILED, FAILED, GOOD, MARGINAL]
