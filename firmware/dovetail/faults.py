# The one table of faults: what the machine reports, the tools print and docs/faults.md lists.
# (number, name, station, severity, what the operator should do)
# Severity: STOP the cards must come out and be counted; LOCK the deck is locked out; DOWN until power-on.

from micropython import const

STOP = const(1)
LOCK = const(2)
DOWN = const(3)

HELD = const(0)  # not reported: a lane meets a machine that was stopped already
MISFEED = const(101)
FEED_JAM = const(102)
DOUBLE_FEED = const(103)
WRONG_LENGTH = const(104)
FOREIGN_BACK = const(105)
PATH_BLOCKED = const(106)
THICKNESS = const(107)
FACE_UP = const(108)
BACK_UNREAD = const(109)
BEAM_BLIND = const(110)
SLIP = const(111)
INFEED_SENSOR = const(112)
WHEEL_LOST = const(201)
WHEEL_HOME = const(202)
LOST_STEPS = const(203)
EXIT_JAM = const(301)
SLOT_EMPTY = const(302)
EXIT_BLOCKED = const(303)
ROD_LOST = const(304)
DEAL_MISFEED = const(401)
DEAL_JAM = const(402)
DEAL_DOUBLE = const(403)
DEAL_BLOCKED = const(404)
SHOE_SHORT = const(405)
DEAL_THICKNESS = const(406)
DEAL_SLIP = const(407)
DEAL_BLIND = const(408)
DEAL_LENGTH = const(409)
SHOE_SENSOR = const(410)
SHOE_FULL = const(411)
TRAY_FULL = const(501)
TRAY_BLIND = const(502)
WRONG_DECK = const(601)
COUNTS_DISAGREE = const(602)
MISDEAL = const(603)
LID_OPEN = const(701)
DOOR_OPEN = const(702)
NOT_MOUNTED = const(703)
SUPPLY_LOST = const(704)
MOVE_LATE = const(705)
INSIDE = const(706)
CALIBRATION = const(707)
NOISE = const(801)
STORE = const(802)
JOURNAL = const(803)
CONFIGURATION = const(804)
SOFTWARE = const(901)

