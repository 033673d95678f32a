# Windows: whether an edge came where it must, in steps of the roller that moved the card.

import micropython


class Window:
    def __init__(self, mechanics, half_um):
        self.per_m = mechanics.ROLLER_STEPS_M
        self.half = self.steps(half_um)
        self.card = self.steps(mechanics.CARD_LENGTH_UM)
        self.flicker = self.steps(1000)

    def steps(self, um):
        return (um * self.per_m + 500000) // 1000000

    def um(self, steps):
        return steps * 1000000 // self.per_m

    def near(self, at, um):
        """Whether steps `at` lie within the window around a place on the path."""
        return abs(at - self.steps(um)) <= self.half

    def length(self, edge):
        """Whether just one thing passed, as long as a card."""
        return edge.n == 2 and abs(edge.at[1] - edge.at[0] - self.card) <= self.half

    @micropython.native
    def settle(self, edge, least=0):
        """Forget what was no card: a beam that flickered for less than a millimetre. At rest only."""
        n = edge.n
        least = least or self.flicker
        if n > len(edge.at):
            return
        i = n - 2
        while i >= 0:
            if 0 <= edge.at[i + 1] - edge.at[i] < least:
                for k in range(i, n - 2):
                    edge.at[k], edge.us[k], edge.level[k] = edge.at[k + 2], edge.us[k + 2], edge.level[k + 2]
                n -= 2
                i -= 1
            i -= 1
        if n != edge.n:
            edge.keep(n)
