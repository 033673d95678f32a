"""What the tests are called in the report, and what each of them looks at."""

TITLES = {
    "position_card": "position × card",
    "right_guesses": "right guesses",
    "rising_sequences": "rising sequences",
    "successions": "successions",
    "fixed_points": "fixed points",
    "cycles": "cycles",
    "suit_runs": "runs of suits",
    "same_places": "same places",
    "serial_correlation": "serial correlation",
}

MEANINGS = {
    "position_card": "How often each card came to each position. Finds any preference of a place "
    "for a card.",
    "right_guesses": "Cards that a guesser gets right who sees each card after guessing it, and "
    "goes on in the direction of the last two cards to the next one not yet seen. Finds order that "
    "survived: riffles and shelf machines.",
    "rising_sequences": "Runs of cards that kept their order, however far apart they lie now. A "
    "perfect riffle leaves two.",
    "successions": "Cards that still lie right behind the card that was above them. Finds clumps.",
    "fixed_points": "Cards in the same place as before the shuffle.",
    "cycles": "Cycles of the order as a permutation. Finds errors of one in a shuffling loop.",
    "suit_runs": "Runs of cards of one suit, jokers being a suit, in a deck that was in order.",
    "same_places": "Positions at which a deck has the same card as the deck before it.",
    "serial_correlation": "Spearman's correlation between the places of the cards in consecutive "
    "decks.",
}

NULLS = {
    "position_card": "χ² with (n − 1)² degrees of freedom, after (n − 1)/n of the usual sum",
    "right_guesses": "exact: a sum of independent draws of 1/k, Stirling numbers of the first kind",
    "rising_sequences": "exact: Eulerian numbers",
    "successions": "exact: derangements of glued pairs",
    "fixed_points": "exact: derangements",
    "cycles": "exact: Stirling numbers of the first kind",
    "suit_runs": "exact: inclusion and exclusion over blocks of each suit",
    "same_places": "exact: as fixed points, for independent decks differ by a uniform order",
    "serial_correlation": "mean 0 and variance 1/(n − 1), exact; their sum normal",
}
