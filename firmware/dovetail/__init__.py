# The firmware of a card shuffler with a dealing shoe.
