# Game profiles as data: (key, value, the rule that says so). HOUSE marks what the texts leave open.
# The place of each rule in the texts: table/registry.py.

from micropython import const

HOUSE = const("HOUSE")  # a constant, so that the tables are frozen with the image and not built on the heap

# What every profile must say.
KEYS = (
    "cards",         # of a whole deck
    "stack",         # of a player's stack
    "players",       # the most positions of the table
    "fewest",        # the fewest players of a round
    "fixed",         # 1: all positions get a stack, wager or not
    "dealer",        # stacks after the players': the dealer's own, or the community's
    "dealer_stack",  # cards of that
    "draws_first",   # replacement cards a player, first draw; 0: the game has none
    "draws_later",   # the same, second draw
    "start",         # 1: the first stack goes to a position that chance draws
    "stages",        # how often "no more bets" is declared in a round
    "stub",          # 1: the remainder is out of play; 0: more is dealt from it by hand
    "rest",          # how many cards must remain; 0: what is left of the deck, whatever the number of players
    "cut",           # 1: a cut is owed when the deck is delivered as a single stack
    "cut_brought",   # 1: a cut is owed for a deck that was brought shuffled, however it is delivered
    "brought",       # 1: the first shuffle of a new deck may have been made before
    "two_decks",     # 1: a second deck may be used
    "shoe",          # 1: the machine's shoe may deal it
    "hand",          # 1: the deck may be delivered as a single stack, to be dealt from the hand
    "stub_shoe",     # 1: the stub is counted by hand every five rounds, though the machine counts; from the shoe
    "stub_hand",     # the same, from the hand
    "life_shoe",     # hours until a deck must be changed, dealt from the shoe
    "life_hand",     # the same, dealt from the hand
    "sorted",        # hours until a deck must have been put in suit and sequence; 0: the game knows no such limit
    "keeps",         # 1: stacks that were complete stand when the shoe voids a round
    "continuous",    # 1: discards may go back in during play
    "hand_only",     # 1: a wrong number of cards to a player voids that hand alone
)

