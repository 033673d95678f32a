# What a fault is told with, in words: the link keeps numbers only.

from dovetail import faults
from dovetail.reports import words


def told(cards="", remove="", fault=faults.FEED_JAM):
    fields = {"fault": fault, "card": 3, "inside": 1, "cards": cards, "remove": remove}
    words("fault", fields)
    return fields


def text(*numbers):
    return "".join([chr(n) for n in numbers])


def test_what_it_is_and_what_to_do_come_from_the_table():
    for number, name, station, _, action in faults.TABLE:
        fields = told(fault=number)
        assert (fields["name"], fields["station"], fields["action"]) == (name, station, action)
        assert (fields["fault"], fields["card"], fields["inside"]) == (number, 3, 1)
        assert (fields["cards"], fields["remove"]) == ("", "")


def test_where_the_cards_are():
    red, blue = text(1, 48, 0, 4, 0, 0), text(2, 0, 20, 10, 1, 22)
    assert told(red)["cards"] == "red: 48 in the wheel, 0 in the shoe, 4 dealt"
    assert told(red + blue)["cards"] == (
        "red: 48 in the wheel, 0 in the shoe, 4 dealt; "
        "blue: 0 in the wheel, 20 in the shoe, 10 dealt or more: count the tray, 22 not counted"
    )
    for unsure, wheel, shoe in ((2, "20 to 21", "3"), (4, "19 to 20", "3 to 4"), (8, "19 to 20", "3")):
        said = "red: %s in the wheel, %s in the shoe, 0 dealt" % (wheel, shoe)
        assert told(text(1, 20, 3, 0, unsure, 0))["cards"] == said
    assert told(text(1, 0, 0, 200, 0, 0))["cards"] == "red: 0 in the wheel, 0 in the shoe, 200 dealt"


def test_what_is_to_be_removed():
    for numbers, said in (
        ((10, 0, 0), "lid: 10 in the wheel"),
        ((10, 0, 3), "lid: 10 in the wheel, at the feeder, between wheel and shoe"),
        ((0, 0, 4), "shoe door: in the shoe"),
        ((0, 7, 8), "shoe door: 7 in the shoe, at the deal beam"),
        ((0, 0, 48), "infeed; tray"),
        ((9, 0, 64), "lid: 9 in the wheel, one of them perhaps between wheel and shoe"),
        ((1, 2, 59), "lid: 1 in the wheel, at the feeder, between wheel and shoe; "
         "shoe door: 2 in the shoe, at the deal beam; infeed; tray"),
    ):  # fmt: skip
        assert told("", text(*numbers))["remove"] == "cards to remove: " + said


def test_no_report_is_longer_than_the_protocol_says():
    for number, _, _, _, action in faults.TABLE:
        assert len(action) <= 200, number
    two = told(text(1, 52, 52, 52, 0, 52) + text(2, 52, 52, 52, 15, 52), text(104, 104, 127))
    assert len(two["cards"]) <= 200
    assert len(two["remove"]) <= 200


def test_trouble_that_is_got_over_has_a_name_and_all_else_its_own_words():
    fields = {"fault": faults.EXIT_JAM, "card": 1, "tries": 2}
    words("trying", fields)
    assert fields == {"fault": 301, "name": "jam", "station": "ejector", "card": 1, "tries": 2}
    fields = {"wrong": "free"}
    words("checked", fields)
    assert fields == {"wrong": "free"}
