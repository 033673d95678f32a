# Game profiles as data. Every value cites its rule (docs/rules.md); HOUSE marks what the texts leave open.

HOUSE = "HOUSE"

GAMES = {
    "let_it_ride": {
        "cards": (52, "CT-2"),
        "stack": (3, "DS-1"),
        "players": (7, HOUSE),       # the most positions that may be dealt to
        "dealer": (1, "DS-5"),       # stacks after the players': the dealer's own, two of it community cards
        "stub": (True, "DS-6"),      # the remainder is out of play
        "two_decks": (True, "TD-1"),
    },
}


def value(game, key):
    return GAMES[game][key][0]