TABLE = (
    (MISFEED, "misfeed", "feeder", STOP, "remove all cards, square them, check the pick roller"),
    (FEED_JAM, "jam", "feeder", STOP,
     "open the lid, remove the card before the wheel; if not bent, turn the feed rollers by hand, clean the beams"),
    (DOUBLE_FEED, "double feed", "feeder", STOP, "remove all cards, part those that stick, take out a bent one"),
    (WRONG_LENGTH, "wrong length", "feeder", STOP, "remove all cards, look for torn or overlapping ones"),
    (FOREIGN_BACK, "foreign back", "feeder", STOP, "remove all cards, sort the decks by back colour"),
    (PATH_BLOCKED, "path blocked", "feeder", STOP, "open the lid, remove what lies before the wheel, clean the beams"),
    (THICKNESS, "thickness not measured", "feeder", STOP, "remove all cards, have the thickness sensor cleaned"),
    (FACE_UP, "card face up", "feeder", STOP, "open the lid, turn the card before the wheel, then remove all cards"),
    (BACK_UNREAD, "back colour not read", "feeder", STOP, "remove all cards, have the colour sensor cleaned"),
    (BEAM_BLIND, "a beam missed the card", "feeder", STOP, "remove all cards, clean entry beam and count beam"),
    (SLIP, "card slipped", "feeder", STOP,
     "open the lid, remove all cards and what else lies there, take out a greasy one, clean the feed rollers"),
    (INFEED_SENSOR, "infeed sensor is wrong", "feeder", STOP, "remove all cards, have the infeed's sensor cleaned"),
    (WHEEL_LOST, "position lost", "wheel", STOP, "open the lid, remove what binds the wheel, clean its sensors"),
    (WHEEL_HOME, "no home mark", "wheel", STOP,
     "open the lid, turn the wheel by hand: if it binds, remove what binds it; if it is free, clean the home sensor"),
    (LOST_STEPS, "lost steps", "wheel", STOP,
     "open the lid, turn the wheel by hand: if it binds, remove what binds it; if it is free, clean its sensors"),
    (EXIT_JAM, "jam", "ejector", STOP, "remove the card behind the wheel, look for a torn one, clean the beam"),
    (SLOT_EMPTY, "no card left the slot", "ejector", STOP, "remove all cards, count them, clean the exit beam"),
    (EXIT_BLOCKED, "exit blocked", "ejector", STOP, "open the lid, remove what lies behind the wheel, clean the beam"),
    (ROD_LOST, "rod not at rest", "ejector", STOP, "open the lid, remove what binds the ejector, clean its sensor"),
    (DEAL_MISFEED, "misfeed", "shoe", STOP, "remove all cards, square them, check the deal roller"),
    (DEAL_JAM, "jam", "shoe", STOP, "open the shoe door, remove the card at the roller, clean the beam"),
    (DEAL_DOUBLE, "double feed", "shoe", STOP, "remove all cards, part those that stick, take out a bent one"),
    (DEAL_BLOCKED, "deal beam blocked", "shoe", STOP, "open the shoe door, remove what lies in the beam, clean it"),
    (SHOE_SHORT, "shoe ran out", "shoe", STOP, "remove all cards, count them"),
    (DEAL_THICKNESS, "thickness not measured", "shoe", STOP, "remove all cards, have the thickness sensor cleaned"),
    (DEAL_SLIP, "card slipped", "shoe", STOP, "remove all cards, take out a torn or greasy one, clean the roller"),
    (DEAL_BLIND, "the deal beam missed a card", "shoe", STOP, "remove all cards, clean the deal beam"),
    (DEAL_LENGTH, "wrong length", "shoe", STOP, "remove all cards, look for a torn one: the last in the tray"),
    (SHOE_SENSOR, "shoe sensor is wrong", "shoe", STOP, "remove all cards, have the shoe's sensor cleaned"),
    (SHOE_FULL, "shoe not empty", "shoe", STOP,
     "open the shoe door, take out what lies in the shoe; if nothing does, have its sensor cleaned"),
    (TRAY_FULL, "tray not empty", "tray", STOP, "take the cards out of the tray"),
    (TRAY_BLIND, "tray sensor sees no card", "tray", STOP, "take the cards out of the tray, have its sensor cleaned"),
    (WRONG_DECK, "wrong number of cards", "count", LOCK, "remove the wrong deck from the table, declare a new one"),
    (COUNTS_DISAGREE, "the two counts disagree", "count", STOP, "remove all cards, count them by hand"),
    (MISDEAL, "misdeal", "count", STOP, "remove all cards, load this deck again: it is counted and shuffled"),
    (LID_OPEN, "lid open", "interlock", STOP, "remove the cards inside, close the lid"),
    (DOOR_OPEN, "shoe door open", "interlock", STOP, "remove the cards inside, close the shoe door"),
    (NOT_MOUNTED, "not mounted", "interlock", STOP, "remove the cards inside, set the machine on its mount"),
    (SUPPLY_LOST, "motor supply lost", "interlock", STOP, "check the motor supply and its plug"),
    (MOVE_LATE, "move not finished in time", "motion", STOP, "have the board checked"),
    (INSIDE, "cards may be inside", "machine", STOP, "remove every card, then tell the machine that it is cleared"),
    (CALIBRATION, "not calibrated", "machine", STOP, "have it calibrated in a service session, then say cleared"),
    (NOISE, "randomness failed its test", "chance", DOWN, "switch off; out of service if it comes back"),
    (STORE, "memory refuses writes", "journal", DOWN, "out of service"),
    (JOURNAL, "journal failed", "journal", DOWN, "out of service; have the journal read out and the memory checked"),
    (CONFIGURATION, "configuration refused", "machine", DOWN, "have the machine configured again, switch off and on"),
    (SOFTWARE, "internal error", "machine", DOWN, "note what was done, switch off, report it"),
)


class Fault(Exception):
    """A fault on its way to the one place that stops the machine."""

    def __init__(self, number, card=0, passed=0):
        super().__init__(number)
        self.number = number
        self.card = card  # which passage of the run, from 1; 0 when it belongs to none
        self.passed = passed  # so many cards went on all the same, by what was measured


def row(number):
    for entry in TABLE:
        if entry[0] == number:
            return entry
    return (number, "unknown fault", "machine", DOWN, "out of service")