GAMES = (
    ("let_it_ride", (
        ("cards", 52, "CT-2"), ("stack", 3, "DS-1"), ("players", 7, HOUSE), ("fewest", 1, HOUSE),
        ("fixed", 0, "DS-5"), ("dealer", 1, "DS-5"), ("dealer_stack", 3, "DS-1"), ("draws_first", 0, HOUSE),
        ("draws_later", 0, HOUSE), ("start", 0, HOUSE), ("stub", 1, "CT-6"), ("rest", 0, HOUSE), ("cut", 0, "SH-3"),
        ("two_decks", 1, "TD-1"), ("life_shoe", 8, "CL-1"), ("life_hand", 4, "CL-1"), ("keeps", 0, HOUSE),
        ("continuous", 0, HOUSE), ("hand_only", 0, HOUSE), ("stages", 1, "DS-4"), ("cut_brought", 0, "SH-6"),
        ("brought", 0, "SH-6"), ("shoe", 1, "SH-2"), ("hand", 1, "SH-2"), ("stub_shoe", 0, HOUSE),
        ("stub_hand", 0, "CT-1"), ("sorted", 0, HOUSE),
    )),
    # of its own subchapter the texts have the titles only
    ("three_card_poker", (
        ("cards", 52, "CD-1"), ("stack", 3, "DS-1"), ("players", 7, HOUSE), ("fewest", 1, HOUSE),
        ("fixed", 0, HOUSE), ("dealer", 1, HOUSE), ("dealer_stack", 3, "DS-1"), ("draws_first", 0, HOUSE),
        ("draws_later", 0, HOUSE), ("start", 0, HOUSE), ("stub", 1, HOUSE), ("rest", 0, HOUSE), ("cut", 0, HOUSE),
        ("two_decks", 0, HOUSE), ("life_shoe", 8, "CL-4"), ("life_hand", 4, "CL-4"), ("keeps", 0, HOUSE),
        ("continuous", 0, HOUSE), ("hand_only", 0, HOUSE), ("stages", 1, HOUSE), ("cut_brought", 0, "SH-6"),
        ("brought", 0, "SH-6"), ("shoe", 1, HOUSE), ("hand", 1, HOUSE), ("stub_shoe", 0, HOUSE),
        ("stub_hand", 0, HOUSE), ("sorted", 0, HOUSE),
    )),
    ("boston_5", (
        ("cards", 52, "CT-2"), ("stack", 3, "DS-1"), ("players", 7, HOUSE), ("fewest", 1, HOUSE),
        ("fixed", 0, "DS-5"), ("dealer", 1, "DS-5"), ("dealer_stack", 3, "DS-1"), ("draws_first", 0, HOUSE),
        ("draws_later", 0, HOUSE), ("start", 0, HOUSE), ("stub", 0, "DS-6"), ("rest", 0, HOUSE), ("cut", 0, "SH-3"),
        ("two_decks", 1, "TD-1"), ("life_shoe", 8, "CL-4"), ("life_hand", 4, "CL-4"), ("keeps", 1, "DS-8"),
        ("continuous", 0, HOUSE), ("hand_only", 1, "DS-11"), ("stages", 2, "DS-4"), ("cut_brought", 0, "SH-3"),
        ("brought", 1, "SH-6"), ("shoe", 1, "SH-2"), ("hand", 1, "SH-2"), ("stub_shoe", 0, "CT-1"),
        ("stub_hand", 1, "CT-1"), ("sorted", 0, HOUSE),
    )),
    ("caribbean_stud", (
        ("cards", 52, "CD-1"), ("stack", 5, "DS-2"), ("players", 7, HOUSE), ("fewest", 1, HOUSE),
        ("fixed", 0, HOUSE), ("dealer", 1, "DS-2"), ("dealer_stack", 5, "DS-2"), ("draws_first", 0, HOUSE),
        ("draws_later", 0, HOUSE), ("start", 0, HOUSE), ("stub", 1, HOUSE), ("rest", 0, HOUSE), ("cut", 0, "SH-3"),
        ("two_decks", 1, "TD-1"), ("life_shoe", 8, "CL-2"), ("life_hand", 4, "CL-4"), ("keeps", 0, HOUSE),
        ("continuous", 0, HOUSE), ("hand_only", 0, HOUSE), ("stages", 1, HOUSE), ("cut_brought", 0, "SH-6"),
        ("brought", 0, "SH-6"), ("shoe", 1, HOUSE), ("hand", 1, "SH-2"), ("stub_shoe", 0, HOUSE),
        ("stub_hand", 0, HOUSE), ("sorted", 0, HOUSE),
    )),
    # 17.8(b) deals by hand from a shoe that is not automated: a card each, then four for all. The sizes follow it
    ("double_down_stud", (
        ("cards", 52, "CD-1"), ("stack", 1, HOUSE), ("players", 7, HOUSE), ("fewest", 1, HOUSE), ("fixed", 0, HOUSE),
        ("dealer", 1, HOUSE), ("dealer_stack", 4, HOUSE), ("draws_first", 0, HOUSE), ("draws_later", 0, HOUSE),
        ("start", 0, HOUSE), ("stub", 1, HOUSE), ("rest", 0, HOUSE), ("cut", 1, "SH-3"), ("two_decks", 1, "TD-1"),
        ("life_shoe", 24, "CL-3"), ("life_hand", 8, "CL-3"), ("keeps", 0, HOUSE), ("continuous", 0, HOUSE),
        ("hand_only", 0, "DS-11"), ("stages", 2, "DS-4"), ("cut_brought", 0, "SH-6"), ("brought", 0, "SH-6"),
        ("shoe", 0, "DS-15"), ("hand", 1, "SH-2"), ("stub_shoe", 0, HOUSE), ("stub_hand", 0, HOUSE),
        ("sorted", 0, HOUSE),
    )),
    # the players play against a pay table, so nothing goes to the dealer
    ("double_draw", (
        ("cards", 54, "CT-2"), ("stack", 5, "DS-2"), ("players", 6, "DS-12"), ("fewest", 1, HOUSE),
        ("fixed", 0, "DS-5"), ("dealer", 0, "DS-2"), ("dealer_stack", 0, "DS-2"), ("draws_first", 3, "DS-7"),
        ("draws_later", 1, "DS-7"), ("start", 0, HOUSE), ("stub", 1, "CT-6"), ("rest", 0, HOUSE), ("cut", 0, "SH-3"),
        ("two_decks", 1, "TD-1"), ("life_shoe", 8, "CL-4"), ("life_hand", 4, "CL-4"), ("keeps", 0, "DS-8"),
        ("continuous", 0, HOUSE), ("hand_only", 0, "DS-11"), ("stages", 3, "DS-4"), ("cut_brought", 1, "SH-3"),
        ("brought", 1, "SH-6"), ("shoe", 1, "SH-2"), ("hand", 1, "SH-2"), ("stub_shoe", 0, "CT-1"),
        ("stub_hand", 1, "CT-1"), ("sorted", 0, HOUSE),
    )),
    ("pai_gow_poker", (
        ("cards", 53, "CT-2"), ("stack", 7, "DS-3"), ("players", 6, "DS-3"), ("fewest", 1, HOUSE),
        ("fixed", 1, "DS-3"), ("dealer", 1, "DS-3"), ("dealer_stack", 7, "DS-3"), ("draws_first", 0, HOUSE),
        ("draws_later", 0, HOUSE), ("start", 1, "DS-13"), ("stub", 1, "CT-5"), ("rest", 4, "CT-5"),
        ("cut", 0, "SH-3"), ("two_decks", 0, HOUSE), ("life_shoe", 8, "CL-4"), ("life_hand", 4, "CL-4"),
        ("keeps", 0, HOUSE), ("continuous", 0, HOUSE), ("hand_only", 0, "CT-5"), ("stages", 1, "DS-4"),
        ("cut_brought", 0, "SH-6"), ("brought", 0, "SH-6"), ("shoe", 1, HOUSE), ("hand", 1, "SH-2"),
        ("stub_shoe", 0, HOUSE), ("stub_hand", 0, HOUSE), ("sorted", 0, HOUSE),
    )),
    # held in the dealer's hand: what each position is dealt is the dealer's to know
    ("poker", (
        ("cards", 52, "CD-1"), ("stack", 2, HOUSE), ("players", 11, "DS-12"), ("fewest", 2, "DS-12"),
        ("fixed", 0, HOUSE), ("dealer", 0, HOUSE), ("dealer_stack", 0, HOUSE), ("draws_first", 0, HOUSE),
        ("draws_later", 0, HOUSE), ("start", 0, HOUSE), ("stub", 1, HOUSE), ("rest", 0, HOUSE), ("cut", 1, "SH-3"),
        ("two_decks", 1, "TD-1"), ("life_shoe", 4, "CL-5"), ("life_hand", 4, "CL-5"), ("keeps", 0, HOUSE),
        ("continuous", 0, HOUSE), ("hand_only", 0, HOUSE), ("stages", 1, "DS-4"), ("cut_brought", 0, "SH-6"),
        ("brought", 0, "SH-6"), ("shoe", 0, "SH-2"), ("hand", 1, "SH-2"), ("stub_shoe", 0, HOUSE),
        ("stub_hand", 0, HOUSE), ("sorted", 2, "CL-5"),
    )),
    # for a game that the house has an approval for
    ("plain", (
        ("cards", 52, "CD-1"), ("stack", 2, HOUSE), ("players", 7, HOUSE), ("fewest", 1, HOUSE), ("fixed", 0, HOUSE),
        ("dealer", 1, HOUSE), ("dealer_stack", 2, HOUSE), ("draws_first", 0, HOUSE), ("draws_later", 0, HOUSE),
        ("start", 0, HOUSE), ("stub", 1, HOUSE), ("rest", 0, HOUSE), ("cut", 1, HOUSE), ("two_decks", 1, HOUSE),
        ("life_shoe", 4, "CL-7"), ("life_hand", 4, "CL-7"), ("keeps", 0, HOUSE), ("continuous", 1, "SH-7"),
        ("hand_only", 0, HOUSE), ("stages", 1, HOUSE), ("cut_brought", 0, "SH-6"), ("brought", 0, "SH-6"),
        ("shoe", 1, HOUSE), ("hand", 1, HOUSE), ("stub_shoe", 0, HOUSE), ("stub_hand", 0, HOUSE),
        ("sorted", 0, HOUSE),
    )),
)


def names():
    return [name for name, _ in GAMES]


def rows(game):
    for name, entries in GAMES:
        if name == game:
            return entries
    raise ValueError("no game %s" % game)


def value(game, key):
    return _row(game, key)[1]


def rule(game, key):
    """The rule that says so, or HOUSE."""
    return _row(game, key)[2]


def _row(game, key):
    for row in rows(game):
        if row[0] == key:
            return row
    raise ValueError("%s has no %s" % (game, key))
