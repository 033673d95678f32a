# The one place that the machine asks. Holds the present state; puts numbers and names into what a refusal says.

import micropython
from dovetail.table import conditions, decks, layout
from dovetail.table.layout import (
    CALL2, CLOCK, DRAWN, FAULT, LAST, LOOK, OUT, OWED, ROUND, ROUNDS_PER_COUNT, SHOE, STACKS, TURN, WHEEL,
)
from dovetail.table.system import step

COLOURS = ("", "red", "blue")
_WAIT = "wait until it is ready"
_OF_DECK = "give the deck back, then count it"
_BACK = "give it back or remove it"
_UNTOLD = "over its time, or else the supervisor has to tell the time since power-on"
# by state of a deck: what makes a deck free that is not
_FREE = (
    "load it", "shuffle it, or take it out of the infeed", _WAIT, _WAIT, _WAIT, "play it, or give it back",
    "end its round", "remove every card", "remove it", "declare a new one", "deal it from the hand",
    "end its round", "put the machine out of service and empty it", _WAIT, "declare a new one",
)
_NEVER = (decks.LOCKED, decks.GONE, decks.BARRED)  # such a deck is not counted any more
# words of a text, and what they stand for: r the Rulebook, d the deck that the event names
_WORDS = {
    "deck": lambda r, d: COLOURS[d],
    "state": lambda r, d: decks.NAMES[r.state[d]],
    "left": lambda r, d: _left(r),
    "way": lambda r, d: _FREE[r.state[d]],
    "in_wheel": lambda r, d: COLOURS[r.state[WHEEL]],
    "in_shoe": lambda r, d: COLOURS[r.state[SHOE]],
    "other": lambda r, d: COLOURS[3 - d],
    "turn": lambda r, d: COLOURS[r.state[TURN]],
    "declared": lambda r, d: COLOURS[1 if r.state[1] == decks.DECLARED else 2],
    "round": lambda r, d: r.number,
    "stacks": lambda r, d: r.state[STACKS],
    "owed": lambda r, d: r.state[OWED],
    "drawn": lambda r, d: r.state[DRAWN],
    "next": lambda r, d: conditions.next_position(r.profile, r.state),
    "size": lambda r, d: conditions.next_size(r.profile, r.state),
    "limit": lambda r, d: r.profile.draws_first if r.state[ROUND] == CALL2 else r.profile.draws_later,
    "least": lambda r, d: r.profile.fewest,
    "most": lambda r, d: r.profile.players,
    "sorted": lambda r, d: r.profile.sorted,
    "stages": lambda r, d: r.profile.stages,
    "game": lambda r, d: r.profile.game.replace("_", " "),
    "count": lambda r, d: r.count() if r.state[CLOCK] >= ROUNDS_PER_COUNT or r.profile.continuous else _OF_DECK,
    "renew": lambda r, d: "out of service with it, then remove it" if r.profile.continuous else _BACK,
    "aged": lambda r, d: "over its time" if r.vouched else _UNTOLD,
    "fault": lambda r, d: r.fault,
    "unsafe": lambda r, d: r.unsafe,
    "n": lambda r, d: "{n}",  # open() knows it
}


def _left(r):
    """Return what keeps a round from being closed."""
    if r.profile.continuous:
        return "%d of %d stacks of round %d are dealt" % (r.state[STACKS], r.state[OWED], r.number)
    return "the remainder of round %d has not been released" % r.number


class Rulebook:
    """Asked with an event, answers None and a list of actions in .actions, or a refusal (rule, text)."""

    def __init__(self, profile, number=0):
        self.profile = profile
        self.state = layout.first()
        self.number = number  # of the round that is or was open last; only grows
        self.actions = ()
        self.fault = ""   # what stands in the way, in the words of the machine
        self.unsafe = ""
        self.vouched = True  # whether the time was told by somebody who may say how long the power was off

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

    def count(self):
        """Return what ends the rounds without a count that is trusted."""
        last = self.state[LAST]
        if self.profile.continuous and self.state[last] not in _NEVER:
            return "put all cards back in"
        if self.state[last] in _NEVER:
            return "have the supervisor declare a new %s deck" % COLOURS[last]
        return "count the stub of the %s deck" % COLOURS[last]

    @micropython.native
    def _say(self, text, d):
        """The text of a row with its {words} filled in; the words that stand there, and no others, are looked up."""
        at = text.find("{")
        if at < 0:
            return text
        parts, after = [], 0
        while at >= 0:
            end = text.find("}", at)
            parts.append(text[after:at])
            parts.append(str(_WORDS[text[at + 1 : end]](self, d)))
            after = end + 1
            at = text.find("{", after)
        parts.append(text[after:])
        return "".join(parts)

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
