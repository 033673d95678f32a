# Windows: whether an edge came where it must, in steps of the roller that moved the card.


class Window:
    def __init__(self, mechanics, half_um):
        self.per_m = mechanics.ROLLER_STEPS_M
        self.half = self.steps(half_um)
        self.card = self.steps(mechanics.CARD_LENGTH_UM)

    def steps(self, um):
        return (um * self.per_m + 500000) // 1000000

    def near(self, at, um):
        """Whether steps `at` lie within the window around a place on the path."""
        return abs(at - self.steps(um)) <= self.half

    def length(self, edge):
        """Whether just one thing passed, as long as a card."""
        return edge.n == 2 and abs(edge.at[1] - edge.at[0] - self.card) <= self.half
