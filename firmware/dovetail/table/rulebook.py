# The one place that the machine asks. Holds the present state; puts numbers and names into what a refusal says.

import micropython
from dovetail.table import conditions, decks, layout
from dovetail.table.layout import DRAW1, DRAWN, FAULT, LAST, LOOK, OUT, OWED, ROUND, SHOE, STACKS, WHEEL
from dovetail.table.system import step

COLOURS = ("", "red", "blue")
# words of a text that are a fact of the state, or a deck that the state names
_FACTS = {"stacks": STACKS, "owed": OWED, "drawn": DRAWN}
_COLOURED = {"in_wheel": WHEEL, "in_shoe": SHOE, "last": LAST}


class Rulebook:
    """Asked with an event, answers None and a list of actions in .actions, or a refusal (rule, text)."""

    def __init__(self, profile, number=0):
        self.profile = profile
        self.state = layout.first()
        self.number = number  # of the round that is or was open last; only grows
        self.actions = ()
        self.fault = ""   # what stands in the way, in the words of the machine
        self.unsafe = ""

    @micropython.native
    def ask(self, event, d=0, a=0, b=0, c=0):
        self.state, self.actions, no = step(self.profile, self.state, event, d, a, b, c)
        if no is None:
            return None
        rule, text = no
        if rule[0] == "@":
            rule = self.profile.life()[1] if rule == "@life" else self.profile.rule(rule[1:])
        return rule, self._say(text, d)

    def of_round(self, event, number, b=0, c=0):
        """The same for a request that names a round."""
        return self.ask(event, 0, 1 if number == self.number else 0, b, c)

    def open(self, number, players, outside=0):
        """outside: in continuous play, 1 some cards are not inside, 2 too many."""
        no = self.ask("open", 0, players, 1 if number > self.number else 0, outside)
        if no is None:
            self.number = number
        elif "{n}" in no[1]:
            no = no[0], no[1].replace("{n}", str(number))
        return no

    @micropython.native
    def _say(self, text, d):
        """The text of a row with its {words} filled in; the words that stand there, and no others, are looked up."""
        if "{" not in text:
            return text
        parts = text.split("{")
        said = parts[0]
        for i in range(1, len(parts)):
            name, rest = parts[i].split("}")
            said += str(self._word(name, d)) + rest
        return said

    @micropython.native
    def _word(self, name, d):
        p, s = self.profile, self.state
        if name in _FACTS:
            return s[_FACTS[name]]
        if name in _COLOURED:
            return COLOURS[s[_COLOURED[name]]]
        if name == "round":
            return self.number
        if name == "deck":
            return COLOURS[d]
        if name == "state":
            return decks.NAMES[s[d]]
        if name == "fault":
            return self.fault
        if name == "unsafe":
            return self.unsafe
        if name == "next":
            return conditions.next_position(p, s)
        if name == "size":
            return conditions.next_size(p, s)
        if name == "limit":
            return p.draws_first if s[ROUND] == DRAW1 else p.draws_later
        if name == "most":
            return p.players
        if name == "declared":
            return COLOURS[1 if s[1] == decks.DECLARED else 2]
        if name == "game":
            return p.game.replace("_", " ")
        if name == "count":
            return "put all cards back in" if p.continuous else "count the stub"
        return "{%s}" % name  # open() knows it

    # ---- what the machine reads ----------------------------------------------------------------

    def deck(self, number):
        return self.state[number]

    def at(self, field):
        return self.state[field]

    def faulty(self):
        return self.state[FAULT]

    def looking(self):
        return self.state[LOOK]

    def out(self):
        return self.state[OUT]

    def size(self):
        """Cards of the stack that is dealt now."""
        return conditions.next_size(self.profile, self.state)
